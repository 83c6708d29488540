//! Static types: what an expression is by how it is written, as far as overloads and copies ask.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::held::type_of_count;
use super::machine::Machine;
use super::memory::Value;
use super::numbers::Number;
use super::templates::bound_template;
use crate::api::{self, library};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Name, Type, UnaryOp};
use crate::program::{ClassId, FunctionId, Scope};

/// The static type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Static {
    pub(super) core: Core,
    pub(super) given: Given,
    /// Pointers and array dimensions around it.
    pub(super) pointers: u8,
    /// `const`: of what a pointer leads to, else of the thing itself.
    pub(super) constant: bool,
    pub(super) category: Category,
}

/// A type without pointers and qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Core {
    Number(Builtin),
    /// An enumerator or macro: an `int`, or an enumeration.
    Constant,
    Class(ClassId),
    /// `nullptr`.
    Null,
    Void,
    /// Any other type, by its last name and its template arguments.
    Other(String),
}

/// What a class template of the program was made for; empty where that is not known, which makes it no other type.
#[derive(Clone, Debug, Default)]
pub(super) struct Given(pub(super) Vec<Arc<str>>);

impl PartialEq for Given {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Given {}

/// Whether an expression names something that lives on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Category {
    #[default]
    Named,
    /// What `std::move` makes of it.
    Moved,
    Temporary,
}

/// A fundamental type of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Builtin {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Wide,
    Char16,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Float,
    Double,
    LongDouble,
}

impl Builtin {
    /// The type of this name, on a 64-bit Unix.
    pub(super) fn named(text: &str) -> Option<Self> {
        let text = text.trim_start_matches("::").trim_start_matches("std::");
        Some(match text {
            "bool" => Builtin::Bool,
            "float" | "float_t" => Builtin::Float,
            "double" | "double_t" => Builtin::Double,
            "long double" => Builtin::LongDouble,
            "wchar_t" => Builtin::Wide,
            "char16_t" => Builtin::Char16,
            "size_t" | "uint64_t" | "uintptr_t" | "uintmax_t" | "uint_fast64_t" | "uint_least64_t"
            | "uint_fast32_t" | "uint_fast16_t" | "cuuint64_t" => Builtin::UnsignedLong,
            "ssize_t" | "int64_t" | "ptrdiff_t" | "intptr_t" | "intmax_t" | "int_fast64_t"
            | "int_least64_t" | "int_fast32_t" | "int_fast16_t" | "off_t" | "streamsize" => Builtin::Long,
            "uint32_t" | "uint_least32_t" | "uint" | "cuuint32_t" => Builtin::UnsignedInt,
            "int32_t" | "int_least32_t" => Builtin::Int,
            "uint16_t" | "uint_least16_t" | "ushort" => Builtin::UnsignedShort,
            "int16_t" | "int_least16_t" => Builtin::Short,
            "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "uchar" => Builtin::UnsignedChar,
            "int8_t" | "int_least8_t" | "int_fast8_t" => Builtin::SignedChar,
            _ => return Builtin::spelled(text),
        })
    }

