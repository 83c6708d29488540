//! Variables of device functions and what they hold while a kernel is walked.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::symbols::{Kind, Loc, Step, Sym, Ty, binary, depends, int, node, select};
use crate::facts::ir::{BinaryOp, UnaryOp};

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) ty: Ty,
    /// What a reference refers to.
    pub(super) refers_to: Option<Loc>,
    pub(super) is_array: bool,
    pub(super) shared: bool,
}

/// Contents of variables: `(variable, path inside it)` to value.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    values: BTreeMap<(u32, Rc<str>), Sym>,
}

impl Store {
    /// What a path inside a variable holds: the exact entry, or the longest one above it and the steps left.
    pub(super) fn find<'p>(&self, variable: u32, path: &'p [Step]) -> Option<(Sym, &'p [Step])> {
        (0..=path.len()).rev().find_map(|length| {
            let key = key(&path[..length])?;
            let value = self.values.get(&(variable, key))?;
            Some((Rc::clone(value), &path[length..]))
        })
    }

    /// Stores a value; a path with an unknown index forgets all elements.
    pub(super) fn set(&mut self, variable: u32, path: &[Step], value: Sym) {
        let known = key(path);
        let prefix = match &known {
            Some(key) => Rc::clone(key),
            None => {
                let known = path
                    .iter()
                    .take_while(|step| key(std::slice::from_ref(step)).is_some())
                    .count();
                key(&path[..known]).unwrap_or_else(|| Rc::from(""))
            }
        };
        let below: Vec<Rc<str>> = self
            .of_variable(variable)
            .filter(|(path, _)| path.starts_with(&*prefix))
            .map(|(path, _)| Rc::clone(path))
            .collect();
        match known {
            Some(known) => {
                for path in below {
                    self.values.remove(&(variable, path));
                }
                self.values.insert((variable, known), value);
            }
            None => {
                for path in below {
                    self.values.insert((variable, path), node(Kind::Local));
                }
            }
        }
    }

    /// A variable, or a part of it, of which only parts are known.
    pub(super) fn record(&self, variable: u32, path: &[Step]) -> Option<Sym> {
        let prefix = key(path)?;
        let parts = self.of_variable(variable).filter_map(|(path, value)| {
            let rest = path.strip_prefix(&*prefix)?;
            rest.starts_with(['.', '['])
                .then(|| (Rc::from(rest), Rc::clone(value)))
        });
        let parts: Vec<(Rc<str>, Sym)> = parts.collect();
        (!parts.is_empty()).then(|| node(Kind::Record(parts)))
    }

    /// Everything a variable holds, by path.
    pub(super) fn of_variable(&self, variable: u32) -> impl Iterator<Item = (&Rc<str>, &Sym)> {
        let empty: Rc<str> = Rc::from("");
        self.values
            .range((variable, empty)..)
            .take_while(move |((id, _), _)| *id == variable)
            .map(|((_, path), value)| (path, value))
    }

    /// All entries.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&(u32, Rc<str>), &Sym)> {
        self.values.iter()
    }

    /// The value under a key of [`Store::entries`].
    pub(super) fn get(&self, key: &(u32, Rc<str>)) -> Option<&Sym> {
        self.values.get(key)
    }

    /// Replaces the value under a key of [`Store::entries`].
    pub(super) fn replace(&mut self, key: (u32, Rc<str>), value: Sym) {
        self.values.insert(key, value);
    }

    /// A test came out like this: what it tested is the number it was found to be. What was loaded stays what the place
    /// held, which is what a wait is about.
    pub(super) fn learn(&mut self, test: &Sym, side: bool) {
        let (tested, number) = match &test.kind {
            Kind::Unary(UnaryOp::Not, operand) => return self.learn(operand, !side),
            Kind::Binary(BinaryOp::Equal, value, number) if side => (value, number),
            Kind::Binary(BinaryOp::NotEqual, value, number) if !side => (value, number),
            _ if !side => (test, &int(0)),
            _ => return,
        };
        if !matches!(number.kind, Kind::Int(_))
            || !matches!(tested.kind, Kind::Select(..) | Kind::Carried { .. })
        {
            return;
        }
        let known = self.values.values_mut().filter(|it| *it == tested);
        known.for_each(|it| *it = Rc::clone(number));
    }

    /// Forgets variables with this number or above: their scope has ended.
    pub(super) fn forget_from(&mut self, variable: u32) {
        self.values.split_off(&(variable, Rc::from("")));
    }

    /// The store after a branch: `self` is what held before it.
    pub(super) fn merged(
        &self,
        condition: &Sym,
        then: Store,
        otherwise: Store,
        shared: &dyn Fn(u32) -> bool,
    ) -> Store {
        let mut merged = otherwise;
        let among_threads = chosen_threads(condition);
        for (key, then) in then.values {
            let value = match merged.values.get(&key) {
                None => then,
                Some(otherwise) if Rc::ptr_eq(otherwise, &then) => continue,
                Some(otherwise) if among_threads.is_some() && shared(key.0) => {
                    let before = self.values.get(&key);
                    match among_threads.as_ref() {
                        _ if before == Some(&then) => Rc::clone(otherwise),
                        Some(Some(rest)) => select(rest, &then, otherwise),
                        _ => then,
                    }
                }
                Some(otherwise) => select(condition, &then, otherwise),
            };
            merged.values.insert(key, value);
        }
        merged
    }
}

/// What else must hold where a condition chooses among the threads of a block: what those that are chosen leave in
/// shared memory is there for all. The outer `None` where it does not ask which thread it is.
fn chosen_threads(condition: &Sym) -> Option<Option<Sym>> {
    let by_thread = |it: &Sym| depends(it, &|kind| matches!(kind, Kind::Thread(_)));
    if !by_thread(condition) {
        return None;
    }
    let Kind::Binary(BinaryOp::And, left, right) = &condition.kind else {
        return Some(None);
    };
    let rest = |side: &Sym| chosen_threads(side).unwrap_or_else(|| Some(Rc::clone(side)));
    Some(match (rest(left), rest(right)) {
        (Some(left), Some(right)) => Some(binary(BinaryOp::And, &left, &right)),
        (left, right) => left.or(right),
    })
}

/// The path as text, when every index in it is known.
pub(super) fn key(path: &[Step]) -> Option<Rc<str>> {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Element(index) => match index.kind {
                Kind::Int(index) => text.push_str(&format!("[{index}]")),
                _ => return None,
            },
        }
    }
    Some(Rc::from(text.as_str()))
}
