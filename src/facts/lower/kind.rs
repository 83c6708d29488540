//! Node kinds and field names of tree-sitter-cpp as enums, looked up once per process.

use std::sync::LazyLock;

use tree_sitter::{Language, Node};

macro_rules! node_kinds {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// The node kinds that lowering tells apart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind {
            $($variant,)*
            /// A region the parser could not make sense of.
            Error,
            /// Punctuation and keywords.
            Token,
            /// A named node that lowering knows nothing about.
            Unknown,
        }

        fn kind_named(name: &str) -> Kind {
            match name {
                $($name => Kind::$variant,)*
                _ => Kind::Unknown,
            }
        }
    };
}

macro_rules! node_fields {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// The fields that lowering reads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Field {
            $($variant,)*
            /// No field, or one that does not matter.
            None,
        }

        const FIELD_NAMES: &[(Field, &str)] = &[$((Field::$variant, $name),)*];
    };
}

node_kinds! {
    AbstractArrayDeclarator = "abstract_array_declarator",
    AbstractFunctionDeclarator = "abstract_function_declarator",
    AbstractParenthesizedDeclarator = "abstract_parenthesized_declarator",
    AbstractPointerDeclarator = "abstract_pointer_declarator",
    AbstractReferenceDeclarator = "abstract_reference_declarator",
    AccessSpecifier = "access_specifier",
    AliasDeclaration = "alias_declaration",
    AlignofExpression = "alignof_expression",
    ArgumentList = "argument_list",
    ArrayDeclarator = "array_declarator",
    AssignmentExpression = "assignment_expression",
    AttributeDeclaration = "attribute_declaration",
    AttributedDeclarator = "attributed_declarator",
    AttributedStatement = "attributed_statement",
    AttributeSpecifier = "attribute_specifier",
    BaseClassClause = "base_class_clause",
    BinaryExpression = "binary_expression",
    BitfieldClause = "bitfield_clause",
    BreakStatement = "break_statement",
    CallExpression = "call_expression",
    CaseStatement = "case_statement",
    CastExpression = "cast_expression",
    CatchClause = "catch_clause",
    CharLiteral = "char_literal",
    ClassSpecifier = "class_specifier",
    CoReturnStatement = "co_return_statement",
    CommaExpression = "comma_expression",
    Comment = "comment",
    CompoundLiteralExpression = "compound_literal_expression",
    CompoundStatement = "compound_statement",
    ConcatenatedString = "concatenated_string",
    ConditionClause = "condition_clause",
    ConditionalExpression = "conditional_expression",
    ContinueStatement = "continue_statement",
    Declaration = "declaration",
    DeclarationList = "declaration_list",
    Decltype = "decltype",
    DefaultMethodClause = "default_method_clause",
    DeleteExpression = "delete_expression",
    DeleteMethodClause = "delete_method_clause",
    DependentName = "dependent_name",
    DependentType = "dependent_type",
    DestructorName = "destructor_name",
    DoStatement = "do_statement",
    ElseClause = "else_clause",
    EnumSpecifier = "enum_specifier",
    Enumerator = "enumerator",
    EnumeratorList = "enumerator_list",
    EscapeSequence = "escape_sequence",
    ExpressionStatement = "expression_statement",
    ExtensionExpression = "extension_expression",
    False = "false",
    FieldDeclaration = "field_declaration",
    FieldDeclarationList = "field_declaration_list",
    FieldDesignator = "field_designator",
    FieldExpression = "field_expression",
    FieldIdentifier = "field_identifier",
    FieldInitializer = "field_initializer",
    FieldInitializerList = "field_initializer_list",
    ForRangeLoop = "for_range_loop",
    ForStatement = "for_statement",
    FriendDeclaration = "friend_declaration",
    FunctionDeclarator = "function_declarator",
    FunctionDefinition = "function_definition",
    GnuAsmExpression = "gnu_asm_expression",
    GotoStatement = "goto_statement",
    Identifier = "identifier",
    IfStatement = "if_statement",
    InitDeclarator = "init_declarator",
    InitStatement = "init_statement",
    InitializerList = "initializer_list",
    InitializerPair = "initializer_pair",
    LabeledStatement = "labeled_statement",
    LambdaCaptureInitializer = "lambda_capture_initializer",
    LambdaDefaultCapture = "lambda_default_capture",
    LambdaExpression = "lambda_expression",
    LinkageSpecification = "linkage_specification",
    LiteralSuffix = "literal_suffix",
    NamespaceAliasDefinition = "namespace_alias_definition",
    NamespaceDefinition = "namespace_definition",
    NamespaceIdentifier = "namespace_identifier",
    NestedNamespaceSpecifier = "nested_namespace_specifier",
    NewDeclarator = "new_declarator",
    NewExpression = "new_expression",
    Null = "null",
    NumberLiteral = "number_literal",
    OffsetofExpression = "offsetof_expression",
    OperatorCast = "operator_cast",
    OperatorName = "operator_name",
    OptionalParameterDeclaration = "optional_parameter_declaration",
    OptionalTypeParameterDeclaration = "optional_type_parameter_declaration",
    ParameterDeclaration = "parameter_declaration",
    ParameterList = "parameter_list",
    ParenthesizedDeclarator = "parenthesized_declarator",
    ParenthesizedExpression = "parenthesized_expression",
    PlaceholderTypeSpecifier = "placeholder_type_specifier",
    PointerDeclarator = "pointer_declarator",
    PointerExpression = "pointer_expression",
    PointerTypeDeclarator = "pointer_type_declarator",
    PreprocCall = "preproc_call",
    PreprocDef = "preproc_def",
    PreprocElif = "preproc_elif",
    PreprocElifdef = "preproc_elifdef",
    PreprocElse = "preproc_else",
    PreprocFunctionDef = "preproc_function_def",
    PreprocIf = "preproc_if",
    PreprocIfdef = "preproc_ifdef",
    PreprocInclude = "preproc_include",
    PrimitiveType = "primitive_type",
    QualifiedIdentifier = "qualified_identifier",
    RawStringContent = "raw_string_content",
    RawStringLiteral = "raw_string_literal",
    ReferenceDeclarator = "reference_declarator",
    RefQualifier = "ref_qualifier",
    RequiresClause = "requires_clause",
    RequiresExpression = "requires_expression",
    ReturnStatement = "return_statement",
    SizedTypeSpecifier = "sized_type_specifier",
    SizeofExpression = "sizeof_expression",
    StaticAssertDeclaration = "static_assert_declaration",
    StorageClassSpecifier = "storage_class_specifier",
    StringContent = "string_content",
    StringLiteral = "string_literal",
    StructSpecifier = "struct_specifier",
    StructuredBindingDeclarator = "structured_binding_declarator",
    SubscriptExpression = "subscript_expression",
    SwitchStatement = "switch_statement",
    TemplateArgumentList = "template_argument_list",
    TemplateDeclaration = "template_declaration",
    TemplateFunction = "template_function",
    TemplateInstantiation = "template_instantiation",
    TemplateMethod = "template_method",
    TemplateParameterList = "template_parameter_list",
    TemplateTemplateParameterDeclaration = "template_template_parameter_declaration",
    TemplateType = "template_type",
    This = "this",
    ThrowStatement = "throw_statement",
    TrailingReturnType = "trailing_return_type",
    True = "true",
    TryStatement = "try_statement",
    TypeDefinition = "type_definition",
    TypeDescriptor = "type_descriptor",
    TypeIdentifier = "type_identifier",
    TypeParameterDeclaration = "type_parameter_declaration",
    TypeQualifier = "type_qualifier",
    UnaryExpression = "unary_expression",
    UnionSpecifier = "union_specifier",
    UpdateExpression = "update_expression",
    UserDefinedLiteral = "user_defined_literal",
    UsingDeclaration = "using_declaration",
    VirtualSpecifier = "virtual_specifier",
    VariadicDeclarator = "variadic_declarator",
    VariadicParameterDeclaration = "variadic_parameter_declaration",
    VariadicTypeParameterDeclaration = "variadic_type_parameter_declaration",
    WhileStatement = "while_statement",
}

