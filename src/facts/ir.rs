//! The statement and expression language facts are written in: what is left of a function when only CUDA matters.
//!
//! Host functions, device functions, kernels, lambdas and macro bodies all share it. It holds no syntax
//! nodes and no file names: a [`Span`] is a byte range in the file the facts belong to.

use serde::{Deserialize, Serialize};

pub use crate::syntax::Span;

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// Bytes of the expression.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The shapes an expression can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExprKind {
    /// Integer, character or boolean literal.
    Int(i64),
    /// Floating literal.
    Float(f64),
    /// String literal, unescaped as far as it matters for environment variable and kernel names.
    Str(String),
    /// `nullptr`, `NULL`.
    Null,
    /// A name, qualified or not: variable, function, kernel, enumerator or object-like macro.
    Name(Name),
    /// `this`.
    This,
    /// `object.field` or `object->field`; `field` may be a method when it is called.
    Member {
        /// What is left of the dot or arrow.
        object: Box<Expr>,
        /// Field or method name (`~T` for an explicit destructor call).
        field: String,
        /// `true` for `->`.
        arrow: bool,
    },
    /// `object[index]`.
    Index {
        /// The array or pointer.
        object: Box<Expr>,
        /// The subscript.
        index: Box<Expr>,
    },
    /// A unary operator.
    Unary {
        /// Which one.
        op: UnaryOp,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// A binary operator that does not assign.
    Binary {
        /// Which one.
        op: BinaryOp,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `target = value` or `target op= value`.
    Assign {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// What is assigned to.
        target: Box<Expr>,
        /// The right side.
        value: Box<Expr>,
    },
    /// `condition ? then : otherwise`.
    Conditional {
        /// Condition.
        condition: Box<Expr>,
        /// Value when true.
        then: Box<Expr>,
        /// Value when false.
        otherwise: Box<Expr>,
    },
    /// A call of a function, method, functor, macro or callable object.
    Call(Box<Call>),
    /// `kernel<<<config…>>>(args…)`.
    Launch(Box<Launch>),
    /// `new T(args)` or `new T[array]`.
    New {
        /// The element type.
        ty: Type,
        /// What it is made from, where anything is written: in parentheses or braces.
        init: Option<Box<Init>>,
        /// Element count of an array form.
        array: Option<Box<Expr>>,
        /// What stands in parentheses before the type: where the object is made.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        placement: Vec<Expr>,
    },
    /// `delete p` or `delete[] p`.
    Delete {
        /// The pointer.
        operand: Box<Expr>,
    },
    /// Any cast with an explicit type: C style, `static_cast<T>(…)`, `reinterpret_cast<T>(…)`, …
    Cast {
        /// Target type.
        ty: Type,
        /// What is cast.
        operand: Box<Expr>,
    },
    /// `T{args}` and `T(args)` where the syntax alone shows that `T` is a type (`std::vector<int>(n)` is one,
    /// `f(n)` is a [`Call`]: only linking can tell).
    Construct {
        /// The constructed type.
        ty: Type,
        /// What it is made from: in parentheses or braces.
        init: Box<Init>,
    },
    /// `{a, b}`; designated initialisers keep their field name.
    InitList(Vec<Initialiser>),
    /// A lambda expression.
    Lambda(Box<Lambda>),
    /// `sizeof …`, `alignof …`: a positive unknown number of bytes; the type or expression as written.
    SizeOf(String),
    /// `asm(…)`: the instruction text and its operand expressions, outputs first.
    Asm {
        /// Concatenated instruction text.
        text: String,
        /// Operand expressions in order, outputs first.
        operands: Vec<Expr>,
        /// How many of the operands are outputs.
        outputs: u32,
    },
    /// `throw e`.
    Throw(Option<Box<Expr>>),
    /// Anything else: its sub-expressions in evaluation order.
    Opaque(Vec<Expr>),
}

/// One element of a braced list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Initialiser {
    /// `.field =` of a designated initialiser.
    pub field: Option<String>,
    /// The value.
    pub value: Expr,
}

/// A possibly qualified, possibly templated name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name {
    /// `["a", "b", "c"]` for `a::b::c`; a leading empty string stands for a leading `::`.
    pub path: Vec<String>,
    /// Template arguments of the last segment as written, white space normalised; empty when there are none.
    pub template_args: Vec<String>,
    /// Those of the segment before it: the class of a static member.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owner_args: Vec<String>,
}