    /// How it is written.
    pub(super) fn text(self) -> &'static str {
        match self {
            Builtin::Bool => "bool",
            Builtin::Char => "char",
            Builtin::SignedChar => "signed char",
            Builtin::UnsignedChar => "unsigned char",
            Builtin::Short => "short",
            Builtin::UnsignedShort => "unsigned short",
            Builtin::Wide => "wchar_t",
            Builtin::Char16 => "char16_t",
            Builtin::Int => "int",
            Builtin::UnsignedInt => "unsigned int",
            Builtin::Long => "long",
            Builtin::UnsignedLong => "unsigned long",
            Builtin::LongLong => "long long",
            Builtin::UnsignedLongLong => "unsigned long long",
            Builtin::Float => "float",
            Builtin::Double => "double",
            Builtin::LongDouble => "long double",
        }
    }

    /// `unsigned long int` in any order.
    fn spelled(text: &str) -> Option<Self> {
        let (mut unsigned, mut signed, mut longs, mut short, mut char, mut any) =
            (false, false, 0, false, false, false);
        for word in text.split_whitespace() {
            match word {
                "unsigned" => unsigned = true,
                "signed" => signed = true,
                "int" => {}
                "long" => longs += 1,
                "short" => short = true,
                "char" => char = true,
                _ => return None,
            }
            any = true;
        }
        let sign = |plain, without| if unsigned { without } else { plain };
        any.then(|| match (char, short, longs) {
            (true, ..) if signed => Builtin::SignedChar,
            (true, ..) => sign(Builtin::Char, Builtin::UnsignedChar),
            (_, true, _) => sign(Builtin::Short, Builtin::UnsignedShort),
            (_, _, 0) => sign(Builtin::Int, Builtin::UnsignedInt),
            (_, _, 1) => sign(Builtin::Long, Builtin::UnsignedLong),
            _ => sign(Builtin::LongLong, Builtin::UnsignedLongLong),
        })
    }

    fn is_floating(self) -> bool {
        self >= Builtin::Float
    }

    /// What integral promotion makes of it.
    pub(super) fn promoted(self) -> Self {
        if self < Builtin::Int { Builtin::Int } else { self }
    }

    /// The type two operands are converted to.
    pub(super) fn common(self, other: Self) -> Self {
        if self.is_floating() || other.is_floating() {
            return self.max(other);
        }
        let (a, b) = (self.promoted(), other.promoted());
        let higher = a.max(b);
        let lower = a.min(b);
        match (higher, lower) {
            // As wide, and without a sign: it keeps that.
            (Builtin::LongLong, Builtin::UnsignedLong) => Builtin::UnsignedLongLong,
            _ => higher,
        }
    }

    /// Its width and sign.
    pub(super) fn number(self) -> Number {
        let integer = |bits, signed| Number::Integer { bits, signed };
        match self {
            Builtin::Bool => Number::Bool,
            Builtin::Char | Builtin::SignedChar => integer(8, true),
            Builtin::UnsignedChar => integer(8, false),
            Builtin::Short => integer(16, true),
            Builtin::UnsignedShort | Builtin::Char16 => integer(16, false),
            Builtin::Wide | Builtin::Int => integer(32, true),
            Builtin::UnsignedInt => integer(32, false),
            Builtin::Long | Builtin::LongLong => integer(64, true),
            Builtin::UnsignedLong | Builtin::UnsignedLongLong => integer(64, false),
            Builtin::Float => Number::Float { bits: 32 },
            Builtin::Double => Number::Float { bits: 64 },
            Builtin::LongDouble => Number::Float { bits: 80 },
        }
    }
}

/// What a vector type of CUDA is made of (`float4`, `uint2`): it has no constructors, and converts to nothing.
pub(super) fn vector_element(name: &str) -> Option<Builtin> {
    let scalar = name.strip_suffix(['1', '2', '3', '4'])?;
    let whole = match scalar {
        "uchar" => "unsigned char",
        "ushort" => "unsigned short",
        "uint" => "unsigned int",
        "ulong" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        "char" | "short" | "int" | "long" | "float" | "double" => scalar,
        _ => return None,
    };
    Builtin::named(whole)
}

/// The type of a lambda expression, which has no name.
const CLOSURE: &str = "(closure)";

impl Static {
    /// Whether it is the type of a lambda expression.
    pub(super) fn is_closure(&self) -> bool {
        self.core == Core::Other(CLOSURE.to_owned())
    }

    pub(super) fn temporary(core: Core) -> Self {
        Static {
            core,
            given: Given::default(),
            pointers: 0,
            constant: false,
            category: Category::Temporary,
        }
    }

    pub(super) fn made_for(self, given: Vec<Arc<str>>) -> Self {
        Static {
            given: Given(given),
            ..self
        }
    }

    pub(super) fn number(builtin: Builtin) -> Self {
        Static::temporary(Core::Number(builtin))
    }

    pub(super) fn named(mut self) -> Self {
        self.category = Category::Named;
        self
    }

    /// What it points to.
    pub(super) fn pointee(mut self) -> Option<Self> {
        self.pointers = self.pointers.checked_sub(1)?;
        Some(self.named())
    }

    fn pointer(mut self) -> Self {
        self.pointers = self.pointers.saturating_add(1);
        self.category = Category::Temporary;
        self
    }

    /// Its number, where it is one.
    pub(super) fn builtin(&self) -> Option<Builtin> {
        match self.core {
            Core::Number(builtin) if self.pointers == 0 => Some(builtin),
            Core::Constant if self.pointers == 0 => Some(Builtin::Int),
            _ => None,
        }
    }

