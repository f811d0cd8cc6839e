//! What values of the code may be, as far as wires need it.

use std::rc::Rc;
use std::sync::Arc;

use codeweft_db::{SymbolId, ValueId};

use super::text::Text;

/// A call by the number of its file, and its own in it.
pub(crate) type CallAt = (u32, u32);

/// The code around a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Around {
    /// The function with a name.
    pub(crate) function: Option<SymbolId>,
    /// The command of a program that alone makes the call, by its number in [`super::Commands`].
    pub(crate) command: Option<u32>,
}

/// What identifies an object: the expression that makes it, or the variable that holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Site {
    /// The result of a call.
    Call(CallAt),
    /// A parameter: the file, the function, the number.
    Parameter(u32, u32, u32),
    /// A field or variable.
    Variable(SymbolId),
    /// An expression: the file, the value.
    Value(u32, ValueId),
    /// A module, by its package symbol.
    Module(SymbolId),
}

/// What is known of an object's type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Class {
    /// Nothing.
    Unknown,
    /// A declaration.
    Declared(SymbolId),
    /// A path of a library that is not loaded.
    Path(Arc<str>),
}

/// What values are evaluated within, innermost first.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) inside: Inside,
    /// The frame around: of a call that of the call itself.
    pub(crate) outer: Option<Rc<Frame>>,
    /// The number of frames.
    pub(crate) depth: u32,
}

/// What a frame decides.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Inside {
    /// The parameters of a function are the arguments of a call.
    Call {
        /// The file of the function, and its number there.
        function: (u32, u32),
        /// The call.
        call: CallAt,
    },
    /// Any element of a list is this one.
    Element {
        /// The file and value of the element.
        element: (u32, ValueId),
        /// The file and value of what it is, with the frame of its parts.
        chosen: (u32, ValueId, FrameRef),
    },
}

/// A frame, or none: then a parameter is whatever any call gives it.
pub(crate) type FrameRef = Option<Rc<Frame>>;

/// The most calls that lead to a function whose parameters are followed.
const MAX_FRAMES: u32 = 8;

/// Returns the frame of a function that a call runs; `None` if there are too many around it.
pub(super) fn framed(function: (u32, u32), call: CallAt, outer: &FrameRef) -> FrameRef {
    within(Inside::Call { function, call }, outer)
}

/// Returns the frame in which an element is one of its list; `None` if there are too many around it.
pub(super) fn chosen_in_list(
    element: (u32, ValueId),
    chosen: (u32, ValueId, FrameRef),
    outer: &FrameRef,
) -> FrameRef {
    within(Inside::Element { element, chosen }, outer)
}

/// Returns the frame of a function around the call that values are followed backward from: such frames are bounded by those
/// that make them.
pub(super) fn framed_by_caller(function: (u32, u32), call: CallAt, outer: &FrameRef) -> Rc<Frame> {
    Rc::new(Frame {
        inside: Inside::Call { function, call },
        outer: outer.clone(),
        depth: outer.as_ref().map_or(0, |outer| outer.depth),
    })
}

fn within(inside: Inside, outer: &FrameRef) -> FrameRef {
    let depth = outer.as_ref().map_or(0, |outer| outer.depth) + 1;
    (depth <= MAX_FRAMES).then(|| {
        Rc::new(Frame {
            inside,
            outer: outer.clone(),
            depth,
        })
    })
}

/// What a value may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Abstract {
    Text(Text),
    /// A function or method.
    Function(SymbolId),
    /// A function without a name: its file, and its number there.
    Literal(u32, u32),
    /// A type, as a value.
    Class(SymbolId),
    /// A package or module.
    Module(SymbolId),
    /// Another declaration of a library.
    Named(SymbolId),
    /// What a path of a library that is not loaded means.
    Path(Arc<str>),
    /// An object, with the frame that it is made in.
    Object(Site, Class, FrameRef),
    /// A list, map or object that is written out: its file and value, and the frame of its parts.
    Written(u32, ValueId, FrameRef),
}

impl Abstract {
    /// Returns the object's identity.
    pub(crate) fn site(&self) -> Option<Site> {
        match self {
            Abstract::Object(site, ..) => Some(*site),
            Abstract::Written(file, value, _) => Some(Site::Value(*file, *value)),
            Abstract::Module(symbol) => Some(Site::Module(*symbol)),
            _ => None,
        }
    }
}

/// Adds a value unless it is known.
pub(crate) fn add(all: &mut Vec<Abstract>, value: Abstract) {
    if all.len() < MAX_VALUES && !all.contains(&value) {
        all.push(value);
    }
}

/// Adds values unless they are known.
pub(crate) fn add_all(all: &mut Vec<Abstract>, values: Vec<Abstract>) {
    for value in values {
        add(all, value);
    }
}

/// The most values that one value may be.
pub(crate) const MAX_VALUES: usize = 64;
