// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0

//! Frames of structured-zstd, ruzstd and oxiarc-zstd for `make interop-zstd`: encoders NAME IN OUT. Both formats: ../README.md.
// If an encoder refuses or dies, its message goes to standard error and nothing is counted.

use std::panic::{catch_unwind, AssertUnwindSafe};

struct Out(Vec<u8>);

impl Out {
    fn record(&mut self, item: usize, settings: &str, make: impl FnOnce() -> Result<Vec<u8>, String>) {
        match catch_unwind(AssertUnwindSafe(make)) {
            Ok(Ok(frame)) => {
                self.0.extend((item as u32).to_le_bytes());
                self.0.extend((settings.len() as u16).to_le_bytes());
                self.0.extend(settings.as_bytes());
                self.0.extend((frame.len() as u32).to_le_bytes());
                self.0.extend(frame);
            }
            Ok(Err(said)) => eprintln!("item {item}, {settings}: {said}"),
            Err(_) => eprintln!("item {item}, {settings}: the encoder panicked"),
        }
    }
}

fn structured(item: usize, data: &[u8], out: &mut Out) {
    use structured_zstd::encoding::{compress_slice_to_vec, CompressionLevel, FrameCompressor};
    for level in [-5, 1, 2, 3, 5, 7, 9, 13, 16, 18, 22] {
        if level < 16 || data.len() < 100_000 {
            out.record(item, &format!("level {level}"), || Ok(compress_slice_to_vec(data, CompressionLevel::from_level(level))));
        }
    }
    for (name, level, sum, size, target, most) in [
        ("level 3, checksum, no size", 3, true, false, None, None),
        ("level 9, blocks of about 1340", 9, false, true, Some(1340), None),
        ("level 5, checksum, blocks of at most 1 KiB", 5, true, true, None, Some(1024)),
    ] {
        out.record(item, name, || {
            let mut frame = Vec::new();
            let mut e = FrameCompressor::new(CompressionLevel::from_level(level));
            e.set_content_checksum(sum);
            e.set_content_size_flag(size);
            e.set_target_block_size(target);
            e.set_max_block_size(most);
            e.set_source(data);
            e.set_drain(&mut frame);
            e.compress();
            drop(e);
            Ok(frame)
        });
    }
}

fn ruzstd(item: usize, data: &[u8], out: &mut Out) {
    use ruzstd::encoding::{compress_to_vec, CompressionLevel};
    out.record(item, "fastest", || Ok(compress_to_vec(data, CompressionLevel::Fastest)));
    out.record(item, "uncompressed", || Ok(compress_to_vec(data, CompressionLevel::Uncompressed)));
}

fn oxiarc(item: usize, data: &[u8], out: &mut Out) {
    use oxiarc_zstd::ZstdEncoder;
    for (name, level, sum, size) in [
        ("level 0", 0, true, true),
        ("level 1", 1, true, true),
        ("level 6, no checksum", 6, false, true),
        ("level 12, no size", 12, true, false),
        ("level 22", 22, true, true),
    ] {
        out.record(item, name, || {
            let mut e = ZstdEncoder::new();
            e.set_level(level).set_checksum(sum).set_content_size(size);
            e.compress(data).map_err(|fault| fault.to_string())
        });
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let blob = std::fs::read(&words[2]).unwrap();
    let mut out = Out(Vec::new());
    let (mut at, mut item) = (0, 0);
    while at < blob.len() {
        let length = u32::from_le_bytes(blob[at..at + 4].try_into().unwrap()) as usize;
        let data = &blob[at + 4..at + 4 + length];
        match words[1].as_str() {
            "structured-zstd" => structured(item, data, &mut out),
            "ruzstd" => ruzstd(item, data, &mut out),
            "oxiarc-zstd" => oxiarc(item, data, &mut out),
            other => panic!("no encoder {other}"),
        }
        at += 4 + length;
        item += 1;
    }
    std::fs::write(&words[3], out.0).unwrap();
}