    /// Whether it is a number for sure.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.core, Core::Number(_)) && self.pointers == 0
    }

    /// Its class, where it is an object of one.
    pub(super) fn class(&self) -> Option<ClassId> {
        match self.core {
            Core::Class(class) if self.pointers == 0 => Some(class),
            _ => None,
        }
    }
}

/// How a name was declared.
#[derive(Clone, Debug)]
pub(super) enum Typed<'p> {
    /// With a written type, and so many array dimensions.
    Written(&'p Type, u8),
    /// `auto` that stands for this.
    Known(Static),
    /// `auto` that stands for a type nobody knows, and no reference to it.
    Own,
}

impl<'p> Machine<'p> {
    /// The type of an expression by how it is written; `None` where that does not tell. Nothing is evaluated.
    pub(super) fn type_of(&mut self, expression: &'p Expr) -> Option<Static> {
        match &expression.kind {
            // A zero may be a null pointer.
            ExprKind::Int(0) if self.words(expression.span) == "0" => Some(Static::temporary(Core::Constant)),
            ExprKind::Int(value) => Some(Static::number(self.literal_type(expression, *value))),
            ExprKind::Float(_) => {
                let text = self.words(expression.span).to_ascii_lowercase();
                Some(Static::number(match text.as_bytes().last() {
                    Some(b'f') => Builtin::Float,
                    Some(b'l') => Builtin::LongDouble,
                    _ => Builtin::Double,
                }))
            }
            ExprKind::Str(_) => {
                let text = self.words(expression.span);
                let plain = text.starts_with(['"', 'R', '(']);
                plain.then(|| Static {
                    pointers: 1,
                    constant: true,
                    ..Static::number(Builtin::Char).named()
                })
            }
            ExprKind::Null => {
                let text = self.words(expression.span);
                (text == "nullptr").then(|| Static::temporary(Core::Null))
            }
            ExprKind::Name(name) => self.type_of_name(name),
            ExprKind::This => Some(self.type_of_this()?.pointer()),
            ExprKind::Member { object, field, .. } => {
                let object = self.type_of_object(object)?;
                if let Core::Other(name) = &object.core
                    && let Some(element) = vector_element(name).filter(|_| object.pointers == 0)
                {
                    return Some(Static::number(element).named());
                }
                if let Some(index) = ["first", "second"].iter().position(|it| it == field)
                    && let Some(mut part) = self.argument_of(&object, &["pair"], index)
                {
                    part.constant |= object.constant && part.pointers == 0;
                    return Some(part);
                }
                let Core::Class(class) = object.core else {
                    return None;
                };
                let mut found = self.type_of_field(class, &object.given, field, 0)?;
                found.constant |= object.constant && found.pointers == 0;
                if object.category != Category::Named {
                    found.category = Category::Moved;
                }
                Some(found)
            }
            ExprKind::Index { object, .. } => {
                let object = self.type_of(object)?;
                match object.class() {
                    Some(_) => self.type_of_method(&object, "operator[]", 1).or_else(|| {
                        let container = self.type_of_container(&object)?;
                        self.type_of_element(&container)
                    }),
                    None => self.type_of_element(&object).or_else(|| object.pointee()),
                }
            }
            ExprKind::Unary { op, operand } => self.type_of_unary(*op, operand),
            ExprKind::Binary { op, left, right } => self.type_of_binary(*op, left, right),
            ExprKind::Assign { target, .. } => Some(self.type_of(target)?.named()),
            ExprKind::Conditional { then, otherwise, .. } => {
                let (then, otherwise) = (self.type_of(then)?, self.type_of(otherwise)?);
                if then.core == otherwise.core && then.pointers == otherwise.pointers {
                    let same = then.category == otherwise.category && then.category == Category::Named;
                    let constant = then.constant || otherwise.constant;
                    let category = if same {
                        Category::Named
                    } else {
                        Category::Temporary
                    };
                    return Some(Static {
                        constant,
                        category,
                        ..then
                    });
                }
                Some(Static::number(then.builtin()?.common(otherwise.builtin()?)))
            }
            ExprKind::Call(call) => match &call.callee.kind {
                ExprKind::Name(name) => self.type_of_call(name, &call.args),
                ExprKind::Member { object, field, .. } => {
                    let object = self.type_of_object(object)?;
                    if let Core::Class(class) = object.core {
                        let own = self.type_of_method(&object, field, call.args.len());
                        if own.is_some() || !self.is_container_class(class) {
                            return own;
                        }
                        if self
                            .program
                            .resolve_method(class, field, call.args.len())
                            .is_some()
                        {
                            return None;
                        }
                        if library::counts(field) {
                            return Some(Static::number(Builtin::UnsignedLong));
                        }
                    }
                    if let ("get", [], Some(pointee)) =
                        (field.as_str(), call.args.as_slice(), self.type_behind(&object))
                    {
                        return Some(pointee.pointer());
                    }
                    let object = self.type_of_container(&object).unwrap_or(object);
                    let is_element = matches!(field.as_str(), "at" | "front" | "back");
                    match is_element {
                        true => self.type_of_element(&object),
                        false => type_of_count(&object, field),
                    }
                }
                _ => None,
            },
            ExprKind::New { ty, .. } => Some(self.static_type(ty, 0, self.scope())?.pointer()),
            ExprKind::Cast { ty, operand } => {
                let text = self.words(expression.span);
                if text.starts_with(|it: char| it.is_ascii_digit()) {
                    return self.suffixed(&text, ty);
                }
                let found = self.static_type(ty, 0, self.scope())?;
                // What a forwarding reference was bound to it is handed on as.
                let is_named = ty.rvalue && self.is_parameter_of_template(ty) && !self.is_forwarded(operand);
                Some(if is_named { found.named() } else { found })
            }
            ExprKind::Construct { ty, .. } => self.static_type(ty, 0, self.scope()),
            ExprKind::SizeOf(_) => Some(Static::number(Builtin::UnsignedLong)),
            _ => None,
        }
    }