impl Name {
    /// A plain, unqualified name.
    pub fn plain(text: &str) -> Self {
        Name {
            path: vec![text.to_owned()],
            template_args: Vec::new(),
            owner_args: Vec::new(),
        }
    }

    /// What the last segment is a member of.
    pub fn owner(&self) -> Option<Name> {
        let (_, path) = self.path.split_last().filter(|(_, path)| !path.is_empty())?;
        Some(Name {
            path: path.to_vec(),
            template_args: self.owner_args.clone(),
            owner_args: Vec::new(),
        })
    }

    /// The last segment, without template arguments.
    pub fn last(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// `true` when the name has one segment.
    pub fn is_plain(&self) -> bool {
        self.path.len() == 1
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.path.join("::"))?;
        if !self.template_args.is_empty() {
            write!(formatter, "<{}>", self.template_args.join(", "))?;
        }
        Ok(())
    }
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the C++ operators")]
pub enum UnaryOp {
    Deref,
    AddressOf,
    Not,
    BitNot,
    Negate,
    Plus,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the C++ operators")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Comma,
    /// A comma of a macro's body that no bracket holds: among arguments it divides two of them, elsewhere it is an operator.
    List,
}

impl Expr {
    /// The parts that the body of a macro leaves where it is used: several where bare commas divide them.
    pub fn listed(&self) -> Vec<&Expr> {
        let (mut parts, mut rest) = (Vec::new(), self);
        while let ExprKind::Binary {
            op: BinaryOp::List,
            left,
            right,
        } = &rest.kind
        {
            parts.push(&**right);
            rest = left;
        }
        parts.push(rest);
        parts.reverse();
        parts
    }
}

impl BinaryOp {
    /// Whether it tells how two values compare.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        )
    }
}

/// Folds two constants; `None` on overflow or division by zero.
pub fn fold(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Add => left.checked_add(right)?,
        BinaryOp::Subtract => left.checked_sub(right)?,
        BinaryOp::Multiply => left.checked_mul(right)?,
        BinaryOp::Divide => left.checked_div(right)?,
        BinaryOp::Remainder => left.checked_rem(right)?,
        BinaryOp::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
        BinaryOp::ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::And => i64::from(left != 0 && right != 0),
        BinaryOp::Or => i64::from(left != 0 || right != 0),
        BinaryOp::Equal => i64::from(left == right),
        BinaryOp::NotEqual => i64::from(left != right),
        BinaryOp::Less => i64::from(left < right),
        BinaryOp::LessEqual => i64::from(left <= right),
        BinaryOp::Greater => i64::from(left > right),
        BinaryOp::GreaterEqual => i64::from(left >= right),
        BinaryOp::Comma | BinaryOp::List => right,
    })
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// What is called: a `Name` (template arguments in it), a `Member`, or any expression.
    pub callee: Expr,
    /// Arguments in order.
    pub args: Vec<Expr>,
    /// Template arguments of a method: `object.method<T>()`.
    pub method_args: Vec<String>,
    /// The class a method is named with, `object.Base::method()`: that one is meant, whatever the object is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Name>,
}

/// A kernel launch with launch syntax.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// The kernel: a `Name` (template arguments in it) or any expression that holds a kernel pointer.
    pub kernel: Expr,
    /// Grid, block, dynamic shared memory, stream: as many as were written.
    pub config: Vec<Expr>,
    /// Kernel arguments.
    pub args: Vec<Expr>,
}

/// A lambda expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lambda {
    /// `=` or `&` as the capture default.
    pub default: CaptureDefault,
    /// Explicit captures.
    pub captures: Vec<Capture>,
    /// Parameters.
    pub params: Vec<Parameter>,
    /// Body.
    pub body: Vec<Stmt>,
    /// `true` when it is marked `__device__` (also together with `__host__`).
    pub device: bool,
    /// `mutable`: calls change the copies it holds.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mutable: bool,
}

/// The capture default of a lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaptureDefault {
    /// `[]` or explicit captures only.
    None,
    /// `[=]`.
    Copy,
    /// `[&]`.
    Reference,
}

