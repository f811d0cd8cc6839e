//! The sections of a lowered text in its binary form: report, declarations, bodies, offsets.
//!
//! Each can be read when it is needed; one behind the declarations needs the names of those before it. The
//! section of an empty report, which most texts have, is empty.

use std::sync::Arc;

use crate::codec::{Codec, Decoder, Encoder, Malformed, decode_names};
use crate::{Bodies, FileIr, Header, Items, Lang, NameId, Names, Part, Report};

/// The sections, in their order: report; header and items; bodies and identifiers; ranges.
pub const SECTIONS: usize = 4;

/// How many sections have to be read for the declarations.
pub const DECLARATIONS: usize = 2;

/// The binary form of the parts that a language defines.
#[derive(Clone, Copy)]
pub struct PartsCodec {
    encode_declarations: fn(&Header, &Items, &mut Encoder<'_>) -> Option<()>,
    encode_bodies: fn(&Bodies, &mut Encoder<'_>) -> Option<()>,
    header: fn(&mut Decoder<'_>) -> Result<Arc<Header>, Malformed>,
    items: fn(&mut Decoder<'_>) -> Result<Arc<Items>, Malformed>,
    bodies: fn(&mut Decoder<'_>) -> Result<Arc<Bodies>, Malformed>,
}

impl PartsCodec {
    /// Returns the binary form of a language whose header, items and bodies are of these types.
    pub const fn of<H: Part + Codec, I: Part + Codec, B: Part + Codec>() -> PartsCodec {
        PartsCodec {
            encode_declarations: |header, items, to| {
                header.downcast::<H>()?.encode(to);
                items.downcast::<I>()?.encode(to);
                Some(())
            },
            encode_bodies: |bodies, to| {
                bodies.downcast::<B>()?.encode(to);
                Some(())
            },
            header: |from| Ok(Arc::new(Header::new(H::decode(from)?))),
            items: |from| Ok(Arc::new(Items::new(I::decode(from)?))),
            bodies: |from| Ok(Arc::new(Bodies::new(B::decode(from)?))),
        }
    }
}

/// Returns the sections of a lowered text; `None` if its language has no binary form.
pub fn encode(ir: &FileIr, lang: Lang, names: &Names) -> Option<[Vec<u8>; SECTIONS]> {
    let parts = lang.parts_codec.as_ref()?;
    let mut to = Encoder::new(names);
    let report = if *ir.report == Report::default() {
        Vec::new()
    } else {
        ir.report.encode(&mut to);
        to.section()
    };
    (parts.encode_declarations)(&ir.header, &ir.items, &mut to)?;
    let declarations = to.section();
    (parts.encode_bodies)(&ir.bodies, &mut to)?;
    ir.identifiers.encode(&mut to);
    let bodies = to.section();
    ir.ranges.encode(&mut to);
    Some([report, declarations, bodies, to.section()])
}

/// Returns the sections of a text of which the declarations alone are lowered: the others are empty, and
/// cannot be read.
pub fn encode_declarations(
    header: &Header,
    items: &Items,
    lang: Lang,
    names: &Names,
) -> Option<[Vec<u8>; SECTIONS]> {
    let mut to = Encoder::new(names);
    (lang.parts_codec.as_ref()?.encode_declarations)(header, items, &mut to)?;
    Some([Vec::new(), to.section(), Vec::new(), Vec::new()])
}

/// Reads the report of a text from its section.
///
/// # Errors
/// The bytes are no such section.
pub fn decode_report(section: &[u8]) -> Result<Report, Malformed> {
    if section.is_empty() {
        return Ok(Report::default());
    }
    let rest = decode_names(section, &Names::default(), &mut Vec::new())?;
    let mut from = Decoder::new(rest, &[]);
    let report = Codec::decode(&mut from)?;
    from.end()?;
    Ok(report)
}

/// Reads the header and the items of a text from the first sections.
///
/// # Errors
/// The bytes are no such sections of the language.
pub fn decode_declarations(
    sections: [&[u8]; SECTIONS],
    lang: Lang,
    names: &Names,
) -> Result<(Arc<Header>, Arc<Items>), Malformed> {
    declarations(sections[1], lang, names, &mut Vec::new())
}

fn declarations(
    section: &[u8],
    lang: Lang,
    names: &Names,
    known: &mut Vec<NameId>,
) -> Result<(Arc<Header>, Arc<Items>), Malformed> {
    let parts = lang.parts_codec.as_ref().ok_or(Malformed)?;
    let mut from = Decoder::new(decode_names(section, names, known)?, known);
    let read = ((parts.header)(&mut from)?, (parts.items)(&mut from)?);
    from.end()?;
    Ok(read)
}

/// Reads all sections of a text.
///
/// # Errors
/// The bytes are no sections of the language.
pub fn decode(sections: [&[u8]; SECTIONS], lang: Lang, names: &Names) -> Result<FileIr, Malformed> {
    let parts = lang.parts_codec.as_ref().ok_or(Malformed)?;
    let report = Arc::new(decode_report(sections[0])?);
    let mut known = Vec::new();
    let (header, items) = declarations(sections[1], lang, names, &mut known)?;
    let rest = decode_names(sections[2], names, &mut known)?;
    let mut from = Decoder::new(rest, &known);
    let bodies = (parts.bodies)(&mut from)?;
    let identifiers = Codec::decode(&mut from)?;
    from.end()?;
    let rest = decode_names(sections[3], names, &mut known)?;
    let mut from = Decoder::new(rest, &known);
    let ranges = Codec::decode(&mut from)?;
    from.end()?;
    Ok(FileIr {
        header,
        items,
        bodies,
        ranges,
        identifiers,
        report,
    })
}
