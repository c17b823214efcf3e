// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
//! Declarations of the C library microtet: `utet.h` and `utet_meta.h`, as far as the crate `microtet` uses them. The comments of those
//! headers are the manual. Programs use the crate `microtet`, which needs no `unsafe`.
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_uint, c_void};

pub type utet_status = c_int;

macro_rules! statuses {
    ($($name:ident = $number:expr,)*) => { $(pub const $name: utet_status = $number;)* };
}
statuses! {
    UTET_OK = 0, UTET_END = 1, UTET_WOULD_BLOCK = 2,
    UTET_E_ARGUMENT = -1, UTET_E_STATE = -3, UTET_E_BUDGET = -4, UTET_E_RANGE = -5, UTET_E_NOT_FOUND = -6, UTET_E_MISSING = -7,
    UTET_E_SPACE = -8, UTET_E_SHORT = -16,
    UTET_E_MAGIC = -32, UTET_E_VERSION = -33, UTET_E_INDEX_VERSION = -34, UTET_E_FOOTER_VERSION = -35, UTET_E_DTYPE = -36,
    UTET_E_CODEC = -37, UTET_E_ZSTD_WINDOW = -38, UTET_E_ZSTD_DICT = -39, UTET_E_ZSTD_LEGACY = -40, UTET_E_LIMIT = -41,
    UTET_E_SUPERBLOCK = -48, UTET_E_DIRECTORY = -49, UTET_E_DATASET = -50, UTET_E_INDEX = -51, UTET_E_ROW = -52, UTET_E_FOOTER = -53,
    UTET_E_METADATA = -54, UTET_E_PAYLOAD = -55, UTET_E_CHECKSUM = -56,
    UTET_E_PORT = -256,
}

pub const UTET_MAX_NDIM: usize = 8;
pub const UTET_EVENT_FIELDS: usize = 8;

/// Objects of C that the library uses, in the order of their fields. `layout.c` and a test compare them with C's own.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_io {
    pub ctx: *mut c_void,
    pub read: Option<unsafe extern "C" fn(ctx: *mut c_void, offset: u64, buf: *mut c_void, len: usize, got: *mut usize) -> utet_status>,
    pub cancel: Option<unsafe extern "C" fn(ctx: *mut c_void)>,
    pub map: *const u8,
    pub size: u64,
    pub unit: u16,
    pub align: u16,
    pub step_limit: u16,
    pub line: u16,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct utet_need {
    pub least: u64,
    pub best: u64,
}

