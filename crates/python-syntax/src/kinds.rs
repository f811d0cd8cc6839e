//! The node kinds and fields of tree-sitter-python as dense enums.

use std::sync::OnceLock;

macro_rules! kinds {
    ($($group:ident { $($variant:ident = $text:literal,)* })*) => {
        /// A node kind. Expressions come first, then statements, then other named nodes, then the
        /// tokens that lowering reads.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(super) enum PythonKind {
            $($($variant,)*)*
            /// A node that could not be parsed.
            Error,
            /// A named node that lowering ignores.
            Other,
            /// A token that lowering ignores.
            Token,
        }

        fn kind_of(text: &str, named: bool) -> PythonKind {
            $($(if named == (stringify!($group) != "tokens") && text == $text {
                return PythonKind::$variant;
            })*)*
            if named { PythonKind::Other } else { PythonKind::Token }
        }
    };
}

kinds! {
    expressions {
        Identifier = "identifier",
        Attribute = "attribute",
        Call = "call",
        Subscript = "subscript",
        Binary = "binary_operator",
        Comparison = "comparison_operator",
        Not = "not_operator",
        Boolean = "boolean_operator",
        Unary = "unary_operator",
        Await = "await",
        Lambda = "lambda",
        Conditional = "conditional_expression",
        Named = "named_expression",
        AsPattern = "as_pattern",
        String = "string",
        Concatenated = "concatenated_string",
        Integer = "integer",
        Float = "float",
        True = "true",
        False = "false",
        None = "none",
        Ellipsis = "ellipsis",
        List = "list",
        Set = "set",
        Tuple = "tuple",
        Dictionary = "dictionary",
        ListComprehension = "list_comprehension",
        SetComprehension = "set_comprehension",
        DictComprehension = "dictionary_comprehension",
        Generator = "generator_expression",
        Paren = "parenthesized_expression",
        ListSplat = "list_splat",
        DictSplat = "dictionary_splat",
        ExpressionList = "expression_list",
        Yield = "yield",
        Slice = "slice",
        PatternList = "pattern_list",
        TuplePattern = "tuple_pattern",
        ListPattern = "list_pattern",
        SplatPattern = "list_splat_pattern",
        DictSplatPattern = "dictionary_splat_pattern",
        Type = "type",
        SplatType = "splat_type",
        GenericType = "generic_type",
        UnionType = "union_type",
        ConstrainedType = "constrained_type",
        MemberType = "member_type",
        DottedName = "dotted_name",
    }
    statements {
        ExpressionStatement = "expression_statement",
        Assignment = "assignment",
        Augmented = "augmented_assignment",
        Return = "return_statement",
        Delete = "delete_statement",
        Raise = "raise_statement",
        Pass = "pass_statement",
        Break = "break_statement",
        Continue = "continue_statement",
        Global = "global_statement",
        Nonlocal = "nonlocal_statement",
        Assert = "assert_statement",
        Import = "import_statement",
        ImportFrom = "import_from_statement",
        FutureImport = "future_import_statement",
        Print = "print_statement",
        Exec = "exec_statement",
        TypeAlias = "type_alias_statement",
        If = "if_statement",
        For = "for_statement",
        While = "while_statement",
        Try = "try_statement",
        With = "with_statement",
        Function = "function_definition",
        Class = "class_definition",
        Decorated = "decorated_definition",
        Match = "match_statement",
    }
    parts {
        Module = "module",
        Block = "block",
        Elif = "elif_clause",
        Else = "else_clause",
        Except = "except_clause",
        Finally = "finally_clause",
        WithClause = "with_clause",
        WithItem = "with_item",
        AsTarget = "as_pattern_target",
        Decorator = "decorator",
        Parameters = "parameters",
        LambdaParameters = "lambda_parameters",
        TypedParameter = "typed_parameter",
        DefaultParameter = "default_parameter",
        TypedDefaultParameter = "typed_default_parameter",
        PositionalSeparator = "positional_separator",
        KeywordSeparator = "keyword_separator",
        TypeParameter = "type_parameter",
        ArgumentList = "argument_list",
        KeywordArgument = "keyword_argument",
        ForIn = "for_in_clause",
        IfClause = "if_clause",
        Pair = "pair",
        Chevron = "chevron",
        RelativeImport = "relative_import",
        ImportPrefix = "import_prefix",
        AliasedImport = "aliased_import",
        Wildcard = "wildcard_import",
        StringStart = "string_start",
        StringContent = "string_content",
        StringEnd = "string_end",
        Escape = "escape_sequence",
        EscapeInterpolation = "escape_interpolation",
        Interpolation = "interpolation",
        FormatSpec = "format_specifier",
        FormatExpression = "format_expression",
        Case = "case_clause",
        CasePattern = "case_pattern",
        ClassPattern = "class_pattern",
        KeywordPattern = "keyword_pattern",
        StarPattern = "splat_pattern",
        UnionPattern = "union_pattern",
        DictPattern = "dict_pattern",
        ComplexPattern = "complex_pattern",
        Comment = "comment",
    }
    tokens {
        Open = "(",
        Bracket = "[",
        At = "@",
        AsyncKeyword = "async",
        LambdaKeyword = "lambda",
        FromKeyword = "from",
        FutureWord = "__future__",
        Star = "*",
        DoubleStar = "**",
        Plus = "+",
        Minus = "-",
        Slash = "/",
        DoubleSlash = "//",
        Percent = "%",
        Amp = "&",
        Pipe = "|",
        Caret = "^",
        ShiftLeft = "<<",
        ShiftRight = ">>",
        Tilde = "~",
        Less = "<",
        LessEqual = "<=",
        EqualEqual = "==",
        NotEqual = "!=",
        NotEqualOld = "<>",
        GreaterEqual = ">=",
        Greater = ">",
        In = "in",
        NotIn = "not in",
        Is = "is",
        IsNot = "is not",
        PlusEqual = "+=",
        MinusEqual = "-=",
        StarEqual = "*=",
        SlashEqual = "/=",
        AtEqual = "@=",
        DoubleSlashEqual = "//=",
        PercentEqual = "%=",
        DoubleStarEqual = "**=",
        ShiftRightEqual = ">>=",
        ShiftLeftEqual = "<<=",
        AmpEqual = "&=",
        CaretEqual = "^=",
        PipeEqual = "|=",
        And = "and",
        Or = "or",
        Underscore = "_",
    }
}

