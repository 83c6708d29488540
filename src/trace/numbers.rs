//! Built-in arithmetic types: what a number becomes when it is stored, cast or computed with.
//!
//! A known integer is kept as the bits of its value in 64 bits: sign-extended when its type is signed, else zero-extended.
//! What no type is known for is only computed where every integer type of at least 32 bits gives the same.
//! Floating numbers are in `reals`.

use super::machine::Machine;
use super::memory::Value;
use super::types::Core;
use super::{Location, Step};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Name, Type, UnaryOp, fold};
use crate::program::Scope;

/// A built-in arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Number {
    /// `bool`.
    Bool,
    /// An integer type.
    Integer {
        /// Width.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A floating type.
    Float {
        /// Width: 80 for `long double`.
        bits: u32,
    },
}

/// `int`.
const INT: Number = Number::Integer {
    bits: 32,
    signed: true,
};

/// `long`.
const LONG: Number = Number::Integer {
    bits: 64,
    signed: true,
};

/// `std::size_t`.
const SIZE: Number = Number::Integer {
    bits: 64,
    signed: false,
};

/// A declared type as far as numbers matter: what is behind how many pointers or array dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) number: Number,
    pub(super) pointers: u8,
}

impl Declared {
    /// A number that is not behind a pointer.
    pub(super) fn plain(number: Number) -> Self {
        Declared { number, pointers: 0 }
    }

    pub(super) fn pointee(self) -> Option<Self> {
        let pointers = self.pointers.checked_sub(1)?;
        Some(Declared { pointers, ..self })
    }

    /// The number itself, where it is none behind a pointer.
    pub(super) fn value(self) -> Option<Number> {
        (self.pointers == 0).then_some(self.number)
    }
}

impl Number {
    /// The type of this name in C++, where it is a built-in one or one of `<cstdint>`.
    pub(super) fn named(text: &str) -> Option<Self> {
        let integer = |bits, signed| Some(Number::Integer { bits, signed });
        match text.trim_start_matches("::").trim_start_matches("std::") {
            "bool" => return Some(Number::Bool),
            "half" | "__half" | "__nv_bfloat16" => return Some(Number::Float { bits: 16 }),
            "float" | "float_t" => return Some(Number::Float { bits: 32 }),
            "double" | "double_t" => return Some(Number::Float { bits: 64 }),
            "long double" => return Some(Number::Float { bits: 80 }),
            "size_t" | "uint64_t" | "uintptr_t" | "uintmax_t" | "uint_fast64_t" | "uint_least64_t"
            | "uint_fast32_t" | "uint_fast16_t" | "cuuint64_t" | "CUdeviceptr" => return integer(64, false),
            "ssize_t" | "int64_t" | "ptrdiff_t" | "intptr_t" | "intmax_t" | "int_fast64_t"
            | "int_least64_t" | "int_fast32_t" | "int_fast16_t" | "off_t" | "streamsize" => {
                return integer(64, true);
            }
            "uint32_t" | "uint_least32_t" | "uint" | "char32_t" | "cuuint32_t" => return integer(32, false),
            "int32_t" | "int_least32_t" | "wchar_t" => return integer(32, true),
            "uint16_t" | "uint_least16_t" | "char16_t" | "ushort" => return integer(16, false),
            "int16_t" | "int_least16_t" => return integer(16, true),
            "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "byte" | "char8_t" | "uchar" => {
                return integer(8, false);
            }
            "int8_t" | "int_least8_t" | "int_fast8_t" => return integer(8, true),
            _ => {}
        }
        let (mut bits, mut signed, mut any) = (32, true, false);
        let mut longs = 0;
        for word in text.split_whitespace() {
            match word {
                "unsigned" => signed = false,
                "signed" | "int" => {}
                "long" => longs += 1,
                "short" => bits = 16,
                "char" => bits = 8,
                _ => return None,
            }
            any = true;
        }
        if longs > 0 {
            bits = 64;
        }
        any.then_some(Number::Integer { bits, signed })
    }

    /// Bytes of an integer; `None` of a floating number, whose bytes are no integer.
    pub(super) fn bytes(self) -> Option<i64> {
        match self {
            Number::Float { .. } => None,
            it => Some(it.size()),
        }
    }

    /// Bytes of a value.
    pub(super) fn size(self) -> i64 {
        match self {
            Number::Bool => 1,
            Number::Float { bits: 80 } => 16,
            Number::Integer { bits, .. } | Number::Float { bits } => i64::from(bits / 8),
        }
    }

    /// Whether both are kept in as many bytes of one kind.
    pub(super) fn is_stored_as(self, other: Self) -> bool {
        self.size() == other.size() && self.bytes().is_some() == other.bytes().is_some()
    }

    /// What a value of any integer type becomes in this one; `None` where that is not known.
    pub(super) fn convert(self, value: i64) -> Option<i64> {
        match self {
            Number::Bool => Some(i64::from(value != 0)),
            Number::Integer { bits: 64, .. } => Some(value),
            Number::Integer { bits, signed: true } => {
                let shift = 64 - bits;
                Some((value << shift) >> shift)
            }
            Number::Integer { bits, signed: false } => Some(value & ((1 << bits) - 1)),
            Number::Float { .. } => None,
        }
    }

    /// The type arithmetic is done in.
    fn promoted(self) -> Self {
        match self {
            Number::Bool | Number::Integer { bits: 0..32, .. } => INT,
            it => it,
        }
    }

    /// The type two operands are converted to.
    fn common(self, other: Self) -> Self {
        match (self.promoted(), other.promoted()) {
            (Number::Float { bits: a }, Number::Float { bits: b }) => Number::Float { bits: a.max(b) },
            (it @ Number::Float { .. }, _) | (_, it @ Number::Float { .. }) => it,
            (Number::Integer { bits: a, signed: s }, Number::Integer { bits: b, signed: t }) => {
                Number::Integer {
                    bits: a.max(b),
                    signed: match a.cmp(&b) {
                        std::cmp::Ordering::Equal => s && t,
                        std::cmp::Ordering::Greater => s,
                        std::cmp::Ordering::Less => t,
                    },
                }
            }
            (it, _) => it,
        }
    }

    /// The number a stored value is.
    pub(super) fn mathematical(self, value: i64) -> i128 {
        match self {
            Number::Integer { signed: false, .. } => i128::from(value.cast_unsigned()),
            _ => i128::from(value),
        }
    }

    /// The stored form of a number, with what C++ makes of overflow; `None` where that is undefined.
    pub(super) fn stored(self, number: i128) -> Option<i64> {
        match self {
            Number::Integer { bits, signed: false } => {
                let wrapped = number.rem_euclid(1 << bits);
                u64::try_from(wrapped).ok().map(u64::cast_signed)
            }
            Number::Integer { bits, signed: true } => {
                let value = i64::try_from(number).ok()?;
                (self.convert(value) == Some(value) && bits <= 64).then_some(value)
            }
            Number::Bool => Some(i64::from(number != 0)),
            Number::Float { .. } => None,
        }
    }
}

