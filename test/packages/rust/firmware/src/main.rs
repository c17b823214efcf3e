// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
#![no_std]
#![no_main]
#![forbid(unsafe_code)]
use cortex_m_rt::entry;
use microtet::{Codecs, Dataset, File, Medium, Range, SlabMemory};
use semihosting::{println, process::ExitCode};

static FLASH: &[u8] = include_bytes!("../demo_planet.tet");

fn show() -> microtet::Result<()> {
    let mut work = [0; 8192]; // half of the RAM
    let mut medium = Medium::memory(FLASH);
    let mut file = File::new(&mut medium, &mut work, Codecs::ZSTD)?;
    let (mut data, mut memory) = (Dataset::new(), SlabMemory::new());
    let mut values = [0f32; 12];
    file.open()?;
    file.find("temperature", &mut data)?;
    file.slab(&mut memory, &data, &[Range::new(10, 40, 10), Range::new(0, 128, 32)]).read(&mut values)?;
    for value in values {
        println!("{value:.4}");
    }
    Ok(())
}

#[entry]
fn main() -> ! {
    match show() {
        Ok(()) => ExitCode::SUCCESS.exit_process(),
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE.exit_process()
        }
    }
}
