//! Symbolic values of device code: what a value depends on, and the memory locations it came from.

use std::rc::Rc;

use super::super::GlobalId;
use super::{Place, PlaceBase, PlaceStep};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Function, Name, Span, Type, UnaryOp};

/// Values heavier than this are forgotten.
const WEIGHT_LIMIT: u32 = 96;

/// A symbolic value, shared.
pub(super) type Sym = Rc<Node>;

/// A symbolic value and the number of nodes in it.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    weight: u32,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.weight == other.weight && self.kind == other.kind)
    }
}

/// The shapes of a symbolic value.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    /// A known integer.
    Int(i64),
    /// Another value that is the same for the whole launch and is no parameter: a template parameter, a float, a macro.
    Constant(Expr),
    /// The content of a kernel parameter or of a field of a by-value parameter.
    Parameter(Loc),
    /// A value loaded from memory visible outside the kernel.
    Load(Load),
    /// The address of a location.
    Address(Loc),
    Unary(UnaryOp, Sym),
    Binary(BinaryOp, Sym, Sym),
    Select(Sym, Sym, Sym),
    /// A function of these values only.
    Derived(Vec<Sym>),
    /// An object of which these parts are known, by their paths inside it as [`super::store::key`] writes them.
    Record(Vec<(Rc<str>, Sym)>),
    /// What a variable holds at the start of an iteration, when earlier iterations changed it.
    Carried {
        loop_id: u32,
        variable: u32,
    },
    /// A clock or timer.
    Clock,
    /// `threadIdx.x`, a rank: differs between threads.
    Thread(String),
    /// `gridDim.x`, `blockDim.x`: fixed by the launch.
    Launch(String),
    /// A cooperative group smaller than the grid.
    Group,
    /// The grid group.
    Grid,
    /// Content of shared or local arrays.
    Local,
    /// A lambda, by index into the walker's table.
    Lambda(usize),
    /// Anything else; the number tells two of them apart.
    Unknown(u32),
}

/// A load from memory.
#[derive(Debug, PartialEq)]
pub(super) struct Load {
    pub(super) loc: Loc,
    pub(super) strength: Strength,
    /// Position in the order of events.
    pub(super) serial: u32,
    pub(super) touch: Touch,
}

/// What the compiler may do with a load that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Keep the first value.
    Plain,
    /// Drop it with the whole loop when the loop does nothing else: `__ldcg`, `__ldcv`, `ld` without `.volatile`,
    /// `.relaxed` or `.acquire` in inline PTX.
    Weak,
    /// Nothing: `volatile`, atomic.
    Strong,
}

/// What an access that returns the old value does to its location.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Touch {
    /// Nothing.
    Read,
    /// `atomicExch(p, stored)`.
    Exchange(Sym),
    /// `atomicCAS(p, expected, desired)`.
    Compare(Sym, Sym),
    /// Any other read-modify-write.
    Change,
}

/// A memory location: where the path starts, the steps from there, and the type of its content.
#[derive(Clone, Debug)]
pub(super) struct Loc {
    pub(super) base: Base,
    pub(super) path: Vec<Step>,
    pub(super) ty: Ty,
}

impl PartialEq for Loc {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base && self.path == other.path
    }
}

/// Where a location starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Base {
    Parameter(u32),
    Global(GlobalId),
    /// A local or shared variable.
    Local(u32),
    /// Memory a pointer of unknown origin points to.
    Through(Sym),
    /// A value that is not stored anywhere.
    Temporary(Sym),
}

/// One step of a location's path.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Field(Rc<str>),
    Element(Sym),
}

/// The type of a location's content, when it is known: a declared type with some pointers taken off or put on.
#[derive(Clone, Debug, Default)]
pub(super) struct Ty {
    declared: Option<Rc<Type>>,
    pointers: i16,
    dimensions: u8,
}

impl Ty {
    pub(super) fn of(ty: &Type) -> Self {
        Ty {
            declared: Some(Rc::new(ty.clone())),
            pointers: i16::from(ty.pointers),
            dimensions: 0,
        }
    }

    /// The type of an array with this many dimensions.
    pub(super) fn array(ty: &Type, dimensions: usize) -> Self {
        Ty {
            dimensions: u8::try_from(dimensions).unwrap_or(u8::MAX),
            ..Ty::of(ty)
        }
    }

