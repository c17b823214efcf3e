// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
//! The RAM that the objects take on a 32-bit machine, as port/rust/README.md states it.
#![no_std]
#![no_main]
#![forbid(unsafe_code)]
use cortex_m_rt::entry;
use microtet::{Chunk, Dataset, File, MetadataMemory, SlabMemory, StreamMemory};
use semihosting::{println, process::ExitCode};

#[entry]
fn main() -> ! {
    println!("| `File` | {} |", size_of::<File>());
    println!("| `Dataset` | {} |", size_of::<Dataset>());
    println!("| `Chunk` | {} |", size_of::<Chunk>());
    println!("| `SlabMemory` | {} |", size_of::<SlabMemory>());
    println!("| `StreamMemory` | {} |", size_of::<StreamMemory>());
    println!("| `MetadataMemory` | {} |", size_of::<MetadataMemory>());
    ExitCode::SUCCESS.exit_process()
}
