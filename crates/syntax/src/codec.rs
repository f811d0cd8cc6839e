//! The binary form of intermediate forms: what a cache on disk holds of a lowered text.
//!
//! Numbers are LEB128 varints, lists have their length before them, names are numbers of a table of the
//! record. Decoding checks every length against what is left, so a record that was cut or damaged gives
//! [`Malformed`], takes no more memory than in proportion to its size, and never panics. Whether numbers
//! inside a record refer to something is not checked here: the caller that keeps records has to know that it reads
//! what was written (a checksum).
//!
//! ```text
//! Encoder ── encode(part) ──> bytes of each section, and the names in the order in which they came
//! Decoder { bytes of a section, NameIds of the table } ── decode() ──> part
//! ```

use std::sync::Arc;

use la_arena::{Arena, Idx, RawIdx};
use rustc_hash::FxHashMap;

pub use codeweft_syntax_derive::Codec;

use crate::{Identifiers, NameId, Names, Ranges, Span};

/// The error of decoding what no encoder has written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

/// A value with a binary form.
pub trait Codec: Sized {
    /// Appends the value.
    fn encode(&self, to: &mut Encoder<'_>);

    /// Reads a value.
    ///
    /// # Errors
    /// The bytes are not those of a value.
    fn decode(from: &mut Decoder<'_>) -> Result<Self, Malformed>;
}

/// The deepest nesting of boxes that is decoded. The deepest that lowering makes is that of build
/// constraints.
const MAX_DEPTH: u32 = 2_000;

/// Appends values to bytes.
pub struct Encoder<'a> {
    interner: &'a Names,
    bytes: Vec<u8>,
    numbers: FxHashMap<NameId, u32>,
    names: Vec<NameId>,
    /// How many of the names are in sections that ended.
    ended: usize,
}

impl<'a> Encoder<'a> {
    /// Returns an encoder without bytes and names.
    pub fn new(interner: &'a Names) -> Encoder<'a> {
        Encoder {
            interner,
            bytes: Vec::new(),
            numbers: FxHashMap::default(),
            names: Vec::new(),
            ended: 0,
        }
    }

    /// Ends a section: returns the bytes since the last one, behind the names that are new in them.
    pub fn section(&mut self) -> Vec<u8> {
        let values = std::mem::take(&mut self.bytes);
        self.usize(self.names.len() - self.ended);
        for number in self.ended..self.names.len() {
            let text = self.interner.text(self.names[number]);
            self.usize(text.len());
            self.bytes.extend_from_slice(text.as_bytes());
        }
        self.ended = self.names.len();
        self.bytes.extend_from_slice(&values);
        std::mem::take(&mut self.bytes)
    }

    /// Appends a byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn usize(&mut self, value: usize) {
        self.varint(value as u64);
    }

    /// Appends the difference of two numbers, wrapping; small differences of either sign are short.
    fn difference(&mut self, from: u32, to: u32) {
        let difference = to.wrapping_sub(from) as i32;
        self.varint(u64::from(((difference << 1) ^ (difference >> 31)) as u32));
    }

    fn ascending(&mut self, numbers: &[u32]) {
        self.usize(numbers.len());
        let mut last = 0;
        for &number in numbers {
            self.difference(last, number);
            last = number;
        }
    }

    fn spans(&mut self, spans: &[Span]) {
        self.usize(spans.len());
        let mut last = 0;
        for span in spans {
            self.difference(last, span.start);
            self.difference(span.start, span.end);
            last = span.start;
        }
    }
}

/// Reads values from bytes.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    names: &'a [NameId],
    depth: u32,
}

/// Reads the names at the beginning of a section and interns them behind those of the sections before it.
/// Returns the rest of the section.
///
/// # Errors
/// The bytes are no names.
pub fn decode_names<'a>(
    section: &'a [u8],
    interner: &Names,
    names: &mut Vec<NameId>,
) -> Result<&'a [u8], Malformed> {
    let mut from = Decoder::new(section, &[]);
    let count = from.length()?;
    names.reserve(count);
    for _ in 0..count {
        let length = from.length()?;
        let (text, rest) = from.bytes.split_at(length);
        from.bytes = rest;
        names.push(interner.intern(std::str::from_utf8(text).map_err(|_| Malformed)?));
    }
    Ok(from.bytes)
}

