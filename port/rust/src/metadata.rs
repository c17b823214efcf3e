// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
use crate::file::{Arguments, Call};
use crate::{Dataset, Error, File, Result};
use core::marker::PhantomData;
use microtet_sys as sys;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Missing, or null.
    None,
    /// Entries without keys.
    List,
    /// Entries with keys.
    Map,
    /// UTF-8, escapes resolved.
    Text,
    /// A number.
    Number,
    /// True or false.
    Boolean,
}

/// A value in the file. Texts, lists and maps are cursors: reading advances them, so copy one to keep its start.
#[derive(Clone, Copy, Default)]
pub struct Value(sys::utet_value);

impl Value {
    /// What it is.
    pub fn kind(&self) -> Kind {
        match self.0.kind {
            sys::UTET_VALUE_LIST => Kind::List,
            sys::UTET_VALUE_MAP => Kind::Map,
            sys::UTET_VALUE_TEXT => Kind::Text,
            sys::UTET_VALUE_NUMBER => Kind::Number,
            sys::UTET_VALUE_BOOLEAN => Kind::Boolean,
            _ => Kind::None,
        }
    }

    /// The number of unread bytes of a text, or of unread entries of a list or map.
    pub fn len(&self) -> usize {
        self.0.size as usize
    }

    /// Whether nothing is unread.
    pub fn is_empty(&self) -> bool {
        self.0.size == 0
    }

    /// The number, if it is an integer below 2^64 - 1.
    pub fn number(&self) -> Option<u64> {
        (self.kind() == Kind::Number && self.0.value != u64::MAX).then_some(self.0.value)
    }

    /// The truth of a boolean.
    pub fn boolean(&self) -> Option<bool> {
        (self.kind() == Kind::Boolean).then_some(self.0.value != 0)
    }
}

/// The fields of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum EventField {
    Op,
    Source,
    At,
    Parents,
    Params,
    Agent,
    Activity,
    Entity,
}

/// An event of the history.
#[derive(Clone, Copy, Default)]
pub struct Event(sys::utet_event);

impl Event {
    /// A field: a text; `Parents` is a list of texts and `Params` a map of texts.
    pub fn field(&self, field: EventField) -> Value {
        Value(self.0.field[field as usize])
    }
}

/// The metadata of a dataset. [`Metadata::dataset`] fills it.
pub struct DatasetMetadata<'d> {
    raw: sys::utet_dataset_meta,
    dataset: PhantomData<&'d Dataset>,
}

impl DatasetMetadata<'_> {
    /// An empty object.
    pub fn new() -> Self {
        let none = sys::utet_value::default();
        Self {
            raw: sys::utet_dataset_meta { attrs: none, dim_names: none, coords: none, fill: none, dataset: core::ptr::null() },
            dataset: PhantomData,
        }
    }

    /// A map of texts.
    pub fn attributes(&self) -> Value {
        Value(self.raw.attrs)
    }

    /// A list of texts, one for each axis.
    pub fn dimensions(&self) -> Value {
        Value(self.raw.dim_names)
    }

    /// The text of the fill value.
    pub fn fill(&self) -> Value {
        Value(self.raw.fill)
    }

    fn known(&self) -> Result<&sys::utet_dataset_meta> {
        if self.raw.dataset.is_null() {
            Err(Error::State)
        } else {
            Ok(&self.raw)
        }
    }
}

impl Default for DatasetMetadata<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// The memory of a [`Metadata`] object, which stays where it is while the object exists: about 1 KB.
pub struct MetadataMemory(sys::utet_meta);

impl MetadataMemory {
    /// Memory for one object at a time.
    pub const fn new() -> Self {
        // SAFETY: numbers and pointers, for all of which 0 is legal.
        Self(unsafe { core::mem::zeroed() })
    }
}

impl Default for MetadataMemory {
    fn default() -> Self {
        Self::new()
    }
}

/// The metadata of a file: history, attributes, names of axes, labels. It reads from the file what it is asked for.
pub struct Metadata<'s, 'a> {
    file: &'s mut File<'a>,
    raw: *mut sys::utet_meta,
    key: sys::utet_value,
    item: sys::utet_value,
    event: sys::utet_event,
    number: u64,
    axis: core::ffi::c_uint,
    got: usize,
    open: bool,
}

fn at<T: ?Sized>(argument: &T) -> usize {
    core::ptr::from_ref(argument).cast::<()>() as usize
}

impl<'s, 'a> Metadata<'s, 'a> {
    pub(crate) fn new(file: &'s mut File<'a>, memory: &'s mut MetadataMemory) -> Self {
        file.cancel();
        *memory = MetadataMemory::new();
        let none = sys::utet_value::default();
        Self { file, raw: &raw mut memory.0, key: none, item: none, event: sys::utet_event::default(), number: 0, axis: 0, got: 0, open: false }
    }

    /// Opens the metadata, and makes a call on it.
    fn call(&mut self, call: Call, arguments: Arguments, make: impl FnOnce(&mut Self, *mut sys::utet_meta) -> sys::utet_status) -> Result<bool> {
        self.open()?;
        let raw = self.raw;
        let file: *mut File<'a> = self.file;
        // SAFETY: file and memory are borrowed for as long as this object exists, and `make` does not use `self.file`.
        unsafe {
            (*file).call(call, arguments, |file| {
                (*raw).private.file = file;
                make(self, raw)
            })
        }
    }