    /// The object a method is called on.
    pub(super) fn type_of_receiver(&mut self, object: &'p Expr, arrow: bool) -> Option<Static> {
        let found = self.type_of(object)?;
        if arrow && found.pointers == 0 {
            return self.led_to(&found).filter(|it| it.class().is_some());
        }
        let found = if found.pointers > 0 {
            found.pointee()?
        } else {
            found
        };
        found.class().is_some().then_some(found)
    }

    /// `*this`.
    pub(super) fn type_of_this(&self) -> Option<Static> {
        let class = self.this_class()?;
        let given = self
            .this()
            .map_or_else(Vec::new, |it| self.given_to_object(&it, class));
        Some(Static {
            constant: self.is_in_constant_method(),
            ..Static::temporary(Core::Class(class)).made_for(given).named()
        })
    }

    /// The same, or what the value itself shows.
    pub(super) fn type_of_argument(&mut self, expression: &'p Expr, value: &Value) -> Option<Static> {
        self.type_of(expression).or_else(|| self.type_of_value(value))
    }

    /// What a value shows of its type: a number shows nothing.
    pub(super) fn type_of_value(&self, value: &Value) -> Option<Static> {
        let other = |text: &str| Static::temporary(Core::Other(text.to_owned()));
        match value {
            Value::Aggregate(place) => {
                let class = self.object_at(place)?;
                let given = self.given_to_object(place, class);
                Some(Static::temporary(Core::Class(class)).made_for(given).named())
            }
            Value::Pointer(place) => {
                let class = self.object_at(place)?;
                let given = self.given_to_object(place, class);
                Some(Static::temporary(Core::Class(class)).made_for(given).pointer())
            }
            Value::Stream(_) => Some(other("cudaStream_t")),
            Value::Event(_) => Some(other("cudaEvent_t")),
            Value::Closure(_) | Value::Bound(_) => Some(other(CLOSURE)),
            _ => None,
        }
    }

    /// Integer, character and boolean literals.
    fn literal_type(&self, expression: &Expr, value: i64) -> Builtin {
        let text = self.words(expression.span);
        match text.as_bytes() {
            [b'\'', ..] => Builtin::Char,
            b"true" | b"false" => Builtin::Bool,
            [b'L', b'\'', ..] => Builtin::Wide,
            _ if i32::try_from(value).is_ok() => Builtin::Int,
            _ => Builtin::Long,
        }
    }

    /// A number whose spelling gives it a type.
    fn suffixed(&self, text: &str, ty: &Type) -> Option<Static> {
        let text = text.to_ascii_lowercase();
        let builtin = Builtin::named(ty.name.last())?;
        Some(Static::number(match builtin {
            Builtin::Long if text.contains("ll") => Builtin::LongLong,
            Builtin::UnsignedLong if text.contains("ll") => Builtin::UnsignedLongLong,
            it => it,
        }))
    }

