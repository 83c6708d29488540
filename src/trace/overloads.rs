//! Which overload a call means: by the static types of its arguments, as C++ ranks conversions; where those are not
//! known, by the values.

use super::Location;
use super::calls::Argument;
use super::demands::demands_of;
use super::fits::{Fit, Step, exact, fit_deduced, holds_numbers, is_handle};
use super::machine::Machine;
use super::memory::Value;
use super::types::{Category, Core, Static, vector_element};
use crate::facts::ir::{Expr, ExprKind, ObjectKind, Role, Type};
use crate::program::{ClassId, FunctionId, Scope, same_arguments};

/// A candidate, and how each argument fits.
type Row = (FunctionId, Vec<Fit>);

/// The overload a call means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) function: FunctionId,
    /// The types say so; else it is a guess.
    pub(super) sure: bool,
}

impl<'p> Machine<'p> {
    /// The overload a call of a method of an object with these template arguments, as written, and these arguments means.
    pub(super) fn overload_on(
        &mut self,
        (owner, class): (&Location, ClassId),
        (function, given): (FunctionId, &[String]),
        written: &'p [Expr],
        args: &[Argument],
        object: Option<&Static>,
    ) -> Choice {
        let mut all = self.program.overloads(function, args.len());
        if all.len() < 2 {
            return Choice { function, sure: true };
        }
        if !given.is_empty() {
            all = self.specialised_for(all, given);
        }
        if let [only] = all.as_slice() {
            return Choice {
                function: *only,
                sure: true,
            };
        }
        let types = self.types_of_arguments(written, args);
        let template = self.class_template(owner, class);
        self.in_template(template, |machine| {
            machine.overload_among(all, function, &types, args, object)
        })
    }

    /// Functions that can be meant where these template arguments are written.
    pub(super) fn possible(
        &self,
        function: FunctionId,
        given: &[String],
        arguments: usize,
    ) -> Vec<FunctionId> {
        let mut all = self.program.overloads(function, arguments);
        // A pack that is handed on is more than one argument.
        let takes = |id: &FunctionId| {
            let params = &self.program.function(*id).params;
            params.len() >= arguments || params.iter().any(|it| it.pack)
        };
        if all.iter().any(takes) {
            all.retain(takes);
        }
        if all.len() > 1 && !given.is_empty() {
            all = self.specialised_for(all, given);
        }
        if all.len() > 1 {
            let kept: Vec<FunctionId> = all
                .iter()
                .copied()
                .filter(|it| !self.is_kept_out(*it, given))
                .collect();
            if !kept.is_empty() {
                all = kept;
            }
        }
        all
    }

    /// An explicit specialisation is meant by its own template arguments, and by no others.
    fn specialised_for(&self, all: Vec<FunctionId>, given: &[String]) -> Vec<FunctionId> {
        let given: Vec<String> = given
            .iter()
            .map(|it| self.template_argument(it).to_string())
            .collect();
        if given.iter().any(|it| self.program.is_template_parameter(it)) {
            return all;
        }
        let own = |id: &FunctionId| self.program.function(*id).specialisation.as_slice();
        let meant = |it: &FunctionId| same_arguments(own(it), &given);
        // What is not written is deduced.
        let may_be = |it: &FunctionId| own(it).is_empty() || own(it).len() > given.len();
        let (exact, kept): (Vec<FunctionId>, Vec<FunctionId>) = (
            all.iter().copied().filter(meant).collect(),
            all.iter().copied().filter(may_be).collect(),
        );
        match (exact.is_empty(), kept.is_empty()) {
            (false, _) => exact,
            (true, false) => kept,
            (true, true) => all,
        }
    }

    /// The overload a call with these template arguments, as written, and these arguments means.
    pub(super) fn overload_given(
        &mut self,
        function: FunctionId,
        given: &[String],
        written: &'p [Expr],
        args: &[Argument],
        object: Option<&Static>,
    ) -> Choice {
        let all = self.possible(function, given, args.len());
        match all.as_slice() {
            [only] => Choice {
                function: *only,
                sure: true,
            },
            all => {
                let types = self.types_of_arguments(written, args);
                match self.best_of_given(all, given.len(), &types, object) {
                    Some(function) => Choice { function, sure: true },
                    None => {
                        let viable = self.viable(all.to_vec(), given.len(), &types, object);
                        Choice {
                            function: self.best_of_values(function, viable, args),
                            sure: false,
                        }
                    }
                }
            }
        }
    }