impl<'a> Decoder<'a> {
    /// Returns a decoder of the bytes behind a section's names; `names` are those of the record so far.
    pub fn new(bytes: &'a [u8], names: &'a [NameId]) -> Decoder<'a> {
        Decoder {
            bytes,
            names,
            depth: 0,
        }
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// None is left.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.bytes.split_first().ok_or(Malformed)?;
        self.bytes = rest;
        Ok(first)
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// Something is.
    pub fn end(self) -> Result<(), Malformed> {
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(Malformed)
        }
    }

    fn varint(&mut self) -> Result<u64, Malformed> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut value = u64::from(first & 0x7F);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }

    fn number(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.varint()?).map_err(|_| Malformed)
    }

    /// Reads the length of a list or a text. Each element has a byte at least.
    fn length(&mut self) -> Result<usize, Malformed> {
        let length = usize::try_from(self.varint()?).map_err(|_| Malformed)?;
        if length <= self.bytes.len() {
            Ok(length)
        } else {
            Err(Malformed)
        }
    }

    fn difference(&mut self, from: u32) -> Result<u32, Malformed> {
        let zigzag = self.number()?;
        Ok(from.wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg()))
    }

    fn ascending(&mut self) -> Result<Box<[u32]>, Malformed> {
        let count = self.length()?;
        let mut numbers = Vec::with_capacity(count);
        let mut last = 0;
        for _ in 0..count {
            last = self.difference(last)?;
            numbers.push(last);
        }
        Ok(numbers.into())
    }

    fn spans(&mut self) -> Result<Box<[Span]>, Malformed> {
        let count = self.length()?;
        let mut spans = Vec::with_capacity(count);
        let mut last = 0;
        for _ in 0..count {
            let start = self.difference(last)?;
            let end = self.difference(start)?;
            spans.push(Span { start, end });
            last = start;
        }
        Ok(spans.into())
    }
}

impl Codec for bool {
    fn encode(&self, to: &mut Encoder<'_>) {
        to.byte(u8::from(*self));
    }

    fn decode(from: &mut Decoder<'_>) -> Result<bool, Malformed> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed),
        }
    }
}

impl Codec for u16 {
    fn encode(&self, to: &mut Encoder<'_>) {
        to.varint(u64::from(*self));
    }

    fn decode(from: &mut Decoder<'_>) -> Result<u16, Malformed> {
        u16::try_from(from.varint()?).map_err(|_| Malformed)
    }
}

/// One more than the number, so that `u32::MAX`, which means an absent one, is one byte.
impl Codec for u32 {
    fn encode(&self, to: &mut Encoder<'_>) {
        to.varint(u64::from(self.wrapping_add(1)));
    }

    fn decode(from: &mut Decoder<'_>) -> Result<u32, Malformed> {
        Ok(from.number()?.wrapping_sub(1))
    }
}

impl Codec for i32 {
    fn encode(&self, to: &mut Encoder<'_>) {
        to.difference(0, *self as u32);
    }

    fn decode(from: &mut Decoder<'_>) -> Result<i32, Malformed> {
        Ok(from.difference(0)? as i32)
    }
}

