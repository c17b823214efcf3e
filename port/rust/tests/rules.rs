// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
//! What the wrapper adds to the library: arguments that it refuses, suspended calls, ports that break the rules.
use microtet::*;

const PLANET: &[u8] = include_bytes!("../../../test/golden/demo/demo_planet.tet");

/// Says "not yet" `waits` times before it delivers.
struct Waiting {
    waits: usize,
    left: usize,
    cancelled: usize,
}

impl Port for Waiting {
    fn size(&self) -> u64 {
        PLANET.len() as u64
    }
    fn read(&mut self, offset: u64, buf: &mut [u8]) -> core::result::Result<usize, PortError> {
        if self.left > 0 {
            self.left -= 1;
            return Err(PortError::WouldBlock);
        }
        self.left = self.waits;
        buf.copy_from_slice(&PLANET[offset as usize..][..buf.len()]);
        Ok(buf.len())
    }
    fn cancel(&mut self) {
        self.cancelled += 1;
    }
}

macro_rules! wait {
    ($call:expr) => {
        loop {
            match $call {
                Err(Error::WouldBlock) => {}
                result => break result.unwrap(),
            }
        }
    };
}

const ROWS: [Range; 2] = [Range::new(10, 40, 10), Range::new(0, 128, 32)];

#[test]
fn arguments() {
    let mut work = [0; 8192];
    let mut medium = Medium::memory(PLANET);
    let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD).unwrap();
    let (mut data, mut memory) = (Dataset::new(), SlabMemory::new());
    assert_eq!(file.next(&mut data), Err(Error::State));
    file.open().unwrap();
    assert_eq!(file.slab(&mut memory, &data, &ROWS).open(), Err(Error::State), "an empty dataset object");
    assert_eq!(file.name(&data, &mut [0; 9]), Err(Error::State));
    assert_eq!(file.find("nothing", &mut data), Err(Error::NotFound));
    assert_eq!(data.shape(), []);
    file.find("temperature", &mut data).unwrap();
    assert_eq!(data.dtype(), Some(Dtype::F32));
    assert_eq!(file.slab(&mut memory, &data, &ROWS[..1]).open(), Err(Error::Range), "one range for two axes");
    assert_eq!(file.slab(&mut memory, &data, &[Range::from(0..1), Range::from(0..1000)]).open(), Err(Error::Range));
    assert_eq!(file.slab(&mut memory, &data, &ROWS).read(&mut [0u32; 12]), Err(Error::Element));
    assert_eq!(file.slab(&mut memory, &data, &ROWS).read(&mut [0f32; 11]), Err(Error::Space));
    assert_eq!(file.chunk(&data, &[0], &mut Chunk::new()), Err(Error::Range));
    assert_eq!(file.stream(&mut StreamMemory::new(), &Chunk::new()).read(&mut [0; 9]), Ok(0), "an empty chunk object");
    let (mut meta, about) = (MetadataMemory::new(), DatasetMetadata::new());
    assert_eq!(file.metadata(&mut meta).axis(&about, "0"), Err(Error::State), "an empty metadata object");
    file.slab(&mut memory, &data, &ROWS).read(&mut [0f32; 12]).unwrap();
}

#[test]
fn empty_files() {
    let mut medium = Medium::memory(&[]);
    let error = File::new(&mut medium, &mut [], Codecs::RAW).unwrap().open().unwrap_err();
    assert_eq!(error, Error::Damaged { region: Region::Superblock, offset: 0 });
}

/// Errors have what the text of the C library has.
#[test]
fn texts() {
    let mut work = [0; 500];
    let mut medium = Medium::memory(b"no .tet file at all, but long enough");
    let error = File::new(&mut medium, &mut work, Codecs::RAW).unwrap().open().unwrap_err();
    assert_eq!(error, Error::Unsupported { what: Unsupported::Magic, offset: 0 });
    assert_eq!((error.status(), error.to_string().as_str()), (-32, "not a .tet file (offset 0)"));
}

/// The budget that the error states is enough, and one byte less is not.
#[test]
fn budgets() {
    let read = |size: usize| {
        let mut work = vec![0; size];
        let mut medium = Medium::memory(PLANET);
        let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD).unwrap();
        let (mut data, mut memory) = (Dataset::new(), SlabMemory::new());
        file.open().unwrap();
        file.find("temperature", &mut data).unwrap();
        let mut values = [0f32; 12];
        let done = file.slab(&mut memory, &data, &ROWS).read(&mut values);
        done.map(|()| values)
    };
    let Err(Error::Budget { needed }) = read(100) else { panic!("no budget") };
    assert!(needed > 1000 && needed < 8192, "{needed}");
    assert_eq!(read(needed as usize), read(8192));
    assert!(matches!(read(needed as usize - 8), Err(Error::Budget { .. })));
    let mut work = [0; 8192];
    let mut medium = Medium::memory(PLANET);
    let mut file = File::new(&mut medium, &mut work, Codecs::RAW).unwrap();
    let (mut data, mut memory) = (Dataset::new(), SlabMemory::new());
    file.open_with(Options { budget: 600, ram_bytes: 0 }).unwrap();
    file.find("temperature", &mut data).unwrap();
    assert!(matches!(file.slab(&mut memory, &data, &ROWS).open(), Err(Error::Unsupported { what: Unsupported::Codec, .. })));
}