    /// The overload a call with these arguments means.
    pub(super) fn overload(
        &mut self,
        function: FunctionId,
        written: &'p [Expr],
        args: &[Argument],
        object: Option<&Static>,
    ) -> Choice {
        if self.program.overloads(function, args.len()).len() < 2 {
            return Choice { function, sure: true };
        }
        let types = self.types_of_arguments(written, args);
        let all = self.program.overloads(function, args.len());
        let possible = self.deduced_from(all.clone(), written);
        match possible.as_slice() {
            [only] if all.len() > 1 => Choice {
                function: *only,
                sure: true,
            },
            several if several.len() < all.len() => match self.best_of(several, &types, object) {
                Some(function) => Choice { function, sure: true },
                None => Choice {
                    function: several[0],
                    sure: false,
                },
            },
            _ => self.overload_of(function, &types, args, object),
        }
    }

    /// Those whose template parameters do not stand for braces alone: nothing is deduced from these.
    fn deduced_from(&self, all: Vec<FunctionId>, written: &[Expr]) -> Vec<FunctionId> {
        if !written.iter().any(|it| matches!(it.kind, ExprKind::InitList(_))) {
            return all;
        }
        let is_open = |id: &FunctionId| {
            let definition = self.program.function(*id);
            let mut pairs = definition.params.iter().zip(written);
            pairs.any(|(parameter, it)| {
                let mut names = definition.template_params.iter();
                matches!(it.kind, ExprKind::InitList(_)) && names.any(|it| it == parameter.ty.name.last())
            })
        };
        let kept: Vec<FunctionId> = all.iter().copied().filter(|it| !is_open(it)).collect();
        if kept.is_empty() { all } else { kept }
    }

    fn types_of_arguments(&mut self, written: &'p [Expr], args: &[Argument]) -> Vec<Option<Static>> {
        if written.len() != args.len() {
            return args.iter().map(|it| self.type_of_value(&it.value)).collect();
        }
        let pairs = written.iter().zip(args);
        pairs
            .map(|(it, argument)| self.type_of_argument(it, &argument.value))
            .collect()
    }

    /// Whether some overload takes what is written: `fabs(x)` is not the project's `fabs(float2)`.
    pub(super) fn is_taken(&mut self, function: FunctionId, written: &'p [Expr]) -> bool {
        let is_vector = |id: FunctionId| {
            let params = &self.program.function(id).params;
            params
                .iter()
                .any(|it| vector_element(it.ty.name.last()).is_some())
        };
        if !is_vector(function) {
            return true;
        }
        let all = self.program.overloads(function, written.len());
        if !all.iter().all(|it| is_vector(*it)) {
            return true;
        }
        let types: Vec<Option<Static>> = written.iter().map(|it| self.type_of(it)).collect();
        all.iter()
            .any(|it| !self.fits(*it, &types, None).contains(&Fit::None))
    }

    /// The same where the types are known already.
    pub(super) fn overload_of(
        &mut self,
        function: FunctionId,
        types: &[Option<Static>],
        args: &[Argument],
        object: Option<&Static>,
    ) -> Choice {
        let all = self.program.overloads(function, types.len());
        self.overload_among(all, function, types, args, object)
    }

    fn overload_among(
        &mut self,
        all: Vec<FunctionId>,
        function: FunctionId,
        types: &[Option<Static>],
        args: &[Argument],
        object: Option<&Static>,
    ) -> Choice {
        let all = self.constructors_for(all, args);
        match self.best_of(&all, types, object) {
            Some(function) => Choice { function, sure: true },
            None => Choice {
                function: self.best_of_values(function, self.viable(all, 0, types, object), args),
                sure: false,
            },
        }
    }

