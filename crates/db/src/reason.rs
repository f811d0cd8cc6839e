//! The reasons for which answers are incomplete: why a site is unresolved, or where a value comes
//! from that no visible code makes.

/// The reason why a site could not be resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum Reason {
    UnknownReceiver,
    FunctionValue,
    Reflection,
    Linkname,
    Cgo,
    Assembly,
    DynamicAttribute,
    Decorated,
    /// A function, method or class escapes as a value: as argument, element, attribute or result.
    Escapes,
    /// The language, or C code, calls it by name on an object of its class.
    SpecialMethod,
    /// A test, fixture, hook or entry point, found by its name.
    CalledByName,
    /// An unknown base class may call it.
    UnknownBase,
    ParseError,
    ExcludedFile,
}

impl Reason {
    /// All of them, in order: of several reasons for a site the first counts.
    pub const ALL: [Reason; 14] = [
        Reason::UnknownReceiver,
        Reason::FunctionValue,
        Reason::Reflection,
        Reason::Linkname,
        Reason::Cgo,
        Reason::Assembly,
        Reason::DynamicAttribute,
        Reason::Decorated,
        Reason::Escapes,
        Reason::SpecialMethod,
        Reason::CalledByName,
        Reason::UnknownBase,
        Reason::ParseError,
        Reason::ExcludedFile,
    ];

    /// Returns the name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            Reason::UnknownReceiver => "unknown_receiver",
            Reason::FunctionValue => "function_value",
            Reason::Reflection => "reflection",
            Reason::Linkname => "linkname",
            Reason::Cgo => "cgo",
            Reason::Assembly => "assembly",
            Reason::DynamicAttribute => "dynamic_attribute",
            Reason::Decorated => "decorated",
            Reason::Escapes => "escapes",
            Reason::SpecialMethod => "special_method",
            Reason::CalledByName => "called_by_name",
            Reason::UnknownBase => "unknown_base",
            Reason::ParseError => "parse_error",
            Reason::ExcludedFile => "excluded_file",
        }
    }
}
