// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0

/// The types of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[repr(u32)]
pub enum Dtype {
    F32 = 1,
    F64 = 2,
    I32 = 3,
    I64 = 4,
    U8 = 5,
    U16 = 6,
    I16 = 7,
    U32 = 8,
    F16 = 9,
    U64 = 10,
}

impl Dtype {
    const ALL: [Self; 10] = [Self::F32, Self::F64, Self::I32, Self::I64, Self::U8, Self::U16, Self::I16, Self::U32, Self::F16, Self::U64];

    /// The type with this number in files.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| *dtype as u32 == number)
    }

    /// The name, as the tool prints it.
    pub fn name(self) -> &'static str {
        ["f32", "f64", "i32", "i64", "u8", "u16", "i16", "u32", "f16", "u64"][self as usize - 1]
    }
}

/// The bits of a float of 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct F16(pub u16);

mod sealed {
    /// # Safety
    /// Every sequence of bytes is a value of the type, and the type has no padding.
    pub unsafe trait Plain: Copy {}
}
pub(crate) use sealed::Plain;

/// A type of Rust that holds elements of one type.
pub trait Element: Plain {
    /// The type of the elements.
    const DTYPE: Dtype;
}

macro_rules! elements {
    ($($kind:ty = $dtype:ident,)*) => { $(
        // SAFETY: a number, or a transparent structure around one.
        unsafe impl Plain for $kind {}
        impl Element for $kind {
            const DTYPE: Dtype = Dtype::$dtype;
        }
    )* };
}
elements! { f32 = F32, f64 = F64, i32 = I32, i64 = I64, u8 = U8, u16 = U16, i16 = I16, u32 = U32, F16 = F16, u64 = U64, }

/// The bytes of elements.
pub(crate) fn bytes_of<T: Element>(elements: &mut [T]) -> &mut [u8] {
    let size = size_of_val(elements);
    // SAFETY: all bytes of a plain type may be read and written.
    unsafe { core::slice::from_raw_parts_mut(elements.as_mut_ptr().cast::<u8>(), size) }
}

/// Turns elements as stored, little-endian, into those of this machine.
pub(crate) fn to_native<T: Element>(elements: &mut [T]) {
    if cfg!(target_endian = "big") {
        for element in bytes_of(elements).chunks_exact_mut(size_of::<T>()) {
            element.reverse();
        }
    }
}