    /// Those that no known type keeps out; all, where every one is kept out, so that some type was read wrongly.
    fn viable(
        &self,
        all: Vec<FunctionId>,
        given: usize,
        types: &[Option<Static>],
        object: Option<&Static>,
    ) -> Vec<FunctionId> {
        let takes = |id: &FunctionId| {
            !self.fits_given(*id, given, types, object).contains(&Fit::None)
                && self.demands_hold(*id, types) != Some(false)
        };
        let kept: Vec<FunctionId> = all.iter().copied().filter(takes).collect();
        if kept.is_empty() { all } else { kept }
    }

    /// Overloads without those that run already, and that nothing decided since: called by themselves they would never end.
    fn without_endless(&self, all: Vec<FunctionId>, arguments: usize) -> Vec<FunctionId> {
        let is_endless = |id: &FunctionId| {
            self.control.frames.iter().any(|frame| {
                frame.function == Some(*id)
                    && (frame.asked, frame.answered, frame.given) == (self.asked, self.answered, arguments)
                    && frame.early.is_empty()
            })
        };
        let kept: Vec<FunctionId> = all.iter().copied().filter(|it| !is_endless(it)).collect();
        if kept.is_empty() { all } else { kept }
    }

    /// A constructor that takes an object of the class, made of the argument first, is never better than the one that
    /// makes it: those are left out where the argument is no object.
    fn constructors_for(&self, all: Vec<FunctionId>, args: &[Argument]) -> Vec<FunctionId> {
        let [only] = args else { return all };
        if matches!(only.value, Value::Aggregate(_) | Value::Unknown(_)) {
            return all;
        }
        let kept = all.iter().copied().filter(|it| !self.copies_its_class(*it));
        let kept: Vec<FunctionId> = kept.collect();
        if kept.is_empty() { all } else { kept }
    }

    /// Whether a function is a constructor that takes an object of its own class.
    pub(super) fn copies_its_class(&self, function: FunctionId) -> bool {
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let first = definition.params.first();
        let class = first.and_then(|it| self.program.resolve_class(scope, &it.ty.name));
        definition.role == Role::Constructor
            && first.is_some_and(|it| it.ty.pointers == 0)
            && class.is_some()
            && class == self.program.class_of_method(function)
    }

    /// The overload that static types choose; `None` where they do not tell.
    pub(super) fn overload_of_types(
        &mut self,
        function: FunctionId,
        types: &[Option<Static>],
        object: Option<&Static>,
    ) -> Option<FunctionId> {
        let all = self.program.overloads(function, types.len());
        self.best_of(&all, types, object)
    }

    /// The best of several candidates that take so many arguments.
    pub(super) fn best_of(
        &self,
        all: &[FunctionId],
        types: &[Option<Static>],
        object: Option<&Static>,
    ) -> Option<FunctionId> {
        self.best_of_given(all, 0, types, object)
    }

    /// The same where so many template arguments are written.
    fn best_of_given(
        &self,
        all: &[FunctionId],
        given: usize,
        types: &[Option<Static>],
        object: Option<&Static>,
    ) -> Option<FunctionId> {
        let mut fits: Vec<Row> = Vec::with_capacity(all.len());
        for id in all {
            let row = self.fits_given(*id, given, types, object);
            if !row.contains(&Fit::None) {
                fits.push((*id, row));
            }
        }
        let mut fits = self.demanded(fits, types);
        // Where all take the same, it does not matter what that is.
        for column in 0..types.len() {
            if types[column].is_none() && self.same_parameter(&fits, column) {
                fits.iter_mut().for_each(|(_, row)| row[column] = exact(0));
            }
        }
        self.best_row(&fits)
    }