    fn is_in_constant_method(&self) -> bool {
        let frame = self.control.frames.iter().rev().find(|it| !it.transparent);
        frame
            .and_then(|it| it.function)
            .is_some_and(|it| self.program.function(it).constant)
    }

    /// The object left of `.` or `->`, behind its pointer.
    fn type_of_object(&mut self, object: &'p Expr) -> Option<Static> {
        let mut found = self.type_of(object)?;
        if found.pointers > 0 {
            found = found.pointee()?;
        }
        (found.pointers == 0).then_some(found)
    }

    fn type_of_name(&mut self, name: &'p Name) -> Option<Static> {
        if let Some(text) = self.text_of(name) {
            return self
                .evaluate_text(text, |machine, it| machine.type_of(it))
                .flatten();
        }
        if name.is_plain() {
            if let Some(known) = self.declared_type(name.last()) {
                return known;
            }
            if let Some(this) = self.type_of_this()
                && let Some(class) = this.class()
                && let Some(mut found) = self.type_of_field(class, &this.given, name.last(), 0)
            {
                found.constant |= found.pointers == 0 && self.is_in_constant_method();
                return Some(found);
            }
        }
        let scope = self.scope();
        if let Some(id) = self.program.resolve_global(scope, name) {
            let global = self.program.global(id);
            let scope = Scope {
                file: id.file,
                path: &global.path,
            };
            let dims = global.variable.dims.len();
            return Some(self.static_type(&global.variable.ty, dims, scope)?.named());
        }
        let (_, expression) = self.program.constant_expression(scope, name)?;
        match expression.kind {
            ExprKind::Int(value) if i32::try_from(value).is_ok() => Some(Static::temporary(Core::Constant)),
            _ => None,
        }
    }

    /// How a local name was declared; the inner `None` where that is not known.
    pub(super) fn declared_type(&self, name: &str) -> Option<Option<Static>> {
        let scope = self.visible_blocks().find(|it| it.names.contains_key(name))?;
        Some(match scope.types.get(name) {
            Some(Typed::Written(ty, dims)) => self
                .static_type(ty, usize::from(*dims), self.scope())
                .map(Static::named),
            Some(Typed::Known(known)) => Some(known.clone().named()),
            Some(Typed::Own) | None => None,
        })
    }

    /// A field by its declaration, in a class made for these or its bases.
    fn type_of_field(&self, class: ClassId, given: &Given, field: &str, depth: u32) -> Option<Static> {
        let definition = self.program.class(class);
        let bound = bound_template(&definition.template_params, given.0.clone());
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        if let Some(declared) = definition.fields.iter().find(|it| it.name == field) {
            let name = declared.ty.name.last();
            let is_open = definition.template_params.iter().any(|it| it == name) && !bound.contains_key(name);
            if is_open && self.this_class() != Some(class) {
                return None;
            }
            return Some(
                self.type_where(&declared.ty, declared.dims.len(), scope, &bound)?
                    .named(),
            );
        }
        if depth > 4 {
            return None;
        }
        definition.bases.iter().find_map(|base| {
            let (base, given) = self.base_made_for(class, base, &bound)?;
            self.type_of_field(base, &Given(given), field, depth + 1)
        })
    }

    fn type_of_unary(&mut self, op: UnaryOp, operand: &'p Expr) -> Option<Static> {
        let found = self.type_of(operand);
        match op {
            UnaryOp::Not => Some(Static::number(Builtin::Bool)),
            UnaryOp::AddressOf => Some(found?.pointer()),
            UnaryOp::Deref => {
                let found = found?;
                match found.class() {
                    Some(_) => self.type_of_method(&found, "operator*", 0),
                    None => found.pointee(),
                }
            }
            UnaryOp::Negate | UnaryOp::Plus | UnaryOp::BitNot => {
                Some(Static::number(found?.builtin()?.promoted()))
            }
            UnaryOp::PreIncrement | UnaryOp::PreDecrement => found.filter(|it| it.class().is_none()),
            UnaryOp::PostIncrement | UnaryOp::PostDecrement => {
                let found = found.filter(|it| it.class().is_none())?;
                Some(Static {
                    category: Category::Temporary,
                    ..found
                })
            }
        }
    }

