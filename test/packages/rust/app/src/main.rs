// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
use microtet::{Codecs, Dataset, File, Medium, Range, SlabMemory};

fn show(flash: &[u8]) -> microtet::Result<()> {
    let mut work = [0; 8192]; // all the memory it gets
    let mut medium = Medium::memory(flash);
    let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD)?;
    let (mut data, mut memory) = (Dataset::new(), SlabMemory::new());
    let mut values = [0f32; 12];
    file.open()?;
    file.find("temperature", &mut data)?;
    let rows_and_columns = [Range::new(10, 40, 10), Range::new(0, 128, 32)];
    file.slab(&mut memory, &data, &rows_and_columns).read(&mut values)?;
    for row in values.chunks(4) {
        println!("{:9.4}{:9.4}{:9.4}{:9.4}", row[0], row[1], row[2], row[3]);
    }
    println!("{} of 8192 bytes used", file.high_water());
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    Ok(show(&std::fs::read(path)?)?)
}
