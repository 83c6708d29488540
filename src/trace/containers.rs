//! Containers of the standard library: elements and maps.

use super::calls::Argument;
use super::machine::Machine;
use super::making::Made;
use super::memory::{Keys, Value, end_of_map};
use super::numbers::Number;
use super::{Base, Extent, Location, Mode};
use crate::api::library;
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Initialiser, Name, Type};
use crate::syntax::Span;

impl<'p> Machine<'p> {
    pub(super) fn container_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        if !self.memory.arrays.contains(place) {
            return None;
        }
        let length = self.memory.lengths.get(place).copied();
        let head = self.memory.heads.get(place).copied().unwrap_or(0);
        if method == "swap" {
            let args = self.arguments(args);
            self.swap_objects(Some(place), args.first().and_then(|it| it.place.as_ref()));
            self.host_memory_moves(&Value::Aggregate(place.clone()));
            args.iter().for_each(|it| self.host_memory_moves(&it.value));
            return Some(Value::Int(0));
        }
        let count = self.memory.count(place);
        let order = self.memory.orders.get(place).copied();
        if matches!(method, "front" | "back" | "top" | "at") {
            self.control.here = span;
        }
        if matches!(method, "size" | "length" | "empty") {
            self.note_polled(place);
        }
        if !library::only_asks(method) {
            self.may_allocate(place);
            self.memory.counts.remove(place);
            self.emit_change(place, span);
        }
        match method {
            "push_back" | "emplace_back" | "push" | "emplace"
                if method != "emplace" || matches!(order, Some(Order::Queue | Order::Stack)) =>
            {
                let count = count.unwrap_or(0);
                if self.memory.reserved.get(place).is_none_or(|it| *it <= count) {
                    self.may_move_elements(place, span);
                }
                let element = self.memory.element(place, count);
                if length.is_some() || !self.memory.holds(place) {
                    let length = head.saturating_add(count).saturating_add(1);
                    self.memory.lengths.insert(place.clone(), length);
                }
                self.push(place, &element, args, span);
                Some(Value::Aggregate(element))
            }
            "push_front" | "emplace_front" if count.is_some() => {
                self.memory.heads.insert(place.clone(), head.saturating_sub(1));
                let element = self.memory.element(place, 0);
                self.push(place, &element, args, span);
                Some(Value::Aggregate(element))
            }
            "pop_back" | "pop" if method == "pop_back" || order == Some(Order::Stack) => {
                let last = count?.saturating_sub(1).max(0);
                self.memory
                    .lengths
                    .insert(place.clone(), head.saturating_add(last));
                self.destroy_element(place, head.saturating_add(last), span);
                Some(Value::Int(0))
            }
            "pop" | "pop_front" => {
                self.memory.heads.insert(place.clone(), head.saturating_add(1));
                self.destroy_element(place, head, span);
                Some(Value::Int(0))
            }
            "assign" if args.len() == 2 => {
                let held = self.arguments(args);
                self.destroy_elements(place, span);
                self.memory.clear_object(place);
                self.memory.heads.remove(place);
                match self.fill_sequence(place, &Name::plain("vector"), &held, span) {
                    Some(count) => self.memory.lengths.insert(place.clone(), count),
                    None => self.memory.lengths.remove(place),
                };
                Some(Value::Int(0))
            }
            "assign"
                if let [
                    Expr {
                        kind: ExprKind::InitList(items),
                        ..
                    },
                ] = args =>
            {
                self.destroy_elements(place, span);
                self.memory.clear_object(place);
                let count = self.initialise_elements(place, items, span);
                self.memory.lengths.insert(place.clone(), count);
                Some(Value::Int(0))
            }
            "reserve" => {
                let room = self.arguments(args).into_iter().next().map(|it| it.value);
                self.may_move_elements(place, span);
                if let Some(Value::Int(room)) = room {
                    let most = self.memory.reserved.entry(place.clone()).or_insert(room);
                    *most = room.max(*most);
                }
                Some(Value::Int(0))
            }
            "resize" if args.len() == 1 => {
                match self.evaluate(&args[0]) {
                    Value::Int(count) => {
                        let end = head.saturating_add(count);
                        self.memory.lengths.insert(place.clone(), end);
                        for index in self.owned_elements(place, end..length.unwrap_or(end)) {
                            self.destroy_element(place, index, span);
                        }
                        self.construct_elements(place, span);
                    }
                    _ => {
                        self.memory.lengths.remove(place);
                    }
                }
                Some(Value::Int(0))
            }
            "size" | "length" => Some(self.size_of_container(place)),
            "empty" => {
                let size = self.size_of_container(place);
                Some(self.memory.binary(BinaryOp::Equal, size, Value::Int(0)))
            }
            "data" | "begin" | "cbegin" => Some(Value::Pointer(self.memory.element(place, 0))),
            "end" | "cend" => Some(match count {
                Some(count) => Value::Pointer(self.memory.element(place, count)),
                None => self.memory.named(&format!("end {place:?}")),
            }),
            "rbegin" | "crbegin" | "rend" | "crend" => {
                let backwards = self.modelled_method(place, method, args, span);
                Some(backwards.unwrap_or_else(|| Value::Pointer(place.step(super::Step::Any))))
            }
            "front" => Some(self.element_value(place, 0)),
            "back" | "top" => match count {
                Some(count) => Some(self.element_value(place, count.saturating_sub(1))),
                None => {
                    let place = place.step(super::Step::Any);
                    Some(self.load(&place))
                }
            },
            "at" => {
                let index = args.first().map(|it| self.evaluate(it));
                match index {
                    Some(Value::Int(index)) => Some(self.element_value(place, index)),
                    _ => Some(self.load(&place.step(super::Step::Any))),
                }
            }
            "clear" => {
                self.memory.lengths.insert(place.clone(), 0);
                self.memory.heads.remove(place);
                self.destroy_elements(place, span);
                Some(Value::Int(0))
            }
            "capacity" | "max_size" | "shrink_to_fit" => Some(self.memory.fresh()),
            "erase" | "insert" | "emplace" | "splice" if order == Some(Order::List) && count.is_some() => {
                Some(self.relink_list(place, method, args, span))
            }
            _ => {
                let value = self.modelled_method(place, method, args, span);
                Some(value.unwrap_or_else(|| {
                    let args = self.arguments(args);
                    let others = args.into_iter().filter_map(|it| it.place);
                    let others: Vec<Location> = others.filter(|it| self.memory.is_sequence(it)).collect();
                    others.iter().for_each(|it| self.lose_container(it));
                    self.lose_container(place);
                    self.memory.fresh()
                }))
            }
        }
    }

    fn size_of_container(&mut self, place: &Location) -> Value {
        let known = self.memory.count(place).map(Value::Int);
        let known = known.or_else(|| self.memory.counts.get(place).cloned());
        known.unwrap_or_else(|| self.memory.named(&format!("size {place:?}")))
    }

    /// What is added becomes an element.
    fn push(&mut self, place: &Location, element: &Location, args: &'p [Expr], span: Span) {
        match args {
            [
                Expr {
                    kind: ExprKind::InitList(items),
                    ..
                },
            ] => {
                let kind = self.memory.element_types.get(place).cloned().unwrap_or_default();
                self.make_from_braces(element, &kind, items, span);
            }
            _ => {
                let args = self.arguments_handed_on(args);
                self.fill_element(place, element, args, span);
            }
        }
        // Only what stands in one piece of memory is handed on as such.
        if matches!(self.memory.orders.get(place), None | Some(Order::Vector)) {
            self.touch(element, Extent::Element, Mode::Write, span);
        }
    }

    fn element_value(&mut self, place: &Location, index: i64) -> Value {
        let element = self.memory.element(place, index);
        self.prepare_element(place, &element);
        let value = self.referred(&element);
        self.control.returned = Some(element);
        value
    }

    /// Marks a container, and what it holds.
    pub(super) fn prepare_sequence(&mut self, place: &Location, ty: &Name) {
        self.memory.arrays.insert(place.clone());
        if let Some(kind) = ty.template_args.first() {
            self.memory.element_types.insert(place.clone(), kind.clone());
        }
        self.memory.orders.insert(place.clone(), Order::of(ty.last()));
    }

    /// An element of a container of containers is one itself, whoever made it.
    pub(super) fn prepare_element(&mut self, container: &Location, element: &Location) {
        self.memory.mark_row(element);
        if self.memory.arrays.contains(element)
            || self.memory.classes.contains_key(element)
            || self.memory.get(element).is_some()
        {
            return;
        }
        if let Some(held) = self.memory.element_types.get(container).cloned() {
            self.see_as(element, &held);
        }
    }

    /// Elements of a braced list, each made as the container wants it; how many there are.
    pub(super) fn initialise_elements(
        &mut self,
        place: &Location,
        items: &'p [Initialiser],
        span: Span,
    ) -> i64 {
        // `std::array<T, 2> a{{{…}, {…}}}`: the outer braces are those of the array inside.
        if let [only] = items
            && let ExprKind::InitList(inner) = &only.value.kind
            && inner.len() > 1
            && (self.takes_one_value(place)
                || inner
                    .iter()
                    .all(|it| matches!(it.value.kind, ExprKind::InitList(_))))
        {
            self.memory.lengths.insert(place.clone(), inner.len() as i64);
            return self.initialise_elements(place, inner, span);
        }
        let mut index = 0;
        for item in items.iter().take(64) {
            if let ExprKind::InitList(parts) = &item.value.kind
                && let Some(kind) = self.memory.element_types.get(place).cloned()
            {
                let element = self.memory.element(place, index);
                self.make_from_braces(&element, &kind, parts, span);
                index += 1;
                continue;
            }
            for value in self.expanded(&item.value) {
                let element = self.memory.element(place, index);
                self.assign(&element, value);
                index += 1;
            }
        }
        self.convert_elements(place, index, span);
        index.max(items.len() as i64)
    }

    /// Whether no element of a container can be made of several values.
    fn takes_one_value(&self, container: &Location) -> bool {
        let held = self.memory.element_types.get(container);
        held.is_some_and(|it| matches!(self.made_of(it), Made::Plain | Made::Smart(_)))
    }

    /// `{{key, value}, …}`.
    pub(super) fn initialise_map(&mut self, map: &Location, items: &'p [Initialiser]) {
        for item in items.iter().take(64) {
            self.initialise_entry(map, &item.value);
        }
    }

    /// `{key, value}`.
    pub(super) fn initialise_entry(&mut self, map: &Location, entry: &'p Expr) {
        if let ExprKind::InitList(parts) = &entry.kind
            && let [key, value] = parts.as_slice()
        {
            let key = self.evaluate(&key.value);
            let entry = self.map_entry(map, &key);
            self.assign(&entry.field("first"), key);
            let kind = self.memory.element_types.get(map).cloned().unwrap_or_default();
            self.make_from(&entry.field("second"), &kind, &value.value, value.value.span);
        }
    }

    /// A container that was handed a braced list, which stands at a place where that is known.
    pub(super) fn sequence_of_list(&mut self, place: &Location, ty: &Name, list: Option<&Location>) {
        // One value in braces may be any class's; in a list it is an element.
        let is_one = ty.last() == "initializer_list" && self.memory.holds(place);
        let short = list
            .filter(|_| ty.last() != "array")
            .and_then(|it| self.short_list(it, ty));
        if short == Some(0) && !self.memory.holds(place) {
            self.memory.lengths.insert(place.clone(), 0);
            self.prepare_sequence(place, ty);
            return;
        }
        let is_one = is_one || short == Some(1);
        if self.memory.arrays.contains(place) || !is_one && !self.memory.holds(&place.element(1)) {
            return;
        }
        // The first element of a list stands at the list itself.
        let head = place.step(super::Step::Element(0));
        if let Some(first) = self.memory.get(place).cloned() {
            self.memory.set(head, first);
        } else if self.memory.classes.contains_key(place) {
            let first = self.memory.local();
            self.memory.copy_object(place, &first);
            self.memory.classes.remove(place);
            self.memory.copy_object(&first, &head);
        }
        let count = (1..64).find(|index| !self.memory.holds(&place.element(*index)));
        let count = count.unwrap_or(64);
        self.memory.lengths.insert(place.clone(), count);
        self.prepare_sequence(place, ty);
        self.convert_elements(place, count, self.control.statement);
    }

    /// The value of a map's entry, made by `[]` where it is not there yet.
    pub(super) fn map_value(&mut self, map: &Location, key: &Value, span: Span) -> Location {
        let entry = self.map_entry(map, key);
        let place = entry.field("second");
        self.deferred_removals.remove(&entry);
        if self.memory.holds(&entry) {
            return place;
        }
        let is_new = self.is_sure_to_lack(map, &entry, key);
        let Some(kind) = self.memory.element_types.get(map).cloned() else {
            self.assign(&entry.field("first"), key.clone());
            return place;
        };
        match self.made_of(&kind) {
            Made::Object(class, name) if !is_new && self.may_be_there(map, &entry, key.clone()) => {
                self.note_class_arguments(&place, class, &name.template_args);
                self.memory.classes.insert(place.clone(), class);
                self.memory.lose_under(&place);
            }
            made if is_new || matches!(made, Made::Object(..)) => {
                _ = self.make(&place, &kind, Vec::new(), span);
            }
            _ => self.memory.blank(&place),
        }
        self.assign(&entry.field("first"), key.clone());
        place
    }

    /// Whether a map has no such entry: all that is in it is known, and what is asked for.
    fn is_sure_to_lack(&self, map: &Location, entry: &Location, key: &Value) -> bool {
        let is_empty = self.memory.is_zeroed(map) && self.memory.entry_count(map) == Some(0);
        let is_known = !matches!(key, Value::Unknown(_)) && self.memory.keys_are_known(map);
        // The object of a method that is looked at by itself has been used before.
        self.entry_object != Some(map.base) && (is_empty || is_known && self.memory.is_zeroed(entry))
    }

    /// Whether a container may hold what this path does not see put into it: it outlives the path's beginning, or is part
    /// of the object that a method is looked at for.
    pub(super) fn may_hold_more(&self, container: &Location) -> bool {
        let entry = self.trace.entry;
        let is_main = self.program.is_main(entry);
        match container.base {
            Base::Static(file, _) => !is_main || file != entry.file,
            Base::Global(id) | Base::Instance(id, _) => !is_main || id.file != entry.file,
            Base::Outside(_) => true,
            base => self.entry_object == Some(base),
        }
    }

    /// Marks a map, and what its entries hold.
    pub(super) fn prepare_map(&mut self, place: &Location, ty: &Name) {
        self.memory.maps.insert(place.clone());
        let key = ty.template_args.first();
        let parts = key.and_then(|it| match self.made_of(it) {
            Made::Parts(name, _) => u8::try_from(name.template_args.len()).ok(),
            _ => None,
        });
        let own = ty.template_args.get(2..).unwrap_or_default();
        let own = own.iter().any(|it| {
            self.class_named(it)
                .is_some_and(|it| !self.program.is_model(it.file))
        });
        match keys_in_order(ty) {
            _ if own => self.memory.sorted.insert(place.clone(), Keys::Own),
            Some(_) if parts.is_some() => {
                let keys = Keys::Parts(parts.unwrap_or_default());
                self.memory.sorted.insert(place.clone(), keys)
            }
            Some(keys) => self.memory.sorted.insert(place.clone(), keys),
            None => self.memory.sorted.remove(place),
        };
        if let Some(kind) = ty.template_args.get(1) {
            self.memory.element_types.insert(place.clone(), kind.clone());
        }
    }

    /// The class a type written as text means.
    pub(super) fn class_named(&self, written: &str) -> Option<crate::program::ClassId> {
        let name = Name::of_type(written);
        let pointer = written.trim_end().ends_with('*');
        self.program
            .resolve_class(self.scope(), &name)
            .filter(|_| !pointer)
    }

    /// One element goes: what it holds is destroyed, once.
    pub(super) fn destroy_element(&mut self, place: &Location, index: i64, span: Span) {
        let element = place.step(super::Step::Element(index));
        if let Some(class) = self.memory.classes.get(&element).copied() {
            self.destroy(&element, class, span);
            self.memory.unmake(&element);
        } else if self.memory.smart.contains(&element) {
            self.release_pointer(&element, span);
        } else if self.memory.arrays.contains(&element) || self.memory.maps.contains(&element) {
            self.destroy_elements(&element, span);
            self.memory.clear_object(&element);
            self.memory.arrays.remove(&element);
            self.memory.maps.remove(&element);
        }
    }

    pub(super) fn fill_element(
        &mut self,
        container: &Location,
        element: &Location,
        args: Vec<Argument>,
        span: Span,
    ) {
        let kind = self
            .memory
            .element_types
            .get(container)
            .cloned()
            .unwrap_or_default();
        let Err(args) = self.make(element, &kind, args, span) else {
            return;
        };
        if args.len() == 2 && Name::of_type(&kind).last() != "function" {
            for (argument, field) in args.into_iter().zip(["first", "second"]) {
                self.assign(&element.field(field), argument.value);
            }
        } else if let Some(first) = args.into_iter().next() {
            let value = self.owned_value(first);
            self.assign(element, value);
        }
    }

    /// `std::map` and its like: an entry stands at a place named after its key.
    pub(super) fn map_method(
        &mut self,
        place: &Location,
        method: &str,
        args: &'p [Expr],
        span: Span,
    ) -> Option<Value> {
        let end = end_of_map();
        const ASKS: [&str; 9] = [
            "size",
            "empty",
            "find",
            "at",
            "count",
            "contains",
            "lower_bound",
            "upper_bound",
            "equal_range",
        ];
        if ASKS.contains(&method) {
            self.note_polled(place);
        } else if !matches!(method, "begin" | "cbegin" | "end" | "cend") {
            self.emit_change(place, span);
        }
        match method {
            "end" | "cend" => Some(end),
            "begin" | "cbegin" if !self.may_hold_more(place) => self.memory.first_entry(place),
            "find" | "at" | "count" | "contains" => {
                let key = self.evaluate(args.first()?);
                let entry = self.map_entry(place, &key);
                if self.memory.sorted.get(place) == Some(&Keys::Own) && method != "at" {
                    return Some(self.memory.fresh());
                }
                let found =
                    self.memory.holds(&entry) || method != "at" && self.may_be_there(place, &entry, key);
                Some(match (method, found) {
                    ("find", true) => Value::Pointer(entry),
                    ("find", false) => end,
                    // It throws.
                    ("at", false) if self.memory.is_zeroed(&entry) => self.memory.fresh(),
                    ("at", _) => {
                        let held = entry.field("second");
                        let value = self.load(&held);
                        self.control.returned = Some(held);
                        value
                    }
                    (_, found) => Value::Int(i64::from(found)),
                })
            }
            "lower_bound" | "upper_bound" if !self.may_hold_more(place) => {
                let key = self.evaluate(args.first()?);
                self.memory.entry_from(place, &key, method == "upper_bound")
            }
            "equal_range" if !self.may_hold_more(place) => {
                let key = self.evaluate(args.first()?);
                let range = self.memory.local();
                for (part, behind) in [("first", false), ("second", true)] {
                    let bound = self.memory.entry_from(place, &key, behind)?;
                    self.memory.set(range.field(part), bound);
                }
                Some(Value::Aggregate(range))
            }
            "emplace" | "insert_or_assign" if args.len() != 2 => None,
            "extract" | "merge" => {
                self.memory.lose_under(place);
                None
            }
            "emplace" | "try_emplace" | "insert_or_assign" => {
                let mut args = self.arguments_handed_on(args).into_iter();
                let key = args.next()?.value;
                Some(self.map_insert(place, key, args.collect(), method == "insert_or_assign", span))
            }
            "insert"
                if let [
                    Expr {
                        kind: ExprKind::InitList(parts),
                        ..
                    },
                ] = args
                    && let [key, value] = parts.as_slice() =>
            {
                let key = self.evaluate(&key.value);
                let value = self.argument(&value.value);
                Some(self.map_insert(place, key, vec![value], false, span))
            }
            "insert" if args.len() == 1 => {
                let pair = self.evaluate(&args[0]);
                let Value::Aggregate(pair) = pair else { return None };
                let (key, value) = (self.part(&pair, 0), self.part(&pair, 1));
                let (key, value) = (self.load(&key), self.load(&value));
                let value = Argument {
                    moved: true,
                    ..Argument::unplaced(value, String::new())
                };
                Some(self.map_insert(place, key, vec![value], false, span))
            }
            "size" | "empty" if !self.may_hold_more(place) => {
                let count = self.memory.entry_count(place)?;
                Some(Value::Int(match method {
                    "size" => count,
                    _ => i64::from(count == 0),
                }))
            }
            "clear" => {
                self.destroy_elements(place, span);
                self.clear_map(place);
                Some(Value::Int(0))
            }
            "erase" if args.len() == 1 => {
                let (entry, result) = match self.evaluate(&args[0]) {
                    Value::Pointer(entry) if entry.base == place.base => {
                        let next = self.memory.entry_behind(&entry, 1);
                        (entry, next.unwrap_or_else(|| self.memory.fresh()))
                    }
                    key => {
                        let entry = self.map_entry(place, &key);
                        let known = self
                            .memory
                            .entry_count(place)
                            .filter(|_| !self.may_hold_more(place));
                        let is_there = i64::from(self.memory.holds(&entry));
                        let count = known.map(|_| Value::Int(is_there));
                        (entry, count.unwrap_or_else(|| self.memory.fresh()))
                    }
                };
                self.destroy_elements(&entry, span);
                self.memory.clear_object(&entry);
                self.memory.zero(&entry);
                Some(result)
            }
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// Whether a map has an entry that this path did not see made, where nothing says that it has not: each on paths of its own.
    fn may_be_there(&mut self, map: &Location, entry: &Location, key: Value) -> bool {
        if self.is_sure_to_lack(map, entry, &key) {
            return false;
        }
        let Value::Unknown(choice) = self.memory.fresh() else {
            return false;
        };
        let is_there = self.decide_first(choice, false);
        if is_there {
            self.memory.set(entry.field("first"), key);
        }
        is_there
    }

    /// A new entry of a map, or the one that is there: as a pair of where it stands and whether it is new.
    fn map_insert(
        &mut self,
        map: &Location,
        key: Value,
        args: Vec<Argument>,
        replaces: bool,
        span: Span,
    ) -> Value {
        let entry = self.map_entry(map, &key);
        let is_there = self.memory.holds(&entry);
        self.deferred_removals.remove(&entry);
        if replaces && is_there {
            self.destroy_elements(&entry, span);
        }
        if replaces || !is_there {
            self.make_entry(map, key, args, span);
        }
        let result = self.memory.local();
        self.memory.set(result.field("first"), Value::Pointer(entry));
        self.memory
            .set(result.field("second"), Value::Int(i64::from(!is_there)));
        Value::Aggregate(result)
    }
}

/// How elements of a container come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// At the end, and anywhere else by moving what is behind.
    Vector,
    /// The last one goes first.
    Stack,
    /// The first one goes first.
    Queue,
    /// Others stay where they are when some come or go before them.
    List,
}

