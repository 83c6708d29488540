//! Constructors: what their member initialisers make, and the fields and bases they do not name.

use super::Location;
use super::containers::{is_map, is_sequence};
use super::machine::Machine;
use super::memory::Value;
use crate::facts::ir::{Expr, ExprKind, Name};
use crate::program::{ClassId, Scope};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    /// Default initialisation of every field the constructor does not name. Runs in a frame of the class.
    pub(super) fn construct_fields(
        &mut self,
        place: &Location,
        class: ClassId,
        named: &[(String, Vec<Expr>)],
        span: Span,
    ) {
        let program = self.program;
        let definition = program.class(class);
        let is_whole = self.is_whole(place);
        self.in_class(place, class, |machine| {
            let bases = (0..).zip(&definition.bases);
            let plain = bases.filter(|(index, _)| !definition.virtual_bases.contains(index));
            let plain = plain.filter_map(|(_, base)| program.base_class(class, base));
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
                    .find(|it| program.base_class(class, it) == Some(base));
                let is_named = |name: &String| {
                    Some(name) == own || written.is_some_and(|it| machine.names_base(class, name, it))
                };
                if !named.iter().any(|(name, _)| is_named(name)) {
                    machine.make_base(place, class, (base, written), |machine| {
                        machine.construct(place, base, Vec::new(), span);
                    });
                }
            }
            for base in machine.containers_of(place, class) {
                if !named
                    .iter()
                    .any(|(name, _)| machine.names_base(class, name, base))
                {
                    machine.make_container(place, class, base, Vec::new(), span);
                }
            }
            for field in definition.fields.iter().filter(|it| !it.is_static) {
                if named.iter().any(|(name, _)| *name == field.name) {
                    continue;
                }
                let target = machine.member(place, class, &field.name);
                let _ = machine.initialise_object(&target, field, field.span);
            }
        });
    }

    /// Runs a constructor's member initialisers; its parameters are in scope.
    pub(super) fn initialise_members(
        &mut self,
        place: &Location,
        class: ClassId,
        initialisers: &'p [(String, Vec<Expr>)],
        span: Span,
    ) {
        let program = self.program;
        let definition = program.class(class);
        for (name, args) in initialisers {
            let Some(field) = definition.fields.iter().find(|it| it.name == *name) else {
                self.initialise_base(place, class, name, args, span);
                continue;
            };
            let target = self.member(place, class, name);
            // A reference member is the place it refers to.
            if field.ty.reference
                && let [referred] = args.as_slice()
                && let Some(to) = self.place(referred)
            {
                self.memory.references.insert(target, to);
                continue;
            }
            let field_scope = Scope {
                file: class.file,
                path: &definition.path,
            };
            let field_class = (field.ty.pointers == 0)
                .then(|| self.class_of_member(place, class, &field.ty.name))
                .flatten();
            if args.is_empty() && !field.dims.is_empty() && field_class.is_none() {
                let _ = self.initialise_object(&target, field, field.span);
                self.initialise_rows(&target, field, &[], span);
                continue;
            }
            let ty = self.standard_name(field_scope, &field.ty.name);
            if field.ty.volatile || ty.last().starts_with("atomic") {
                self.memory.shared.insert(target.clone());
            }
            match (field_class, ty.last()) {
                (Some(field_class), _) => {
                    self.note_arguments_of(&target, field_class, &field.ty.name);
                    let (args, types) = self.typed_arguments(args);
                    self.construct_typed(&target, field_class, args, &types, span);
                }
                (None, "thread" | "jthread") if field.ty.pointers == 0 => {
                    let args = args.iter().map(|it| self.argument(it)).collect();
                    self.construct_thread(&target, ty.last(), args, span);
                }
                (None, "device_vector" | "universal_vector") if field.ty.pointers == 0 => {
                    let args = args.iter().map(|it| self.argument(it)).collect();
                    self.construct_device_vector(&target, &ty, args, span);
                }
                (None, "counting_semaphore" | "binary_semaphore" | "promise" | "packaged_task")
                    if field.ty.pointers == 0 =>
                {
                    let args: Vec<&'p Expr> = args.iter().collect();
                    self.initialise_sync(&target, ty.last(), &args);
                }
                (None, sequence) if field.ty.pointers == 0 && is_sequence(sequence) => {
                    self.prepare_sequence(&target, &ty);
                    self.note_allocator(&target, &ty.template_args, span);
                    if let [
                        Expr {
                            kind: ExprKind::InitList(items),
                            ..
                        },
                    ] = args.as_slice()
                    {
                        let count = self.initialise_elements(&target, items, span);
                        self.memory.lengths.insert(target.clone(), count);
                        continue;
                    }
                    let last = args.last().filter(|_| args.len() > 1).map(|it| self.evaluate(it));
                    self.note_resource(&target, &ty, last.as_ref());
                    match args.first().map(|it| self.evaluate(it)) {
                        Some(Value::Int(count)) => {
                            self.memory.lengths.insert(target.clone(), count);
                            self.construct_elements(&target, span);
                        }
                        Some(Value::Aggregate(from) | Value::Pointer(from)) => {
                            let mut from = from;
                            if from.path.last() == Some(&super::Step::Element(0)) {
                                from.path.pop();
                            }
                            self.memory.copy_object(&from, &target);
                        }
                        _ => {}
                    }
                }
                (None, "pair" | "tuple") if field.ty.pointers == 0 && args.len() > 1 => {
                    let args = self.arguments(args);
                    let _ = self.make_named(&target, &ty, args, span);
                }
                (None, map) if field.ty.pointers == 0 && is_map(map) => match args.as_slice() {
                    [
                        Expr {
                            kind: ExprKind::InitList(items),
                            ..
                        },
                    ] => {
                        self.memory.zero(&target);
                        self.prepare_map(&target, &ty);
                        self.initialise_map(&target, items);
                    }
                    _ => {
                        let args = self.arguments(args);
                        let _ = self.make_named(&target, &ty, args, span);
                    }
                },
                _ => {
                    if matches!(ty.last(), "unique_ptr" | "shared_ptr") {
                        let values = args.iter().map(|it| self.evaluate_copy(it)).collect();
                        self.smart_pointer(&target, &ty, values);
                        continue;
                    }
                    let value = args.first().map_or(Value::Int(0), |it| self.evaluate_copy(it));
                    self.assign(&target, value);
                }
            }
        }
    }

    pub(super) fn initialise_base(
        &mut self,
        place: &Location,
        class: ClassId,
        name: &str,
        args: &'p [Expr],
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
        if let Some(base_class) = self.program.resolve_class(scope, &base) {
            // A virtual base is made by the class of the whole object.
            if !self.is_whole(place) && self.program.virtual_bases(class).contains(&base_class) {
                return;
            }
            let (args, types) = self.typed_arguments(args);
            self.make_base(place, class, (base_class, written), |machine| {
                machine.construct_typed(place, base_class, args, &types, span);
            });
        } else if let Some(written) = written {
            self.make_written_container(place, class, written, args, span);
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
            let given = self.given_to_base(place, class, written);
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
