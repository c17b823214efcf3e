// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![no_std]
#![warn(missing_docs)]

mod element;
mod error;
mod file;
#[cfg(doctest)]
mod lifetimes;
mod medium;
mod metadata;
mod slab;
mod stream;

pub use element::{Dtype, Element, F16};
pub use error::{Error, Region, Result, Unsupported};
pub use file::{Chunk, Codecs, Dataset, File, Options, MAX_NDIM};
pub use medium::{Medium, Port, PortError};
pub use metadata::{DatasetMetadata, Event, EventField, Kind, Metadata, MetadataMemory, Value};
pub use slab::{Range, Run, Slab, SlabMemory};
pub use stream::{Stream, StreamMemory};

/// The version of the C library: major * 10000 + minor * 100 + patch.
pub fn version() -> u32 {
    // SAFETY: the function has no conditions.
    unsafe { microtet_sys::utet_version() }
}