impl Codec for i128 {
    fn encode(&self, to: &mut Encoder<'_>) {
        match u64::try_from(*self) {
            Ok(small) => {
                to.byte(0);
                to.varint(small);
            }
            Err(_) => {
                to.byte(1);
                to.bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Result<i128, Malformed> {
        match from.byte()? {
            0 => Ok(i128::from(from.varint()?)),
            1 => {
                let (&bytes, rest) = from.bytes.split_first_chunk().ok_or(Malformed)?;
                from.bytes = rest;
                Ok(i128::from_le_bytes(bytes))
            }
            _ => Err(Malformed),
        }
    }
}

/// The number of the name in the table of the record.
impl Codec for NameId {
    fn encode(&self, to: &mut Encoder<'_>) {
        let number = match to.numbers.get(self) {
            Some(&number) => number,
            None => {
                let number = to.names.len() as u32;
                to.numbers.insert(*self, number);
                to.names.push(*self);
                number
            }
        };
        to.varint(u64::from(number));
    }

    fn decode(from: &mut Decoder<'_>) -> Result<NameId, Malformed> {
        let number = from.varint()?;
        let name = from
            .names
            .get(usize::try_from(number).map_err(|_| Malformed)?);
        name.copied().ok_or(Malformed)
    }
}

impl Codec for Box<str> {
    fn encode(&self, to: &mut Encoder<'_>) {
        to.usize(self.len());
        to.bytes.extend_from_slice(self.as_bytes());
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Box<str>, Malformed> {
        let length = from.length()?;
        let (text, rest) = from.bytes.split_at(length);
        from.bytes = rest;
        Ok(std::str::from_utf8(text).map_err(|_| Malformed)?.into())
    }
}

impl<T: Codec> Codec for Option<T> {
    fn encode(&self, to: &mut Encoder<'_>) {
        self.is_some().encode(to);
        if let Some(value) = self {
            value.encode(to);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Option<T>, Malformed> {
        let is_some = bool::decode(from)?;
        is_some.then(|| T::decode(from)).transpose()
    }
}

impl<A: Codec, B: Codec> Codec for (A, B) {
    fn encode(&self, to: &mut Encoder<'_>) {
        self.0.encode(to);
        self.1.encode(to);
    }

    fn decode(from: &mut Decoder<'_>) -> Result<(A, B), Malformed> {
        Ok((A::decode(from)?, B::decode(from)?))
    }
}

impl<T: Codec> Codec for Box<T> {
    fn encode(&self, to: &mut Encoder<'_>) {
        T::encode(self, to);
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Box<T>, Malformed> {
        from.depth += 1;
        if from.depth > MAX_DEPTH {
            return Err(Malformed);
        }
        let value = T::decode(from)?;
        from.depth -= 1;
        Ok(Box::new(value))
    }
}

impl<T: Codec> Codec for Arc<T> {
    fn encode(&self, to: &mut Encoder<'_>) {
        T::encode(self, to);
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Arc<T>, Malformed> {
        Ok(Arc::new(T::decode(from)?))
    }
}

fn encode_all<T: Codec>(all: &[T], to: &mut Encoder<'_>) {
    to.usize(all.len());
    for one in all {
        one.encode(to);
    }
}

impl<T: Codec> Codec for Vec<T> {
    fn encode(&self, to: &mut Encoder<'_>) {
        encode_all(self, to);
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Vec<T>, Malformed> {
        let length = from.length()?;
        let mut all = Vec::with_capacity(length);
        for _ in 0..length {
            all.push(T::decode(from)?);
        }
        Ok(all)
    }
}

impl<T: Codec> Codec for Box<[T]> {
    fn encode(&self, to: &mut Encoder<'_>) {
        encode_all(self, to);
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Box<[T]>, Malformed> {
        Ok(Vec::decode(from)?.into())
    }
}

impl<T> Codec for Idx<T> {
    fn encode(&self, to: &mut Encoder<'_>) {
        to.varint(u64::from(self.into_raw().into_u32()));
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Idx<T>, Malformed> {
        Ok(Idx::from_raw(RawIdx::from_u32(from.number()?)))
    }
}

impl<T: Codec> Codec for Arena<T> {
    fn encode(&self, to: &mut Encoder<'_>) {
        to.usize(self.len());
        for (_, one) in self.iter() {
            one.encode(to);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Arena<T>, Malformed> {
        Ok(Arena::from_iter(Vec::decode(from)?))
    }
}

impl Codec for Ranges {
    fn encode(&self, to: &mut Encoder<'_>) {
        let Ranges {
            lines,
            package,
            imports,
            items,
            fields,
            item_tokens,
            chunks,
            bodies,
            body_tokens,
        } = self;
        to.spans(&[*package]);
        for spans in [imports, items, fields, chunks, bodies] {
            to.spans(spans);
        }
        for numbers in [lines, item_tokens, body_tokens] {
            to.ascending(numbers);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Ranges, Malformed> {
        Ok(Ranges {
            package: *from.spans()?.first().ok_or(Malformed)?,
            imports: from.spans()?,
            items: from.spans()?,
            fields: from.spans()?,
            chunks: from.spans()?,
            bodies: from.spans()?,
            lines: from.ascending()?,
            item_tokens: from.ascending()?,
            body_tokens: from.ascending()?,
        })
    }
}

/// The names alone, in any order: sorted and filtered by the numbers of the interner that reads them.
impl Codec for Identifiers {
    fn encode(&self, to: &mut Encoder<'_>) {
        encode_all(&self.names, to);
    }

    fn decode(from: &mut Decoder<'_>) -> Result<Identifiers, Malformed> {
        Ok(Identifiers::from_names(Vec::decode(from)?))
    }
}