/// What an operator makes of two integers of known types.
fn typed(op: BinaryOp, (left, a): (i64, Number), (right, b): (i64, Number)) -> Option<i64> {
    let shifts = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
    let ty = if shifts { a.promoted() } else { a.common(b) };
    let Number::Integer { bits, .. } = ty else {
        return None;
    };
    let (x, y) = (
        ty.mathematical(ty.convert(left)?),
        ty.mathematical(ty.convert(right)?),
    );
    let truth = |it: bool| Some(i64::from(it));
    match op {
        BinaryOp::Add => ty.stored(x.checked_add(y)?),
        BinaryOp::Subtract => ty.stored(x.checked_sub(y)?),
        BinaryOp::Multiply => ty.stored(x.checked_mul(y)?),
        BinaryOp::Divide => ty.stored(x.checked_div(y)?),
        BinaryOp::Remainder => ty.stored(x.checked_rem(y)?),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let by = u32::try_from(right).ok().filter(|by| *by < bits)?;
            ty.stored(if op == BinaryOp::ShiftLeft {
                x << by
            } else {
                x >> by
            })
        }
        BinaryOp::BitAnd => ty.stored(x & y),
        BinaryOp::BitOr => ty.stored(x | y),
        BinaryOp::BitXor => ty.stored(x ^ y),
        BinaryOp::Equal => truth(x == y),
        BinaryOp::NotEqual => truth(x != y),
        BinaryOp::Less => truth(x < y),
        BinaryOp::LessEqual => truth(x <= y),
        BinaryOp::Greater => truth(x > y),
        BinaryOp::GreaterEqual => truth(x >= y),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Comma | BinaryOp::List => None,
    }
}

/// Values that are the same in every integer type of at least 32 bits.
pub(super) fn is_small(value: i64) -> bool {
    (0..=i64::from(i32::MAX)).contains(&value)
}