    /// Candidates whose demands may hold. Of those that take the same parameters, one whose demands are known to hold
    /// keeps the others out: with two of them the call would be ambiguous.
    fn demanded(&self, fits: Vec<Row>, types: &[Option<Static>]) -> Vec<Row> {
        let asks = |id: FunctionId| demands_of(self.program.function(id)).next().is_some();
        if fits.len() < 2 || !fits.iter().any(|it| asks(it.0)) {
            return fits;
        }
        let held: Vec<(Row, Option<bool>)> = fits
            .into_iter()
            .map(|it| {
                let holds = self.demands_hold(it.0, types);
                (it, holds)
            })
            .collect();
        let alike = |one: FunctionId, other: FunctionId| {
            let params = |id: FunctionId| self.program.function(id).params.iter().map(|it| &it.ty);
            one != other && asks(one) && asks(other) && params(one).eq(params(other))
        };
        let chosen: Vec<FunctionId> = held
            .iter()
            .filter(|it| it.1 == Some(true))
            .map(|it| it.0.0)
            .collect();
        let kept = held.into_iter().filter(|((id, _), holds)| match holds {
            Some(holds) => *holds,
            None => !chosen.iter().any(|it| alike(*it, *id)),
        });
        kept.map(|it| it.0).collect()
    }

    fn best_row(&self, fits: &[Row]) -> Option<FunctionId> {
        let best = fits.iter().position(|one| {
            fits.iter()
                .all(|other| one.0 == other.0 || self.is_better(one, other))
        })?;
        Some(fits[best].0)
    }

    /// The operator of a class, or the free one, that is meant for these operands; the inner `None` where there are
    /// some and the types do not tell which.
    pub(super) fn operator_for(&self, name: &str, operands: &[Option<Static>]) -> Option<Option<FunctionId>> {
        let class_of = |it: &Option<Static>| it.as_ref().and_then(Static::class);
        let classes: Vec<ClassId> = operands.iter().filter_map(class_of).collect();
        if classes.is_empty() {
            return None;
        }
        let mut fits: Vec<Row> = Vec::new();
        if let Some(class) = class_of(&operands[0])
            && let Some(first) = self.program.resolve_method(class, name, operands.len() - 1)
        {
            for id in self.program.overloads(first, operands.len() - 1) {
                let object = operands[0].clone().map(|it| Static {
                    category: it.category,
                    ..it
                });
                let mut row = self.fits(id, &operands[1..], object.as_ref());
                let object = if row.len() == operands.len() {
                    row.pop()
                } else {
                    None
                };
                row.insert(0, object.unwrap_or(exact(0)));
                fits.push((id, row));
            }
        }
        for id in self
            .program
            .free_functions(self.scope(), name, operands.len(), &classes)
        {
            fits.push((id, self.fits(id, operands, None)));
        }
        if fits.is_empty() {
            return None;
        }
        fits.retain(|(_, row)| !row.contains(&Fit::None));
        match fits.as_slice() {
            [] => None,
            [only] => Some(Some(only.0)),
            all => Some(self.best_row(all)),
        }
    }

    fn same_parameter(&self, fits: &[Row], column: usize) -> bool {
        let parameter = |id: FunctionId| self.program.function(id).params.get(column).map(|it| &it.ty);
        let Some((first, _)) = fits.first() else {
            return false;
        };
        fits.iter()
            .all(|(id, _)| parameter(*id).is_some() && parameter(*id) == parameter(*first))
    }

    /// How each argument fits, the object a method is called on last.
    fn fits(&self, function: FunctionId, types: &[Option<Static>], object: Option<&Static>) -> Vec<Fit> {
        self.fits_given(function, 0, types, object)
    }

