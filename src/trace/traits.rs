//! Type traits: what they say of types that are known, in conditions and in what keeps a template out of an overload set.

use std::borrow::Cow;
use std::sync::Arc;

use super::demands::trait_called;
use super::machine::Machine;
use super::memory::Value;
use super::templates::{bound_template, replaced};
use super::types::{Builtin, Static};
use crate::facts::ir::{Expr, ExprKind, Name, Parameter, Type, UnaryOp};
use crate::program::FunctionId;

impl<'p> Machine<'p> {
    /// What a trait says of the types it is given, where that is known: `std::is_same_v<T, int>`.
    pub(super) fn trait_value(&self, name: &Name) -> Option<bool> {
        let (trait_name, written) = match name.path.as_slice() {
            [space, name_v] if space == "std" => (name_v.strip_suffix("_v")?, &name.template_args),
            [space, class, value] if space == "std" && value == "value" => (class.as_str(), &name.owner_args),
            _ => return None,
        };
        if trait_name == "is_constructible"
            && let [ty, rest] = written.as_slice()
            && let Some(known) = self.is_made_of_pack(ty, rest)
        {
            return known;
        }
        let types: Vec<Arc<str>> = written.iter().map(|it| self.template_argument(it)).collect();
        let types: Vec<&str> = types.iter().map(|it| it.trim()).collect();
        self.says(trait_name, &types)
    }

    /// What `typeid` tells a type apart by: a text where the type is known. A name that nobody knows means the same type as the
    /// same name only, and perhaps that of another. What an expression's type is may be known at run time alone.
    pub(super) fn identity_of_type(&mut self, operands: &'p [Expr]) -> Option<Value> {
        let [
            Expr {
                kind: ExprKind::Name(name),
                ..
            },
        ] = operands
        else {
            return None;
        };
        if name.is_plain() && self.lookup(name.last()).is_some() {
            return None;
        }
        let name = self.substituted(name).unwrap_or_else(|| name.clone());
        let given: Vec<Arc<str>> = name
            .template_args
            .iter()
            .map(|it| self.template_argument(it))
            .collect();
        if given.is_empty()
            && let Some(number) = Builtin::named(name.last())
        {
            return Some(Value::Str(number.text().into()));
        }
        let class = self.class_meant(&name);
        let path = class.map_or(&name.path, |it| &self.program.class(it).path);
        let text = format!("{}<{}>", path.join("::"), given.join(","));
        Some(match class {
            Some(_) => Value::Str(text.into()),
            None => self.memory.named(&text),
        })
    }

