//! What a launch reads and writes: which parts of its buffers, as far as its arguments decide.

use super::access::{Length, Told, Within};
use super::calls::Argument;
use super::layout::size_of;
use super::machine::Machine;
use super::memory::Value;
use super::shapes::Shape;
use super::{Access, Extent, Location, Mode, Step, ValueId};
use crate::facts::ir::{BinaryOp, Expr, ExprKind, Type};
use crate::program::FunctionId;
use crate::program::kernels::{
    Access as KernelAccess, Chosen, KernelSummary, Place, PlaceBase, PlaceStep, Predicate, Reach,
};
use crate::syntax::Span;

/// Accesses of one launch that are looked at.
const ACCESSES: usize = 64;

/// Which elements an access is about.
enum Reached {
    /// Nobody knows.
    Anything,
    Nothing,
    Within(Within),
}

impl<'p> Machine<'p> {
    /// What one launch reads and writes.
    pub(super) fn kernel_accesses(
        &mut self,
        summary: &'p KernelSummary,
        function: FunctionId,
        args: &[Argument],
        span: Span,
    ) -> Vec<Access> {
        let mut accesses: Vec<Access> = Vec::new();
        // A kernel that waits for memory takes care of the order of its accesses itself.
        let waits = [&summary.waits, &summary.bounded_waits, &summary.internal_waits];
        let sure = waits.iter().all(|it| it.is_empty()) && !summary.unseen_waits;
        let reads = summary.reads.iter().map(|it| (it, Mode::Read));
        let writes = summary.writes.iter().map(|it| (it, Mode::Write));
        for (it, mode) in reads.chain(writes) {
            let has_nothing = |(parameter, first): &(u32, i64)| {
                let bound = args.get(*parameter as usize).map(|it| &it.value);
                matches!(bound, Some(Value::Int(bound)) if bound <= first)
            };
            if accesses.len() >= ACCESSES
                || !self.guards_hold(&it.guards)
                || it.part.more_than.iter().any(has_nothing)
            {
                continue;
            }
            let declared = Shape::of_place(self.program, function, &it.place);
            for location in self.accessed_places(&it.place, args, declared) {
                let Some(access) = self.kernel_access((it, mode), function, (args, location), span) else {
                    continue;
                };
                let access = Access { sure, ..access };
                if !accesses.iter().any(|it| it.holds(&access)) {
                    accesses.push(access);
                }
            }
        }
        accesses
    }