impl<'p> Machine<'p> {
    /// A binary operator over evaluated operands, with the types they are written with.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        (left, a): (&'p Expr, Value),
        (right, b): (&'p Expr, Value),
    ) -> Value {
        let (Value::Int(x), Value::Int(y)) = (&a, &b) else {
            return self.memory.binary(op, a, b);
        };
        let (x, y) = (*x, *y);
        if matches!(
            op,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Comma | BinaryOp::List
        ) {
            return self.memory.binary(op, a, b);
        }
        if is_small(x) && is_small(y) && (!is_shift(op) || y < 31) {
            match fold(op, x, y) {
                Some(value) if is_small(value) => return Value::Int(value),
                // Division by zero.
                None => return self.memory.fresh(),
                Some(_) => {}
            }
        }
        let types = (self.number_of(left), self.number_of(right));
        let value = match types {
            (Some(a), Some(b)) => typed(op, (x, a), (y, b)),
            // The same number of two types is the same in their common one, unless that has no sign and they differ in it.
            _ if x == y && op == BinaryOp::Equal => Some(1),
            _ if x == y && op == BinaryOp::NotEqual => Some(0),
            _ => None,
        };
        value.map_or_else(|| self.memory.fresh(), Value::Int)
    }

    /// `-x`, `~x`.
    pub(super) fn negated_number(&mut self, op: UnaryOp, operand: &'p Expr, value: i64) -> Value {
        let ty = match self.number_of(operand) {
            Some(ty) => ty.promoted(),
            None if is_small(value) && op == UnaryOp::Negate => INT,
            None => return self.memory.fresh(),
        };
        let result = match op {
            UnaryOp::Negate => ty.stored(-ty.mathematical(value)),
            _ => ty.convert(!value),
        };
        result.map_or_else(|| self.memory.fresh(), Value::Int)
    }

    /// A number that one of two operands is, as the type both are converted to holds it.
    pub(super) fn as_common(&mut self, first: &'p Expr, second: &'p Expr, value: Value) -> Value {
        let Value::Int(it) = value else { return value };
        match (self.number_of(first), self.number_of(second)) {
            (Some(a), Some(b)) if a != b => a
                .common(b)
                .convert(it)
                .map_or_else(|| self.memory.fresh(), Value::Int),
            _ => value,
        }
    }

    /// A number as a place of its declared type holds it.
    pub(super) fn as_stored(&mut self, place: &Location, value: Value) -> Value {
        if !matches!(value, Value::Int(_)) && self.memory.real_of(&value).is_none() {
            return value;
        }
        let ty = self.number_at(place).and_then(Declared::value);
        self.number_in(ty, value)
    }

    /// A number as a type holds it.
    pub(super) fn as_type(&mut self, ty: &Type, value: Value) -> Value {
        if let Value::Pointer(place) = &value {
            self.note_recast(ty, &place.clone());
        }
        if !matches!(value, Value::Int(_)) && (self.memory.real_of(&value).is_none() || is_deduced(ty)) {
            return value;
        }
        let number = self.declared_number(ty, 0).and_then(Declared::value);
        self.number_in(number, value)
    }

    /// Whether a number stays what it is in a type: one that nobody knows may be as narrow as a character.
    pub(super) fn holds_number(&self, ty: &Type, number: i64) -> bool {
        ty.pointers > 0
            || ty.reference
            || (0..=i64::from(i8::MAX)).contains(&number)
            || self.declared_number(ty, 0).is_some()
            || is_deduced(ty)
            || !self.is_unseen_type(ty)
    }

    /// Whether a type is neither of the program nor of CUDA: a template parameter, or what a library makes of one.
    fn is_unseen_type(&self, ty: &Type) -> bool {
        let name = &ty.name;
        let meant = self.program.resolve_alias(self.scope(), name);
        let name = meant.as_ref().map_or(name, |it| &it.name);
        let is_made =
            |it: &Name| it.path.first().is_some_and(|it| it == "std") && !it.template_args.is_empty();
        let is_letter = |it: &Name| it.is_plain() && it.last().len() <= 2;
        is_made(name) || is_letter(name) && self.class_of_type(name).is_none()
    }

