// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
//! The golden files of the tree, as test/golden/golden.txt says: what each file must give is the answer of the reference implementation.
use microtet::*;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// A medium that delivers little at a time, and "not yet" before each delivery.
struct Slow<'a> {
    file: &'a [u8],
    ready: bool,
}

impl Port for Slow<'_> {
    const UNIT: u16 = 8;
    fn size(&self) -> u64 {
        self.file.len() as u64
    }
    fn read(&mut self, offset: u64, buf: &mut [u8]) -> core::result::Result<usize, PortError> {
        self.ready = !self.ready;
        if self.ready {
            return Err(PortError::WouldBlock);
        }
        let rest = &self.file[offset as usize..];
        let count = buf.len().min(rest.len()).min(160);
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// Repeats a call until it is no longer suspended.
macro_rules! wait {
    ($call:expr) => {
        loop {
            match $call {
                Err(Error::WouldBlock) => {}
                result => break result,
            }
        }
    };
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn quoted(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "%".into();
    }
    bytes.iter().fold(String::new(), |mut to, &byte| {
        match byte {
            0x21..=0x7E if byte != b'%' => to.push(byte.into()),
            _ => write!(to, "%{byte:02X}").unwrap(),
        }
        to
    })
}

/// The word of golden.txt for an error.
fn word(error: Error) -> String {
    match error {
        Error::Unsupported { what, .. } => match what {
            Unsupported::ZstdWindow => "ZSTD_WINDOW".into(),
            Unsupported::ZstdDictionary => "ZSTD_DICT".into(),
            Unsupported::ZstdLegacy => "ZSTD_LEGACY".into(),
            Unsupported::IndexVersion => "INDEX_VERSION".into(),
            Unsupported::FooterVersion => "FOOTER_VERSION".into(),
            other => format!("{other:?}").to_uppercase(),
        },
        Error::Damaged { region, .. } => format!("{region:?}").to_uppercase(),
        other => format!("{other:?}").split([' ', '{']).next().unwrap().to_uppercase(),
    }
}

fn offset(error: Error) -> Option<u64> {
    match error {
        Error::Unsupported { offset, .. } | Error::Damaged { offset, .. } | Error::Short { offset } => Some(offset),
        _ => None,
    }
}

fn texts(shape: &[u64]) -> String {
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

fn text(meta: &mut Metadata, text: Value) -> Vec<u8> {
    let (mut text, mut bytes, mut piece) = (text, Vec::new(), [0; 7]);
    assert_eq!(text.kind(), Kind::Text);
    loop {
        match wait!(meta.text(&mut text, &mut piece)).unwrap() {
            0 => return bytes,
            count => bytes.extend(&piece[..count]),
        }
    }
}

/// All texts of a list, or of a map: there the last one of each key counts.
fn say_all(meta: &mut Metadata, path: &str, list: Value, said: &mut Vec<String>) {
    let (mut rest, mut n) = (list, 0);
    while let Some((key, item)) = wait!(meta.next(&mut rest)).unwrap() {
        let (name, item) = if list.kind() == Kind::Map {
            let key = text(meta, key);
            let name = std::str::from_utf8(&key).unwrap();
            (quoted(&key), wait!(meta.find(&list, name)).unwrap())
        } else {
            (n.to_string(), item)
        };
        said.push(format!("{path} {name} {}\n", quoted(&text(meta, item))));
        n += 1;
    }
}

/// Facts, one a line, sorted, each once.
fn say(meta: &mut Metadata) -> Vec<String> {
    use EventField::*;
    let mut said = Vec::new();
    let mut history = wait!(meta.history()).unwrap();
    let mut n = 0;
    while let Some(event) = wait!(meta.next_event(&mut history)).unwrap() {
        for field in [Op, Source, At, Parents, Params, Agent, Activity, Entity] {
            let (path, value) = (format!("event {n} {}", format!("{field:?}").to_lowercase()), event.field(field));
            if value.kind() == Kind::Text {
                said.push(format!("{path} {}\n", quoted(&text(meta, value))));
            } else {
                say_all(meta, &path, value, &mut said);
            }
        }
        n += 1;
    }
    let info = wait!(meta.file_info()).unwrap();
    for name in ["tool", "library_version", "created_at"] {
        match wait!(meta.find(&info, name)) {
            Ok(value) => said.push(format!("file {name} {}\n", quoted(&text(meta, value)))),
            Err(error) => assert_eq!(error, Error::NotFound),
        }
    }
    let datasets = wait!(meta.datasets()).unwrap();
    let mut rest = datasets;
    while let Some((key, _)) = wait!(meta.next(&mut rest)).unwrap() {
        let key = text(meta, key);
        let about = wait!(meta.find(&datasets, std::str::from_utf8(&key).unwrap())).unwrap();
        for (fact, part) in [("attr", "attrs"), ("dim", "dim_names")] {
            if let Ok(value) = wait!(meta.find(&about, part)) {
                say_all(meta, &format!("{fact} {}", quoted(&key)), value, &mut said);
            }
        }
        if let Ok(coords) = wait!(meta.find(&about, "coords")) {
            let mut rest = coords;
            while let Some((axis, _)) = wait!(meta.next(&mut rest)).unwrap() {
                let axis = text(meta, axis);
                let labels = wait!(meta.find(&coords, std::str::from_utf8(&axis).unwrap())).unwrap();
                let labels = wait!(meta.find(&labels, "labels")).unwrap();
                say_all(meta, &format!("label {} {}", quoted(&key), quoted(&axis)), labels, &mut said);
            }
        }
    }
    said.sort();
    said.dedup();
    said
}

/// The selection of a dataset, in three ways that must agree.
fn select(file: &mut File, data: &Dataset, ranges: &[Range]) -> Result<(u64, Vec<u8>)> {
    let (mut memory, mut other) = (SlabMemory::new(), SlabMemory::new());
    let mut slab = file.slab(&mut memory, data, ranges);
    let count = wait!(slab.count())?;
    let size = data.elem_size();
    let mut bytes = vec![0xA5; count as usize * size];
    wait!(slab.read_bytes(&mut bytes))?;
    drop(slab);
    let mut slab = file.slab(&mut other, data, ranges);
    let mut found = vec![0x5A; bytes.len()];
    loop {
        let run = match slab.next() {
            Err(Error::WouldBlock) => continue,
            run => run?,
        };
        let Some(run) = run else { break };
        let first = run.first() as usize * size;
        for (i, element) in run.elements().enumerate() {
            found[first + i * size..][..size].copy_from_slice(element);
        }
    }
    assert_eq!(bytes, found);
    Ok((count, bytes))
}

/// The dataset with this number.
fn nth(file: &mut File, number: usize) -> Dataset {
    let mut data = Dataset::new();
    for _ in 0..=number {
        assert!(wait!(file.next(&mut data)).unwrap());
    }
    data
}

fn all(data: &Dataset) -> Vec<Range> {
    data.shape().iter().map(|&extent| Range::from(0..extent)).collect()
}

/// Answers each line about a file; returns the number of lines.
fn answer(name: &str, medium: &mut Medium, length: usize, lines: &[&str]) -> usize {
    let mut work = vec![0; 1 << 20];
    let mut file = File::new(medium, &mut work, Codecs::ZSTD).unwrap();
    let opened = wait!(file.open());
    let mut answered = 0;
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().unwrap();
        let what = format!("{name}: {line}");
        match words[0] {
            "open" if words[1] == "ANY" => continue,
            "open" => {
                let said = opened.map_or_else(word, |()| "OK".into());
                assert!(words[1].split(',').any(|each| each == said), "{what}: {opened:?}");
                if let Some(offset) = opened.err().and_then(offset) {
                    assert!(offset <= length as u64, "{what}: offset {offset}");
                }
            }
            "data" => {
                let data = nth(&mut file, number(1));
                let mut name = vec![0; data.name_len()];
                assert_eq!(wait!(file.name(&data, &mut name)), Ok(data.name_len()));
                assert_eq!(data.dtype().is_some(), (1..=10).contains(&number(3)), "{what}");
                let dtype = data.dtype().map_or(number(3) as u32, |dtype| dtype as u32);
                assert_eq!(
                    format!("{} {dtype} {} {}", quoted(&name), texts(data.shape()), texts(data.chunk_shape())),
                    words[2..].join(" "),
                    "{what}"
                );
                if let Ok(name) = std::str::from_utf8(&name) {
                    let mut found = Dataset::new();
                    wait!(file.find(name, &mut found)).unwrap();
                    assert!(found.id() <= data.id(), "{what}"); // the first one of that name
                }
            }
            "dense" => {
                let data = nth(&mut file, number(1));
                let (_, bytes) = select(&mut file, &data, &all(&data)).expect(&what);
                assert_eq!((bytes.len(), hex(&bytes).as_str()), (number(2), words[3]), "{what}");
            }
            "read" => {
                let data = nth(&mut file, number(1));
                let error = select(&mut file, &data, &all(&data)).expect_err(&what);
                assert!(words[2].split(',').any(|each| each == word(error)), "{what}: {error:?}");
                assert!(offset(error).is_none_or(|offset| offset <= length as u64), "{what}: {error:?}");
            }
            "slice" => {
                let data = nth(&mut file, number(1));
                let ranges: Vec<Range> = words[2]
                    .split(',')
                    .map(|axis| axis.split(':').map(|number| number.parse().unwrap()).collect::<Vec<u64>>())
                    .map(|axis| Range::new(axis[0], axis[1], axis[2]))
                    .collect();
                let (count, bytes) = select(&mut file, &data, &ranges).expect(&what);
                assert_eq!((count as usize, hex(&bytes).as_str()), (number(3), words[4]), "{what}");
            }
            "said" => {
                let mut memory = MetadataMemory::new();
                let said = say(&mut file.metadata(&mut memory));
                assert_eq!((said.len(), hex(said.concat().as_bytes()).as_str()), (number(1), words[2]), "{what}");
            }
            "metadata" => {
                let mut memory = MetadataMemory::new();
                let mut meta = file.metadata(&mut memory); // made once: a new one begins anew
                let error = wait!(meta.open()).expect_err(&what);
                let offset = offset(error).unwrap() as usize;
                assert_eq!(word(error), "METADATA", "{what}");
                assert!((number(1)..=number(2)).contains(&offset), "{what}: {error}");
            }
            "footer" => assert_eq!(file.footer_error().map(word).as_deref(), Some(words[1]), "{what}"),
            _ => continue,
        }
        answered += 1;
    }
    answered
}

struct Golden {
    name: String,
    bytes: Vec<u8>,
    lines: Vec<&'static str>,
}

/// The files of the tree, with the lines about each.
fn golden() -> Vec<Golden> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test");
    let text = std::fs::read_to_string(format!("{folder}/golden/golden.txt")).unwrap().leak();
    let mut files: Vec<Golden> = Vec::new();
    let mut here = false;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(file) = line.strip_prefix("file ") {
            let words: Vec<&str> = file.split(' ').collect();
            here = words[0].starts_with("golden");
            if here {
                let bytes = std::fs::read(format!("{folder}/{}/{}", words[0], words[1])).unwrap();
                assert_eq!(hex(&bytes), words[3]);
                files.push(Golden { name: words[1].into(), bytes, lines: Vec::new() });
            }
        } else if here {
            files.last_mut().unwrap().lines.push(line);
        }
    }
    assert!(files.len() > 200);
    files
}