    /// One of them, of which the place is known; `None` where it touches nothing.
    fn kernel_access(
        &mut self,
        (it, mode): (&'p KernelAccess, Mode),
        function: FunctionId,
        (args, location): (&[Argument], Location),
        span: Span,
    ) -> Option<Access> {
        let varies = it.place.path.last() == Some(&PlaceStep::Varying);
        let within = it.part.within.as_ref().filter(|_| varies);
        let within = match within.map(|it| self.elements_within(&location, it)) {
            Some(Reached::Nothing) => return None,
            Some(Reached::Within(it)) => Some(it),
            Some(Reached::Anything) | None => None,
        };
        let location = self.beginning(location, it.part.start.as_ref());
        let told = it.part.predicates.iter().map(|it| self.told(it)).collect();
        let extent = match it.place.path.last() {
            Some(PlaceStep::Varying) if self.covers(function, it, &location, args) => Extent::Whole,
            Some(PlaceStep::Varying) => Extent::Some,
            _ => Extent::Element,
        };
        let what = self.place_words(&it.place, args, function);
        let mut ids = |params: &[u32]| -> Vec<ValueId> {
            let values = params.iter().filter_map(|it| args.get(*it as usize));
            let values: Vec<Value> = values
                .filter(|it| it.value != Value::Int(0))
                .map(|it| it.value.clone())
                .collect();
            let mut ids: Vec<ValueId> = values.iter().map(|it| self.value_id(it)).collect();
            ids.sort_unstable();
            ids
        };
        let offsets = ids(&it.part.offsets);
        let all: Vec<u32> = (0..args.len() as u32).collect();
        let selectors = ids(if it.part.opaque { &all } else { &it.part.selectors });
        let chosen_by = match &it.part.chosen {
            Chosen::No => None,
            Chosen::By(params) => Some(ids(params)),
            Chosen::Unknown => Some(ids(&all)),
        };
        let (counted_by, kept_below) = (ids(&it.part.counted_by), ids(&it.part.kept_below));
        let (count, unit) = match it.part.reach {
            Some(reach) if extent == Extent::Some => self.reached(function, &it.place, reach, args),
            _ => (None, self.parameter_unit(function, &it.place)),
        };
        Some(Access {
            offsets,
            selectors,
            count: count.or((extent == Extent::Element).then_some(1)),
            within,
            unit,
            opaque: it.part.opaque,
            claimed: it.part.claimed,
            chosen_by,
            counted_by,
            kept_below,
            told,
            atomic: it.atomic,
            at: (it.file, it.span),
            ..self.access(location, extent, mode, span, &what)
        })
    }

    /// What a launch is told of the elements of an access.
    fn told(&mut self, predicate: &'p Predicate) -> Told {
        let given = predicate
            .given
            .iter()
            .map(|it| self.evaluate(it))
            .collect::<Vec<Value>>();
        let value = self.evaluate(&predicate.value);
        let number = match value {
            Value::Int(number) => Some(number),
            _ => None,
        };
        Told {
            subject: predicate.subject.clone(),
            given: given.iter().map(|it| self.value_id(it)).collect(),
            equal: predicate.equal,
            value: (self.value_id(&value), number),
        }
    }

    /// Some elements of a buffer, from the one on that the first thread begins with.
    fn beginning(&mut self, elements: Location, start: Option<&'p Expr>) -> Location {
        let (Some(start), Some((Step::Any, buffer))) = (start, elements.path.split_last()) else {
            return elements;
        };
        let buffer = Location {
            base: elements.base,
            path: buffer.to_vec(),
        };
        let start = self.evaluate(start);
        match self
            .memory
            .binary(BinaryOp::Add, Value::Pointer(buffer.clone()), start)
        {
            Value::Pointer(first) if first != buffer => first,
            _ => elements,
        }
    }

    /// The elements from the lowest to the highest one of those behind a place; all behind the lowest where that is not known.
    fn elements_within(&mut self, elements: &Location, bounds: &'p (Expr, Option<Expr>)) -> Reached {
        let (low, high) = bounds;
        let low = self.extent_number(low).filter(|it| *it >= 0);
        let high = high.as_ref().and_then(|it| self.extent_number(it));
        let Some(low) = low else {
            return Reached::Anything;
        };
        let length = match high {
            Some(high) if high < low => return Reached::Nothing,
            Some(high) => high
                .checked_sub(low)
                .and_then(|it| it.checked_add(1))
                .map(Length::Elements),
            None => (low > 0).then_some(Length::Open),
        };
        let all = self.access(elements.clone(), Extent::Some, Mode::Read, Span::default(), "");
        let is_plain = !self.memory.recast.contains(&all.location.base);
        let within = || {
            let (object, base) = all.start().filter(|_| is_plain)?;
            Some(Within {
                object: object.to_vec(),
                first: base.checked_add(low)?,
                length: length?,
            })
        };
        within().map_or(Reached::Anything, Reached::Within)
    }

    /// The number of an element, where arguments and the extents of the launch say it; nothing it is made of is negative.
    fn extent_number(&mut self, expression: &'p Expr) -> Option<i64> {
        let number = match &expression.kind {
            ExprKind::Int(number) => *number,
            ExprKind::Name(name) if name.last().contains('.') => match (name.last(), self.shape) {
                ("blockDim.x", (_, Some(block))) => block,
                ("gridDim.x", (Some(threads), Some(block))) if block > 0 => threads / block,
                (other, (Some(_), Some(_))) if !other.ends_with(".x") => 1,
                _ => return None,
            },
            ExprKind::Binary { op, left, right } => {
                let left = self.extent_number(left).filter(|it| *it >= 0)?;
                let right = self.extent_number(right).filter(|it| *it >= 0)?;
                match op {
                    BinaryOp::Add => left.checked_add(right)?,
                    BinaryOp::Subtract => left - right,
                    BinaryOp::Multiply => left.checked_mul(right)?,
                    BinaryOp::Divide => left.checked_div(right)?,
                    BinaryOp::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
                    BinaryOp::ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
                    _ => return None,
                }
            }
            _ => match self.evaluate(expression) {
                Value::Int(number) => number,
                _ => return None,
            },
        };
        Some(number)
    }

    /// Whether an access goes from the first to the last element of an allocation: as many as both say, whatever that is.
    fn covers(
        &mut self,
        function: FunctionId,
        access: &KernelAccess,
        location: &Location,
        args: &[Argument],
    ) -> bool {
        let (Some(Reach::Parameter(index) | Reach::All(index)), [Step::Any]) =
            (access.part.reach, location.path.as_slice())
        else {
            return false;
        };
        let Some(count @ Value::Unknown(_)) = args.get(index as usize).map(|it| it.value.clone()) else {
            return false;
        };
        let Some(unit) = self.parameter_unit(function, &access.place) else {
            return false;
        };
        let bytes = match unit {
            1 => count,
            _ => self.memory.binary(BinaryOp::Multiply, count, Value::Int(unit)),
        };
        let plain = access.part.offsets.is_empty() && access.part.selectors.is_empty() && !access.part.opaque;
        plain && self.shape.0.is_none() && self.sizes.get(&location.base) == Some(&bytes)
    }

    /// What a kernel nobody has the body of is handed: it may write what is not const.
    pub(super) fn declared_accesses(
        &self,
        function: FunctionId,
        args: &[Argument],
        span: Span,
    ) -> Vec<Access> {
        let params = self.program.function(function).params.iter().zip(args);
        let accesses = params
            .filter_map(|(parameter, argument)| self.declared_access(Some(&parameter.ty), argument, span));
        accesses.take(ACCESSES).collect()
    }

    /// What somebody whose body nobody has may do with an argument, by the type of its parameter, where that is known.
    pub(super) fn declared_access(
        &self,
        ty: Option<&Type>,
        argument: &Argument,
        span: Span,
    ) -> Option<Access> {
        let Value::Pointer(place) = &argument.value else {
            return None;
        };
        let mode = match ty {
            Some(ty) if ty.pointers != 1 || ty.volatile => return None,
            Some(ty) if ty.constant => Mode::Read,
            _ => Mode::Write,
        };
        Some(Access {
            declared: true,
            ..self.access(place.step(Step::Any), Extent::Some, mode, span, &argument.words)
        })
    }

    /// How many elements one launch accesses for sure, and their size.
    fn reached(
        &self,
        function: FunctionId,
        place: &Place,
        reach: Reach,
        args: &[Argument],
    ) -> (Option<i64>, Option<i64>) {
        let (grid, block) = self.shape;
        let count = match reach {
            Reach::Block => block,
            Reach::Grid => grid,
            Reach::Parameter(index) => match (args.get(index as usize).map(|it| &it.value), grid) {
                (Some(Value::Int(end)), Some(threads)) => Some(*end.min(&threads)),
                _ => None,
            },
            Reach::All(index) => match args.get(index as usize).map(|it| &it.value) {
                Some(Value::Int(end)) => Some(*end),
                _ => None,
            },
        };
        (count, self.parameter_unit(function, place))
    }

    /// Bytes of what a parameter of a kernel points to.
    fn parameter_unit(&self, function: FunctionId, place: &Place) -> Option<i64> {
        let PlaceBase::Parameter(index) = place.base else {
            return None;
        };
        let ty = &self.program.function(function).params.get(index as usize)?.ty;
        (ty.pointers == 1)
            .then(|| size_of(&self.template_argument(ty.name.last())))
            .flatten()
    }
}
