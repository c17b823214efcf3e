// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
use crate::{Dtype, Error, Medium, Metadata, MetadataMemory, Range, Result, Slab, SlabMemory, Stream, StreamMemory};
use core::marker::PhantomData;
use microtet_sys as sys;

/// The largest number of axes.
pub const MAX_NDIM: usize = sys::UTET_MAX_NDIM;

struct List([*const sys::utet_codec; 2]);
// SAFETY: the list and what it points to are constant.
unsafe impl Sync for List {}
static ZSTD: List = List([&raw const sys::utet_codec_zstd_small, core::ptr::null()]);

/// The codecs that a file object has. A program links the codecs that it names.
#[derive(Clone, Copy)]
pub struct Codecs(Option<&'static List>);

impl Codecs {
    /// None: the file object reads raw chunks.
    pub const RAW: Self = Self(None);
    /// The built-in zstd decoder.
    pub const ZSTD: Self = Self(Some(&ZSTD));
}

/// Limits of [`File::open_with`]. 0 in both fields is the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The number of bytes of the workspace that may be used; 0: the file decides, else the workspace's length.
    pub budget: usize,
    /// The RAM of the machine in bytes, for files that state their budget as a share of it.
    pub ram_bytes: usize,
}

/// One record of the directory. A call fills it; before that, and after an error, it has no axes.
#[derive(Clone, Default)]
pub struct Dataset {
    pub(crate) raw: sys::utet_dataset,
    filled: Filled,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Filled {
    #[default]
    No,
    /// A suspended call has the record before the one that it reads.
    Advancing,
    Yes,
}

impl Dataset {
    /// An empty object.
    pub const fn new() -> Self {
        let raw = sys::utet_dataset {
            elem_size: 0,
            ndim: 0,
            narrow: 0,
            id: 0,
            dtype: 0,
            name_length: 0,
            name_offset: 0,
            private: [0; 3],
            shape: [0; MAX_NDIM],
            chunk_shape: [0; MAX_NDIM],
            grid: [0; MAX_NDIM],
        };
        Self { raw, filled: Filled::No }
    }

    /// The object, if a call has filled it.
    pub(crate) fn known(&self) -> Result<&sys::utet_dataset> {
        if self.filled == Filled::Yes {
            Ok(&self.raw)
        } else {
            Err(Error::State)
        }
    }

    /// Takes over the result of a call; `advancing`: the object had a record before it.
    fn settle(&mut self, result: Result<bool>, advancing: bool) -> Result<bool> {
        match result {
            Ok(found) if (found || advancing) && usize::from(self.raw.ndim) <= MAX_NDIM => self.filled = Filled::Yes,
            Err(Error::WouldBlock) => self.filled = if advancing { Filled::Advancing } else { Filled::No },
            Err(Error::State) => {} // nothing has changed
            _ => *self = Self::new(),
        }
        result
    }

    fn axes(&self) -> usize {
        if self.filled == Filled::Yes {
            usize::from(self.raw.ndim)
        } else {
            0
        }
    }

    /// The index of the record, from 0.
    pub fn id(&self) -> u32 {
        self.raw.id
    }

    /// The type of the elements; `None` if the library does not know it.
    pub fn dtype(&self) -> Option<Dtype> {
        Dtype::from_number(self.raw.dtype)
    }

    /// The size of an element in bytes; 0 if the type is unknown.
    pub fn elem_size(&self) -> usize {
        usize::from(self.raw.elem_size)
    }

    /// The number of elements along each axis.
    pub fn shape(&self) -> &[u64] {
        &self.raw.shape[..self.axes()]
    }

    /// The number of elements of a chunk along each axis.
    pub fn chunk_shape(&self) -> &[u64] {
        &self.raw.chunk_shape[..self.axes()]
    }

    /// The number of chunks along each axis.
    pub fn grid(&self) -> &[u64] {
        &self.raw.grid[..self.axes()]
    }

    /// The length of the name in bytes; see [`File::name`].
    pub fn name_len(&self) -> usize {
        self.raw.name_length as usize
    }
}

/// One row of the chunk index. A call fills it.
#[derive(Clone, Default)]
pub struct Chunk {
    pub(crate) raw: sys::utet_chunk,
}

impl Chunk {
    /// An empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// The decoded size in bytes.
    pub fn raw_len(&self) -> u64 {
        self.raw.raw_byte_len
    }

