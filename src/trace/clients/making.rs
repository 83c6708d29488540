//! How a client makes objects of the library: the one it uses, and those that others want.

use super::super::{Base, Location, Step};
use std::collections::BTreeSet;

use super::super::calls::Argument;
use super::super::machine::Machine;
use super::super::memory::Value;
use super::super::numbers::{Declared, Number};
use super::{Client, FEW, Hands, MOST_MADE, Made, NEEDED};
use crate::api::library;
use crate::facts::ir::{Parameter, Type};
use crate::program::interfaces::Maker;
use crate::program::kernels::written_name;
use crate::program::{ClassId, FunctionId, Scope};

impl Machine<'_> {
    /// The client makes what it calls functions of, if that is an object.
    pub(super) fn make_for_client(&mut self, client: &Client, hands: &mut Hands) {
        let interface = &client.interface;
        let first = self.events();
        (hands.object, hands.owns) = match interface.maker {
            Maker::Nothing => (None, false),
            Maker::Class => (
                interface
                    .class
                    .map(|it| self.declare_for_client(client, hands, it)),
                true,
            ),
            Maker::Returned(maker) => self.take_from_maker(client, hands, maker, interface.class),
            Maker::Stored(maker, parameter) => {
                let place = self.memory.local();
                let out = Argument::unplaced(Value::Pointer(place.clone()), String::new());
                let args = self.arguments_of_client(client, hands, maker, Some((parameter, out)));
                let span = self.stand_at(maker);
                self.invoke(maker, None, args, span);
                let made = self.memory.load(&place);
                // Nor is what is stored.
                let made = self.pointee(&made);
                let is_object = |it: &Location| interface.class.is_some() || self.object_at(it).is_some();
                (made.filter(is_object), false)
            }
        };
        let events = self.trace.threads[0].events.get(first..).unwrap_or_default();
        hands.made |= events.iter().any(super::doings::makes);
    }

    /// An object that a function hands out, and whether it ends when the client is through with it. Where nobody can tell what
    /// that is it is made as others of its class.
    fn take_from_maker(
        &mut self,
        client: &Client,
        hands: &mut Hands,
        maker: FunctionId,
        class: Option<ClassId>,
    ) -> (Option<Location>, bool) {
        let args = self.arguments_of_client(client, hands, maker, None);
        let span = self.stand_at(maker);
        let made = self.invoke(maker, None, args, span);
        let object = self.pointee(&made);
        let result = &self.program.function(maker).result;
        let owns = result.pointers == 0 && !result.reference;
        let is_known = object.as_ref().is_some_and(|it| self.object_at(it).is_some());
        match class {
            Some(class) if !is_known && owns && !self.exited => {
                (Some(self.declare_for_client(client, hands, class)), true)
            }
            // What is behind an address that nobody knows is not to be told from plain memory.
            None if !is_known => (None, false),
            _ => (object, owns),
        }
    }

    /// An object of a class as a variable of the client.
    fn declare_for_client(&mut self, client: &Client, hands: &mut Hands, class: ClassId) -> Location {
        let object = self.memory.local();
        self.memory.classes.insert(object.clone(), class);
        if client.interface.class == Some(class) {
            self.note_class_arguments(&object, class, &client.interface.arguments);
            hands.object = Some(object.clone());
        }
        self.construct_for_client(client, hands, &object, class);
        object
    }

    /// The streams, events and memory in members of the object, or of what it leads to, or in variables where there is none.
    pub(super) fn kept_for_client(&self, hands: &Hands) -> Vec<Value> {
        // Elements are added to a container by what builds an object, too.
        let is_added = |it: &Location| {
            let elements = it.path.iter().enumerate();
            let mut elements =
                elements.filter(|(_, it)| matches!(it, Step::Element(_) | Step::At(_) | Step::Any));
            elements.any(|(at, _)| {
                let container = Location {
                    base: it.base,
                    path: it.path[..at].to_vec(),
                };
                self.memory.is_sequence(&container)
            })
        };
        let cells = |base| {
            let cells = self.memory.cells_of(Location::object(base));
            cells.filter(|it| !is_added(it.0)).map(|it| it.1)
        };
        let own: Vec<&Value> = match &hands.object {
            Some(object) => cells(object.base).collect(),
            None => {
                let variables = self.memory.variables_of_all().into_iter();
                variables.flat_map(cells).collect()
            }
        };
        let led_to = own.iter().filter_map(|it| match it {
            Value::Pointer(place) => Some(place.base),
            _ => None,
        });
        let led_to: BTreeSet<Base> = led_to.collect();
        let all = own.into_iter().chain(led_to.into_iter().flat_map(cells));
        let lasts = |it: &&Value| match it {
            Value::Stream(_) | Value::Event(_) => true,
            Value::Pointer(place) => matches!(place.base, Base::Allocation(_)),
            _ => false,
        };
        all.filter(lasts).cloned().collect()
    }

    /// An object of the library that a function wants, where that is one with an interface of its own; `again`: at which
    /// call, where it is not to be there before, which parameter of which function.
    pub(super) fn part_for_client(
        &mut self,
        client: &Client,
        hands: &mut Hands,
        scope: Scope<'_>,
        ty: &Type,
        again: Option<(FunctionId, i64, usize)>,
    ) -> Option<Argument> {
        let program = self.program;
        let owned = (ty.pointers == 0 && library::is_smart_pointer(ty.name.last()))
            .then(|| written_name(ty.name.template_args.first()?))
            .flatten();
        let is_named = ty.pointers == 1 || ty.pointers == 0 && ty.reference;
        if !is_named && owned.is_none() {
            return None;
        }
        let class = program.resolve_class(scope, owned.as_ref().unwrap_or(&ty.name))?;
        // What may not be changed is told of by its class, unless making one makes what lasts.
        let offered = program.offered_as(class).filter(|_| !ty.constant);
        let class = offered.or_else(|| program.makes_what_lasts(class).then_some(class))?;
        let is_given = owned.is_some() && library::is_sole_owner(ty.name.last());
        // What does nothing by itself stands for what it holds: it is handed over again as memory is. Nor do two objects
        // that nothing orders get the same with their calls.
        let place_of = again.filter(|_| client.pair || program.only_holds(class));
        let mut known = hands.parts.iter().filter(|_| !hands.building && !is_given);
        let known =
            known.find(|it| it.class == class && it.handed == place_of && !hands.handing.contains(&it.place));
        let place = match known.map(|it| it.place.clone()) {
            Some(place) => place,
            None if hands.depth >= MOST_MADE || Some(class) == client.interface.class => return None,
            None => {
                hands.depth += 1;
                let (place, owns) = match program.maker_of(class) {
                    Maker::Returned(maker) => self.take_from_maker(client, hands, maker, Some(class)),
                    _ => (Some(self.declare_for_client(client, hands, class)), true),
                };
                hands.depth -= 1;
                let place = place?;
                hands.classes.insert(class);
                self.prepare_part(client, hands, class, &place);
                if owns && !is_given {
                    hands.parts.push(Made {
                        class,
                        place: place.clone(),
                        handed: place_of,
                    });
                }
                place
            }
        };
        hands.handing.push(place.clone());
        let value = match ty.pointers {
            0 if owned.is_none() => Value::Aggregate(place.clone()),
            _ => return Some(Argument::unplaced(Value::Pointer(place), String::new())),
        };
        Some(Argument {
            place: Some(place),
            ..Argument::unplaced(value, String::new())
        })
    }

    /// An object that others are made with is opened and built as its own clients do.
    fn prepare_part(&mut self, client: &Client, hands: &mut Hands, class: ClassId, place: &Location) {
        let Some(own) = client.parts.get(&class) else {
            return;
        };
        hands.depth += 1;
        let outer = hands.object.replace(place.clone());
        let is_building = std::mem::replace(&mut hands.building, true);
        for id in own.opens.iter().chain(&own.builds).chain(&own.builds) {
            self.call_for_client(own, hands, *id);
        }
        hands.building = is_building;
        hands.object = outer;
        hands.depth -= 1;
    }

    /// A structure of options as it is made, for one that wants little of everything: of its plain numbers what is large is made small.
    pub(super) fn options_for_client(
        &mut self,
        client: &Client,
        scope: Scope<'_>,
        parameter: &Parameter,
    ) -> Option<Argument> {
        let (program, ty) = (self.program, &parameter.ty);
        let is_read = ty.constant && (ty.reference || ty.pointers == 1) || ty.pointers == 0 && !ty.reference;
        let class = program
            .resolve_class(scope, &ty.name)
            .filter(|_| client.scarce && is_read)?;
        let fields = || program.class(class).fields.iter().filter(|it| !it.is_static);
        // What has a value of its own may be left at that.
        let is_complete = fields().all(|it| it.init.is_some()) && fields().next().is_some();
        let counts = fields().any(|it| self.is_count(scope, &it.ty));
        if program.constructor_of(class).is_some() || !counts && !is_complete {
            return None;
        }
        let place = self.memory.local();
        self.memory.classes.insert(place.clone(), class);
        self.construct(&place, class, Vec::new(), program.class(class).span);
        let inside = Scope {
            file: class.file,
            path: &program.class(class).path,
        };
        for field in fields() {
            if !self.is_count(inside, &field.ty) {
                continue;
            }
            let at = self.member(&place, class, &field.name);
            let wanted = if self.is_amount(inside, &field.ty) {
                NEEDED
            } else {
                FEW
            };
            let is_small = matches!(self.memory.load(&at), Value::Int(number) if number <= wanted);
            if !is_small {
                self.memory.set(at, Value::Int(wanted));
            }
        }
        Some(match ty.pointers {
            0 => Argument {
                place: Some(place.clone()),
                ..Argument::unplaced(Value::Aggregate(place), parameter.name.clone())
            },
            _ => Argument::unplaced(Value::Pointer(place), parameter.name.clone()),
        })
    }

    /// Whether something of a type is an integer that counts.
    pub(super) fn is_count(&self, scope: Scope<'_>, ty: &Type) -> bool {
        let number = self.number_in_scope(scope, ty);
        matches!(number, Some(Number::Integer { bits: 32.., .. }))
    }

    /// Whether it is wide enough for any amount of memory.
    pub(super) fn is_amount(&self, scope: Scope<'_>, ty: &Type) -> bool {
        let number = self.number_in_scope(scope, ty);
        matches!(
            number,
            Some(Number::Integer {
                bits: 64,
                signed: false
            })
        )
    }

    fn number_in_scope(&self, scope: Scope<'_>, ty: &Type) -> Option<Number> {
        let number = self.declared_in_scope(ty, 0, scope).filter(|_| !ty.reference);
        number.and_then(Declared::value)
    }

    fn construct_for_client(&mut self, client: &Client, hands: &mut Hands, place: &Location, class: ClassId) {
        let program = self.program;
        match program.constructor_of(class) {
            Some(constructor) => {
                let args = self.arguments_of_client(client, hands, constructor, None);
                let span = self.stand_at(constructor);
                self.invoke(constructor, Some((place.clone(), class)), args, span);
            }
            None => self.construct(place, class, Vec::new(), program.class(class).span),
        }
    }
}
