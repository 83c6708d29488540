//! Constructors: what their member initialisers make, and the fields and bases they do not name.

use super::Location;
use super::construct::written_value;
use super::machine::Machine;
use crate::facts::ir::{Init, Name, Variable};
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// Makes the parts of an object: its bases, then its fields in the order of their declaration, each of what the constructor
    /// names for it. The constructor's parameters are in scope; what it does not name is made in a frame of the class.
    pub(super) fn construct_parts(
        &mut self,
        place: &Location,
        class: ClassId,
        named: &'p [(String, Init)],
        span: Span,
    ) {
        let definition = self.program.class(class);
        // Another constructor of the class makes all of them.
        if let [(name, init)] = named
            && definition.path.last() == Some(name)
        {
            self.initialise_base(place, class, name, init, span);
            return;
        }
        self.construct_bases(place, class, named.iter().map(|it| it.0.as_str()), span);
        let given = |field: &Variable| named.iter().find(|it| it.0 == field.name);
        for (name, init) in named {
            if !definition.fields.iter().any(|it| it.name == *name) {
                self.initialise_base(place, class, name, init, span);
            }
        }
        let fields: Vec<&'p Variable> = definition.fields.iter().filter(|it| !it.is_static).collect();
        for run in fields.chunk_by(|one, other| given(one).is_none() && given(other).is_none()) {
            match given(run[0]) {
                Some((_, init)) => self.initialise_member(place, class, run[0], init, span),
                None => self.in_class(place, class, |machine| {
                    machine.construct_fields(place, class, run)
                }),
            }
        }
    }

    /// The parts of an object that no constructor names; `made` is a base that is there already.
    pub(super) fn construct_unnamed(
        &mut self,
        place: &Location,
        class: ClassId,
        made: Option<&str>,
        span: Span,
    ) {
        self.construct_bases(place, class, made.into_iter(), span);
        let fields = self.program.class(class).fields.iter();
        let fields: Vec<&'p Variable> = fields.filter(|it| !it.is_static).collect();
        self.in_class(place, class, |machine| {
            machine.construct_fields(place, class, &fields);
        });
    }

    fn construct_fields(&mut self, place: &Location, class: ClassId, fields: &[&'p Variable]) {
        for field in fields {
            let target = self.member(place, class, &field.name);
            let _ = self.initialise_object(&target, field, field.span);
        }
    }

    /// The bases of an object, but for those with these names.
    fn construct_bases<'n>(
        &mut self,
        place: &Location,
        class: ClassId,
        named: impl Iterator<Item = &'n str> + Clone,
        span: Span,
    ) {
        let program = self.program;
        let definition = program.class(class);
        if definition.bases.is_empty() {
            return;
        }
        let is_whole = self.is_whole(place);
        self.in_class(place, class, |machine| {
            let bases = (0..).zip(&definition.bases);
            let plain = bases.filter(|(index, _)| !definition.virtual_bases.contains(index));
            let plain = plain.filter_map(|(_, base)| machine.base_at(place, class, base));
            let plain: Vec<ClassId> = plain.collect();
            let shared = if is_whole {
                program.virtual_bases(class)
            } else {
                Vec::new()
            };
            for base in shared.into_iter().chain(plain) {
                let own = program.class(base).path.last();
                let written = definition
                    .bases
                    .iter()
                    .find(|it| machine.base_at(place, class, it) == Some(base));
                let is_named = |name: &str| {
                    own.is_some_and(|it| it == name)
                        || written.is_some_and(|it| machine.names_base(class, name, it))
                };
                if !named.clone().any(is_named) {
                    machine.make_base(place, class, (base, written), |machine| {
                        machine.construct(place, base, Vec::new(), span);
                    });
                }
            }
            for base in machine.containers_of(place, class) {
                if !named.clone().any(|name| machine.names_base(class, name, base)) {
                    machine.make_container(place, class, base, Vec::new(), span);
                }
            }
        });
    }

    /// A member is what a variable of its type would be.
    fn initialise_member(
        &mut self,
        place: &Location,
        class: ClassId,
        field: &'p Variable,
        init: &'p Init,
        span: Span,
    ) {
        let target = self.member(place, class, &field.name);
        // A reference member is the place it refers to.
        if field.ty.reference
            && let Some(to) = written_value(Some(init)).and_then(|it| self.place(it))
        {
            self.memory.references.insert(target, to);
            return;
        }
        let _ = self.initialise_with(&target, field, Some(init), span);
    }

    pub(super) fn initialise_base(
        &mut self,
        place: &Location,
        class: ClassId,
        name: &str,
        init: &'p Init,
        span: Span,
    ) {
        let definition = self.program.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let mut bases = definition.bases.iter();
        let written = bases.find(|it| self.names_base(class, name, it));
        let base = written.map_or_else(|| Name::plain(name), Clone::clone);
        let base_class = self.program.resolve_class(scope, &base);
        let base_class = base_class.or_else(|| Some(self.mixin_at(place, class, &base)?.0));
        if let Some(base_class) = base_class {
            // A virtual base is made by the class of the whole object.
            if !self.is_whole(place) && self.program.virtual_bases(class).contains(&base_class) {
                return;
            }
            let (args, types) = self.typed_arguments(init.expressions());
            self.make_base(place, class, (base_class, written), |machine| {
                machine.construct_typed(place, base_class, args, &types, span);
            });
        } else if let Some(written) = written {
            self.make_written_container(place, class, written, init, span);
        }
    }

    /// A base of an object begins to be: what its class was made for is what the object's class says.
    pub(super) fn make_base(
        &mut self,
        place: &Location,
        class: ClassId,
        (base, written): (ClassId, Option<&Name>),
        make: impl FnOnce(&mut Self),
    ) {
        let outer = self.memory.class_arguments.get(place).cloned();
        if let Some(written) = written {
            let mixin = self.mixin_at(place, class, written);
            let given = match mixin {
                Some((_, given)) => given.iter().map(|it| it.to_string()).collect(),
                None => self.given_to_base(place, class, written),
            };
            self.note_class_arguments(place, base, &given);
        }
        self.as_part_of(place, make);
        self.memory.classes.insert(place.clone(), class);
        match outer {
            Some(outer) => self.memory.class_arguments.insert(place.clone(), outer),
            None => self.memory.class_arguments.remove(place),
        };
    }
}