    /// The size in the file in bytes.
    pub fn stored_len(&self) -> u64 {
        self.raw.stored_byte_len
    }

    /// The offset of the payload in the file.
    pub fn payload_offset(&self) -> u64 {
        self.raw.payload_offset
    }
}

/// The call that is suspended, with the addresses of its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    None,
    Open,
    Next,
    Find,
    Name,
    Chunk,
    StreamOpen,
    StreamRead,
    StreamSkip,
    SlabOpen,
    SlabNext,
    SlabReadAll,
    MetaOpen,
    MetaText,
    MetaNext,
    MetaFind,
    MetaEvent,
    MetaDataset,
    MetaAxis,
    MetaLabels,
    MetaLabel,
}

pub(crate) type Arguments = [usize; 4];

/// A file. It borrows the medium and the workspace, the only memory that it uses.
///
/// A call that returns [`Error::WouldBlock`] is suspended. Repeat it with the same arguments at the same addresses; until it has ended, other
/// calls return [`Error::State`]. A stream, slab or metadata object that is dropped ends its suspended call.
pub struct File<'a> {
    raw: sys::utet_file,
    pending: (Call, Arguments),
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> File<'a> {
    /// Prepares a file object; reads nothing. The workspace needs 192 bytes, with a unit of more than 64 bytes 128 more than that, and nothing
    /// for a medium in memory; zstd chunks need more, see [`Error::Budget`].
    pub fn new(medium: &'a mut Medium<'_>, work: &'a mut [u8], codecs: Codecs) -> Result<Self> {
        // SAFETY: numbers and pointers, for all of which 0 is legal.
        let mut raw: sys::utet_file = unsafe { core::mem::zeroed() };
        let list = codecs.0.map_or(core::ptr::null(), |list| list.0.as_ptr());
        // SAFETY: medium and workspace are borrowed for as long as the file exists; the list is static.
        let status = unsafe { sys::utet_init(&mut raw, &medium.io, work.as_mut_ptr().cast(), work.len(), list) };
        if status == sys::UTET_OK {
            Ok(Self { raw, pending: (Call::None, [0; 4]), borrowed: PhantomData })
        } else {
            Err(Error::from_status(status, 0, 0))
        }
    }

    /// Makes a call of the library: true if it has succeeded, false at an end. A suspended call is made again only with the same arguments.
    pub(crate) fn call(&mut self, call: Call, arguments: Arguments, make: impl FnOnce(&mut sys::utet_file) -> sys::utet_status) -> Result<bool> {
        if self.pending.0 != Call::None && self.pending != (call, arguments) {
            return Err(Error::State);
        }
        let status = make(&mut self.raw);
        self.pending = (if status == sys::UTET_WOULD_BLOCK { call } else { Call::None }, arguments);
        match status {
            sys::UTET_OK => Ok(true),
            sys::UTET_END => Ok(false),
            _ => Err(Error::from_status(status, self.raw.needed, self.raw.error_offset)),
        }
    }

    /// Ends the suspended call, if there is one.
    pub fn cancel(&mut self) {
        self.pending.0 = Call::None;
        // SAFETY: the file is initialised.
        unsafe { sys::utet_cancel(&mut self.raw) };
    }

    /// Reads and checks the beginning of the file, once. An error sticks: later calls return it again.
    pub fn open(&mut self) -> Result<()> {
        self.open_with(Options::default())
    }

    /// Does the same as [`open`](Self::open), with limits.
    pub fn open_with(&mut self, options: Options) -> Result<()> {
        let options = sys::utet_options { budget: options.budget, ram_bytes: options.ram_bytes };
        // SAFETY: the library reads the options during the call.
        self.call(Call::Open, [options.budget, options.ram_bytes, 0, 0], |file| unsafe { sys::utet_open(file, &options) }).map(|_| ())
    }

    /// Reads the first record of the directory, or the record after the one that `dataset` has, into `dataset`. False: there are no more, and
    /// `dataset` has not changed.
    pub fn next(&mut self, dataset: &mut Dataset) -> Result<bool> {
        let advancing = dataset.filled != Filled::No;
        let arguments = [core::ptr::from_ref(dataset) as usize, 0, 0, 0];
        if dataset.filled == Filled::Advancing && self.pending != (Call::Next, arguments) {
            return Err(Error::State); // the call that has begun to change it was cancelled
        }
        let raw = &mut dataset.raw;
        // SAFETY: the record is one that the library has filled, or is filled.
        let result = self.call(Call::Next, arguments, |file| unsafe {
            if advancing {
                sys::utet_dataset_next(file, raw)
            } else {
                sys::utet_dataset_first(file, raw)
            }
        });
        dataset.settle(result, advancing)
    }

    /// Finds the first dataset with this name.
    pub fn find(&mut self, name: &str, dataset: &mut Dataset) -> Result<()> {
        let arguments = [name.as_ptr() as usize, name.len(), core::ptr::from_ref(dataset) as usize, 0];
        dataset.filled = Filled::No;
        let raw = &mut dataset.raw;
        // SAFETY: the name has `len` bytes.
        let result = self.call(Call::Find, arguments, |file| unsafe { sys::utet_dataset_find(file, name.as_ptr().cast(), name.len(), raw) });
        dataset.settle(result, false).map(|_| ())
    }

    /// Reads the first bytes of a dataset's name, as many as `buffer` holds, and returns their number. Names are UTF-8.
    pub fn name(&mut self, dataset: &Dataset, buffer: &mut [u8]) -> Result<usize> {
        let raw = dataset.known()?;
        let size = buffer.len().min(dataset.name_len());
        let arguments = [core::ptr::from_ref(dataset) as usize, buffer.as_ptr() as usize, size, 0];
        // SAFETY: the buffer has at least `size` bytes.
        self.call(Call::Name, arguments, |file| unsafe { sys::utet_dataset_name(file, raw, 0, buffer.as_mut_ptr().cast(), size) }).map(|_| size)
    }

    /// Finds a chunk by its coordinates, counted in chunks.
    pub fn chunk(&mut self, dataset: &Dataset, coords: &[u64], chunk: &mut Chunk) -> Result<()> {
        let raw = dataset.known()?;
        if coords.len() != usize::from(raw.ndim) {
            return Err(Error::Range);
        }
        let arguments = [core::ptr::from_ref(dataset) as usize, coords.as_ptr() as usize, core::ptr::from_ref(chunk) as usize, 0];
        // SAFETY: there is one coordinate for each axis.
        self.call(Call::Chunk, arguments, |file| unsafe { sys::utet_chunk_find(file, raw, coords.as_ptr(), &mut chunk.raw) }).map(|_| ())
    }

    /// Prepares reading a chunk in slices; the first read opens it.
    pub fn stream<'s>(&'s mut self, memory: &'s mut StreamMemory, chunk: &'s Chunk) -> Stream<'s, 'a> {
        Stream::new(self, memory, chunk)
    }

    /// Prepares reading a selection, one range for each axis; the first call on it opens it.
    pub fn slab<'s>(&'s mut self, memory: &'s mut SlabMemory, dataset: &'s Dataset, ranges: &'s [Range]) -> Slab<'s, 'a> {
        Slab::new(self, memory, dataset, ranges)
    }

    /// Prepares reading the metadata.
    pub fn metadata<'s>(&'s mut self, memory: &'s mut MetadataMemory) -> Metadata<'s, 'a> {
        Metadata::new(self, memory)
    }

    /// The number of datasets.
    pub fn dataset_count(&self) -> u32 {
        self.raw.dataset_count
    }

    /// The largest number of bytes of the workspace that a call has used.
    pub fn high_water(&self) -> usize {
        self.raw.high_water
    }

    /// Why the metadata cannot be used, although the tensors can be read.
    pub fn footer_error(&self) -> Option<Error> {
        (self.raw.footer_status < 0).then(|| Error::from_status(self.raw.footer_status, 0, self.raw.footer_offset))
    }
}

/// The port of a suspended call is told that it is over.
impl Drop for File<'_> {
    fn drop(&mut self) {
        self.cancel();
    }
}