/// A codec; only its address is used.
#[repr(C)]
pub struct utet_codec {
    private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_file_private {
    pub step: u8,
    pub ndim: u8,
    pub busy: u8,
    pub state: u8,
    pub status: utet_status,
    pub io: *const utet_io,
    pub at: *const u8,
    pub tail: *mut u8,
    pub have: usize,
    pub held: usize,
    pub done: usize,
    pub work: *mut u8,
    pub ahead: usize,
    pub window: usize,
    pub lent: usize,
    pub owner: *const c_void,
    pub codecs: *const *const utet_codec,
    pub displaced: i32,
    pub rows: *mut c_void,
    pub nested: *const c_void,
    pub buffer: *mut u8,
    pub end: u64,
    pub call: [u64; 3],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_file {
    pub private: utet_file_private,
    pub budget: usize,
    pub high_water: usize,
    pub error_offset: u64,
    pub dataset_count: u32,
    pub flags: u32,
    pub index_offset: u64,
    pub row_count: u64,
    pub needed: u64,
    pub index_length: u64,
    pub footer_offset: u64,
    pub footer_length: u64,
    pub history_version: u32,
    pub footer_status: utet_status,
    pub memory_budget_bytes: u32,
    pub memory_budget_percent_bps: u16,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct utet_options {
    pub budget: usize,
    pub ram_bytes: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct utet_dataset {
    pub elem_size: u8,
    pub ndim: u8,
    pub narrow: u8,
    pub id: u32,
    pub dtype: u32,
    pub name_length: u32,
    pub name_offset: u64,
    pub private: [u64; 3],
    pub shape: [u64; UTET_MAX_NDIM],
    pub chunk_shape: [u64; UTET_MAX_NDIM],
    pub grid: [u64; UTET_MAX_NDIM],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct utet_chunk {
    pub dataset_id: u64,
    pub coords: [u64; UTET_MAX_NDIM],
    pub payload_offset: u64,
    pub raw_byte_len: u64,
    pub stored_byte_len: u64,
    pub codec: u32,
    pub row: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_stream_private {
    pub file: *mut utet_file,
    pub codec: *const utet_codec,
    pub offset: u64,
    pub stored: u64,
    pub whole: *mut u8,
    pub work: *mut u8,
    pub work_len: usize,
    pub out: *const u8,
    pub avail: usize,
    pub done: u64,
    pub scratch: [u64; 2],
    pub status: utet_status,
    pub stage: u8,
    pub carried: u8,
    pub carry: [u8; 8],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_stream {
    pub length: u64,
    pub position: u64,
    pub private: utet_stream_private,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utet_range {
    pub start: u64,
    pub stop: u64,
    pub step: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_run {
    pub data: *const u8,
    pub count: usize,
    pub stride: usize,
    pub first: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_axis {
    pub count: u64,
    pub private: [u64; 7],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_slab_private {
    pub state: u8,
    pub status: utet_status,
    pub dataset: *const utet_dataset,
    pub during: *const c_void,
    pub stream: utet_stream,
    pub chunk: utet_chunk,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_slab {
    pub count: u64,
    pub need: utet_need,
    pub private: utet_slab_private,
    pub axis: [utet_axis; UTET_MAX_NDIM],
}

pub const UTET_VALUE_NONE: u8 = 0;
pub const UTET_VALUE_LIST: u8 = 1;
pub const UTET_VALUE_MAP: u8 = 2;
pub const UTET_VALUE_TEXT: u8 = 3;
pub const UTET_VALUE_NUMBER: u8 = 4;
pub const UTET_VALUE_BOOLEAN: u8 = 5;

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct utet_value {
    pub value: u64,
    pub size: u32,
    pub kind: u8,
    pub private: [u8; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct utet_span {
    pub offset: u64,
    pub length: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_json {
    pub flags: [u8; 7],
    pub depth: u16,
    pub places: [u32; 4],
    pub base: u64,
    pub number: u64,
    pub head: [u8; 32],
    pub is_object: [u8; 32],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_level {
    pub rule: *const c_void,
    pub numbers: [u32; 3],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_reading {
    pub flags: [u8; 4],
    pub skip_depth: u16,
    pub slot: u32,
    pub rules: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_search {
    pub flags: [u8; 4],
    pub numbers: [u32; 3],
    pub text: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct utet_event {
    pub field: [utet_value; UTET_EVENT_FIELDS],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_dataset_meta {
    pub attrs: utet_value,
    pub dim_names: utet_value,
    pub coords: utet_value,
    pub fill: utet_value,
    pub dataset: *const utet_dataset,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_meta_private {
    pub file: *mut utet_file,
    pub step: u8,
    pub search: utet_search,
    pub reading: utet_reading,
    pub copied: usize,
    pub delivered: usize,
    pub status: utet_status,
    pub level: [utet_level; 10],
    pub place: [utet_value; 5],
    pub head: [u8; 32],
    pub wanted_piece: [u8; 16],
    pub entry_piece: [u8; 16],
    pub kept: [utet_value; 15],
    pub json: utet_json,
    pub error_offset: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct utet_meta {
    pub private: utet_meta_private,
    pub payload_limit: u64,
    pub history: utet_value,
    pub file_info: utet_value,
    pub datasets: utet_value,
    pub spills: [utet_span; 3],
}

extern "C" {
    pub static utet_codec_zstd_small: utet_codec;

    pub fn utet_version() -> u32;
    pub fn utet_strerror(status: utet_status) -> *const c_char;
    pub fn utet_init(file: *mut utet_file, io: *const utet_io, work: *mut c_void, work_len: usize, codecs: *const *const utet_codec) -> utet_status;
    pub fn utet_open(file: *mut utet_file, options: *const utet_options) -> utet_status;
    pub fn utet_cancel(file: *mut utet_file) -> utet_status;
    pub fn utet_dataset_first(file: *mut utet_file, dataset: *mut utet_dataset) -> utet_status;
    pub fn utet_dataset_next(file: *mut utet_file, dataset: *mut utet_dataset) -> utet_status;
    pub fn utet_dataset_find(file: *mut utet_file, name: *const c_char, length: usize, dataset: *mut utet_dataset) -> utet_status;
    pub fn utet_dataset_name(file: *mut utet_file, dataset: *const utet_dataset, from: u32, buffer: *mut c_char, size: usize) -> utet_status;
    pub fn utet_chunk_find(file: *mut utet_file, dataset: *const utet_dataset, coords: *const u64, chunk: *mut utet_chunk) -> utet_status;
    pub fn utet_stream_open(stream: *mut utet_stream, file: *mut utet_file, chunk: *const utet_chunk) -> utet_status;
    pub fn utet_stream_read(stream: *mut utet_stream, buffer: *mut c_void, size: usize, got: *mut usize) -> utet_status;
    pub fn utet_stream_skip(stream: *mut utet_stream, count: u64) -> utet_status;
    pub fn utet_slab_open(slab: *mut utet_slab, file: *mut utet_file, dataset: *const utet_dataset, ranges: *const utet_range) -> utet_status;
    pub fn utet_slab_next(slab: *mut utet_slab, run: *mut utet_run) -> utet_status;
    pub fn utet_slab_read_all(slab: *mut utet_slab, buffer: *mut c_void, size: usize) -> utet_status;

    pub fn utet_meta_open(meta: *mut utet_meta, file: *mut utet_file) -> utet_status;
    pub fn utet_text_read(meta: *mut utet_meta, text: *mut utet_value, buffer: *mut c_char, size: usize, got: *mut usize) -> utet_status;
    pub fn utet_value_next(meta: *mut utet_meta, list: *mut utet_value, key: *mut utet_value, item: *mut utet_value) -> utet_status;
    pub fn utet_map_find(meta: *mut utet_meta, map: *const utet_value, key: *const c_char, length: usize, item: *mut utet_value) -> utet_status;
    pub fn utet_event_next(meta: *mut utet_meta, history: *mut utet_value, event: *mut utet_event) -> utet_status;
    pub fn utet_meta_dataset(meta: *mut utet_meta, dataset: *const utet_dataset, dataset_meta: *mut utet_dataset_meta) -> utet_status;
    pub fn utet_meta_axis(
        meta: *mut utet_meta,
        dataset_meta: *const utet_dataset_meta,
        token: *const c_char,
        length: usize,
        axis: *mut c_uint,
    ) -> utet_status;
    pub fn utet_meta_labels(meta: *mut utet_meta, dataset_meta: *const utet_dataset_meta, axis: c_uint, labels: *mut utet_value) -> utet_status;
    pub fn utet_list_find(meta: *mut utet_meta, list: *const utet_value, text: *const c_char, length: usize, index: *mut u64) -> utet_status;
}

// What `make size` says of a Cortex-M.
#[cfg(all(target_arch = "arm", target_pointer_width = "32"))]
const _: () = assert!(
    size_of::<utet_file>() == 192
        && size_of::<utet_dataset>() == 240
        && size_of::<utet_chunk>() == 112
        && size_of::<utet_stream>() == 104
        && size_of::<utet_slab>() == 768
);

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::offset_of;

    extern "C" {
        static microtet_layout: [u16; 44];
    }

    /// Each number of `layout.c`, in its order.
    #[rustfmt::skip]
    #[test]
    fn objects_are_those_of_c() {
        let ours = [
            size_of::<utet_io>(), offset_of!(utet_io, map), offset_of!(utet_io, step_limit), offset_of!(utet_io, line),
            size_of::<utet_file>(), offset_of!(utet_file, private.io), offset_of!(utet_file, private.owner), offset_of!(utet_file, private.end),
            offset_of!(utet_file, budget), offset_of!(utet_file, high_water), offset_of!(utet_file, error_offset), offset_of!(utet_file, dataset_count),
            offset_of!(utet_file, needed), offset_of!(utet_file, footer_status), offset_of!(utet_file, memory_budget_percent_bps),
            size_of::<utet_options>(), size_of::<utet_dataset>(), offset_of!(utet_dataset, ndim), offset_of!(utet_dataset, dtype),
            offset_of!(utet_dataset, name_length), offset_of!(utet_dataset, shape), offset_of!(utet_dataset, chunk_shape), offset_of!(utet_dataset, grid),
            size_of::<utet_chunk>(), offset_of!(utet_chunk, coords), offset_of!(utet_chunk, raw_byte_len), offset_of!(utet_chunk, codec),
            size_of::<utet_stream>(), offset_of!(utet_stream, position), size_of::<utet_range>(), offset_of!(utet_range, step),
            size_of::<utet_run>(), offset_of!(utet_run, stride), offset_of!(utet_run, first),
            size_of::<utet_slab>(), offset_of!(utet_slab, need), offset_of!(utet_slab, private.stream), offset_of!(utet_slab, axis),
            size_of::<utet_value>(), size_of::<utet_dataset_meta>(), offset_of!(utet_dataset_meta, dataset),
            size_of::<utet_meta>(), offset_of!(utet_meta, history), offset_of!(utet_meta, file_info),
        ];
        assert_eq!(ours.map(|number| number as u16), unsafe { microtet_layout });
    }

    #[test]
    fn version_is_that_of_the_crate() {
        let number = |text: &str| text.parse::<u32>().unwrap();
        let crate_version =
            number(env!("CARGO_PKG_VERSION_MAJOR")) * 10000 + number(env!("CARGO_PKG_VERSION_MINOR")) * 100 + number(env!("CARGO_PKG_VERSION_PATCH"));
        assert_eq!(unsafe { utet_version() }, crate_version);
    }
}
