//! How many bytes values of a type take, on a 64-bit Unix.

use memchr::memmem;

use super::machine::Machine;
use super::memory::Value;
use super::numbers::{Declared, Number};
use super::{Location, Step};
use crate::facts::ir::{Expr, ExprKind, Init, Name, Type, Variable};
use crate::program::kernels::type_size;
use crate::program::{ClassId, Scope};

/// Bytes of a pointer, and of a handle of CUDA.
pub(super) const POINTER: i64 = 8;

/// Objects in each other.
const MOST_DEPTH: usize = 8;

/// What is written where the layout is another than the one of plain members.
const SIGNS: [&[u8]; 2] = [b"align", b"packed"];

/// Bytes, and a power of two that addresses are multiples of.
type Layout = (i64, i64);

impl Machine<'_> {
    /// `sizeof` of a type, of what a pointer points to or an array holds, else an unknown that is the same for the same words.
    pub(super) fn size_of_type(&mut self, written: &str) -> Value {
        let is_name = |it: &str| it.chars().all(|it| it.is_alphanumeric() || it == '_');
        let element = match (written.strip_prefix('*'), written.split_once('[')) {
            (Some(pointer), _) => is_name(pointer),
            (None, Some((array, index))) => is_name(array) && index.find(']') == Some(index.len() - 1),
            _ => false,
        };
        if let Some(size) = self.unit_of_words(written).filter(|_| element) {
            return Value::Int(size);
        }
        let known = match self.lookup(written) {
            Some(variable) => self.size_of_variable(&variable),
            None => {
                let meant = self.template_argument(written);
                let of_type = size_of(&meant).or_else(|| self.size_of_name(&meant));
                of_type.or_else(|| self.size_of_global(written))
            }
        };
        match known {
            Some(size) => Value::Int(size),
            None => self.memory.named(&format!("sizeof {written}")),
        }
    }

    /// What an object of a class takes, or what a value of the type does that an alias stands for.
    fn size_of_name(&self, written: &str) -> Option<i64> {
        let name = Name::of_type(written);
        let alias = self.program.resolve_alias(self.scope(), &name);
        let meant = alias.unwrap_or_else(|| Type::named(name));
        // A reference takes what it refers to.
        let meant = Type {
            reference: false,
            ..meant
        };
        let layout = || self.layout_of(&meant, self.scope(), 0);
        (!meant.array).then(layout).flatten().map(|it| it.0)
    }

    /// What a global variable takes, or its element, as it is declared.
    fn size_of_global(&self, written: &str) -> Option<i64> {
        let array = written
            .split_once('[')
            .map(|it| it.0)
            .or(written.strip_prefix('*'));
        let name = Name::plain(array.unwrap_or(written).trim());
        let id = self.program.resolve_global(self.scope(), &name)?;
        let global = self.program.global(id);
        let scope = Scope {
            file: id.file,
            path: &global.path,
        };
        let (element, _) = self.layout_of(&global.variable.ty, scope, 0)?;
        if array.is_some() {
            return (global.variable.dims.len() == 1).then_some(element);
        }
        self.extent_of(&global.variable, scope)?.checked_mul(element)
    }

    /// How many elements `sizeof a / sizeof a[0]` counts: whatever one of them takes, the array takes as many times that.
    pub(super) fn elements_counted(&self, whole: &Expr, one: &Expr) -> Option<i64> {
        let (ExprKind::SizeOf(array), ExprKind::SizeOf(element)) = (&whole.kind, &one.kind) else {
            return None;
        };
        let is_first = element
            .strip_prefix(array.as_str())
            .is_some_and(|it| it.trim() == "[0]")
            || element.strip_prefix('*').map(str::trim) == Some(array);
        if !is_first {
            return None;
        }
        if let Some(place) = self.lookup(array) {
            let is_array = self.memory.arrays.contains(&place) && !self.memory.is_sequence(&place);
            return self.memory.lengths.get(&place).copied().filter(|_| is_array);
        }
        let id = self.program.resolve_global(self.scope(), &Name::plain(array))?;
        let global = self.program.global(id);
        let scope = Scope {
            file: id.file,
            path: &global.path,
        };
        let is_plain = global.variable.dims.len() == 1;
        self.extent_of(&global.variable, scope).filter(|_| is_plain)
    }

    /// How many elements an array is declared with in all of its dimensions: one without a number has as many as it is made of.
    fn extent_of(&self, variable: &Variable, scope: Scope<'_>) -> Option<i64> {
        let mut extents = variable.dims.iter().map(|it| match (it, &variable.init) {
            (None, Some(Init::Braces(items))) => i64::try_from(items.len()).ok(),
            (None, _) => None,
            (Some(extent), _) => match &extent.kind {
                ExprKind::Int(extent) => Some(*extent),
                ExprKind::Name(name) => self.program.constant_value(scope, name),
                _ => None,
            },
        });
        extents.try_fold(1_i64, |all, extent| all.checked_mul(extent?))
    }

    /// What a variable takes: a number, an array of them, an object.
    fn size_of_variable(&self, place: &Location) -> Option<i64> {
        if self.memory.is_sequence(place) || self.memory.maps.contains(place) {
            return None;
        }
        if self.memory.arrays.contains(place) {
            let length = *self.memory.lengths.get(place)?;
            let element = self.size_of_variable(&place.step(Step::Element(0)))?;
            return element.checked_mul(length);
        }
        if let Some(class) = self.memory.classes.get(place) {
            return Some(self.layout_of_class(*class, 0)?.0);
        }
        let declared = self.number_at(place)?;
        Some(declared.value().map_or(POINTER, Number::size))
    }

    /// What an object of a class takes; `None` where anything but its plain members decides that.
    fn layout_of_class(&self, class: ClassId, depth: usize) -> Option<Layout> {
        let definition = self.program.class(class);
        let text = &self.program.units()[class.file.0 as usize].bytes;
        let span = definition.span.start as usize..definition.span.end as usize;
        let own = text.get(span)?;
        let is_plain = definition.bases.is_empty()
            && definition.template_params.is_empty()
            && definition.specialisation.is_empty()
            && depth < MOST_DEPTH
            && !self.program.written_in(class).any(|(_, it)| it.is_virtual)
            && !SIGNS.iter().any(|it| memmem::find(own, it).is_some())
            && memmem::find(text, b"pragma pack").is_none();
        if !is_plain {
            return None;
        }
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let (mut size, mut most) = (0_i64, 1_i64);
        for field in definition.fields.iter().filter(|it| !it.is_static) {
            if field.bits.is_some() || !field.overlays.is_empty() {
                return None;
            }
            let (bytes, align) = self.layout_of_member(field, scope, depth)?;
            size = raised(size, align)?.checked_add(bytes)?;
            most = most.max(align);
        }
        Some((raised(size.max(1), most)?, most))
    }

    fn layout_of_member(&self, member: &Variable, scope: Scope<'_>, depth: usize) -> Option<Layout> {
        let (bytes, align) = self.layout_of(&member.ty, scope, depth)?;
        Some((self.extent_of(member, scope)?.checked_mul(bytes)?, align))
    }

    fn layout_of(&self, ty: &Type, scope: Scope<'_>, depth: usize) -> Option<Layout> {
        let name = ty.name.last();
        if ty.pointers > 0 || ty.reference {
            return (!name.is_empty()).then_some((POINTER, POINTER));
        }
        if let Some(number) = self.declared_in_scope(ty, 0, scope).and_then(Declared::value) {
            return match number {
                // Their representation depends on the machine.
                Number::Float { bits: 80 } => None,
                _ => Some((number.size(), number.size())),
            };
        }
        // `typedef int (*stage)(job *)`.
        let alias = self.program.resolve_alias(scope, &ty.name);
        if alias.is_some_and(|it| it.pointers > 0 && !it.array) {
            return Some((POINTER, POINTER));
        }
        match self.program.resolve_class(scope, &ty.name) {
            Some(class) => self.layout_of_class(class, depth + 1),
            None => vector(name),
        }
    }
}

/// The next multiple of a power of two.
fn raised(size: i64, align: i64) -> Option<i64> {
    Some(size.checked_add(align - 1)? & -align)
}

/// Bytes of a built-in type or one of CUDA's vectors.
pub(super) fn size_of(written: &str) -> Option<i64> {
    let written = written.trim();
    if written.ends_with('*') {
        return Some(POINTER);
    }
    let plain = written
        .split_whitespace()
        .filter(|it| !matches!(*it, "const" | "volatile"));
    let plain: Vec<&str> = plain.collect();
    let plain = plain.join(" ");
    let number = Number::named(&plain).map(Number::size);
    number.or_else(|| vector(&plain).map(|it| it.0))
}

/// What CUDA's own types take, each aligned to the largest power of two in its size, up to 16.
fn vector(name: &str) -> Option<Layout> {
    let bytes = i64::try_from(type_size(name)).ok().filter(|it| *it > 0)?;
    Some((bytes, (bytes & -bytes).min(16)))
}