    /// A number that nobody knows, cast to a type that may not hold it: it need not be itself any more.
    pub(super) fn narrowed_unknown(&mut self, ty: &Type, operand: &'p Expr, value: Value) -> Value {
        let Some(to) = self.declared_number(ty, 0).and_then(Declared::value) else {
            return self.as_type(ty, value);
        };
        if self.memory.real_of(&value).is_some() {
            return self.number_in(Some(to), value);
        }
        if self.number_of(operand) == Some(to) {
            return value;
        }
        match to {
            Number::Bool => self.memory.binary(BinaryOp::NotEqual, value, Value::Int(0)),
            Number::Integer { bits, signed } if bits < 32 => {
                if !signed {
                    let mask = Value::Int((1 << bits) - 1);
                    return self.memory.binary(BinaryOp::BitAnd, value, mask);
                }
                let by = Value::Int(i64::from(64 - bits));
                let raised = self.memory.binary(BinaryOp::ShiftLeft, value, by.clone());
                self.memory.binary(BinaryOp::ShiftRight, raised, by)
            }
            _ => value,
        }
    }

    /// A pointer to numbers of one type becomes one to another: from here on it counts something else.
    fn note_recast(&mut self, ty: &Type, place: &Location) {
        let Some(to) = self.declared_number(ty, 0).and_then(Declared::pointee) else {
            return;
        };
        let own = self.number_at(place).and_then(Declared::value);
        if own.is_some_and(|own| !own.is_stored_as(to.number)) {
            self.memory.recast.insert(place.base);
        }
    }

    /// The number a declared type is, behind its pointers: template parameters and aliases stand for what they mean here.
    pub(super) fn declared_number(&self, ty: &Type, dims: usize) -> Option<Declared> {
        self.declared_in_scope(ty, dims, self.scope())
    }

    pub(super) fn declared_in_scope(&self, ty: &Type, dims: usize, scope: Scope<'_>) -> Option<Declared> {
        let pointers = usize::from(ty.pointers) + dims;
        let declared = |number, more: u8| {
            let pointers = u8::try_from(pointers).ok()?.checked_add(more)?;
            Some(Declared { number, pointers })
        };
        if let Some(number) = number_of_name(&ty.name) {
            // A name the project itself gives a type means that one.
            let own = || self.program.resolve_alias(scope, &ty.name);
            let alias = if is_keyword(ty.name.last()) { None } else { own() };
            return match alias {
                Some(alias) => declared(number_of_name(&alias.name)?, alias.pointers),
                None => declared(number, 0),
            };
        }
        if ty.name.is_plain() {
            let argument = self.template_argument(ty.name.last());
            if *argument != *ty.name.last() {
                let core = argument.trim_end_matches(['*', ' ', '&']);
                let core = core.trim_start_matches("const ");
                let stars = argument.matches('*').count();
                return declared(Number::named(core)?, u8::try_from(stars).ok()?);
            }
        }
        // A member of what a template parameter stands for.
        let meant = self.substituted(&ty.name);
        if let Some(number) = meant.as_ref().and_then(number_of_name) {
            return declared(number, 0);
        }
        let alias = self
            .program
            .resolve_alias(scope, meant.as_ref().unwrap_or(&ty.name))?;
        declared(number_of_name(&alias.name)?, alias.pointers)
    }

    /// The number that a bit field is.
    pub(super) fn narrowed(&self, field: &crate::facts::ir::Variable) -> Option<Declared> {
        let ExprKind::Int(width) = field.bits.as_ref()?.kind else {
            return None;
        };
        let bits = u32::try_from(width).ok().filter(|it| (1..=64).contains(it))?;
        match self.declared_number(&field.ty, 0)?.number {
            Number::Integer { signed, .. } => Some(Declared::plain(Number::Integer { bits, signed })),
            _ => None,
        }
    }

    /// The declared type of what stands at a place.
    pub(super) fn number_at(&self, place: &Location) -> Option<Declared> {
        if let Some(known) = self.memory.numbers.get(place) {
            return Some(*known);
        }
        let Some((last, parent)) = place.path.split_last() else {
            let id = place.base.global()?;
            let global = self.program.global(id);
            let scope = Scope {
                file: id.file,
                path: &global.path,
            };
            return self.declared_in_scope(&global.variable.ty, global.variable.dims.len(), scope);
        };
        let parent = Location {
            base: place.base,
            path: parent.to_vec(),
        };
        match last {
            Step::Field(name) => {
                let class = self.memory.classes.get(&parent)?;
                let definition = self.program.class(*class);
                let field = definition.fields.iter().find(|it| *it.name == **name)?;
                let scope = Scope {
                    file: class.file,
                    path: &definition.path,
                };
                if let Some(narrow) = self.narrowed(field) {
                    return Some(narrow);
                }
                self.declared_in_scope(&field.ty, field.dims.len(), scope)
            }
            _ => match self.memory.element_types.get(&parent) {
                Some(kind) => Number::named(kind).map(Declared::plain),
                None => self.number_at(&parent)?.pointee(),
            },
        }
    }