    /// The type of an element, or of what a pointer points to.
    pub(super) fn pointee(&self) -> Self {
        match self.dimensions {
            0 => Ty {
                declared: self.declared.clone(),
                pointers: self.pointers.saturating_sub(1),
                dimensions: 0,
            },
            dimensions => Ty {
                declared: self.declared.clone(),
                pointers: self.pointers,
                dimensions: dimensions - 1,
            },
        }
    }

    /// The type of a member of a volatile object.
    pub(super) fn made_volatile(&self) -> Self {
        let mut declared = self
            .declared
            .as_deref()
            .cloned()
            .unwrap_or_else(|| Type::plain(""));
        declared.volatile = true;
        Ty {
            declared: Some(Rc::new(declared)),
            ..self.clone()
        }
    }

    pub(super) fn is_array(&self) -> bool {
        self.dimensions > 0
    }

    pub(super) fn is_pointer(&self) -> bool {
        self.declared.is_some() && self.pointers > 0
    }

    pub(super) fn name(&self) -> Option<&Name> {
        self.declared.as_ref().map(|ty| &ty.name)
    }

    pub(super) fn is_atomic(&self) -> bool {
        self.name().is_some_and(|name| {
            let last = name.last();
            matches!(last, "atomic" | "atomic_ref" | "atomic_flag") || last.starts_with("atomic_")
        })
    }

    /// How a load of this content is treated. Only a scalar or a pointer is certainly read with a plain load: behind
    /// any other name there may be a `volatile`, or a class that is one.
    pub(super) fn strength(&self) -> Strength {
        let is_scalar = |name: &Name| super::tables::type_size(&name.path.join("::")) > 0;
        let plain = self.pointers > 0 || self.name().is_some_and(is_scalar) && !self.is_volatile();
        if plain { Strength::Plain } else { Strength::Strong }
    }

    /// Bytes of a scalar; 0 when they are not known.
    pub(super) fn width(&self) -> u64 {
        match self.pointers {
            0 => self
                .name()
                .map_or(0, |name| super::tables::type_size(&name.path.join("::"))),
            _ => 8,
        }
    }

    pub(super) fn is_volatile(&self) -> bool {
        self.declared.as_ref().is_some_and(|ty| ty.volatile)
    }
}

impl Loc {
    pub(super) fn new(base: Base, ty: Ty) -> Self {
        Loc {
            base,
            path: Vec::new(),
            ty,
        }
    }

    pub(super) fn field(&self, name: &str, ty: Ty) -> Self {
        let mut loc = self.clone();
        loc.path.push(Step::Field(Rc::from(name)));
        loc.ty = ty;
        loc
    }

    pub(super) fn element(&self, index: Sym) -> Self {
        let mut loc = self.clone();
        loc.path.push(Step::Element(index));
        loc.ty = self.ty.pointee();
        loc
    }

    /// The location `index` elements further on.
    pub(super) fn advanced(&self, index: &Sym) -> Self {
        if matches!(index.kind, Kind::Int(0)) {
            return self.clone();
        }
        let mut loc = self.clone();
        match loc.path.last_mut() {
            Some(Step::Element(last)) => *last = binary(BinaryOp::Add, last, index),
            _ => loc.path.push(Step::Element(Rc::clone(index))),
        }
        loc
    }

    /// `true` for memory others can see.
    pub(super) fn is_visible(&self) -> bool {
        match &self.base {
            Base::Parameter(_) => self.path.iter().any(|step| matches!(step, Step::Element(_))),
            Base::Global(_) => true,
            Base::Through(pointer) => !depends(pointer, &|kind| matches!(kind, Kind::Local)),
            Base::Local(_) | Base::Temporary(_) => false,
        }
    }

    fn weight(&self) -> u32 {
        let base = match &self.base {
            Base::Through(sym) | Base::Temporary(sym) => sym.weight,
            _ => 1,
        };
        let steps = self.path.iter().map(|step| match step {
            Step::Element(sym) => sym.weight,
            Step::Field(_) => 1,
        });
        steps.fold(base, u32::saturating_add)
    }

    /// The place as rules see it.
    pub(super) fn export(&self, kernel: &Function) -> Place {
        let base = match &self.base {
            Base::Parameter(index) => PlaceBase::Parameter(*index),
            Base::Global(id) => PlaceBase::Global(*id),
            _ => PlaceBase::Unknown,
        };
        let step = |step: &Step| match step {
            Step::Field(name) => PlaceStep::Field(name.to_string()),
            Step::Element(index) => match (&index.kind, export(index, kernel)) {
                (Kind::Int(value), _) => PlaceStep::Element(*value),
                (_, Some(expr)) => PlaceStep::Uniform(expr),
                _ => PlaceStep::Varying,
            },
        };
        Place {
            base,
            path: self.path.iter().map(step).collect(),
        }
    }
}