#[test]
fn golden_files_in_memory() {
    let answered: usize = golden().iter().map(|each| answer(&each.name, &mut Medium::memory(&each.bytes), each.bytes.len(), &each.lines)).sum();
    println!("figure: {answered} lines of golden.txt");
    assert!(answered > 2700, "{answered}");
}

#[test]
fn golden_files_behind_a_port_that_waits() {
    for each in golden() {
        let mut port = Slow { file: &each.bytes, ready: false };
        answer(&each.name, &mut Medium::new(&mut port).step_limit(3), each.bytes.len(), &each.lines);
    }
}

/// Reads everything; the first error ends it.
fn read_all(bytes: &[u8]) -> Result<usize> {
    let mut work = vec![0; 1 << 16];
    let mut medium = Medium::memory(bytes);
    let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD)?;
    let (mut data, mut chunk, mut total) = (Dataset::new(), Chunk::new(), 0);
    let (mut stream_memory, mut slab_memory, mut meta_memory) = (StreamMemory::new(), SlabMemory::new(), MetadataMemory::new());
    file.open()?;
    while file.next(&mut data)? {
        let mut name = [0; 300];
        file.name(&data, &mut name)?;
        let first = vec![0; data.shape().len()];
        match file.chunk(&data, &first, &mut chunk) {
            Ok(()) => {
                let (mut stream, mut slice) = (file.stream(&mut stream_memory, &chunk), [0; 100]);
                stream.skip(3)?;
                while stream.position() < 100_000 && stream.read(&mut slice)? > 0 {}
            }
            Err(Error::Range) => {} // an empty dataset
            Err(error) => return Err(error),
        }
        let ranges = all(&data);
        let mut slab = file.slab(&mut slab_memory, &data, &ranges);
        slab.open()?;
        while let Some(run) = slab.next()? {
            total += run.elements().map(<[u8]>::len).sum::<usize>();
            if total > 1 << 20 {
                return Ok(total);
            }
        }
    }
    say_or_not(&mut file.metadata(&mut meta_memory))?;
    Ok(total)
}