/// One explicit capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    /// Captured name; `*this` for a copy of the object.
    pub name: String,
    /// By reference.
    pub reference: bool,
    /// Initialiser of an init-capture.
    pub init: Option<Expr>,
}

/// A type as far as it matters: its core name, and how it is decorated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Type {
    /// Core type without decoration: `cudaStream_t`, `std::vector` (template arguments in it), `auto`, `unsigned int` as `["unsigned int"]`.
    pub name: Name,
    /// Number of `*`.
    pub pointers: u8,
    /// `&` or `&&`.
    pub reference: bool,
    /// `&&`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rvalue: bool,
    /// `const` on the core type (the pointee of a pointer).
    pub constant: bool,
    /// `volatile` anywhere in it.
    pub volatile: bool,
    /// An array of it, where it is described without a name.
    #[serde(default, skip_serializing_if = "is_false")]
    pub array: bool,
}

impl Type {
    /// Whether an object of it is there for others to change: volatile or atomic itself, not what it points to.
    pub fn is_for_others(&self) -> bool {
        self.pointers == 0 && (self.volatile || self.name.last().starts_with("atomic"))
    }

    /// A type with this plain name and no decoration.
    pub fn plain(text: &str) -> Self {
        Type::named(Name::plain(text))
    }

    /// A type with this name and no decoration.
    pub fn named(name: Name) -> Self {
        Type {
            name,
            pointers: 0,
            reference: false,
            rvalue: false,
            constant: false,
            volatile: false,
            array: false,
        }
    }
}

/// A statement and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stmt {
    /// Bytes of the statement.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// The shapes a statement can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StmtKind {
    /// An expression statement.
    Expr(Expr),
    /// Local declarations, in order.
    Declare(Vec<Variable>),
    /// `if`.
    If {
        /// C++17 init statement and/or a condition declaration.
        init: Vec<Stmt>,
        /// The condition (the declared variable's name for `if (T x = f())`).
        condition: Expr,
        /// Taken side.
        then: Vec<Stmt>,
        /// Other side; empty when there is none.
        otherwise: Vec<Stmt>,
        /// `if constexpr`.
        constexpr: bool,
    },
    /// `while`, `do`, `for`.
    Loop {
        /// Which.
        kind: LoopKind,
        /// Init statements of a `for`.
        init: Vec<Stmt>,
        /// Condition; absent for `for (;;)`.
        condition: Option<Expr>,
        /// Step expression of a `for`.
        step: Option<Expr>,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `for (T x : range)`.
    RangeFor {
        /// The loop variable (its `bindings` for a structured binding).
        variable: Box<Variable>,
        /// What is iterated over.
        range: Expr,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `switch`.
    Switch {
        /// The scrutinee.
        value: Expr,
        /// Sections in order; control falls through to the next.
        cases: Vec<Case>,
    },
    /// `return`, also `co_return`.
    Return(Option<Expr>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `goto label`.
    Goto(String),
    /// `label:`.
    Label(String),
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// `try { … } catch (…) { … }`.
    Try {
        /// Guarded statements.
        body: Vec<Stmt>,
        /// One entry per `catch`.
        handlers: Vec<Handler>,
    },
    /// An OpenMP directive and the statement it applies to (`parallel`, `parallel for`, `sections`, `single`, …).
    OpenMp {
        /// The directive's text after `omp`.
        directive: String,
        /// The statement.
        body: Vec<Stmt>,
    },
}

/// `catch (T x) { … }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Handler {
    /// What it catches; `None` for `catch (...)`.
    pub parameter: Option<Parameter>,
    /// Statements.
    pub body: Vec<Stmt>,
}

/// Loop keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the C++ keywords")]
pub enum LoopKind {
    While,
    DoWhile,
    For,
}

/// One section of a `switch`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Labels that lead here; `None` is `default`.
    pub labels: Vec<Option<Expr>>,
    /// Statements up to the next label.
    pub body: Vec<Stmt>,
}

