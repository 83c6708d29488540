//! Partial specialisations: which of them template arguments mean, and what their parameters stand for.

use std::collections::BTreeMap;

use crate::facts::ir::Class;

/// What the parameters of a partial specialisation stand for.
type Bindings<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// More arguments than this are a table.
const MOST_TOKENS: usize = 64;

/// How much a partial specialisation says of the arguments it takes; `None` where it does not take these.
pub(super) fn speciality(class: &Class, arguments: &[String]) -> Option<usize> {
    let bound = bind(class, arguments)?;
    let pattern = tokens(&class.specialisation);
    let open = pattern.iter().filter(|it| bound.contains_key(*it)).count();
    // What is said twice says that both are the same.
    Some(2 * (pattern.len() - open) + (open - bound.len().min(open)))
}

/// What its parameters stand for, in their order.
pub(super) fn bound(class: &Class, arguments: &[String]) -> Option<Vec<String>> {
    let bound = bind(class, arguments)?;
    let params = class.template_params.iter();
    params
        .map(|it| bound.get(it.as_str()).map(|it| joined(it)))
        .collect()
}

/// Whether a class is a partial specialisation.
fn is_partial(class: &Class) -> bool {
    !class.specialisation.is_empty() && !class.template_params.is_empty()
}

/// Whether a partial specialisation may take arguments of which the last ones are not written: nobody says here what they are.
pub(super) fn may_take(class: &Class, arguments: &[String]) -> bool {
    let is_short = arguments.len() < class.specialisation.len();
    is_short && bind_first(class, arguments).is_some()
}

fn bind<'a>(class: &'a Class, arguments: &'a [String]) -> Option<Bindings<'a>> {
    let is_whole = class.specialisation.len() == arguments.len();
    bind_first(class, arguments).filter(|_| is_whole)
}

/// The same by as many arguments as there are.
fn bind_first<'a>(class: &'a Class, arguments: &'a [String]) -> Option<Bindings<'a>> {
    let pattern = class.specialisation.get(..arguments.len())?;
    if !is_partial(class) {
        return None;
    }
    let (pattern, given) = (tokens(pattern), tokens(arguments));
    if pattern.len() > MOST_TOKENS || given.len() > MOST_TOKENS {
        return None;
    }
    let is_open = |it: &str| class.template_params.iter().any(|param| param == it);
    matched(&pattern, &given, &is_open, Bindings::new())
}

fn matched<'a>(
    pattern: &[&'a str],
    given: &[&'a str],
    is_open: &dyn Fn(&str) -> bool,
    bound: Bindings<'a>,
) -> Option<Bindings<'a>> {
    let Some((first, rest)) = pattern.split_first() else {
        return given.is_empty().then_some(bound);
    };
    if !is_open(first) {
        return match given.split_first() {
            Some((token, behind)) if token == first => matched(rest, behind, is_open, bound),
            _ => None,
        };
    }
    if let Some(known) = bound.get(first) {
        let behind = given.strip_prefix(known.as_slice())?;
        return matched(rest, behind, is_open, bound);
    }
    (1..=given.len())
        .take_while(|length| is_argument(&given[..*length], false))
        .filter(|length| is_argument(&given[..*length], true))
        .find_map(|length| {
            let mut bound = bound.clone();
            bound.insert(first, given[..length].to_vec());
            matched(rest, &given[length..], is_open, bound)
        })
}

/// Whether some tokens are one argument, or, where they need not be closed, can begin one.
fn is_argument(tokens: &[&str], closed: bool) -> bool {
    let mut depth = 0_i32;
    for token in tokens {
        match *token {
            "<" | "(" | "[" => depth += 1,
            ">" | ")" | "]" => depth -= 1,
            "," if depth == 0 => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    !closed || depth == 0
}

/// The words and signs of a list of arguments, without the namespaces of names.
fn tokens(arguments: &[String]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        if index > 0 {
            found.push(",");
        }
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let mut rest = argument.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match is_word(first) {
                true => rest.find(|it| !is_word(it)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            rest = behind.trim_start();
            if token == ":" {
                rest = rest.trim_start_matches(':').trim_start();
                found.pop_if(|it| it.chars().all(is_word));
                continue;
            }
            found.push(token);
        }
    }
    found
}

fn joined(tokens: &[&str]) -> String {
    let is_word = |it: &str| it.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    let mut text = String::new();
    for token in tokens {
        if is_word(token) && text.ends_with(|it: char| it.is_alphanumeric() || it == '_') {
            text.push(' ');
        }
        text.push_str(token);
    }
    text
}
