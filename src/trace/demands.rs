//! What templates demand of their parameters, `requires` and `enable_if`: whether it holds for what a call hands over.

use super::machine::Machine;
use super::templates::replaced;
use super::traits::{combined, demand, demand_of};
use super::types::{Builtin, Core, Static};
use crate::facts::ir::{Function, Name};
use crate::program::{ClassId, FunctionId, Scope};

/// Demands on what demands are made of are not looked at deeper than this.
const MOST_DEPTH: u8 = 3;

/// Template parameters with what was deduced for them.
type Deduced<'a> = Vec<(&'a str, &'a Static)>;

impl Machine<'_> {
    /// Whether what a function demands of its template parameters holds for arguments of these types.
    pub(super) fn demands_hold(&self, function: FunctionId, types: &[Option<Static>]) -> Option<bool> {
        self.demands_hold_within(function, types, 0)
    }

    fn demands_hold_within(&self, function: FunctionId, types: &[Option<Static>], depth: u8) -> Option<bool> {
        let definition = self.program.function(function);
        if definition.template_params.is_empty() {
            return Some(true);
        }
        let scope = Scope {
            file: function.file,
            path: &definition.path,
        };
        let demands = demands_of(definition);
        let deduced = deduced(definition, types);
        let mut known = Some(true);
        for demand in demands {
            match combined(demand, &|it| self.demand_holds(it, scope, &deduced, depth)) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = None,
            }
        }
        known
    }

    /// One trait, of a template parameter.
    fn demand_holds(&self, text: &str, scope: Scope<'_>, deduced: &Deduced<'_>, depth: u8) -> Option<bool> {
        let name = trait_called(text)?;
        let of = |it: &String| {
            let mut all = deduced.iter();
            all.find(|(name, _)| name == it).map(|it| it.1)
        };
        match name.path.as_slice() {
            [space, asked, ..] if space == "std" && asked.trim_end_matches("_v") == "is_convertible" => {
                let args: Vec<&String> = name.template_args.iter().chain(&name.owner_args).collect();
                let [from, to] = args.as_slice() else { return None };
                let to = Name::written(unqualified(to))?;
                self.is_convertible(of(from)?, self.program.resolve_class(scope, &to)?, depth)
            }
            [.., asked, value] if value == "value" && name.path[0] != "std" => {
                match name.owner_args.as_slice() {
                    [only] => self.says_own_trait(asked, of(only)?, scope),
                    _ => None,
                }
            }
            // What the types are called tells what the standard library says of them.
            [space, ..] if space == "std" => {
                let args = name.template_args.iter().chain(&name.owner_args);
                let texts =
                    args.map(|it| Some((it.clone(), std::sync::Arc::from(self.text_of_type(of(it)?)?))));
                let known = texts.collect::<Option<_>>()?;
                self.trait_value(&trait_called(&replaced(text, &known))?)
            }
            _ => None,
        }
    }

    /// A number or a class that is no template, as it is called.
    fn text_of_type(&self, ty: &Static) -> Option<String> {
        match ty.core {
            _ if ty.pointers > 0 => None,
            Core::Number(builtin) => Some(builtin.text().to_owned()),
            Core::Class(class) if self.program.class(class).template_params.is_empty() => {
                Some(self.program.class(class).path.join("::"))
            }
            _ => None,
        }
    }

    /// Whether an object becomes one of a class by itself.
    pub(super) fn is_convertible(&self, from: &Static, wanted: ClassId, depth: u8) -> Option<bool> {
        if from.pointers > 0 || depth > MOST_DEPTH {
            return None;
        }
        if let Core::Class(class) = from.core {
            if self.is_of_template(class, wanted) {
                return Some(true);
            }
            let leads = |it: &FunctionId| {
                let definition = self.program.function(*it);
                let scope = Scope {
                    file: it.file,
                    path: &definition.path,
                };
                let made = self.program.resolve_class(scope, &definition.result.name);
                made.is_some_and(|it| self.is_of_template(it, wanted))
            };
            if self.program.conversions(class).iter().any(leads) {
                return Some(true);
            }
        }
        let first = self.program.resolve_constructor(wanted, 1);
        let all = first.map(|it| self.program.overloads(it, 1)).unwrap_or_default();
        let mut unknown = self.has_unseen_base(wanted, 0);
        for id in all.into_iter().filter(|it| !self.copies_its_class(*it)) {
            match self.takes_one(id, from, depth + 1) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => unknown = true,
            }
        }
        unknown |= from.class().is_some_and(|it| self.has_unseen_base(it, 0));
        unknown |= !matches!(from.core, Core::Class(_) | Core::Other(_));
        (!unknown).then_some(false)
    }

    /// Whether a constructor makes an object of one argument that nobody asks for.
    fn takes_one(&self, constructor: FunctionId, given: &Static, depth: u8) -> Option<bool> {
        if self.program.function(constructor).is_explicit {
            return Some(false);
        }
        let known = self.takes(constructor, given)?;
        match known {
            true => self.demands_hold_within(constructor, &[Some(given.clone())], depth),
            false => Some(false),
        }
    }

    /// `is_supported<T>::value`, where a class template of the program says it by its base.
    fn says_own_trait(&self, asked: &str, of: &Static, scope: Scope<'_>) -> Option<bool> {
        if of.pointers > 0 {
            return None;
        }
        let primary = self.program.resolve_class(scope, &Name::plain(asked))?;
        let says = |class: ClassId| match self.program.class(class).bases.as_slice() {
            [only] if only.last() == "true_type" => Some(true),
            [only] if only.last() == "false_type" => Some(false),
            _ => None,
        };
        let mut general = None;
        if self.program.class(primary).specialisation.is_empty() {
            general = says(primary);
        }
        for it in self.program.specialisations(primary) {
            let definition = self.program.class(it);
            let [pattern] = definition.specialisation.as_slice() else {
                return None;
            };
            let pattern = pattern.trim();
            let is_open = |it: &str| definition.template_params.iter().any(|param| param == it);
            if pattern.ends_with(['*', '&', ']']) {
                continue;
            }
            let named = Name::written(pattern)?;
            if is_open(named.last()) {
                return None;
            }
            let place = Scope {
                file: it.file,
                path: &definition.path,
            };
            let class = self.program.resolve_class(place, &named);
            let is_meant = match (&of.core, class) {
                (Core::Class(own), Some(class)) => self.is_of_template(*own, class).then_some(true),
                (Core::Class(_), None) => None,
                (Core::Other(own), None) => (Name::of_type(own).last() == named.last()).then_some(true),
                (Core::Other(_), Some(_)) => None,
                (Core::Number(own), _) => Builtin::named(pattern).filter(|it| it == own).map(|_| true),
                _ => return None,
            };
            if is_meant.is_some() {
                // What it is made of may mean another one.
                let is_whole = named.template_args.iter().all(|it| is_open(it));
                return is_whole.then(|| says(it)).flatten();
            }
        }
        // Another name may stand for what nobody sees the definition of.
        matches!(of.core, Core::Class(_) | Core::Number(_))
            .then_some(general)
            .flatten()
    }

    fn is_of_template(&self, class: ClassId, template: ClassId) -> bool {
        class == template || self.program.class(class).path == self.program.class(template).path
    }
}