    /// The same where so many template arguments are written: what they name is not deduced.
    fn fits_given(
        &self,
        function: FunctionId,
        given: usize,
        types: &[Option<Static>],
        object: Option<&Static>,
    ) -> Vec<Fit> {
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let class = self.program.class_of_method(function);
        let of_class = class.map_or(&[][..], |it| &self.program.class(it).template_params[..]);
        let mut row: Vec<Fit> = types
            .iter()
            .enumerate()
            .map(|(index, ty)| match (definition.params.get(index), ty) {
                (Some(parameter), _) if parameter.pack => Fit::Unknown,
                (None, _) => Fit::Unknown,
                // What the class was made for is not known.
                (Some(parameter), Some(ty))
                    if !ty.is_closure()
                        && of_class.iter().any(|it| it == parameter.ty.name.last())
                        && *self.template_argument(parameter.ty.name.last()) == *parameter.ty.name.last() =>
                {
                    Fit::Unknown
                }
                // What the class leaves open is what the closure is, or what it was made for.
                (Some(parameter), Some(ty))
                    if ty.is_closure() && of_class.iter().any(|it| it == parameter.ty.name.last()) =>
                {
                    exact(0)
                }
                (Some(parameter), Some(ty)) => {
                    let template = (
                        definition.template_params.as_slice(),
                        definition.template_defaults.as_slice(),
                    );
                    self.fit_static(parameter, (template.0, template.1, given), scope, ty)
                }
                (Some(_), None) => Fit::Unknown,
            })
            .collect();
        if let Some(object) = object.filter(|_| !definition.is_static) {
            row.push(match (definition.constant, object.constant) {
                (false, true) => Fit::None,
                (constant, given) => match (definition.object, object.category) {
                    (ObjectKind::Named, Category::Moved | Category::Temporary) if !constant => Fit::None,
                    (ObjectKind::Temporary, Category::Named) => Fit::None,
                    // A temporary prefers `&&` to `const&`.
                    (ObjectKind::Named, Category::Moved | Category::Temporary) => exact(2),
                    _ => exact(u8::from(constant != given)),
                },
            });
        }
        row
    }

    /// Whether a constructor takes an object as it is: of two conversions by code of classes, none is made.
    pub(super) fn takes(&self, constructor: FunctionId, given: &Static) -> Option<bool> {
        let definition = self.program.function(constructor);
        let scope = Scope {
            file: constructor.file,
            path: &definition.path,
        };
        let parameter = definition.params.first().filter(|it| !it.pack)?;
        let wanted = &parameter.ty;
        let of_class = self.program.class_of_method(constructor);
        let of_class = of_class.map_or(&[][..], |it| &self.program.class(it).template_params[..]);
        let template = &definition.template_params;
        let mentions = |names: &[String]| {
            let mut args = wanted.name.template_args.iter();
            args.any(|it| names.iter().any(|name| it.contains(name.as_str())))
        };
        let known = |fit: Fit| match fit {
            Fit::None => Some(false),
            Fit::Known(_) => Some(true),
            _ => None,
        };
        if of_class.iter().any(|it| it == wanted.name.last()) {
            return None;
        }
        if template.iter().any(|it| it == wanted.name.last()) {
            return known(fit_deduced(wanted, given));
        }
        if mentions(template) && wanted.pointers == 0 {
            return known(self.fit_template(wanted, scope, given));
        }
        let wanted = self.static_type(wanted, 0, scope)?;
        match (&wanted.core, &given.core) {
            (_, Core::Class(_)) if wanted.pointers > 0 => Some(false),
            (Core::Number(_), Core::Class(_)) => Some(false),
            (Core::Other(name), Core::Class(_)) if is_handle(name) => Some(false),
            (Core::Class(to), Core::Class(from)) => match self.distance_to(*from, *to, 0) {
                Some(_) => known(fit_deduced(&parameter.ty, given)),
                None if self.has_unseen_base(*from, 0) => None,
                None => Some(false),
            },
            _ => None,
        }
    }

    /// Whether one candidate is better than another for what is known.
    fn is_better(&self, one: &Row, other: &Row) -> bool {
        // What fits as well would make the call ambiguous, so it need not be known how others fit.
        match (self.is_perfect(one), self.is_perfect(other)) {
            (true, false) => return true,
            (false, true) => return false,
            _ => {}
        }
        let mut better = false;
        for (a, b) in one.1.iter().zip(&other.1) {
            match (a, b) {
                (Fit::Known(a), Fit::Known(b)) => {
                    if a > b {
                        return false;
                    }
                    better |= a < b;
                }
                (Fit::Known(a), Fit::Inexact) if a.step == Step::Exact => better = true,
                (Fit::Known(_), Fit::User) => better = true,
                _ => return false,
            }
        }
        better || self.is_more_special(one.0, other.0)
    }

    /// Whether a function that is no template takes everything as it is.
    fn is_perfect(&self, (function, row): &Row) -> bool {
        let definition = self.program.function(*function);
        definition.template_params.is_empty() && row.iter().all(|it| *it == exact(0))
    }

