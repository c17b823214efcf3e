// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
use crate::element::{bytes_of, to_native};
use crate::file::Call;
use crate::{Dataset, Element, Error, File, Result};
use core::marker::PhantomData;
use microtet_sys as sys;

/// The indices start, start + step, … below stop along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Range(sys::utet_range);

impl Range {
    /// The indices from `start` on, `step` apart, below `stop`.
    pub const fn new(start: u64, stop: u64, step: u64) -> Self {
        Self(sys::utet_range { start, stop, step })
    }
}

impl From<core::ops::Range<u64>> for Range {
    fn from(range: core::ops::Range<u64>) -> Self {
        Self::new(range.start, range.end, 1)
    }
}

/// The memory of a [`Slab`], which stays where it is while the slab exists.
pub struct SlabMemory(sys::utet_slab);

impl SlabMemory {
    /// Memory for one slab at a time.
    pub const fn new() -> Self {
        // SAFETY: numbers and pointers, for all of which 0 is legal.
        Self(unsafe { core::mem::zeroed() })
    }
}

impl Default for SlabMemory {
    fn default() -> Self {
        Self::new()
    }
}

/// A strided selection of a dataset.
pub struct Slab<'s, 'a> {
    file: &'s mut File<'a>,
    raw: *mut sys::utet_slab,
    dataset: &'s Dataset,
    ranges: &'s [Range],
    run: sys::utet_run,
    open: bool,
}

/// Elements of a slab that lie in the same distance from each other; valid until the next call.
#[derive(Clone, Copy)]
pub struct Run<'r> {
    raw: sys::utet_run,
    elem_size: usize,
    borrowed: PhantomData<&'r [u8]>,
}

impl<'r> Run<'r> {
    /// The index of the first element in the selection, row-major.
    pub fn first(&self) -> u64 {
        self.raw.first
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.raw.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.raw.count == 0
    }

    /// The bytes of each element, little-endian.
    pub fn elements(&self) -> impl Iterator<Item = &'r [u8]> + 'r {
        let Self { raw, elem_size, .. } = *self;
        // SAFETY: the library says that element `i` begins `i * stride` bytes after the first one.
        (0..raw.count).map(move |i| unsafe { core::slice::from_raw_parts(raw.data.add(i * raw.stride), elem_size) })
    }
}

impl<'s, 'a> Slab<'s, 'a> {
    pub(crate) fn new(file: &'s mut File<'a>, memory: &'s mut SlabMemory, dataset: &'s Dataset, ranges: &'s [Range]) -> Self {
        file.cancel();
        *memory = SlabMemory::new();
        let run = sys::utet_run { data: core::ptr::null(), count: 0, stride: 0, first: 0 };
        Self { file, raw: &raw mut memory.0, dataset, ranges, run, open: false }
    }

    /// Opens the selection, and finds out whether the workspace is large enough. The other calls do it as well.
    pub fn open(&mut self) -> Result<()> {
        if !self.open {
            let dataset = self.dataset.known()?;
            if self.ranges.len() != usize::from(dataset.ndim) {
                return Err(Error::Range);
            }
            let (raw, ranges) = (self.raw, self.ranges.as_ptr().cast::<sys::utet_range>());
            // SAFETY: slab, file and dataset are borrowed for as long as the slab is used, and there is one range for each axis.
            self.file.call(Call::SlabOpen, [0; 4], |file| unsafe { sys::utet_slab_open(raw, file, dataset, ranges) })?;
            self.open = true;
        }
        Ok(())
    }

    /// The number of selected elements.
    pub fn count(&mut self) -> Result<u64> {
        self.open()?;
        // SAFETY: the memory is borrowed for as long as the slab exists.
        Ok(unsafe { (*self.raw).count })
    }

    /// The number of bytes of workspace with which the selection can be read, and the number above which nothing gets faster.
    pub fn need(&mut self) -> Result<(u64, u64)> {
        self.open()?;
        // SAFETY: the memory is borrowed for as long as the slab exists.
        let need = unsafe { (*self.raw).need };
        Ok((need.least, need.best))
    }

    /// The next run, in the order of the medium; `None` at the end.
    #[allow(clippy::should_implement_trait)] // the run is valid only until the next call
    pub fn next(&mut self) -> Result<Option<Run<'_>>> {
        self.open()?;
        let (raw, run) = (self.raw, &mut self.run);
        // SAFETY: the slab is open.
        let more = self.file.call(Call::SlabNext, [0; 4], |file| unsafe {
            (*raw).private.stream.private.file = file;
            sys::utet_slab_next(raw, run)
        })?;
        Ok(more.then_some(Run { raw: self.run, elem_size: self.dataset.elem_size(), borrowed: PhantomData }))
    }

    /// Copies all elements to a dense row-major array of bytes, as stored: little-endian.
    pub fn read_bytes(&mut self, buffer: &mut [u8]) -> Result<()> {
        self.open()?;
        let raw = self.raw;
        let arguments = [buffer.as_ptr() as usize, buffer.len(), 0, 0];
        // SAFETY: the buffer has `len` bytes.
        let done = self.file.call(Call::SlabReadAll, arguments, |file| unsafe {
            (*raw).private.stream.private.file = file;
            sys::utet_slab_read_all(raw, buffer.as_mut_ptr().cast(), buffer.len())
        });
        done.map(|_| ())
    }

    /// Copies all elements to a dense row-major array.
    pub fn read<T: Element>(&mut self, elements: &mut [T]) -> Result<()> {
        if self.dataset.known()?.dtype != T::DTYPE as u32 {
            return Err(Error::Element);
        }
        self.read_bytes(bytes_of(elements))?;
        to_native(elements);
        Ok(())
    }
}

impl Drop for Slab<'_, '_> {
    fn drop(&mut self) {
        self.file.cancel();
    }
}
