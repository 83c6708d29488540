//! Lambdas: what they capture.

use super::Location;
use super::machine::{Closure, Machine};
use super::memory::Value;
use super::types::{Category, Core, Static, Typed};
use crate::facts::ir::{CaptureDefault, Expr, ExprKind, Lambda};
use crate::facts::visit::{self, Node};

impl<'p> Machine<'p> {
    /// The closure a lambda expression makes.
    pub(super) fn capture(&mut self, lambda: &'p Lambda) -> Value {
        let visible = self.visible_names();
        let mut captured = std::collections::BTreeMap::new();
        for it in &lambda.captures {
            let place = match (&it.init, visible.get(&it.name)) {
                (Some(init), _) if it.reference => self.place(init),
                (Some(init), _) => {
                    let place = self.memory.local();
                    let value = self.evaluate_copy(init);
                    self.assign(&place, value);
                    if let Some(from) = self.place(init) {
                        self.memory.copy_object(&from, &place);
                    }
                    Some(place)
                }
                (None, Some(place)) if it.reference => Some(place.clone()),
                (None, Some(place)) => Some(self.copy_of(place)),
                (None, None) => None,
            };
            if let Some(place) = place {
                captured.insert(it.name.clone(), place);
            }
        }
        if lambda.default != CaptureDefault::None {
            self.capture_by_default(lambda, &visible, &mut captured);
        }
        let mut this = self.this();
        if let Some(own) = this.clone()
            && lambda.captures.iter().any(|it| it.name == "*this")
        {
            this = Some(self.copy_of_object(&own));
        }
        let textual = self.visible_text();
        let types = captured
            .keys()
            .filter(|name| {
                lambda
                    .captures
                    .iter()
                    .all(|it| it.init.is_none() || it.name != **name)
            })
            .filter_map(|name| {
                let known = self.declared_type(name)??;
                // Whether a copy is constant depends on `mutable`.
                let plain = known.class().is_none() || !copies(lambda, name);
                plain.then(|| (name.clone(), Typed::Known(known)))
            })
            .collect();
        let frame = self.frame();
        let closure = Closure {
            lambda,
            function: frame.function,
            file: frame.file,
            path: frame.path,
            this,
            class: self.this_class(),
            captured,
            types,
            bound: Vec::new(),
            textual,
            template: self.visible_template(),
            called: false,
        };
        self.closures.push(closure);
        Value::Closure(self.closures.len() as u32 - 1)
    }

    /// Notes what the lambdas that nobody was seen to call would touch.
    pub(super) fn note_dormant_lambdas(&mut self) {
        let is_called = |lambda: &Lambda| {
            let mut same = self.closures.iter().filter(|it| std::ptr::eq(it.lambda, lambda));
            same.any(|it| it.called)
        };
        let mut names = std::collections::BTreeSet::new();
        for closure in self.closures.iter().filter(|it| !is_called(it.lambda)) {
            visit::statements(&closure.lambda.body, &mut |node| match node {
                Node::Expr(Expr {
                    kind: ExprKind::Name(name),
                    ..
                }) => {
                    names.insert(name.last().to_owned());
                }
                Node::Expr(Expr {
                    kind: ExprKind::Member { field, .. },
                    ..
                }) => {
                    names.insert(field.clone());
                }
                _ => {}
            });
        }
        self.trace.notes.dormant = names;
    }

    fn capture_by_default(
        &mut self,
        lambda: &'p Lambda,
        visible: &std::collections::BTreeMap<String, Location>,
        captured: &mut std::collections::BTreeMap<String, Location>,
    ) {
        let mut names = std::collections::BTreeSet::new();
        visit::statements(&lambda.body, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) = node
                && name.is_plain()
            {
                names.insert(name.last());
            }
        });
        for text in self.visible_text().into_values() {
            for written in text.written {
                visit::expression(written, &mut |node| {
                    if let Node::Expr(Expr {
                        kind: ExprKind::Name(name),
                        ..
                    }) = node
                        && name.is_plain()
                    {
                        names.insert(name.last());
                    }
                });
            }
        }
        for name in names {
            let Some(place) = visible.get(name) else { continue };
            if captured.contains_key(name) {
                continue;
            }
            let place = if lambda.default == CaptureDefault::Copy {
                self.copy_of(place)
            } else {
                place.clone()
            };
            captured.insert(name.to_owned(), place);
        }
    }

    /// A copy of a callable: what a `mutable` lambda changes belongs to one of the two.
    pub(super) fn copy_of_closure(&mut self, value: Value) -> Value {
        let Value::Closure(index) = value else {
            return value;
        };
        let mut copy = self.closures[index as usize].clone();
        if !copy.lambda.mutable {
            return value;
        }
        for (name, place) in &mut copy.captured {
            if copies(copy.lambda, name) {
                *place = self.copy_of(place);
            }
        }
        self.closures.push(copy);
        Value::Closure(self.closures.len() as u32 - 1)
    }

    fn copy_of_object(&mut self, object: &Location) -> Location {
        let copy = self.memory.local();
        match self.object_at(object) {
            Some(class) => {
                let given = Static {
                    category: Category::Named,
                    ..Static::temporary(Core::Class(class))
                };
                self.copy_construct(&copy, class, object, &given, self.control.statement);
            }
            None => self.memory.copy_object(object, &copy),
        }
        copy
    }

    fn copy_of(&mut self, place: &Location) -> Location {
        let copy = self.memory.local();
        self.memory.copy_object(place, &copy);
        if self.memory.smart.contains(place)
            && let Some(Value::Pointer(object)) = self.memory.get(place).cloned()
        {
            self.memory.add_owner(object);
        }
        if !self.memory.arrays.contains(place) {
            let value = self.load(place);
            let value = self.copy_of_closure(value);
            self.assign(&copy, value);
        }
        copy
    }
}

/// Whether a lambda holds a copy of a variable.
fn copies(lambda: &Lambda, name: &str) -> bool {
    let listed = lambda.captures.iter().find(|it| it.name == name);
    listed.map_or(lambda.default == CaptureDefault::Copy, |it| !it.reference)
}
