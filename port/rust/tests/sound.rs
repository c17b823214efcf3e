// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
//! Safe programs that break the library's rules reach no memory that is not theirs: rust.sh runs this file under valgrind as well.
use microtet::*;

const PLANET: &[u8] = include_bytes!("../../../test/golden/demo/demo_planet.tet");
const TINY: &[u8] = include_bytes!("../../../test/golden/demo/demo_tiny.tet");

/// A sequence that is the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// The objects that a program can take out of a file.
#[derive(Default)]
struct Objects {
    data: Vec<Dataset>,
    chunks: Vec<Chunk>,
    values: Vec<Value>,
}

/// Takes what it can get.
fn objects(file: &mut File, found: &mut Objects) {
    let mut data = Dataset::new();
    while let Ok(true) = file.next(&mut data) {
        let mut chunk = Chunk::new();
        let coords = vec![0; data.shape().len()];
        if file.chunk(&data, &coords, &mut chunk).is_ok() {
            found.chunks.push(chunk);
        }
        found.data.push(data.clone());
    }
    let mut memory = MetadataMemory::new();
    let mut meta = file.metadata(&mut memory);
    let mut new: Vec<Value> = [meta.history(), meta.file_info(), meta.datasets()].into_iter().flatten().collect();
    while let Some(value) = new.pop() {
        found.values.push(value);
        let mut list = value;
        while let Ok(Some((key, item))) = meta.next(&mut list) {
            new.extend([key, item]);
        }
    }
    if let Ok(mut history) = meta.history() {
        while let Ok(Some(event)) = meta.next_event(&mut history) {
            found.values.extend([EventField::Op, EventField::Parents, EventField::Entity].map(|field| event.field(field)));
        }
    }
    for data in &found.data {
        let mut about = DatasetMetadata::new();
        if meta.dataset(data, &mut about).is_ok() {
            found.values.extend([about.attributes(), about.dimensions(), about.fill()]);
            found.values.extend(meta.labels(&about, 0));
        }
    }
}

/// Makes each call with each object, whichever file and call it comes from. Returns the number of calls that give something.
fn use_all(file: &mut File, from: &Objects) -> usize {
    let (mut good, mut buffer) = (0, [0; 64]);
    for data in &from.data {
        good += usize::from(file.name(data, &mut buffer).is_ok());
        let mut chunk = Chunk::new();
        for index in [0, 1, u64::MAX] {
            let coords = vec![index; data.shape().len()];
            good += usize::from(file.chunk(data, &coords, &mut chunk).is_ok());
            let mut memory = StreamMemory::new();
            good += usize::from(file.stream(&mut memory, &chunk).read(&mut buffer).is_ok());
        }
        let ranges: Vec<Range> = data.shape().iter().map(|&extent| Range::from(0..extent.min(9))).collect();
        let mut memory = SlabMemory::new();
        let mut slab = file.slab(&mut memory, data, &ranges);
        while let Ok(Some(run)) = slab.next() {
            good += run.elements().map(|element| usize::from(element[0] > 0)).sum::<usize>();
        }
        let mut next = data.clone();
        drop(slab);
        good += usize::from(file.next(&mut next).is_ok());
    }
    for chunk in &from.chunks {
        let mut memory = StreamMemory::new();
        let mut stream = file.stream(&mut memory, chunk);
        good += usize::from(stream.skip(5).is_ok());
        while let Ok(1..) = stream.read(&mut buffer) {
            good += 1;
        }
    }
    let mut memory = MetadataMemory::new();
    let mut meta = file.metadata(&mut memory);
    for value in &from.values {
        good += usize::from(meta.text(&mut { *value }, &mut buffer).is_ok());
        good += usize::from(meta.next(&mut { *value }).is_ok());
        good += usize::from(meta.next_event(&mut { *value }).is_ok());
        good += usize::from(meta.find(value, "units").is_ok());
        good += usize::from(meta.index_of(value, "x").is_ok());
    }
    for data in &from.data {
        let mut about = DatasetMetadata::new();
        if meta.dataset(data, &mut about).is_ok() {
            good += usize::from(meta.axis(&about, "lat").is_ok()) + usize::from(meta.labels(&about, 7).is_ok());
        }
    }
    good
}

/// Objects of one file in another one, which ends where its memory ends.
#[test]
fn objects_of_another_file() {
    let mut objects_of = Vec::new();
    let files = [PLANET, TINY].map(<[u8]>::to_vec);
    for bytes in &files {
        let mut work = vec![0; 16384];
        let mut medium = Medium::memory(bytes);
        let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD).unwrap();
        let mut found = Objects::default();
        file.open().unwrap();
        objects(&mut file, &mut found);
        assert!(!found.data.is_empty() && !found.chunks.is_empty() && found.values.len() > 20, "{}", found.values.len());
        let own = use_all(&mut file, &found);
        assert!(own > 50, "{own}");
        objects_of.push(found);
    }
    for (i, bytes) in files.iter().enumerate() {
        for work_len in [192, 700, 16384] {
            let mut work = vec![0; work_len];
            let mut medium = Medium::memory(bytes);
            let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD).unwrap();
            assert_eq!(use_all(&mut file, &objects_of[1 - i]), 0, "a file that is not open");
            file.open().unwrap();
            let foreign = use_all(&mut file, &objects_of[1 - i]);
            println!("{foreign} calls with the objects of the other file give something");
        }
    }
}

