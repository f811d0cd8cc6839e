//! The node kinds of tree-sitter-go as one dense enum, so that lowering dispatches through a jump
//! table.

use std::sync::OnceLock;

use tree_sitter::Node;

macro_rules! kinds {
    ($($group:ident { $($variant:ident = $text:literal,)* })*) => {
        /// A node kind. Expressions and types come first, then statements, then other named nodes,
        /// then the tokens that lowering reads.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub(super) enum GoKind {
            $($($variant,)*)*
            /// A node that could not be parsed.
            Error,
            /// A named node that lowering ignores.
            Other,
            /// A token that lowering ignores.
            Token,
        }

        fn kind_of(text: &str, named: bool) -> GoKind {
            $($(if named == (stringify!($group) != "tokens") && text == $text {
                return GoKind::$variant;
            })*)*
            if named { GoKind::Other } else { GoKind::Token }
        }
    };
}

kinds! {
    expressions {
        Identifier = "identifier",
        TypeIdentifier = "type_identifier",
        FieldIdentifier = "field_identifier",
        PackageIdentifier = "package_identifier",
        BlankIdentifier = "blank_identifier",
        Nil = "nil",
        True = "true",
        False = "false",
        Iota = "iota",
        Binary = "binary_expression",
        Selector = "selector_expression",
        Call = "call_expression",
        Index = "index_expression",
        Slice = "slice_expression",
        Assertion = "type_assertion_expression",
        Conversion = "type_conversion_expression",
        Instantiation = "type_instantiation_expression",
        Paren = "parenthesized_expression",
        ParenType = "parenthesized_type",
        GenericType = "generic_type",
        QualifiedType = "qualified_type",
        Unary = "unary_expression",
        PointerType = "pointer_type",
        Composite = "composite_literal",
        FuncLiteral = "func_literal",
        InterpretedString = "interpreted_string_literal",
        RawString = "raw_string_literal",
        Int = "int_literal",
        Float = "float_literal",
        Imaginary = "imaginary_literal",
        Rune = "rune_literal",
        StructType = "struct_type",
        InterfaceType = "interface_type",
        ArrayType = "array_type",
        DotsArrayType = "implicit_length_array_type",
        SliceType = "slice_type",
        MapType = "map_type",
        ChannelType = "channel_type",
        FunctionType = "function_type",
        NegatedType = "negated_type",
        TypeElem = "type_elem",
        TypeConstraint = "type_constraint",
    }
    statements {
        ExpressionStatement = "expression_statement",
        SendStatement = "send_statement",
        ReceiveStatement = "receive_statement",
        IncStatement = "inc_statement",
        DecStatement = "dec_statement",
        Assignment = "assignment_statement",
        ShortVar = "short_var_declaration",
        VarDeclaration = "var_declaration",
        ConstDeclaration = "const_declaration",
        TypeDeclaration = "type_declaration",
        ReturnStatement = "return_statement",
        GoStatement = "go_statement",
        DeferStatement = "defer_statement",
        IfStatement = "if_statement",
        ForStatement = "for_statement",
        SwitchStatement = "expression_switch_statement",
        TypeSwitchStatement = "type_switch_statement",
        SelectStatement = "select_statement",
        LabeledStatement = "labeled_statement",
        FallthroughStatement = "fallthrough_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        GotoStatement = "goto_statement",
        Block = "block",
        EmptyStatement = "empty_statement",
    }
    parts {
        PackageClause = "package_clause",
        ImportDeclaration = "import_declaration",
        ImportSpecList = "import_spec_list",
        ImportSpec = "import_spec",
        Dot = "dot",
        FunctionDeclaration = "function_declaration",
        MethodDeclaration = "method_declaration",
        ConstSpec = "const_spec",
        VarSpec = "var_spec",
        VarSpecList = "var_spec_list",
        TypeSpec = "type_spec",
        TypeAlias = "type_alias",
        TypeParameterList = "type_parameter_list",
        TypeParameter = "type_parameter_declaration",
        ParameterList = "parameter_list",
        Parameter = "parameter_declaration",
        VariadicParameter = "variadic_parameter_declaration",
        ExpressionList = "expression_list",
        StatementList = "statement_list",
        ArgumentList = "argument_list",
        VariadicArgument = "variadic_argument",
        TypeArguments = "type_arguments",
        LiteralValue = "literal_value",
        LiteralElement = "literal_element",
        KeyedElement = "keyed_element",
        FieldDeclarationList = "field_declaration_list",
        FieldDeclaration = "field_declaration",
        MethodElem = "method_elem",
        ForClause = "for_clause",
        RangeClause = "range_clause",
        ExpressionCase = "expression_case",
        TypeCase = "type_case",
        DefaultCase = "default_case",
        CommunicationCase = "communication_case",
        LabelName = "label_name",
        Comment = "comment",
    }
    tokens {
        Open = "(",
        Semicolon = ";",
        Assign = "=",
        Define = ":=",
        Star = "*",
        Plus = "+",
        Minus = "-",
        Slash = "/",
        Percent = "%",
        Amp = "&",
        Pipe = "|",
        Caret = "^",
        AmpCaret = "&^",
        ShiftLeft = "<<",
        ShiftRight = ">>",
        Bang = "!",
        Arrow = "<-",
        Equal = "==",
        NotEqual = "!=",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        AndAnd = "&&",
        OrOr = "||",
        Ellipsis = "...",
        Chan = "chan",
    }
}

impl GoKind {
    /// Returns whether it is an expression or a type; the two share their nodes.
    pub(super) fn is_expr(self) -> bool {
        self <= GoKind::TypeConstraint
    }

    /// Returns whether it is a statement, including declarations in bodies.
    pub(super) fn is_stmt(self) -> bool {
        GoKind::ExpressionStatement <= self && self <= GoKind::EmptyStatement
    }

    /// Returns whether it is a declaration that may be inside a body or outside.
    pub(super) fn is_declaration(self) -> bool {
        matches!(
            self,
            GoKind::VarDeclaration | GoKind::ConstDeclaration | GoKind::TypeDeclaration
        )
    }

    /// Returns whether it is an identifier token.
    pub(super) fn is_name(self) -> bool {
        self <= GoKind::Iota || self == GoKind::LabelName
    }
}

/// The table from tree-sitter's symbol numbers to [`GoKind`].
pub(super) struct GoKinds(Box<[GoKind]>);

impl GoKinds {
    /// Returns the table, which is built once per process.
    pub(super) fn get() -> &'static GoKinds {
        static KINDS: OnceLock<GoKinds> = OnceLock::new();
        KINDS.get_or_init(|| {
            let language = (crate::grammar::GRAMMAR.language)();
            let kind = |id| {
                kind_of(
                    language.node_kind_for_id(id).unwrap_or(""),
                    language.node_kind_is_named(id),
                )
            };
            GoKinds((0..language.node_kind_count() as u16).map(kind).collect())
        })
    }

    /// Returns the kind of a node. The number of ERROR is beyond the table.
    pub(super) fn of(&self, node: Node) -> GoKind {
        self.0
            .get(usize::from(node.kind_id()))
            .copied()
            .unwrap_or(GoKind::Error)
    }
}