    /// The type of a number, by how it is written; `None` where that does not tell.
    pub(super) fn number_of(&mut self, expression: &'p Expr) -> Option<Number> {
        self.declared_of(expression)?.value()
    }

    pub(super) fn declared_of(&mut self, expression: &'p Expr) -> Option<Declared> {
        match &expression.kind {
            ExprKind::Int(value) if i32::try_from(*value).is_ok() => Some(Declared::plain(INT)),
            ExprKind::Int(_) => Some(Declared::plain(LONG)),
            ExprKind::SizeOf(_) => Some(Declared::plain(SIZE)),
            ExprKind::Name(name) => {
                if self.text_of(name).is_some() {
                    return None;
                }
                match self.name_place(name) {
                    Some(place) => self.number_at(&place),
                    None => self.declared_of_constant(name),
                }
            }
            ExprKind::Member { .. } if is_chain(expression) => {
                let place = self.place(expression)?;
                self.number_at(&place)
            }
            ExprKind::Index { object, .. } => self.declared_of(object)?.pointee(),
            ExprKind::Cast { ty, .. } => self.declared_number(ty, 0),
            ExprKind::Construct { ty, .. } => self.declared_number(ty, 0),
            ExprKind::Unary { op, operand } => match op {
                UnaryOp::Deref => self.declared_of(operand)?.pointee(),
                UnaryOp::AddressOf => None,
                UnaryOp::Not => Some(Declared::plain(Number::Bool)),
                UnaryOp::Negate | UnaryOp::Plus | UnaryOp::BitNot => {
                    Some(Declared::plain(self.number_of(operand)?.promoted()))
                }
                _ => self.declared_of(operand),
            },
            ExprKind::Binary { op, left, right } => Some(Declared::plain(match op {
                BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual => Number::Bool,
                BinaryOp::Comma | BinaryOp::List => return self.declared_of(right),
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.number_of(left)?.promoted(),
                _ => self.number_of(left)?.common(self.number_of(right)?),
            })),
            ExprKind::Assign { target, .. } => self.declared_of(target),
            ExprKind::Conditional { then, otherwise, .. } => {
                let (then, otherwise) = (self.number_of(then)?, self.number_of(otherwise)?);
                Some(Declared::plain(if then == otherwise {
                    then
                } else {
                    then.common(otherwise)
                }))
            }
            _ => {
                let found = self.type_of(expression)?;
                let pointers = found.pointers;
                match found.core {
                    Core::Number(builtin) => Some(Declared {
                        number: builtin.number(),
                        pointers,
                    }),
                    _ => None,
                }
            }
        }
    }
}

impl<'p> Machine<'p> {
    /// The type of a macro is that of what it stands for; an enumerator that fits is converted to an `int`.
    fn declared_of_constant(&mut self, name: &'p Name) -> Option<Declared> {
        const MOST_FRAMES: usize = 32;
        let value = self.program.constant_value(self.scope(), name)?;
        let written = self.program.constant_expression(self.scope(), name);
        if let Some((file, expression)) = written
            && self.stands_in_directive(file, expression)
            && self.control.frames.len() < MOST_FRAMES
        {
            return self.in_frame(file, &[], None, None, |machine| machine.declared_of(expression));
        }
        i32::try_from(value).is_ok().then_some(Declared::plain(INT))
    }
}

/// What it is made of says what it is.
fn is_deduced(ty: &Type) -> bool {
    matches!(ty.name.last(), "auto" | "void" | "")
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
}

/// A type keyword, which nothing can redefine.
fn is_keyword(text: &str) -> bool {
    text.split_whitespace().all(|word| {
        matches!(
            word,
            "bool" | "char" | "short" | "int" | "long" | "signed" | "unsigned" | "float" | "double"
        )
    })
}

/// The number a type's name means by itself: `int`, `std::size_t`.
fn number_of_name(name: &Name) -> Option<Number> {
    match name.path.as_slice() {
        [only] => Number::named(only),
        [space, only] if space == "std" || space.is_empty() => Number::named(only),
        _ => None,
    }
}

/// Names and members only: finding the place has no effect.
fn is_chain(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) | ExprKind::This => true,
        ExprKind::Member { object, .. } => is_chain(object),
        _ => false,
    }
}
