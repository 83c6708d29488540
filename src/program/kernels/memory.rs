//! Loads and stores of device code, and names of the memory they go to.

use std::rc::Rc;

use super::Access;
use super::evaluate::constant;
use super::store;
use super::symbols::{Base, Kind, Load, Loc, Step, Strength, Sym, Touch, Ty, binary, int, node, select};
use super::walk::{Breakable, Walker, Write};
use crate::facts::ir::{ExprKind, MemorySpace, Name, Span};

impl<'a> Walker<'a> {
    /// The content of a location.
    pub(super) fn read(&mut self, loc: &Loc, span: Span) -> Sym {
        if loc.ty.is_array() && !matches!(loc.base, Base::Temporary(_)) {
            return node(Kind::Address(loc.element(int(0))));
        }
        match &loc.base {
            Base::Local(id) => self.read_local(*id, loc, span),
            Base::Temporary(value) => self.project(&Rc::clone(value), &loc.path, &loc.ty, span),
            Base::Parameter(_) if !loc.is_visible() => node(Kind::Parameter(loc.clone())),
            Base::Global(id) if self.scope.global(*id).variable.space == Some(MemorySpace::Constant) => {
                self.note_read(loc, false, span);
                let mut parts: Vec<Sym> = loc.path.iter().filter_map(element_of).collect();
                let variable = &self.scope.global(*id).variable;
                let name = constant(ExprKind::Name(Name::plain(&variable.name)));
                if loc.path.is_empty() {
                    return name;
                }
                parts.push(name);
                node(Kind::Derived(parts))
            }
            _ if !loc.is_visible() => node(Kind::Local),
            _ => self.load(loc, loc.ty.strength(), Touch::Read, span),
        }
    }

    pub(super) fn read_local(&mut self, id: u32, loc: &Loc, span: Span) -> Sym {
        let found = self
            .store
            .find(id, &loc.path)
            .map(|(value, rest)| (value, rest.to_vec()));
        if let Some((value, rest)) = found {
            return self.project(&value, &rest, &loc.ty, span);
        }
        if let Some(record) = self.store.record(id, &loc.path) {
            return record;
        }
        match self.variable(id) {
            Some(variable) if variable.shared || variable.is_array => node(Kind::Local),
            _ => self.unknown(),
        }
    }

    /// A part of a value.
    pub(super) fn project(&mut self, value: &Sym, path: &[Step], ty: &Ty, span: Span) -> Sym {
        let Some((first, rest)) = path.split_first() else {
            return Rc::clone(value);
        };
        if let Kind::Record(parts) = &value.kind {
            let known = (1..=path.len()).rev().find_map(|length| {
                let wanted = store::key(&path[..length])?;
                let part = parts.iter().find(|(path, _)| *path == wanted)?;
                Some((Rc::clone(&part.1), length))
            });
            return match known {
                Some((part, length)) => self.project(&part, &path[length..], ty, span),
                None => self.unknown(),
            };
        }
        let part = match (&value.kind, first) {
            (Kind::Parameter(loc), Step::Field(field)) => {
                let member = self.typed_member(loc, field, ty, rest.is_empty());
                self.read(&member, span)
            }
            (Kind::Load(load), Step::Field(field)) => {
                let loc = self.typed_member(&load.loc, field, ty, rest.is_empty());
                let strength = load.strength.max(loc.ty.strength());
                node(Kind::Load(Load {
                    loc,
                    strength,
                    serial: load.serial,
                    touch: load.touch.clone(),
                }))
            }
            (Kind::Address(loc), Step::Field(field)) => {
                let member = self.typed_member(loc, field, ty, rest.is_empty());
                self.read(&member, span)
            }
            (Kind::Thread(name), Step::Field(field)) => node(Kind::Thread(format!("{name}.{field}"))),
            (Kind::Launch(name), Step::Field(field)) => node(Kind::Launch(format!("{name}.{field}"))),
            (Kind::Select(condition, then, otherwise), _) => {
                let then = self.project(then, std::slice::from_ref(first), ty, span);
                let otherwise = self.project(otherwise, std::slice::from_ref(first), ty, span);
                select(condition, &then, &otherwise)
            }
            (Kind::Parameter(_) | Kind::Load(_) | Kind::Address(_), Step::Element(index)) => {
                let loc = self.deref(value, index);
                self.read(&loc, span)
            }
            (Kind::Carried { .. } | Kind::Clock | Kind::Local | Kind::Unknown(_), _) => Rc::clone(value),
            _ => node(Kind::Derived(vec![Rc::clone(value)])),
        };
        self.project(&part, rest, ty, span)
    }

    pub(super) fn typed_member(&self, object: &Loc, field: &str, ty: &Ty, last: bool) -> Loc {
        let mut member = self.member(object, field);
        if last && member.ty.name().is_none() {
            member.ty = ty.clone();
        }
        member
    }