/// A node of this kind; [`Kind::Unknown`] when it is too heavy.
pub(super) fn node(kind: Kind) -> Sym {
    let weight = match &kind {
        Kind::Parameter(loc) | Kind::Address(loc) => loc.weight().saturating_add(1),
        Kind::Load(load) => {
            let touch = match &load.touch {
                Touch::Exchange(sym) => sym.weight,
                Touch::Compare(left, right) => left.weight.saturating_add(right.weight),
                Touch::Read | Touch::Change => 0,
            };
            load.loc.weight().saturating_add(1).saturating_add(touch)
        }
        Kind::Unary(_, operand) => operand.weight.saturating_add(1),
        Kind::Binary(_, left, right) => left.weight.saturating_add(right.weight).saturating_add(1),
        Kind::Select(a, b, c) => a
            .weight
            .saturating_add(b.weight)
            .saturating_add(c.weight)
            .saturating_add(1),
        Kind::Derived(of) => of.iter().fold(1, |sum: u32, sym| sum.saturating_add(sym.weight)),
        Kind::Record(parts) => parts
            .iter()
            .fold(1, |sum: u32, (_, sym)| sum.saturating_add(sym.weight)),
        _ => 1,
    };
    if weight > WEIGHT_LIMIT {
        return Rc::new(Node {
            kind: Kind::Unknown(u32::MAX),
            weight: 1,
        });
    }
    Rc::new(Node { kind, weight })
}

pub(super) fn int(value: i64) -> Sym {
    node(Kind::Int(value))
}

/// A unary operator, folded where the operand is known.
pub(super) fn unary(op: UnaryOp, operand: &Sym) -> Sym {
    match (op, &operand.kind) {
        (UnaryOp::Not, Kind::Int(value)) => int(i64::from(*value == 0)),
        (UnaryOp::Negate, Kind::Int(value)) => int(value.wrapping_neg()),
        (UnaryOp::BitNot, Kind::Int(value)) => int(!value),
        (UnaryOp::Plus, _) => Rc::clone(operand),
        _ => node(Kind::Unary(op, Rc::clone(operand))),
    }
}

/// A binary operator, folded where both operands are known.
pub(super) fn binary(op: BinaryOp, left: &Sym, right: &Sym) -> Sym {
    if let (Kind::Int(a), Kind::Int(b)) = (&left.kind, &right.kind)
        && let Some(value) = fold(op, *a, *b)
    {
        return int(value);
    }
    match (op, &left.kind, &right.kind) {
        (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::BitOr, _, Kind::Int(0)) => Rc::clone(left),
        (BinaryOp::Add | BinaryOp::BitOr, Kind::Int(0), _) => Rc::clone(right),
        (BinaryOp::Multiply, _, Kind::Int(0)) | (BinaryOp::Multiply, Kind::Int(0), _) => int(0),
        (BinaryOp::And, Kind::Int(0), _) | (BinaryOp::And, _, Kind::Int(0)) => int(0),
        _ => node(Kind::Binary(op, Rc::clone(left), Rc::clone(right))),
    }
}

/// `condition ? then : otherwise`, folded where it can be.
pub(super) fn select(condition: &Sym, then: &Sym, otherwise: &Sym) -> Sym {
    if then == otherwise {
        return Rc::clone(then);
    }
    match condition.kind {
        Kind::Int(0) => Rc::clone(otherwise),
        Kind::Int(_) => Rc::clone(then),
        _ => node(Kind::Select(
            Rc::clone(condition),
            Rc::clone(then),
            Rc::clone(otherwise),
        )),
    }
}

/// The value of `a op b`.
pub(super) fn fold(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let shift = |value: i64| u32::try_from(value).ok().filter(|bits| *bits < 64);
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide => a.checked_div(b)?,
        BinaryOp::Remainder => a.checked_rem(b)?,
        BinaryOp::ShiftLeft => a.wrapping_shl(shift(b)?),
        BinaryOp::ShiftRight => a.wrapping_shr(shift(b)?),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::And => i64::from(a != 0 && b != 0),
        BinaryOp::Or => i64::from(a != 0 || b != 0),
        BinaryOp::Equal => i64::from(a == b),
        BinaryOp::NotEqual => i64::from(a != b),
        BinaryOp::Less => i64::from(a < b),
        BinaryOp::LessEqual => i64::from(a <= b),
        BinaryOp::Greater => i64::from(a > b),
        BinaryOp::GreaterEqual => i64::from(a >= b),
        BinaryOp::Comma | BinaryOp::List => b,
    })
}