/// The name of a trait: `is_ok_v<T>`, or `is_ok<T>::value` with what its class is made for.
pub(super) fn trait_called(text: &str) -> Option<Name> {
    let Some(class) = text.trim().strip_suffix("::value") else {
        return crate::program::kernels::written_name(text);
    };
    let mut name = Name::written(class)?;
    name.owner_args = std::mem::take(&mut name.template_args);
    name.path.push("value".to_owned());
    Some(name)
}

/// Conditions over the template parameters of a function.
pub(super) fn demands_of(definition: &Function) -> impl Iterator<Item = &str> {
    let defaults = definition.template_defaults.iter().map(|(_, text)| text.as_str());
    let written = definition.demands.iter().map(|it| demand(it).unwrap_or(it));
    defaults
        .filter_map(demand)
        .chain(demand_of(&definition.result))
        .chain(written)
}

/// What stands in template arguments is not told apart by being constant.
fn unqualified(text: &str) -> &str {
    text.trim()
        .trim_start_matches("const ")
        .trim_end_matches(" const")
}

fn deduced<'a>(definition: &'a Function, types: &'a [Option<Static>]) -> Deduced<'a> {
    let pairs = definition.params.iter().zip(types);
    pairs
        .filter_map(|(parameter, ty)| {
            let name = parameter.ty.name.last();
            let is_own = parameter.ty.name.is_plain() && !parameter.pack && parameter.ty.pointers == 0;
            let is_open = is_own && definition.template_params.iter().any(|it| it == name);
            Some((name, ty.as_ref()?)).filter(|_| is_open)
        })
        .collect()
}