/// A variable: local, global, field or structured binding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Name; empty for a structured binding.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Declared type.
    pub ty: Type,
    /// Array dimensions; `None` for `[]`.
    pub dims: Vec<Option<Expr>>,
    /// Initialiser.
    pub init: Option<Init>,
    /// Names of a structured binding.
    pub bindings: Vec<String>,
    /// `static`, `thread_local` or a static data member.
    pub is_static: bool,
    /// `thread_local`: each thread has its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub per_thread: bool,
    /// `extern` inside a function: it names a variable of the enclosing namespace.
    #[serde(default, skip_serializing_if = "is_false")]
    pub external: bool,
    /// How many bits a bit field has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<Box<Expr>>,
    /// The unions a member is part of, by where each begins, with the number of the part in it: two members of one union share
    /// memory unless they are of the same part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<(u32, u32)>,
    /// Device memory space, when one was given.
    pub space: Option<MemorySpace>,
}

/// Memory spaces a declaration can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemorySpace {
    /// `__device__`.
    Device,
    /// `__shared__`.
    Shared,
    /// `__constant__`.
    Constant,
    /// `__managed__`.
    Managed,
}

/// How a variable is initialised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Init {
    /// `= value`.
    Value(Expr),
    /// `(args)`.
    Parens(Vec<Expr>),
    /// `{args}` or `= {args}`.
    Braces(Vec<Initialiser>),
}

impl Init {
    /// What is written, whichever sign stands around it.
    pub fn written(&self) -> Written<'_> {
        match self {
            Init::Value(value) => Written::Args(std::slice::from_ref(value)),
            Init::Parens(args) => Written::Args(args),
            Init::Braces(items) => Written::Braces(items),
        }
    }

    /// What is written in any form of it.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.written().expressions()
    }

    /// The one expression, where there is one.
    pub fn only(&self) -> Option<&Expr> {
        self.written().only()
    }
}

/// What an object is made from: arguments, or what stands in braces.
#[derive(Clone, Copy, Debug)]
pub enum Written<'a> {
    /// `(args)`, or the value behind `=`.
    Args(&'a [Expr]),
    /// `{items}`.
    Braces(&'a [Initialiser]),
}

impl<'a> Written<'a> {
    /// All expressions of it.
    pub fn expressions(self) -> impl Iterator<Item = &'a Expr> {
        let (args, items): (&[Expr], &[Initialiser]) = match self {
            Written::Args(args) => (args, &[]),
            Written::Braces(items) => (&[], items),
        };
        args.iter().chain(items.iter().map(|it| &it.value))
    }

    /// The one expression, where there is one.
    pub fn only(self) -> Option<&'a Expr> {
        let mut written = self.expressions();
        written.next().filter(|_| written.next().is_none())
    }
}

/// A function, method, kernel, function-like macro or test body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Enclosing namespaces and classes, then the name: `["ns", "Class", "method"]`; anonymous namespaces leave nothing.
    pub path: Vec<String>,
    /// Number of leading segments of `path` that are namespaces (the rest, but the last, are classes).
    pub namespaces: u32,
    /// What kind of function it is.
    pub role: Role,
    /// Where it runs.
    pub target: Target,
    /// Template parameter names, in order.
    pub template_params: Vec<String>,
    /// Those of them that have a default, and what it is, as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub template_defaults: Vec<(String, String)>,
    /// What its `requires` clauses and the types of its template parameters demand, as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub demands: Vec<String>,
    /// Explicit specialisation arguments (`template <> void k<int>()`), else empty.
    pub specialisation: Vec<String>,
    /// Return type (plain `void` where there is none).
    pub result: Type,
    /// Parameters.
    pub params: Vec<Parameter>,
    /// Constructor member initialisers, in order: member or base name, and what it is made of.
    pub initialisers: Vec<(String, Init)>,
    /// Body; empty for a declaration.
    pub body: Vec<Stmt>,
    /// `false` for a declaration without a body.
    pub defined: bool,
    /// `static` at namespace scope or in an anonymous namespace: visible in its own file only.
    pub internal: bool,
    /// A static member function.
    pub is_static: bool,
    /// `const` behind the parameters: for constant objects too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub constant: bool,
    /// `&` or `&&` behind the parameters.
    #[serde(default, skip_serializing_if = "ObjectKind::is_any")]
    pub object: ObjectKind,
    /// Written with `virtual`, `override` or `final`: the object's own class decides.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_virtual: bool,
    /// Written with `explicit`: it converts nothing by itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_explicit: bool,
    /// `public` access for methods; `true` for free functions.
    pub public: bool,
    /// Bytes of the whole definition.
    pub span: Span,
    /// Bytes of the name.
    pub name_span: Span,
}