impl Order {
    /// That of a class of containers.
    pub(super) fn of(name: &str) -> Self {
        match name {
            "stack" => Order::Stack,
            "queue" => Order::Queue,
            "list" => Order::List,
            _ => Order::Vector,
        }
    }
}

/// Standard containers whose elements stand one behind the other.
pub(super) fn is_sequence(name: &str) -> bool {
    matches!(
        name,
        "vector" | "array" | "deque" | "list" | "queue" | "stack" | "initializer_list"
    )
}

/// Standard containers of keys and values.
pub(super) fn is_map(name: &str) -> bool {
    matches!(name, "map" | "unordered_map")
}

/// What the keys of a map are that keeps them in the order every type has by itself.
fn keys_in_order(ty: &Name) -> Option<Keys> {
    let [key, _] = ty.template_args.as_slice() else {
        return None;
    };
    let key = key.trim().trim_start_matches("const ");
    let is_text = matches!(Name::of_type(key).last(), "string" | "string_view") && !key.ends_with('*');
    Some(match Number::named(key) {
        _ if ty.last() != "map" => Keys::Other,
        _ if is_text => Keys::Text,
        Some(Number::Integer { bits, signed }) if signed || bits < 64 => Keys::Number,
        _ => Keys::Other,
    })
}

/// A sequence type in the words of a container's argument.
pub(super) fn sequence_words(ty: &Type) -> Option<String> {
    (ty.pointers == 0 && is_sequence(ty.name.last()))
        .then(|| format!("{}<{}>", ty.name.last(), ty.name.template_args.join(",")))
}
