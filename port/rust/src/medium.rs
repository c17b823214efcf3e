// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
use core::ffi::c_void;
use core::marker::PhantomData;
use microtet_sys as sys;

/// Why a port delivers nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortError {
    /// No data is available yet. The library repeats the read with the same offset and length.
    WouldBlock,
    /// An error of the port; the library returns it as [`Error::Port`](crate::Error::Port).
    Code(u16),
}

/// A medium that holds a file: a card, a flash chip, a link. Its reads are of the form that `embedded-io` has, with an offset.
pub trait Port {
    /// The transfer unit in bytes, a power of two. Offset and length of each read are multiples of it, except at the end of the file.
    const UNIT: u16 = 1;
    /// The alignment of the buffer in bytes: a power of two, at most 128 and at most the unit.
    const ALIGN: u16 = 1;

    /// The size of the file in bytes. It is asked for once.
    fn size(&self) -> u64;

    /// Reads bytes from `offset` on, and returns their number: a multiple of the unit, unless the file ends. 0 means that the medium ends
    /// here, although the size says otherwise. The buffer belongs to the port only during the call.
    fn read(&mut self, offset: u64, buf: &mut [u8]) -> Result<usize, PortError>;

    /// Stops the transfer for which `read` has said that there is no data yet.
    fn cancel(&mut self) {}
}

/// The file's bytes, in memory or behind a port.
pub struct Medium<'a> {
    pub(crate) io: sys::utet_io,
    port: PhantomData<&'a mut ()>,
}

const BROKEN: sys::utet_status = sys::UTET_E_PORT - 65536;

unsafe extern "C" fn read<P: Port>(ctx: *mut c_void, offset: u64, buf: *mut c_void, len: usize, got: *mut usize) -> sys::utet_status {
    // SAFETY: `ctx` is the port that `Medium::new` has borrowed. `buf` has `len` bytes of the workspace or of a destination, both of which
    // are initialised and borrowed, and `got` is the library's own.
    let (port, buf, got) = unsafe { (&mut *ctx.cast::<P>(), core::slice::from_raw_parts_mut(buf.cast::<u8>(), len), &mut *got) };
    match port.read(offset, buf) {
        Ok(count) if count == len || (count < len && count % usize::from(P::UNIT.max(1)) == 0) => {
            *got = count;
            sys::UTET_OK
        }
        Ok(_) => BROKEN,
        Err(PortError::WouldBlock) => sys::UTET_WOULD_BLOCK,
        Err(PortError::Code(code)) => sys::UTET_E_PORT - i32::from(code),
    }
}

unsafe extern "C" fn cancel<P: Port>(ctx: *mut c_void) {
    // SAFETY: as above.
    unsafe { &mut *ctx.cast::<P>() }.cancel()
}

impl<'a> Medium<'a> {
    /// A file in addressable memory, such as flash. Nothing is copied.
    pub fn memory(file: &'a [u8]) -> Self {
        let io = sys::utet_io {
            ctx: core::ptr::null_mut(),
            read: None,
            cancel: None,
            map: file.as_ptr(),
            size: file.len() as u64,
            unit: 1,
            align: 1,
            step_limit: 0,
            line: 0,
        };
        Self { io, port: PhantomData }
    }

    /// A file behind a port.
    pub fn new<P: Port>(port: &'a mut P) -> Self {
        let size = port.size();
        let ctx = core::ptr::from_mut(port).cast::<c_void>();
        let io = sys::utet_io {
            ctx,
            read: Some(read::<P>),
            cancel: Some(cancel::<P>),
            map: core::ptr::null(),
            size,
            unit: P::UNIT,
            align: P::ALIGN,
            step_limit: 0,
            line: 0,
        };
        Self { io, port: PhantomData }
    }

    /// Limits the decoder's steps without output before a call returns [`Error::WouldBlock`](crate::Error::WouldBlock). 0: no limit.
    pub fn step_limit(mut self, steps: u16) -> Self {
        self.io.step_limit = steps;
        self
    }

    /// Ends reading ahead at multiples of this number of bytes, a power of two: the size of a block that the medium keeps, or the number of
    /// bytes that take as long as a request. 0: up to 512 bytes ahead.
    pub fn line(mut self, bytes: u16) -> Self {
        self.io.line = bytes;
        self
    }
}