    fn type_of_binary(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr) -> Option<Static> {
        let (a, b) = (self.type_of(left), self.type_of(right));
        let is_object = |it: &Option<Static>| {
            it.as_ref()
                .is_none_or(|it| it.builtin().is_none() && it.pointers == 0)
        };
        match op {
            BinaryOp::Comma | BinaryOp::List => return b,
            // What an operator of the program gives.
            _ if is_object(&a) || is_object(&b) => {
                let function = self.operator_for(super::operators::binary_name(op), &[a, b])??;
                return self.type_of_result(function);
            }
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => return Some(Static::number(Builtin::Bool)),
            _ => {}
        }
        let (a, b) = (a?, b?);
        let moved = |it: Static| Static {
            category: Category::Temporary,
            ..it
        };
        match (op, a.pointers > 0, b.pointers > 0) {
            (BinaryOp::Subtract, true, true) => Some(Static::number(Builtin::Long)),
            (BinaryOp::Add | BinaryOp::Subtract, true, false) => Some(moved(a)),
            (BinaryOp::Add, false, true) => Some(moved(b)),
            (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, ..) => Some(Static::number(a.builtin()?.promoted())),
            _ => Some(Static::number(a.builtin()?.common(b.builtin()?))),
        }
    }

    fn type_of_call(&mut self, name: &'p Name, args: &'p [Expr]) -> Option<Static> {
        if let ("move" | "forward" | "as_const", [only]) = (name.last(), args) {
            let found = self.type_of(only)?;
            return Some(match name.last() {
                "move" => Static {
                    category: Category::Moved,
                    ..found
                },
                "as_const" => Static {
                    constant: true,
                    ..found
                },
                _ => return None,
            });
        }
        if let Some(builtin) = Builtin::named(&name.path.join("::")).filter(|_| args.len() <= 1) {
            return Some(Static::number(builtin));
        }
        if name.is_plain() && self.lookup(name.last()).is_some() {
            return None;
        }
        if let Some(function) = self.function_meant(name, Some(args.len())) {
            let all = self.possible(function, &name.template_args, args.len());
            if let [only] = all.as_slice() {
                return self.type_of_result(*only);
            }
            if all.len() > 1 {
                let types: Vec<_> = args.iter().map(|it| self.type_of(it)).collect();
                let function = self.overload_of_types(function, &types, None)?;
                return self.type_of_result(function);
            }
            return self.type_of_result(function);
        }
        if let Some(class) = self.class_of_type(name) {
            return Some(Static::temporary(Core::Class(class)));
        }
        if let Some(result) = name.is_plain().then(|| api::result_type(name.last())).flatten() {
            return Some(Static::temporary(Core::Other(result.to_owned())));
        }
        // Nobody sees what it does, but what it returns is written down.
        let declared = self.program.declaration_of(self.scope(), name, args.len())?;
        self.type_of_result(declared)
    }

    /// What a method of an object returns, where all of that name return the same.
    pub(super) fn type_of_method(&self, object: &Static, method: &str, arguments: usize) -> Option<Static> {
        let class = object.class()?;
        let known = self.method_in_made(class, &object.given.0, (method, arguments));
        let meant = match known {
            Some(function) => self.program.overloads(function, arguments),
            None => self.program.declared_methods(class, method, arguments),
        };
        let function = known.or(meant.first().copied())?;
        let bound = match self.program.class_of_method(function) {
            Some(own) => self.bound_in_base(class, object.given.0.clone(), own),
            None => BTreeMap::new(),
        };
        let result = self.type_of_result_where(function, &bound)?;
        let same = |id: &FunctionId| self.type_of_result_where(*id, &bound).as_ref() == Some(&result);
        meant.iter().all(same).then_some(result)
    }

    /// What a function returns.
    pub(super) fn type_of_result(&self, function: FunctionId) -> Option<Static> {
        self.type_of_result_where(function, &BTreeMap::new())
    }

    /// The same, where the template parameters of its class stand for these.
    fn type_of_result_where(
        &self,
        function: FunctionId,
        bound: &BTreeMap<String, Arc<str>>,
    ) -> Option<Static> {
        let definition = self.program.function(function);
        let is_open = |params: &[String], known: &dyn Fn(&String) -> bool| {
            let name = &super::traits::enabled(&definition.result).name;
            name.path.iter().any(|it| params.contains(it) && !known(it))
        };
        let of_class = |class: ClassId| {
            let params = &self.program.class(class).template_params;
            is_open(params, &|it| {
                definition.result.name.is_plain() && bound.contains_key(it)
            })
        };
        if definition.role == crate::facts::ir::Role::Macro
            || is_open(&definition.template_params, &|_| false)
            || self.program.class_of_method(function).is_some_and(of_class)
        {
            return None;
        }
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        self.type_where(
            super::traits::enabled(&definition.result).as_ref(),
            0,
            scope,
            bound,
        )
    }