fn is_false(it: &bool) -> bool {
    !it
}

/// Which objects a method can be called on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ObjectKind {
    /// Any.
    #[default]
    Any,
    /// Those that have a name: `&`.
    Named,
    /// Temporary and moved ones: `&&`.
    Temporary,
}

impl ObjectKind {
    fn is_any(&self) -> bool {
        *self == ObjectKind::Any
    }
}

/// What kind of function it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Free function.
    Function,
    /// Member function (also operators, e.g. `operator()`).
    Method,
    /// Constructor.
    Constructor,
    /// Destructor.
    Destructor,
    /// Function-like macro: parameters are textual, the body is a statement list or one expression statement.
    Macro,
    /// The body of a `TEST(…)`-style macro: an entry point.
    Test,
}

/// Where a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// No qualifier or `__host__`.
    Host,
    /// `__device__`.
    Device,
    /// `__host__ __device__`.
    HostDevice,
    /// `__global__`.
    Kernel,
}

/// A function parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Name; empty when unnamed.
    pub name: String,
    /// Type (`T x[]` counts as one pointer).
    pub ty: Type,
    /// Default argument.
    pub default: Option<Expr>,
    /// `Args... args`.
    pub pack: bool,
}

/// A class, struct or union.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// Enclosing namespaces and classes, then the name.
    pub path: Vec<String>,
    /// Template parameter names.
    pub template_params: Vec<String>,
    /// Those of them that have a default, and what it is, as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub template_defaults: Vec<(String, String)>,
    /// What an explicit or partial specialisation is for (`template <> struct hash<Key>`), else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specialisation: Vec<String>,
    /// Base classes.
    pub bases: Vec<Name>,
    /// Those of them that are `virtual`, by their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub virtual_bases: Vec<u32>,
    /// Data members.
    pub fields: Vec<Variable>,
    /// Bytes of the definition.
    pub span: Span,
}

/// A global variable with its scope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Global {
    /// Enclosing namespaces and classes, then the name.
    pub path: Vec<String>,
    /// The variable.
    pub variable: Variable,
    /// `static`, `const` or in an anonymous namespace.
    pub internal: bool,
    /// `extern` declaration without initialiser.
    pub external: bool,
}

/// Another name of a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alias {
    /// Enclosing namespaces and classes, then the new name.
    pub path: Vec<String>,
    /// Parameters, where it is a template.
    pub template_params: Vec<String>,
    /// Those of them that have a default, and what it is, as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub template_defaults: Vec<(String, String)>,
    /// What it stands for.
    pub ty: Type,
}

impl Alias {
    /// What it stands for with these arguments for its parameters; those that are not written, and have no default, stay as they are.
    pub fn instance(&self, arguments: &[String]) -> Type {
        let mut ty = self.ty.clone();
        if self.template_params.is_empty() || arguments.is_empty() && self.template_defaults.is_empty() {
            return ty;
        }
        let known = |word: &str| {
            let at = self.template_params.iter().position(|it| it == word)?;
            let default = || self.template_defaults.iter().find(|it| it.0 == word);
            arguments.get(at).or_else(|| Some(&default()?.1))
        };
        if let [only] = ty.name.path.as_slice()
            && let Some(written) = known(only)
        {
            let core = written.trim_end_matches(['*', ' ']);
            let pointers = written[core.len()..].matches('*').count();
            ty.pointers = ty
                .pointers
                .saturating_add(u8::try_from(pointers).unwrap_or(u8::MAX));
            ty.name = Name::of_type(core);
            return ty;
        }
        for argument in ty.name.template_args.iter_mut().chain(&mut ty.name.owner_args) {
            *argument = replaced_words(argument, |word| known(word).map(String::as_str));
        }
        ty
    }
}

/// A text with other text for some of its words; a word behind `::` is a member, and stays.
pub fn replaced_words<T: AsRef<str>>(text: &str, known: impl Fn(&str) -> Option<T>) -> String {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_part(first) {
            true => rest.find(|it| !is_part(it)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        match known(word).filter(|_| !result.ends_with("::")) {
            Some(argument) => result.push_str(argument.as_ref()),
            None => result.push_str(word),
        }
        rest = behind;
    }
    result
}