    /// The same of written types.
    fn says(&self, trait_name: &str, types: &[&str]) -> Option<bool> {
        let number = |it: &str| Builtin::named(it.trim_start_matches("const ").trim());
        // What is no pointer, array or reference to something, and no class either, is not known by its name alone.
        let is_known =
            |it: &str| it.ends_with(['*', ']', '&']) || number(it).is_some() || self.names_class(it);
        let [first, ..] = types else { return None };
        if !is_known(first) {
            return None;
        }
        match (trait_name, types) {
            ("is_array", [it]) => Some(it.ends_with(']')),
            ("is_pointer", [it]) => Some(it.ends_with('*')),
            ("is_integral", [it]) => Some(number(it).is_some_and(|it| it < Builtin::Float)),
            ("is_floating_point", [it]) => Some(number(it).is_some_and(|it| it >= Builtin::Float)),
            ("is_signed" | "is_unsigned", [it]) => number(it).map(|it| {
                let signed = !matches!(it.number(), super::numbers::Number::Bool)
                    && !matches!(it.number(), super::numbers::Number::Integer { signed: false, .. });
                signed == (trait_name == "is_signed")
            }),
            ("is_arithmetic", [it]) => Some(number(it).is_some()),
            ("is_class", [it]) => Some(self.names_class(it)),
            ("is_reference", [it]) => Some(it.ends_with('&')),
            ("is_same", [one, other]) if one == other => Some(true),
            ("is_same", [one, other]) => match (number(one), number(other)) {
                (Some(one), Some(other)) if types.iter().all(|it| !it.starts_with("const ")) => {
                    Some(one == other)
                }
                (Some(_), None) | (None, Some(_)) if is_known(other) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    fn names_class(&self, text: &str) -> bool {
        let name = crate::program::kernels::written_name(text);
        name.is_some_and(|it| self.class_meant(&it).is_some())
    }

    /// `std::is_constructible_v<T, Args...>` where the arguments are those of the function that runs.
    fn is_made_of_pack(&self, ty: &str, rest: &str) -> Option<Option<bool>> {
        let pack = rest.trim_end_matches(['.', ' ', '&']);
        let frame = self.control.frames.iter().rev().find(|it| !it.transparent)?;
        let parameters = &self.program.function(frame.function?).params;
        let named = parameters
            .iter()
            .find(|it| it.pack && it.ty.name.last() == pack)?;
        let (_, args) = frame.pack.as_ref().filter(|(name, _)| *name == named.name)?;
        let Some(class) = self.class_of_type(&Name::of_type(ty)) else {
            return Some(Builtin::named(&self.template_argument(ty)).map(|_| args.len() <= 1));
        };
        let is_copy = args.len() == 1
            && args.iter().all(|it| {
                let own = self.type_of_value(&it.value).and_then(|it| it.class());
                own.is_some_and(|it| self.distance_to(it, class, 0).is_some())
            });
        let by_constructor = self.program.resolve_constructor(class, args.len()).is_some();
        let plain = !self.program.has_constructor(class);
        Some(Some(is_copy || by_constructor || plain && args.is_empty()))
    }

    /// Whether what a function template demands of its parameters is known not to hold for these.
    pub(super) fn is_kept_out(&self, function: FunctionId, written: &[String]) -> bool {
        let definition = self.program.function(function);
        if definition.template_params.is_empty() {
            return false;
        }
        let given: Vec<Arc<str>> = written.iter().map(|it| self.template_argument(it)).collect();
        let bound = bound_template(&definition.template_params, given);
        let defaults = definition.template_defaults.iter().map(|(_, text)| text.as_str());
        let by_result = demand_of(&definition.result);
        let demands = defaults.filter_map(demand).chain(by_result);
        demands
            .into_iter()
            .any(|it| self.holds(&replaced(it, &bound)) == Some(false))
    }

    /// Whether a default says nothing against what a parameter of a template would stand for: a number is no iterator.
    pub(super) fn is_deduced(
        &self,
        parameter: &Parameter,
        defaults: &[(String, String)],
        given: &Static,
    ) -> bool {
        let asked = format!("iterator_traits<{}>", parameter.ty.name.last());
        given.builtin().is_none() || !defaults.iter().any(|(_, text)| text.contains(&asked))
    }

    /// Whether a condition over types holds.
    fn holds(&self, text: &str) -> Option<bool> {
        combined(text, &|it| self.trait_value(&trait_called(it)?))
    }
}

/// What a condition over types comes to: traits joined with `!`, `&&` and `||`.
pub(super) fn combined(text: &str, holds: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let text = text.trim();
    if let Some((one, other)) = split(text, "||") {
        return match (combined(one, holds), combined(other, holds)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
    }
    if let Some((one, other)) = split(text, "&&") {
        return match (combined(one, holds), combined(other, holds)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
    }
    if let Some(inner) = text.strip_prefix('!') {
        return combined(inner, holds).map(|it| !it);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        return combined(inner, holds);
    }
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => holds(text),
    }
}

/// What `std::enable_if_t<condition, T>` is where the condition holds; any other type is itself.
pub(super) fn enabled(ty: &Type) -> Cow<'_, Type> {
    let name = &ty.name;
    let args = match name.last() {
        "enable_if_t" => &name.template_args,
        "type" if name.path.iter().any(|it| it == "enable_if") => &name.owner_args,
        _ => return Cow::Borrowed(ty),
    };
    let written = args.get(1).map_or("void", String::as_str);
    let core = written.trim_end_matches(['*', '&', ' ']);
    let behind = &written[core.len()..];
    let mut meant = ty.clone();
    meant.name = Name::of_type(core.trim_start_matches("const "));
    meant.pointers = meant.pointers.saturating_add(behind.matches('*').count() as u8);
    meant.reference |= behind.contains('&');
    Cow::Owned(meant)
}

/// Whether a function hands out what an expression it returns names: it returns a reference, however that is written.
pub(super) fn returns_reference(result: &Type, returned: &Expr) -> bool {
    match result.name.last() {
        _ if result.pointers > 0 => false,
        _ if result.reference => true,
        "add_lvalue_reference_t" => true,
        "decltype(auto)" => matches!(
            &returned.kind,
            ExprKind::Index { .. }
                | ExprKind::Unary {
                    op: UnaryOp::Deref,
                    ..
                }
        ),
        _ => false,
    }
}

/// The condition in `std::enable_if_t<condition, T>`.
pub(super) fn demand(text: &str) -> Option<&str> {
    let start = text.find("enable_if")?;
    let (_, inner) = text[start..].split_once('<')?;
    let end = top_level(inner, |rest| rest.starts_with([',', '>']))?;
    Some(&inner[..end])
}

pub(super) fn demand_of(ty: &Type) -> Option<&str> {
    let name = &ty.name;
    match name.last() {
        "enable_if_t" => name.template_args.first(),
        "type" if name.path.iter().any(|it| it == "enable_if") => name.owner_args.first(),
        _ => None,
    }
    .map(String::as_str)
}

/// The two sides of an operator that stands in no brackets.
fn split<'a>(text: &'a str, operator: &str) -> Option<(&'a str, &'a str)> {
    let at = top_level(text, |rest| rest.starts_with(operator))?;
    Some((&text[..at], &text[at + operator.len()..]))
}

/// Where something begins that stands in no brackets.
fn top_level(text: &str, found: impl Fn(&str) -> bool) -> Option<usize> {
    let mut depth = 0;
    for (at, it) in text.char_indices() {
        if depth == 0 && found(&text[at..]) {
            return Some(at);
        }
        match it {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}