/// A port that changes what it has said, waits, and delivers what it likes.
struct Liar {
    random: Random,
    file: Vec<u8>,
    size: u64,
    lies: u64,
}

impl Port for Liar {
    fn size(&self) -> u64 {
        self.size
    }
    fn read(&mut self, offset: u64, buf: &mut [u8]) -> core::result::Result<usize, PortError> {
        let lie = self.random.below(self.lies);
        let at = (offset.min(self.file.len() as u64)) as usize;
        let count = buf.len().min(self.file.len() - at);
        buf[..count].copy_from_slice(&self.file[at..at + count]);
        match lie {
            0 => Err(PortError::Code(offset as u16)),
            1 | 2 => Err(PortError::WouldBlock),
            3 => Ok(usize::MAX),
            4 => Ok(buf.len() + 1),
            5 => Ok(0),
            6..=9 if count > 0 => {
                let byte = self.random.below(count as u64) as usize;
                buf[byte] ^= 1 << self.random.below(8);
                Ok(count)
            }
            10 => Ok(self.random.below(count as u64 + 1) as usize),
            _ => Ok(count),
        }
    }
}

/// Whatever the port says, a call ends with data or an error.
#[test]
fn ports_that_lie() {
    let (mut good, mut total) = (0, 0);
    for seed in 0..150 {
        let mut random = Random(seed);
        let file = if random.below(4) > 0 { TINY } else { PLANET }.to_vec();
        let size = match random.below(8) {
            0 => u64::MAX,
            1 => 1 << 40,
            2 => file.len() as u64 + 1 + random.below(5000),
            3 => random.below(file.len() as u64),
            _ => file.len() as u64,
        };
        let lies = [12, 40, 200, 1000, 5000][random.below(5) as usize];
        let mut port = Liar { random, file, size, lies };
        let mut medium = Medium::new(&mut port);
        let mut work = vec![0; 16384];
        let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD).unwrap();
        let mut found = Objects::default();
        total += 1;
        let opened = (0..20).any(|_| file.open().is_ok());
        if opened {
            objects(&mut file, &mut found);
            file.cancel();
            good += usize::from(use_all(&mut file, &found) > 0);
        }
    }
    println!("figure: {total} ports that lie, {good} of them give something");
    assert!(good > 20 && good < total, "{good} of {total}");
}

/// Objects that are forgotten in the middle of a call, with their memory freed: the file does not come back to it.
#[test]
fn forgotten_objects() {
    struct Slow(bool);
    impl Port for Slow {
        fn size(&self) -> u64 {
            TINY.len() as u64
        }
        fn read(&mut self, offset: u64, buf: &mut [u8]) -> core::result::Result<usize, PortError> {
            self.0 = !self.0;
            if self.0 {
                return Err(PortError::WouldBlock);
            }
            let count = buf.len().min(16);
            buf[..count].copy_from_slice(&TINY[offset as usize..][..count]);
            Ok(count)
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
    for steps in 0..60 {
        let mut port = Slow(false);
        let mut medium = Medium::new(&mut port);
        let mut work = vec![0; 16384];
        let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD).unwrap();
        let (mut data, mut chunk) = (Box::new(Dataset::new()), Box::new(Chunk::new()));
        wait!(file.open());
        wait!(file.next(&mut data));
        let coords = vec![0; data.shape().len()];
        wait!(file.chunk(&data, &coords, &mut chunk));
        let ranges: Vec<Range> = data.shape().iter().map(|&extent| Range::from(0..extent)).collect();
        {
            let (mut memory, mut buffer) = (Box::new(StreamMemory::new()), vec![0; 4096]);
            let mut stream = file.stream(&mut memory, &chunk);
            for _ in 0..steps {
                let _ = stream.read(&mut buffer);
            }
            std::mem::forget(stream);
        }
        let _ = (file.name(&data, &mut [0; 9]), file.next(&mut data));
        file.cancel();
        {
            let mut memory = Box::new(MetadataMemory::new());
            let mut meta = file.metadata(&mut memory);
            for _ in 0..steps {
                let _ = meta.datasets();
            }
            std::mem::forget(meta);
        }
        drop(data);
        let mut data = Dataset::new();
        let found = file.next(&mut data);
        assert!(matches!(found, Err(Error::State | Error::WouldBlock) | Ok(true)), "{found:?}");
        file.cancel();
        data = Dataset::new();
        assert!(wait!(file.next(&mut data)));
        {
            let mut memory = Box::new(SlabMemory::new());
            let mut slab = file.slab(&mut memory, &data, &ranges);
            for _ in 0..steps {
                let _ = slab.next();
            }
            std::mem::forget(slab);
        }
        let mut moved = Box::new(file); // its address changes as well
        let _ = moved.next(&mut data);
        let (mut memory, mut bytes) = (SlabMemory::new(), vec![0; 1 << 16]);
        let mut data = Dataset::new();
        moved.cancel();
        wait!(moved.next(&mut data));
        let mut slab = moved.slab(&mut memory, &data, &ranges);
        let size = wait!(slab.count()) as usize * data.elem_size();
        wait!(slab.read_bytes(&mut bytes[..size]));
        assert!(bytes[..size].iter().any(|&byte| byte != 0));
    }
}
