// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
//! What the compiler refuses, each program beside one that it accepts.

/// The file has the workspace until its last use.
///
/// ```
/// use microtet::{Codecs, File, Medium};
/// let (mut medium, mut work) = (Medium::memory(b"no file"), [0; 192]);
/// let mut file = File::new(&mut medium, &mut work, Codecs::RAW).unwrap();
/// assert!(file.open().is_err());
/// drop(file);
/// work[0] = 1;
/// ```
/// ```compile_fail,E0506
/// use microtet::{Codecs, File, Medium};
/// let (mut medium, mut work) = (Medium::memory(b"no file"), [0; 192]);
/// let mut file = File::new(&mut medium, &mut work, Codecs::RAW).unwrap();
/// work[0] = 1;
/// assert!(file.open().is_err());
/// ```
/// It outlives neither workspace nor medium.
/// ```compile_fail,E0597
/// use microtet::{Codecs, File, Medium};
/// let mut medium = Medium::memory(b"no file");
/// let mut file = {
///     let mut work = [0; 192];
///     File::new(&mut medium, &mut work, Codecs::RAW).unwrap()
/// };
/// assert!(file.open().is_err());
/// ```
/// ```compile_fail,E0505
/// use microtet::{Codecs, File, Medium};
/// let (mut medium, mut work) = (Medium::memory(b"no file"), [0; 192]);
/// let mut file = File::new(&mut medium, &mut work, Codecs::RAW).unwrap();
/// drop(medium);
/// assert!(file.open().is_err());
/// ```
mod workspace {}

/// A medium has the port, and the bytes in memory.
///
/// ```
/// use microtet::{Codecs, File, Medium};
/// let (mut bytes, mut work) = (*b"no file", [0; 192]);
/// let mut medium = Medium::memory(&bytes);
/// assert!(File::new(&mut medium, &mut work, Codecs::RAW).unwrap().open().is_err());
/// bytes[0] = 1;
/// ```
/// ```compile_fail,E0506
/// use microtet::{Codecs, File, Medium};
/// let (mut bytes, mut work) = (*b"no file", [0; 192]);
/// let mut medium = Medium::memory(&bytes);
/// bytes[0] = 1;
/// assert!(File::new(&mut medium, &mut work, Codecs::RAW).unwrap().open().is_err());
/// ```
/// ```compile_fail,E0499
/// use microtet::{Codecs, File, Medium, Port, PortError};
/// struct Empty;
/// impl Port for Empty {
///     fn size(&self) -> u64 { 0 }
///     fn read(&mut self, _: u64, _: &mut [u8]) -> Result<usize, PortError> { Ok(0) }
/// }
/// let (mut port, mut work) = (Empty, [0; 192]);
/// let mut medium = Medium::new(&mut port);
/// port.cancel();
/// assert!(File::new(&mut medium, &mut work, Codecs::RAW).unwrap().open().is_err());
/// ```
mod medium {}

/// A slab has the file, its memory and the dataset object; a run is valid until the next call.
///
/// ```
/// # use microtet::{Dataset, File, Range, Result, SlabMemory};
/// fn first(file: &mut File, data: &mut Dataset, memory: &mut SlabMemory) -> Result<usize> {
///     let ranges = [Range::from(0..1)];
///     let mut slab = file.slab(memory, data, &ranges);
///     let count = slab.next()?.map_or(0, |run| run.len());
///     slab.next()?;
///     drop(slab);
///     *data = Dataset::new();
///     Ok(count)
/// }
/// ```
/// ```compile_fail,E0499
/// # use microtet::{Dataset, File, Range, Result, SlabMemory};
/// fn first(file: &mut File, data: &mut Dataset, memory: &mut SlabMemory) -> Result<usize> {
///     let ranges = [Range::from(0..1)];
///     let mut slab = file.slab(memory, data, &ranges);
///     let run = slab.next()?;
///     slab.next()?;
///     Ok(run.map_or(0, |run| run.len()))
/// }
/// ```
/// ```compile_fail,E0506
/// # use microtet::{Dataset, File, Range, Result, SlabMemory};
/// fn first(file: &mut File, data: &mut Dataset, memory: &mut SlabMemory) -> Result<usize> {
///     let ranges = [Range::from(0..1)];
///     let mut slab = file.slab(memory, data, &ranges);
///     *data = Dataset::new();
///     Ok(slab.next()?.map_or(0, |run| run.len()))
/// }
/// ```
/// ```compile_fail,E0499
/// # use microtet::{Dataset, File, Range, Result, SlabMemory};
/// fn first(file: &mut File, data: &mut Dataset, memory: &mut SlabMemory) -> Result<usize> {
///     let ranges = [Range::from(0..1)];
///     let mut slab = file.slab(memory, data, &ranges);
///     file.open()?;
///     Ok(slab.next()?.map_or(0, |run| run.len()))
/// }
/// ```
/// ```compile_fail,E0499
/// # use microtet::{Chunk, File, Result, StreamMemory};
/// fn two(file: &mut File, other: &mut File, chunk: &Chunk, memory: &mut StreamMemory) -> Result<()> {
///     let mut stream = file.stream(memory, chunk);
///     let mut second = other.stream(memory, chunk);
///     stream.open()?;
///     second.open()
/// }
/// ```
/// The elements of a run do not outlive the slab.
/// ```compile_fail,E0515
/// # use microtet::{Dataset, File, Range, SlabMemory};
/// fn first<'m>(file: &'m mut File, data: &'m Dataset, memory: &'m mut SlabMemory) -> &'m [u8] {
///     let mut slab = file.slab(memory, data, &[]);
///     slab.next().unwrap().unwrap().elements().next().unwrap()
/// }
/// ```
mod slab {}

/// Objects stay on their thread, because a port may not be one that can be sent.
///
/// ```compile_fail,E0277
/// fn send(_: impl Send) {}
/// send(microtet::Medium::memory(b"no file"));
/// ```
mod threads {}
