// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
use crate::file::Call;
use crate::{Chunk, File, Result};
use microtet_sys as sys;

/// The memory of a [`Stream`], which stays where it is while the stream exists.
pub struct StreamMemory(sys::utet_stream);

impl StreamMemory {
    /// Memory for one stream at a time.
    pub const fn new() -> Self {
        // SAFETY: numbers and pointers, for all of which 0 is legal.
        Self(unsafe { core::mem::zeroed() })
    }
}

impl Default for StreamMemory {
    fn default() -> Self {
        Self::new()
    }
}

/// The bytes of one chunk, in order: little-endian elements, row-major within the tile. Until the last one is read, they are unverified.
pub struct Stream<'s, 'a> {
    file: &'s mut File<'a>,
    raw: *mut sys::utet_stream,
    chunk: &'s Chunk,
    open: bool,
    got: usize,
}

impl<'s, 'a> Stream<'s, 'a> {
    pub(crate) fn new(file: &'s mut File<'a>, memory: &'s mut StreamMemory, chunk: &'s Chunk) -> Self {
        file.cancel();
        *memory = StreamMemory::new();
        Self { file, raw: &raw mut memory.0, chunk, open: false, got: 0 }
    }

    /// Opens the chunk. The other calls do it as well.
    pub fn open(&mut self) -> Result<()> {
        if !self.open {
            let (raw, chunk) = (self.raw, &self.chunk.raw);
            // SAFETY: stream, file and chunk are borrowed for as long as the stream is used; the library checks the row.
            self.file.call(Call::StreamOpen, [0; 4], |file| unsafe { sys::utet_stream_open(raw, file, chunk) })?;
            self.open = true;
        }
        Ok(())
    }

    /// Reads the next bytes, as many as `buffer` holds or fewer if the chunk ends, and returns their number; 0 at the end.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.open()?;
        let (raw, got) = (self.raw, &mut self.got);
        let arguments = [buffer.as_ptr() as usize, buffer.len(), 0, 0];
        // SAFETY: the buffer has `len` bytes.
        let more = self.file.call(Call::StreamRead, arguments, |file| unsafe {
            (*raw).private.file = file;
            sys::utet_stream_read(raw, buffer.as_mut_ptr().cast(), buffer.len(), got)
        })?;
        Ok(if more { self.got } else { 0 })
    }

    /// Skips bytes, or fewer if the chunk ends.
    pub fn skip(&mut self, count: u64) -> Result<()> {
        self.open()?;
        let raw = self.raw;
        // SAFETY: the stream is open.
        let done = self.file.call(Call::StreamSkip, [count as usize, (count >> 32) as usize, 0, 0], |file| unsafe {
            (*raw).private.file = file;
            sys::utet_stream_skip(raw, count)
        });
        done.map(|_| ())
    }

    /// The number of bytes that have been read or skipped.
    pub fn position(&self) -> u64 {
        // SAFETY: the memory is borrowed for as long as the stream exists.
        unsafe { (*self.raw).position }
    }
}

impl Drop for Stream<'_, '_> {
    fn drop(&mut self) {
        self.file.cancel();
    }
}