#[test]
fn suspended_calls() {
    let mut port = Waiting { waits: 1, left: 1, cancelled: 0 };
    let mut work = [0; 8192];
    let mut medium = Medium::new(&mut port);
    let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD).unwrap();
    let (mut data, mut other, mut memory) = (Dataset::new(), Dataset::new(), SlabMemory::new());
    assert_eq!(file.open(), Err(Error::WouldBlock));
    assert_eq!(file.find("temperature", &mut data), Err(Error::State), "another call");
    wait!(file.open());
    assert_eq!(file.find("temperature", &mut data), Err(Error::WouldBlock));
    assert_eq!(file.find("elevation", &mut data), Err(Error::State), "another name");
    assert_eq!(file.find("temperature", &mut other), Err(Error::State), "another object");
    wait!(file.find("temperature", &mut data));
    let mut values = [0f32; 12];
    {
        let mut slab = file.slab(&mut memory, &data, &ROWS);
        assert_eq!(slab.read(&mut values), Err(Error::WouldBlock));
        wait!(slab.count());
        assert_eq!(slab.read(&mut values), Err(Error::WouldBlock));
        assert_eq!(slab.read(&mut [0f32; 12]), Err(Error::State), "another destination");
        assert!(matches!(slab.next(), Err(Error::State)), "another call");
    } // suspended
    let mut slab = file.slab(&mut memory, &data, &ROWS);
    wait!(slab.read(&mut values));
    drop(slab);
    let mut mapped = Medium::memory(PLANET);
    let mut work = [0; 8192];
    let mut same = File::new(&mut mapped, &mut work, Codecs::ZSTD).unwrap();
    let mut expected = [0f32; 12];
    same.open().unwrap();
    same.find("temperature", &mut other).unwrap();
    same.slab(&mut memory, &other, &ROWS).read(&mut expected).unwrap();
    assert_eq!(values, expected);

    // One that is neither finished nor dropped.
    let mut forgotten = Box::new(SlabMemory::new());
    let mut slab = file.slab(&mut forgotten, &data, &ROWS);
    wait!(slab.open());
    assert_eq!(slab.read(&mut [0f32; 12]), Err(Error::WouldBlock));
    std::mem::forget(slab);
    drop(forgotten);
    assert_eq!(file.find("elevation", &mut other), Err(Error::State));
    let mut slab = file.slab(&mut memory, &data, &ROWS);
    values = [0f32; 12];
    wait!(slab.read(&mut values));
    assert_eq!(values, expected);
    drop(slab);

    drop(file);
    assert!(port.cancelled >= 2, "{}", port.cancelled);
}

/// A record that a cancelled call has begun to change.
#[test]
fn cancelled_records() {
    let mut port = Waiting { waits: 1, left: 0, cancelled: 0 };
    let mut work = [0; 192]; // a window that holds less than a record
    let mut medium = Medium::new(&mut port);
    let mut file = File::new(&mut medium, &mut work, Codecs::RAW).unwrap();
    let mut data = Dataset::new();
    wait!(file.open());
    assert!(wait!(file.next(&mut data)));
    assert_eq!(file.next(&mut data), Err(Error::WouldBlock));
    assert_eq!(data.shape(), []);
    file.cancel();
    assert_eq!(file.next(&mut data), Err(Error::State));
    data = Dataset::new();
    assert!(wait!(file.next(&mut data)));
    assert_eq!(data.id(), 0);
    assert!(wait!(file.next(&mut data)));
    assert_eq!(data.id(), 1);
    assert_eq!(file.next(&mut data), Err(Error::WouldBlock));
    drop(file); // suspended
    assert_eq!(port.cancelled, 2);
}

/// What a port answers to each read.
struct Answers<const UNIT: u16>(fn(usize) -> core::result::Result<usize, PortError>);

impl<const UNIT_: u16> Port for Answers<UNIT_> {
    const UNIT: u16 = UNIT_;
    fn size(&self) -> u64 {
        4096
    }
    fn read(&mut self, _: u64, buf: &mut [u8]) -> core::result::Result<usize, PortError> {
        (self.0)(buf.len())
    }
}

fn opened<const UNIT: u16>(answer: fn(usize) -> core::result::Result<usize, PortError>) -> Error {
    let (mut port, mut work) = (Answers::<UNIT>(answer), [0; 1024]);
    let mut medium = Medium::new(&mut port);
    let opened = File::new(&mut medium, &mut work, Codecs::RAW).and_then(|mut file| file.open());
    opened.unwrap_err()
}

#[test]
fn ports() {
    assert_eq!(opened::<1>(|_| Err(PortError::Code(7))), Error::Port { code: 7, offset: 0 });
    assert_eq!(opened::<1>(|_| Err(PortError::Code(65535))), Error::Port { code: 65535, offset: 0 });
    assert_eq!(opened::<1>(|len| Ok(len + 1)), Error::Port { code: 65536, offset: 0 }, "more than it was asked for");
    assert_eq!(opened::<512>(|_| Ok(3)), Error::Port { code: 65536, offset: 0 }, "no whole unit");
    assert_eq!(opened::<1>(|_| Ok(0)), Error::Short { offset: 0 });
    assert_eq!(opened::<3>(Ok), Error::Argument, "a unit that is no power of two");
    assert_eq!(opened::<0>(Ok), Error::Argument);
}