impl PythonKind {
    /// Returns whether it is an expression, type expression or target.
    pub(super) fn is_expr(self) -> bool {
        self <= PythonKind::DottedName
    }

    /// Returns whether it is a statement. Assignments are included, though they are inside
    /// expression statements.
    pub(super) fn is_stmt(self) -> bool {
        PythonKind::ExpressionStatement <= self && self <= PythonKind::Match
    }

    /// Returns whether no descendant is relevant to lowering: names, constants and tokens. `not in`
    /// and soft keywords contain their words.
    pub(super) fn is_leaf(self) -> bool {
        matches!(
            self,
            PythonKind::Identifier
                | PythonKind::Integer
                | PythonKind::Float
                | PythonKind::True
                | PythonKind::False
                | PythonKind::None
                | PythonKind::Ellipsis
                | PythonKind::Pass
                | PythonKind::Break
                | PythonKind::Continue
                | PythonKind::StringStart
                | PythonKind::StringContent
                | PythonKind::StringEnd
                | PythonKind::ImportPrefix
        ) || PythonKind::Open <= self && self < PythonKind::Error
    }

    /// Returns whether it is a comment or a token that lowering never reads.
    pub(super) fn is_dropped(self) -> bool {
        matches!(
            self,
            PythonKind::Token
                | PythonKind::Comment
                | PythonKind::Escape
                | PythonKind::EscapeInterpolation
        )
    }
}

macro_rules! fields {
    ($($variant:ident = $text:literal,)*) => {
        /// The field of a node in its parent.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum NodeField {
            $($variant,)*
            /// Another field, or none.
            Other,
        }

        fn field_of(text: &str) -> NodeField {
            match text {
                $($text => NodeField::$variant,)*
                _ => NodeField::Other,
            }
        }
    };
}

fields! {
    Alias = "alias",
    Alternative = "alternative",
    Argument = "argument",
    Arguments = "arguments",
    Attribute = "attribute",
    Body = "body",
    Cause = "cause",
    Condition = "condition",
    Consequence = "consequence",
    Expression = "expression",
    FormatSpec = "format_specifier",
    Function = "function",
    Guard = "guard",
    Key = "key",
    Left = "left",
    ModuleName = "module_name",
    Name = "name",
    Object = "object",
    Parameters = "parameters",
    ReturnType = "return_type",
    Right = "right",
    Subject = "subject",
    Subscript = "subscript",
    Superclasses = "superclasses",
    Type = "type",
    TypeParameters = "type_parameters",
    Value = "value",
}

/// The tables from tree-sitter's numbers to [`PythonKind`] and [`NodeField`].
pub(super) struct PythonKinds {
    kinds: Box<[PythonKind]>,
    fields: Box<[NodeField]>,
}

impl PythonKinds {
    /// Returns the tables, which are built once per process.
    pub(super) fn get() -> &'static PythonKinds {
        static KINDS: OnceLock<PythonKinds> = OnceLock::new();
        KINDS.get_or_init(|| {
            let language = (crate::grammar::GRAMMAR.language)();
            let kind = |id| {
                kind_of(
                    language.node_kind_for_id(id).unwrap_or(""),
                    language.node_kind_is_named(id),
                )
            };
            let field = |id| field_of(language.field_name_for_id(id).unwrap_or(""));
            PythonKinds {
                kinds: (0..language.node_kind_count() as u16).map(kind).collect(),
                fields: (0..=language.field_count() as u16).map(field).collect(),
            }
        })
    }

    /// Returns the kind of a node by its number. The number of ERROR is beyond the table.
    pub(super) fn kind(&self, id: u16) -> PythonKind {
        self.kinds
            .get(usize::from(id))
            .copied()
            .unwrap_or(PythonKind::Error)
    }

    /// Returns the field by its number.
    pub(super) fn field(&self, id: u16) -> NodeField {
        self.fields
            .get(usize::from(id))
            .copied()
            .unwrap_or(NodeField::Other)
    }
}