/// What `say` reads, with errors.
fn say_or_not(meta: &mut Metadata) -> Result<()> {
    let (mut history, mut datasets) = (meta.history()?, meta.datasets()?);
    while let Some(event) = meta.next_event(&mut history)? {
        meta.text(&mut event.field(EventField::Op), &mut [0; 50])?;
    }
    while let Some((mut key, mut about)) = meta.next(&mut datasets)? {
        meta.text(&mut key, &mut [0; 50])?;
        while meta.next(&mut about)?.is_some() {}
    }
    Ok(())
}

/// Cut and changed files give data or an error in the file.
#[test]
fn damaged_files() {
    let (mut tried, mut refused) = (0, 0);
    for each in golden().iter().filter(|each| each.bytes.len() < 3000) {
        let step = each.bytes.len() / 40 + 1;
        for at in (0..each.bytes.len()).step_by(step) {
            let mut changed = each.bytes.clone();
            changed[at] ^= 1 << (at % 8);
            for bytes in [&each.bytes[..at], &changed] {
                tried += 1;
                if let Err(error) = read_all(bytes) {
                    refused += 1;
                    assert!(!matches!(error, Error::State | Error::Argument | Error::WouldBlock | Error::Element), "{} {at}: {error:?}", each.name);
                    assert!(offset(error).is_none_or(|offset| offset <= bytes.len() as u64), "{} {at}: {error:?}", each.name);
                }
            }
        }
    }
    println!("figure: {tried} damaged files, {refused} refused");
    assert!(tried > 10_000 && refused > tried / 2 && refused < tried, "{tried} {refused}");
}
