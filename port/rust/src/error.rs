// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
use core::ffi::CStr;
use core::fmt;
use microtet_sys as sys;

/// The result of every call.
pub type Result<T> = core::result::Result<T, Error>;

// Why a call failed. Offsets are bytes from the beginning of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Not an error: the port has no data yet, or the limit of steps is reached. Repeat the call with the same arguments.
    WouldBlock,
    // An argument that is never legal, such as a unit of the port that is not a power of two.
    Argument,
    /// The file is not open, another call is suspended, or an object has not been filled by a call.
    State,
    /// The workspace or the budget is too small.
    Budget {
        // A sufficient number of bytes.
        needed: u64,
    },
    /// Coordinates or a selection outside of the dataset.
    Range,
    /// No dataset, key or label with that name.
    NotFound,
    /// The index has no row for that chunk.
    Missing,
    /// The destination is too small.
    Space,
    /// The destination has elements of another type than the dataset.
    Element,
    /// The medium ends before the size that the port has stated.
    Short {
        // The offset of the missing data.
        offset: u64,
    },
    /// An error of the port.
    Port {
        /// The number in [`PortError::Code`](crate::PortError::Code); 65536 if the port has broken the rules of its trait.
        code: u32,
        /// What could not be read.
        offset: u64,
    },
    /// Not a `.tet` file, or one that this library does not support.
    Unsupported {
        /// What is not supported.
        what: Unsupported,
        // Where the file states it.
        offset: u64,
    },
    /// The file is damaged.
    Damaged {
        /// The part of the file that is damaged.
        region: Region,
        /// Where the damage is.
        offset: u64,
    },
}

macro_rules! named {
    ($(#[$about:meta])* $kind:ident { $($(#[$text:meta])* $name:ident = $status:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $kind { $($(#[$text])* $name,)* }

        impl $kind {
            fn from_status(status: sys::utet_status) -> Option<Self> {
                match status {
                    $(sys::$status => Some(Self::$name),)*
                    _ => None,
                }
            }
            fn status(self) -> sys::utet_status {
                match self {
                    $(Self::$name => sys::$status,)*
                }
            }
        }
    };
}

named! {
    // The feature of a file that the library does not support.
    Unsupported {
        /// It is not a `.tet` file.
        Magic = UTET_E_MAGIC,
        /// The layout version is not 1.
        Version = UTET_E_VERSION,
        /// The version of the chunk index is not 1.
        IndexVersion = UTET_E_INDEX_VERSION,
        /// The version of the history is neither 1 nor 2.
        FooterVersion = UTET_E_FOOTER_VERSION,
        /// The type of the elements is unknown.
        Dtype = UTET_E_DTYPE,
        /// The codec of the chunk is not among those of the file object.
        Codec = UTET_E_CODEC,
        /// A zstd frame has a window of more than 2^27 bytes.
        ZstdWindow = UTET_E_ZSTD_WINDOW,
        /// A zstd frame needs a dictionary.
        ZstdDictionary = UTET_E_ZSTD_DICT,
        /// A zstd frame has a format from before zstd 1.0.
        ZstdLegacy = UTET_E_ZSTD_LEGACY,
        /// A limit of this build is exceeded.
        Limit = UTET_E_LIMIT,
    }
}

named! {
    /// The parts of a file.
    Region {
        /// The superblock.
        Superblock = UTET_E_SUPERBLOCK,
        /// The directory.
        Directory = UTET_E_DIRECTORY,
        /// The record of a dataset.
        Dataset = UTET_E_DATASET,
        /// The header of the chunk index.
        Index = UTET_E_INDEX,
        /// A row of the chunk index.
        Row = UTET_E_ROW,
        /// The tail of the footer.
        Footer = UTET_E_FOOTER,
        /// The metadata.
        Metadata = UTET_E_METADATA,
        /// The compressed bytes of a chunk.
        Payload = UTET_E_PAYLOAD,
        /// The checksum of a zstd frame.
        Checksum = UTET_E_CHECKSUM,
    }
}

impl Error {
    pub(crate) fn from_status(status: sys::utet_status, needed: u64, offset: u64) -> Self {
        match status {
            sys::UTET_WOULD_BLOCK => Self::WouldBlock,
            sys::UTET_E_ARGUMENT => Self::Argument,
            sys::UTET_E_BUDGET => Self::Budget { needed },
            sys::UTET_E_RANGE => Self::Range,
            sys::UTET_E_NOT_FOUND => Self::NotFound,
            sys::UTET_E_MISSING => Self::Missing,
            sys::UTET_E_SPACE => Self::Space,
            sys::UTET_E_SHORT => Self::Short { offset },
            status if status <= sys::UTET_E_PORT => Self::Port { code: (sys::UTET_E_PORT - status).unsigned_abs(), offset },
            status => match (Unsupported::from_status(status), Region::from_status(status)) {
                (Some(what), _) => Self::Unsupported { what, offset },
                (_, Some(region)) => Self::Damaged { region, offset },
                _ => Self::State,
            },
        }
    }

    /// The status of the C library.
    pub fn status(&self) -> i32 {
        match *self {
            Self::WouldBlock => sys::UTET_WOULD_BLOCK,
            Self::Argument | Self::Element => sys::UTET_E_ARGUMENT,
            Self::State => sys::UTET_E_STATE,
            Self::Budget { .. } => sys::UTET_E_BUDGET,
            Self::Range => sys::UTET_E_RANGE,
            Self::NotFound => sys::UTET_E_NOT_FOUND,
            Self::Missing => sys::UTET_E_MISSING,
            Self::Space => sys::UTET_E_SPACE,
            Self::Short { .. } => sys::UTET_E_SHORT,
            Self::Port { code, .. } => sys::UTET_E_PORT - code as i32,
            Self::Unsupported { what, .. } => what.status(),
            Self::Damaged { region, .. } => region.status(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the function takes every number, and returns a constant text with a terminator.
        let text = unsafe { CStr::from_ptr(sys::utet_strerror(self.status())) };
        to.write_str(text.to_str().unwrap_or_default())?;
        match *self {
            Self::Budget { needed } => write!(to, " ({needed} bytes are enough)"),
            Self::Port { code, offset } => write!(to, " (code {code}, offset {offset})"),
            Self::Short { offset } | Self::Unsupported { offset, .. } | Self::Damaged { offset, .. } => write!(to, " (offset {offset})"),
            _ => Ok(()),
        }
    }
}

impl core::error::Error for Error {}