/// `true` when a node for which `wanted` holds is in the value or in an address it uses.
pub(super) fn depends(sym: &Sym, wanted: &dyn Fn(&Kind) -> bool) -> bool {
    if wanted(&sym.kind) {
        return true;
    }
    match &sym.kind {
        Kind::Parameter(loc) | Kind::Address(loc) => loc_depends(loc, wanted),
        Kind::Load(load) => {
            loc_depends(&load.loc, wanted)
                || match &load.touch {
                    Touch::Exchange(stored) => depends(stored, wanted),
                    Touch::Compare(left, right) => depends(left, wanted) || depends(right, wanted),
                    Touch::Read | Touch::Change => false,
                }
        }
        Kind::Unary(_, operand) => depends(operand, wanted),
        Kind::Binary(_, left, right) => depends(left, wanted) || depends(right, wanted),
        Kind::Select(a, b, c) => depends(a, wanted) || depends(b, wanted) || depends(c, wanted),
        Kind::Derived(of) => of.iter().any(|sym| depends(sym, wanted)),
        Kind::Record(parts) => parts.iter().any(|(_, sym)| depends(sym, wanted)),
        _ => false,
    }
}

/// [`depends`] for the address of a location.
pub(super) fn loc_depends(loc: &Loc, wanted: &dyn Fn(&Kind) -> bool) -> bool {
    let base = match &loc.base {
        Base::Through(sym) | Base::Temporary(sym) => depends(sym, wanted),
        _ => false,
    };
    base || loc
        .path
        .iter()
        .any(|step| matches!(step, Step::Element(sym) if depends(sym, wanted)))
}

/// The value as an expression over the kernel's parameters, when it depends on nothing else.
pub(super) fn export(sym: &Sym, kernel: &Function) -> Option<Expr> {
    exported(sym, kernel, false)
}

/// The same where it may also depend on the extents of the launch, which stand there by their names: `gridDim.x`.
pub(super) fn export_with_extents(sym: &Sym, kernel: &Function) -> Option<Expr> {
    exported(sym, kernel, true)
}

fn exported(sym: &Sym, kernel: &Function, extents: bool) -> Option<Expr> {
    let export = |it: &Sym| exported(it, kernel, extents);
    let kind = match &sym.kind {
        Kind::Int(value) => ExprKind::Int(*value),
        Kind::Constant(expr) => expr.kind.clone(),
        Kind::Parameter(loc) => return export_parameter(loc, kernel),
        Kind::Unary(op, operand) => ExprKind::Unary {
            op: *op,
            operand: Box::new(export(operand)?),
        },
        Kind::Binary(op, left, right) => ExprKind::Binary {
            op: *op,
            left: Box::new(export(left)?),
            right: Box::new(export(right)?),
        },
        Kind::Select(condition, then, otherwise) => ExprKind::Conditional {
            condition: Box::new(export(condition)?),
            then: Box::new(export(then)?),
            otherwise: Box::new(export(otherwise)?),
        },
        Kind::Launch(name) if extents && is_extent(name) => ExprKind::Name(Name::plain(name)),
        _ => return None,
    };
    Some(expr(kind))
}

/// `gridDim.x` and the like, rather than what a group or a grid is asked for.
fn is_extent(name: &str) -> bool {
    name.starts_with("gridDim.") || name.starts_with("blockDim.")
}

fn export_parameter(loc: &Loc, kernel: &Function) -> Option<Expr> {
    let Base::Parameter(index) = loc.base else {
        return None;
    };
    let name = &kernel.params.get(usize::try_from(index).ok()?)?.name;
    let mut result = expr(ExprKind::Name(Name::plain(name)));
    for step in &loc.path {
        let Step::Field(field) = step else { return None };
        let kind = ExprKind::Member {
            object: Box::new(result),
            field: field.to_string(),
            arrow: false,
        };
        result = expr(kind);
    }
    Some(result)
}

/// An expression that stands nowhere.
pub(super) fn expr(kind: ExprKind) -> Expr {
    Expr {
        span: Span::default(),
        kind,
    }
}