    /// Between equals: what is no template, then what its parameters say more about.
    fn is_more_special(&self, one: FunctionId, other: FunctionId) -> bool {
        let special = |id: FunctionId| {
            let definition = self.program.function(id);
            let written = definition.params.iter().map(|it| {
                let ty = &it.ty;
                let open = definition
                    .template_params
                    .iter()
                    .any(|name| name == ty.name.last());
                u32::from(ty.pointers) * 4
                    + u32::from(!open) * 8
                    + u32::from(ty.constant)
                    + ty.name.template_args.len() as u32
            });
            (definition.template_params.is_empty(), written.sum::<u32>())
        };
        let is_pack = |id: FunctionId| self.program.function(id).params.iter().any(|it| it.pack);
        let specialises = |id: FunctionId| !self.program.function(id).specialisation.is_empty();
        match (is_pack(one), is_pack(other)) {
            (false, true) => return true,
            (true, _) => return false,
            (false, false) => {}
        }
        !specialises(one) && !specialises(other) && special(one) > special(other)
    }
}

impl Machine<'_> {
    /// The overload whose parameters fit the values best; what was found first, where nothing tells.
    pub(super) fn best_overload(&self, function: FunctionId, args: &[Argument]) -> FunctionId {
        self.best_of_values(function, self.program.overloads(function, args.len()), args)
    }

    fn best_of_values(&self, function: FunctionId, all: Vec<FunctionId>, args: &[Argument]) -> FunctionId {
        match self.without_endless(all, args.len()).as_slice() {
            [only] => *only,
            all => {
                let scored = all.iter().map(|id| (self.fit(*id, args), *id));
                let best = scored.max_by_key(|(score, id)| (*score, *id == function, std::cmp::Reverse(*id)));
                best.map_or(function, |(_, id)| id)
            }
        }
    }

    fn fit(&self, function: FunctionId, args: &[Argument]) -> i32 {
        let definition = self.program.function(function);
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let parameters = definition.params.iter().zip(args);
        parameters
            .map(|(parameter, argument)| self.fit_of(&parameter.ty, scope, &argument.value))
            .sum()
    }

    /// How well a value fits a type: negative where it cannot be one.
    pub(super) fn fit_of(&self, ty: &Type, scope: Scope<'_>, value: &Value) -> i32 {
        let class = self.program.resolve_pointed_class(scope, &ty.name);
        let pointer =
            ty.pointers > 0 || class.is_some() && self.program.resolve_class(scope, &ty.name).is_none();
        match (value, class) {
            (Value::Aggregate(place), Some(class)) if !pointer => match self.memory.classes.get(place) {
                Some(own) if *own == class => 4,
                Some(_) => -4,
                None => 0,
            },
            (Value::Aggregate(place), None) if self.memory.classes.contains_key(place) => {
                if ty.name.last() == "auto" { 0 } else { -2 }
            }
            (Value::Pointer(place), Some(class)) if pointer => match self.memory.classes.get(place) {
                Some(own) if *own == class => 4,
                Some(_) => -4,
                None => 1,
            },
            (Value::Pointer(_), None) => i32::from(pointer),
            (Value::Pointer(_), Some(_)) => -4,
            (Value::Int(0), Some(_)) if pointer => 1,
            (Value::Int(_) | Value::Str(_) | Value::Stream(_) | Value::Event(_), Some(_)) => -4,
            (Value::Unknown(_), Some(_)) if self.is_stream(value) => -4,
            (Value::Unknown(_) | Value::Stream(_), None) if self.is_stream(value) => {
                if ty.name.last().to_lowercase().contains("stream") {
                    3
                } else {
                    -1
                }
            }
            (Value::Event(_), None) => {
                if ty.name.last().to_lowercase().contains("event") {
                    3
                } else {
                    -1
                }
            }
            (Value::Str(_), None) => {
                let text = matches!(ty.name.last(), "char" | "string" | "string_view");
                if text { 3 } else { -1 }
            }
            // A number is no object of a class that was not found.
            (Value::Int(_), None) if !pointer && ty.reference && !holds_numbers(ty.name.last()) => 0,
            (Value::Int(_), None) => i32::from(!pointer) - i32::from(pointer),
            _ => 0,
        }
    }
}