    /// A load from visible memory, recorded.
    pub(super) fn load(&mut self, loc: &Loc, strength: Strength, touch: Touch, span: Span) -> Sym {
        let serial = self.next_serial();
        for breakable in &mut self.breakables {
            if let Breakable::Loop(around) = breakable {
                around.read.push(loc.clone());
            }
        }
        self.note_read(loc, touch != Touch::Read || strength > Strength::Plain, span);
        node(Kind::Load(Load {
            loc: loc.clone(),
            strength,
            serial,
            touch,
        }))
    }

    fn note_read(&mut self, loc: &Loc, atomic: bool, span: Span) {
        if self.dry {
            return;
        }
        let choices = if atomic { vec![loc.clone()] } else { choices(loc) };
        for loc in &choices {
            let place = loc.export(self.kernel);
            let read = Access {
                file: self.frame().file,
                span,
                place,
                atomic,
                value: None,
                guards: super::conditions::guards_in_loops(&self.path, self.kernel),
                part: self.part(loc, &self.path),
                added: None,
            };
            let known = |other: &Access| {
                other.place == read.place && other.guards == read.guards && other.part == read.part
            };
            if !self.summary.reads.iter().any(known) {
                self.summary.reads.push(read);
            }
        }
    }

    /// A plain store.
    pub(super) fn write(&mut self, loc: &Loc, value: Option<Sym>, span: Span) {
        match &loc.base {
            Base::Local(id) => {
                let value = match value {
                    Some(value) => value,
                    None => self.unknown(),
                };
                self.store.set(*id, &loc.path, value);
            }
            Base::Temporary(_) => {}
            _ if !loc.is_visible() => {}
            _ => {
                let serial = self.next_serial();
                self.record_write(loc, value, false, serial, span);
            }
        }
    }

    /// A store or update of visible memory, recorded.
    pub(super) fn record_write(
        &mut self,
        loc: &Loc,
        value: Option<Sym>,
        atomic: bool,
        serial: u32,
        span: Span,
    ) {
        // A plain store is no reason to fetch what was fetched before.
        let is_plain = !atomic && loc.ty.strength() == Strength::Plain;
        self.forget_memory(true, !is_plain);
        if self.dry || !loc.is_visible() {
            return;
        }
        let choices = if is_plain { choices(loc) } else { vec![loc.clone()] };
        for loc in choices {
            self.writes.push(Write {
                file: self.frame().file,
                span,
                loc,
                atomic,
                value: value.clone(),
                added: None,
                path: self.path.clone(),
                serial,
                around: self.loops_around(),
            });
        }
    }

    /// The compiler cannot keep memory in registers over this point, nor drop a loop around it.
    pub(super) fn reload(&mut self) {
        self.forget_memory(true, true);
    }

    /// The same where the GPU may go on with the copy it has: a store, a pause, a barrier of the block.
    pub(super) fn reload_cached(&mut self) {
        self.forget_memory(true, false);
    }

    /// The compiler cannot keep memory in registers over this point; with an effect it cannot drop a loop around it
    /// either.
    pub(super) fn forget_memory(&mut self, effect: bool, refreshes: bool) {
        for breakable in &mut self.breakables {
            if let Breakable::Loop(around) = breakable {
                around.reloads = true;
                around.refreshes |= refreshes;
                around.has_effect |= effect;
            }
        }
    }

    pub(super) fn heap_use(&mut self, span: Span, name: &str) {
        let using = (self.frame().file, span, name.to_owned());
        if !self.dry && !self.summary.heap_uses.contains(&using) {
            self.summary.heap_uses.push(using);
        }
    }
}

/// The places that a place is one of, whose index is chosen from some: each by itself.
fn choices(loc: &Loc) -> Vec<Loc> {
    const MOST: usize = 4;
    let mut found = vec![loc.clone()];
    let mut at = 0;
    while at < found.len() && found.len() < MOST {
        let sides = found[at].path.iter().enumerate().find_map(|(step, it)| match it {
            Step::Element(index) => Some((step, sides(index, 0)?)),
            Step::Field(_) => None,
        });
        match sides {
            Some((step, [then, otherwise])) => {
                let mut other = found[at].clone();
                other.path[step] = Step::Element(otherwise);
                found[at].path[step] = Step::Element(then);
                found.push(other);
            }
            None => at += 1,
        }
    }
    found
}

/// A value that a choice is part of, for either side of it.
fn sides(value: &Sym, depth: u32) -> Option<[Sym; 2]> {
    const DEPTH: u32 = 6;
    if depth > DEPTH {
        return None;
    }
    match &value.kind {
        Kind::Select(_, then, otherwise) => Some([Rc::clone(then), Rc::clone(otherwise)]),
        Kind::Binary(op, left, right) => match (sides(left, depth + 1), sides(right, depth + 1)) {
            (Some([a, b]), _) => Some([binary(*op, &a, right), binary(*op, &b, right)]),
            (None, Some([a, b])) => Some([binary(*op, left, &a), binary(*op, left, &b)]),
            _ => None,
        },
        _ => None,
    }
}

fn element_of(step: &Step) -> Option<Sym> {
    match step {
        Step::Element(index) => Some(Rc::clone(index)),
        Step::Field(_) => None,
    }
}