    /// Reads and checks the metadata. The other calls do it as well.
    pub fn open(&mut self) -> Result<()> {
        if !self.open {
            let raw = self.raw;
            // SAFETY: file and memory are borrowed for as long as this object exists.
            self.file.call(Call::MetaOpen, [0; 4], |file| unsafe { sys::utet_meta_open(raw, file) })?;
            self.open = true;
        }
        Ok(())
    }

    /// A map about the file: the texts `tool`, `library_version` and `created_at`.
    pub fn file_info(&mut self) -> Result<Value> {
        self.open()?;
        // SAFETY: the object is open.
        Ok(Value(unsafe { (*self.raw).file_info }))
    }

    /// The list of events, for [`next_event`](Self::next_event).
    pub fn history(&mut self) -> Result<Value> {
        self.open()?;
        // SAFETY: the object is open.
        Ok(Value(unsafe { (*self.raw).history }))
    }

    /// A map from the names of datasets to their metadata; see [`dataset`](Self::dataset).
    pub fn datasets(&mut self) -> Result<Value> {
        self.open()?;
        // SAFETY: the object is open.
        Ok(Value(unsafe { (*self.raw).datasets }))
    }

    /// Reads the next bytes of a text, as many as `buffer` holds or fewer if the text ends, and returns their number; 0 at the end.
    pub fn text(&mut self, text: &mut Value, buffer: &mut [u8]) -> Result<usize> {
        let arguments = [at(text), buffer.as_ptr() as usize, buffer.len(), 0];
        // SAFETY: the buffer has `len` bytes.
        let more = self.call(Call::MetaText, arguments, |this, raw| unsafe {
            sys::utet_text_read(raw, &mut text.0, buffer.as_mut_ptr().cast(), buffer.len(), &mut this.got)
        })?;
        Ok(if more { self.got } else { 0 })
    }

    /// Reads the next entry of a list or map, in the order of the file: its key, which a list does not have, and its value.
    pub fn next(&mut self, list: &mut Value) -> Result<Option<(Value, Value)>> {
        // SAFETY: the object is open.
        let more = self.call(Call::MetaNext, [at(list), 0, 0, 0], |this, raw| unsafe {
            sys::utet_value_next(raw, &mut list.0, &mut this.key, &mut this.item)
        })?;
        Ok(more.then_some((Value(self.key), Value(self.item))))
    }

    /// Finds the value of a key in a map.
    pub fn find(&mut self, map: &Value, key: &str) -> Result<Value> {
        let arguments = [at(map), key.as_ptr() as usize, key.len(), 0];
        // SAFETY: the key has `len` bytes.
        self.call(Call::MetaFind, arguments, |this, raw| unsafe { sys::utet_map_find(raw, &map.0, key.as_ptr().cast(), key.len(), &mut this.item) })?;
        Ok(Value(self.item))
    }

    /// Reads the next event of a copy of [`history`](Self::history).
    pub fn next_event(&mut self, history: &mut Value) -> Result<Option<Event>> {
        // SAFETY: the object is open.
        let more =
            self.call(Call::MetaEvent, [at(history), 0, 0, 0], |this, raw| unsafe { sys::utet_event_next(raw, &mut history.0, &mut this.event) })?;
        Ok(more.then_some(Event(self.event)))
    }

    /// Finds the metadata of a dataset. [`Error::NotFound`]: there is none, and `metadata` is empty; the other calls accept it.
    pub fn dataset<'d>(&mut self, dataset: &'d Dataset, metadata: &mut DatasetMetadata<'d>) -> Result<()> {
        let dataset = dataset.known()?;
        let arguments = [at(dataset), at(metadata), 0, 0];
        // SAFETY: `metadata` keeps the dataset borrowed.
        self.call(Call::MetaDataset, arguments, |_, raw| unsafe { sys::utet_meta_dataset(raw, dataset, &mut metadata.raw) }).map(|_| ())
    }

    /// Finds the axis with this name or number.
    pub fn axis(&mut self, metadata: &DatasetMetadata<'_>, token: &str) -> Result<u32> {
        let dataset = metadata.known()?;
        let arguments = [at(metadata), token.as_ptr() as usize, token.len(), 0];
        // SAFETY: the token has `len` bytes, and `metadata` belongs to a dataset.
        self.call(Call::MetaAxis, arguments, |this, raw| unsafe {
            sys::utet_meta_axis(raw, dataset, token.as_ptr().cast(), token.len(), &mut this.axis)
        })?;
        Ok(self.axis)
    }

    /// Finds the list of the labels of an axis.
    pub fn labels(&mut self, metadata: &DatasetMetadata<'_>, axis: u32) -> Result<Value> {
        let dataset = metadata.known()?;
        // SAFETY: `metadata` belongs to a dataset.
        self.call(Call::MetaLabels, [at(metadata), axis as usize, 0, 0], |this, raw| unsafe {
            sys::utet_meta_labels(raw, dataset, axis, &mut this.item)
        })?;
        Ok(Value(self.item))
    }

    /// Finds the first text of a list that equals `text`, and returns its index: in a list of labels, the index of the label.
    pub fn index_of(&mut self, list: &Value, text: &str) -> Result<u64> {
        let arguments = [at(list), text.as_ptr() as usize, text.len(), 0];
        // SAFETY: the text has `len` bytes.
        self.call(Call::MetaLabel, arguments, |this, raw| unsafe {
            sys::utet_list_find(raw, &list.0, text.as_ptr().cast(), text.len(), &mut this.number)
        })?;
        Ok(self.number)
    }
}

impl Drop for Metadata<'_, '_> {
    fn drop(&mut self) {
        self.file.cancel();
    }
}