    /// A written type; references are what they refer to.
    pub(super) fn static_type(&self, ty: &Type, dims: usize, scope: Scope<'_>) -> Option<Static> {
        let pointers = u8::try_from(usize::from(ty.pointers) + dims).ok()?;
        let category = category_of(ty);
        let found = self.core_of(&ty.name, scope)?;
        Some(Static {
            pointers: pointers.checked_add(found.pointers)?,
            constant: ty.constant || found.constant,
            category,
            ..found
        })
    }

    /// A template parameter of the function that runs, or of its class, that stands for nothing known.
    fn is_open_parameter(&self, name: &str) -> bool {
        let Some(frame) = self.control.frames.iter().rev().find(|it| !it.transparent) else {
            return false;
        };
        let named = |params: &[String]| params.iter().any(|it| it == name);
        frame
            .function
            .is_some_and(|it| named(&self.program.function(it).template_params))
            || frame
                .class
                .is_some_and(|it| named(&self.program.class(it).template_params))
    }

    /// What a type's name means, with the pointers and the `const` of an alias.
    fn core_of(&self, name: &Name, scope: Scope<'_>) -> Option<Static> {
        let last = name.last();
        if matches!(last, "auto" | "" | "decltype(auto)") || last.contains(['(', '[']) {
            return None;
        }
        if name.is_plain() {
            let argument = self.template_argument(last);
            if *argument != *last {
                return self.type_of_argument_text(&argument);
            }
        }
        if name.is_plain() && self.is_open_parameter(last) {
            return None;
        }
        if let Some(alias) = self.program.resolve_alias(scope, name) {
            if alias.reference {
                return None;
            }
            let core = match self.program.resolve_class(scope, &alias.name) {
                Some(class) => self.static_class(class, &alias.name),
                // What stands for a parameter of some template nobody knows here.
                None if self.program.is_template_parameter(alias.name.last()) => return None,
                None => Static::temporary(plain_core(&alias.name)?),
            };
            return Some(Static {
                pointers: alias.pointers,
                constant: alias.constant,
                ..core
            });
        }
        if let Some(class) = self.program.resolve_class(scope, name) {
            return Some(self.static_class(class, name));
        }
        Some(Static::temporary(plain_core(name)?))
    }

    /// What the text of a template argument means.
    fn type_of_argument_text(&self, argument: &str) -> Option<Static> {
        let core = argument
            .trim_start_matches("const ")
            .trim_end_matches(['*', ' ', '&']);
        let found = match Builtin::named(core) {
            Some(builtin) => Static::number(builtin),
            None => {
                let name = crate::program::kernels::written_name(core)?;
                let class = self.program.resolve_class(self.scope(), &name)?;
                self.static_class(class, &name)
            }
        };
        Some(Static {
            pointers: u8::try_from(argument.matches('*').count()).ok()?,
            constant: argument.starts_with("const "),
            ..found
        })
    }
}

/// Whether a thing of a written type lives on.
pub(super) fn category_of(ty: &Type) -> Category {
    match (ty.reference, ty.rvalue) {
        (true, false) => Category::Named,
        (true, true) => Category::Moved,
        (false, _) => Category::Temporary,
    }
}

/// A type that is no class of the program.
fn plain_core(name: &Name) -> Option<Core> {
    let is_standard = match name.path.as_slice() {
        [_] => true,
        [space, _] => space == "std" || space.is_empty(),
        _ => false,
    };
    if is_standard && let Some(builtin) = Builtin::named(name.last()) {
        return Some(Core::Number(builtin));
    }
    let is_trait = name.last().ends_with("_t") && !name.template_args.is_empty();
    if name.last().contains('(') || is_trait {
        return None;
    }
    if name.last() == "void" {
        return Some(Core::Void);
    }
    if name.last() == "nullptr_t" {
        return Some(Core::Null);
    }
    let mut text = name.last().to_owned();
    if !name.template_args.is_empty() {
        text.push('<');
        text.push_str(&name.template_args.join(","));
        text.push('>');
    }
    Some(Core::Other(text))
}
