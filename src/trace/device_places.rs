//! Places that a kernel's summary names, with the arguments of a launch.

use super::access::POINTEE;
use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::shapes::Shape;
use super::{Base, Location, Step};
use crate::program::kernels::{Place, PlaceBase, PlaceStep};

/// Elements of an array of pointers that the threads choose from; of more, any is meant.
const MOST_ELEMENTS: usize = 16;

/// Where one is on the way to a place.
enum At {
    Value(Value),
    Place(Location),
}

impl<'p> Machine<'p> {
    /// The places that an access touches. `declared`, what the place begins with is declared as: pointers in memory nobody knows
    /// the content of are told from what they point to, and what a parameter holds is the launch's own copy, arrays in it included.
    /// Where the threads choose among elements of an array that the launch has of its own, all that hold something are meant:
    /// `p.out[blockIdx.y][i]`.
    pub(super) fn accessed_places(
        &mut self,
        place: &'p Place,
        args: &[Argument],
        declared: Option<Shape<'p>>,
    ) -> Vec<Location> {
        let is_parameter = matches!(place.base, PlaceBase::Parameter(_));
        let own = is_parameter && declared.as_ref().is_some_and(Shape::is_object);
        let Some(begin) = self.place_begins(place, args) else {
            return Vec::new();
        };
        let mut open = vec![(begin, own, declared, place.path.as_slice())];
        let mut found = Vec::new();
        while let Some((at, own, declared, path)) = open.pop() {
            let Some((step, rest)) = path.split_first() else {
                found.extend(self.place_ends(at, own));
                continue;
            };
            let is_array = own && declared.as_ref().is_some_and(Shape::is_array);
            let elements = match (&at, step) {
                (At::Place(array), PlaceStep::Varying) if is_array && !rest.is_empty() => {
                    self.elements_held(array)
                }
                _ => Vec::new(),
            };
            if elements.is_empty() {
                let next = self.place_steps(at, step, (own, declared));
                open.extend(next.map(|(at, own, declared)| (at, own, declared, rest)));
                continue;
            }
            let declared = declared.and_then(|it| it.behind(self.program, step));
            let behind = elements
                .into_iter()
                .map(|it| (At::Place(it), own, declared.clone(), rest));
            open.extend(behind);
        }
        found
    }

    /// The place a kernel's summary names, with this launch's arguments.
    pub(super) fn device_place(&mut self, place: &'p Place, args: &[Argument]) -> Option<Location> {
        let mut at = self.place_begins(place, args)?;
        for step in &place.path {
            (at, ..) = self.place_steps(at, step, (false, None))?;
        }
        self.place_ends(at, false)
    }

    /// Elements of a local array that something is known of, each once. The first one stands where the array does.
    fn elements_held(&self, array: &Location) -> Vec<Location> {
        let depth = array.path.len();
        let cells = self.memory.cells_of(array.clone());
        let cells = cells.take_while(|(it, _)| it.path.starts_with(&array.path));
        let mut found: Vec<Location> = Vec::new();
        for (place, value) in cells {
            let element = match place.path.get(depth) {
                None | Some(Step::Field(_)) => array.clone(),
                Some(Step::Element(index)) => array.clone().step(Step::Element(*index)),
                _ => continue,
            };
            if matches!(value, Value::Int(_)) || found.contains(&element) {
                continue;
            }
            if found.len() == MOST_ELEMENTS {
                return Vec::new();
            }
            found.push(element);
        }
        found
    }

    /// What a place begins with.
    fn place_begins(&mut self, place: &Place, args: &[Argument]) -> Option<At> {
        Some(match place.base {
            PlaceBase::Parameter(index) => match &args.get(index as usize)?.value {
                Value::Aggregate(place) => At::Place(place.clone()),
                value => At::Value(value.clone()),
            },
            PlaceBase::Global(id) => At::Place(Location::object(self.instance(id))),
            PlaceBase::Unknown => return None,
        })
    }

    /// What a place is one step on; whether it is still in the launch's own copy of a parameter, and what it is declared as.
    fn place_steps(
        &mut self,
        at: At,
        step: &'p PlaceStep,
        (own, declared): (bool, Option<Shape<'p>>),
    ) -> Option<(At, bool, Option<Shape<'p>>)> {
        let follows = declared.as_ref().is_some_and(Shape::is_pointer);
        let holds = declared.as_ref().is_some_and(|it| {
            let is_container = |place| self.memory.arrays.contains(place);
            it.is_array() || it.is_object() && matches!(&at, At::Place(place) if is_container(place))
        });
        let own = own && (holds || matches!(step, PlaceStep::Field(_)));
        let declared = declared.and_then(|it| it.behind(self.program, step));
        let element = |location: Location, machine: &mut Self| match step {
            PlaceStep::Field(field) => location.field(field),
            PlaceStep::Element(index) => location.element(*index),
            PlaceStep::Uniform(index) => match machine.evaluate(index) {
                Value::Int(index) => location.element(index),
                Value::Unknown(id) => location.step(machine.memory.at_unknown(id)),
                _ => location.step(Step::Any),
            },
            PlaceStep::Varying => location.step(Step::Any),
        };
        let at = match (at, step) {
            (At::Value(Value::Closure(index)), PlaceStep::Field(field)) => {
                At::Place(self.captured_place(index, field)?)
            }
            (At::Place(location), PlaceStep::Field(_)) => At::Place(element(location, self)),
            (At::Place(location), _) => {
                let is_array = self.memory.arrays.contains(&location)
                    || location.base.global().is_some_and(|id| {
                        location.path.is_empty() && self.program.global(id).variable.ty.pointers == 0
                    });
                let held = self.memory.get(&location).cloned();
                match held {
                    Some(Value::Pointer(target)) if !is_array => At::Place(element(target, self)),
                    _ if matches!(location.base, Base::Local(_)) && !is_array => {
                        let value = self.memory.load(&location);
                        let target = self.pointee(&value)?;
                        At::Place(element(target, self))
                    }
                    _ if follows => At::Place(element(location.field(POINTEE), self)),
                    _ => At::Place(element(location, self)),
                }
            }
            (At::Value(value), _) => {
                let target = self.pointee(&value)?;
                At::Place(element(target, self))
            }
        };
        Some((at, own, declared))
    }

    /// Where the last step leads: what is the launch's own copy is no memory that others see.
    fn place_ends(&mut self, at: At, own: bool) -> Option<Location> {
        match at {
            At::Place(_) if own => None,
            At::Place(location) => Some(location),
            At::Value(value) => self.pointee(&value),
        }
    }
}