node_fields! {
    Alternative = "alternative",
    Argument = "argument",
    Arguments = "arguments",
    AssemblyCode = "assembly_code",
    Body = "body",
    Captures = "captures",
    Condition = "condition",
    Consequence = "consequence",
    Declarator = "declarator",
    DefaultType = "default_type",
    DefaultValue = "default_value",
    Designator = "designator",
    Member = "field",
    Function = "function",
    Indices = "indices",
    Initializer = "initializer",
    InputOperands = "input_operands",
    Label = "label",
    Left = "left",
    Length = "length",
    Name = "name",
    Operand = "operand",
    Operator = "operator",
    OutputOperands = "output_operands",
    Parameters = "parameters",
    Placement = "placement",
    Right = "right",
    Scope = "scope",
    Size = "size",
    Type = "type",
    Update = "update",
    Value = "value",
}

struct Tables {
    kinds: Vec<Kind>,
    field_of_id: Vec<Field>,
    id_of_field: Vec<u16>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language = Language::from(tree_sitter_cpp::LANGUAGE);
    let kind = |id: u16| match language.node_kind_for_id(id) {
        Some(name) if language.node_kind_is_named(id) => kind_named(name),
        _ => Kind::Token,
    };
    let kind_count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
    let mut field_of_id = vec![Field::None; language.field_count() + 1];
    let mut id_of_field = Vec::with_capacity(FIELD_NAMES.len());
    for (field, name) in FIELD_NAMES {
        let id = language.field_id_for_name(name).map_or(0, u16::from);
        if let Some(entry) = field_of_id.get_mut(usize::from(id)) {
            *entry = *field;
        }
        id_of_field.push(id);
    }
    Tables {
        kinds: (0..kind_count).map(kind).collect(),
        field_of_id,
        id_of_field,
    }
});

/// The id tree-sitter gives to ERROR nodes of every grammar.
const ERROR_ID: u16 = u16::MAX;

/// The kind of a node.
pub(super) fn kind(node: Node<'_>) -> Kind {
    match node.kind_id() {
        ERROR_ID => Kind::Error,
        id => TABLES
            .kinds
            .get(usize::from(id))
            .copied()
            .unwrap_or(Kind::Unknown),
    }
}

/// The first child in a field.
pub(super) fn field<'tree>(node: Node<'tree>, field: Field) -> Option<Node<'tree>> {
    let id = *TABLES.id_of_field.get(field as usize)?;
    node.child_by_field_id(id)
}

/// The field with a grammar's number.
pub(super) fn field_of_id(id: u16) -> Field {
    TABLES
        .field_of_id
        .get(usize::from(id))
        .copied()
        .unwrap_or(Field::None)
}
