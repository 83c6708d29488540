//! Loads a kernel before the operation that waits is started.

use std::collections::BTreeSet;

use super::dialect::Dialect;
use super::{HangCase, chain, edit, first_resident, fresh_name, has_word, unsafe_fix};
use crate::api;
use crate::diagnostics::{Edit, Fix};
use crate::facts::ir::{ExprKind, Function, Name, Role, Span, Target};
use crate::facts::places;
use crate::facts::visit;
use crate::order::{EventRef, Gate};
use crate::program::{FileId, Program};
use crate::rules::story;
use crate::trace::KernelUse;

/// Places in front of what waits that are tried.
const PLACES: usize = 3;

/// A query of the kernel's attributes, put before the first launch of anything that waits; where the kernel has no name
/// there, into the last function before that in which it has one.
pub(in crate::rules) fn preload(case: &HangCase<'_>) -> Option<Fix> {
    let Gate::FirstUse { event, kernel, .. } = &case.hang.gate else {
        return None;
    };
    let resident = first_resident(case);
    let uses: Vec<(FileId, Span)> = chain(event.site(case.trace)).collect();
    // A launcher that starts both is no place to load one of them before the other.
    let launch = chain(resident.site(case.trace)).filter(|it| !uses.contains(it));
    let before = (0..resident.index).rev().flat_map(|index| {
        let earlier = EventRef { index, ..resident };
        chain(earlier.site(case.trace))
    });
    let before = before.filter(|it| !uses.contains(it));
    let mut functions = BTreeSet::new();
    let is_new = |(file, span): &(FileId, Span)| {
        let function = places::function_at(&case.program.unit(*file).facts, *span);
        function.is_some_and(|it| functions.insert((*file, it.span)))
    };
    let waiter = story::name(case, resident);
    let fix = |(file, span): (FileId, Span)| {
        let change = lines_at(case.program, file, span, kernel, uses[0])?;
        let function = places::function_at(&case.program.unit(file).facts, span)?;
        Some((function, edit(case.program, file, change)))
    };
    if let Some((_, edit)) = launch.filter_map(fix).next() {
        let title = format!("load `{}` before {waiter} is launched", kernel.name);
        return Some(unsafe_fix(title, vec![edit]));
    }
    let named = before.filter(is_new).filter_map(fix).take(PLACES);
    let beside = beside_kernel(case, kernel, &uses).take(PLACES);
    let fixes = named.chain(beside).map(|(function, edit)| {
        let place = function.path.join("::");
        let title = format!("load `{}` in `{place}`, before {waiter} is launched", kernel.name);
        unsafe_fix(title, vec![edit])
    });
    Fix::first_of(fixes.collect())
}

/// What runs on this path in the file of a launch that nobody else can name the kernel of: first what makes objects, and
/// whatever does not launch it.
fn beside_kernel<'a>(
    case: &'a HangCase<'_>,
    kernel: &'a KernelUse,
    uses: &'a [(FileId, Span)],
) -> impl Iterator<Item = (&'a Function, Edit)> {
    let (program, used) = (case.program, uses[0]);
    let facts = &program.unit(used.0).facts;
    let executed = case.trace.executed.iter().filter(move |it| it.file == used.0);
    let mut functions: Vec<&Function> = executed
        .map(|it| program.function(*it))
        .filter(|it| {
            let leads = uses
                .iter()
                .any(|(file, span)| *file == used.0 && places::holds(it.span, *span));
            let is_plain = matches!(it.role, Role::Function | Role::Method | Role::Constructor);
            it.defined && it.target == Target::Host && is_plain && !leads
        })
        .collect();
    functions.sort_by_key(|it| (it.role != Role::Constructor, it.span.start));
    functions.into_iter().filter_map(move |function| {
        let unit = program.unit(used.0);
        let change = match function.body.first() {
            Some(first) => lines_at(program, used.0, first.span, kernel, used)?,
            None => {
                let end = function
                    .span
                    .end
                    .checked_sub(1)
                    .filter(|it| unit.bytes.get(*it as usize) == Some(&b'}'))?;
                let at = Span { start: end, end };
                let lines = lines(program, (used.0, at), kernel, used)?;
                (at, format!(" {} ", lines.join(" ")))
            }
        };
        let function = places::function_at(facts, function.span)?;
        Some((function, edit(program, used.0, change)))
    })
}

/// The lines that load a kernel, before the statement at a place.
fn lines_at(
    program: &Program,
    file: FileId,
    span: Span,
    kernel: &KernelUse,
    used: (FileId, Span),
) -> Option<places::Change> {
    let unit = program.unit(file);
    let statement = places::statement_at(&unit.facts, &unit.bytes, span)?;
    let lines = lines(program, (file, statement), kernel, used)?;
    Some(places::insertion(&unit.bytes, statement, &lines))
}

fn lines(
    program: &Program,
    place: (FileId, Span),
    kernel: &KernelUse,
    used: (FileId, Span),
) -> Option<[String; 2]> {
    let name = name_at(program, place, kernel, used).or_else(|| handed_out(program, place, used))?;
    let variable = variable_name(&program.unit(place.0).bytes, &name);
    let query = format!("cudaFuncGetAttributes(&{variable}, {name})");
    Some([
        format!("cudaFuncAttributes {variable};"),
        Dialect::of(program, place.0)?.runtime()?.statement(&query),
    ])
}

/// The call that hands out the kernel to the one that launches it, where it takes nothing and is no variable's.
fn handed_out(program: &Program, (file, place): (FileId, Span), used: (FileId, Span)) -> Option<String> {
    let unit = program.unit(used.0);
    let ExprKind::Call(launch) = &places::call_at(&unit.facts, used.1)?.kind else {
        return None;
    };
    let ExprKind::Name(launcher) = &launch.callee.kind else {
        return None;
    };
    let position = api::lookup(launcher.last())?.argument(api::Role::Kernel, launch.args.len())?;
    let kernel = launch.args.get(position)?;
    let ExprKind::Call(call) = &kernel.kind else {
        return None;
    };
    let ExprKind::Name(name) = &call.callee.kind else {
        return None;
    };
    let is_local = |(file, span): (FileId, Span)| {
        places::function_at(&program.unit(file).facts, span).is_none_or(|it| knows(it, name.last()))
    };
    let is_free = call.args.is_empty() && file == used.0;
    (is_free && !is_local(used) && !is_local((file, place))).then(|| program.words(used.0, kernel.span))
}

/// Whether a function has a parameter or a variable of this name.
fn knows(function: &Function, name: &str) -> bool {
    let mut found = function.params.iter().any(|it| it.name == name);
    visit::function(function, &mut |node| {
        if let visit::Node::Variable(it) = node {
            found |= it.name == name;
        }
    });
    found
}

/// What the kernel is called where a statement is to be put; `None` where its name means nothing or too much.
fn name_at(
    program: &Program,
    (file, place): (FileId, Span),
    kernel: &KernelUse,
    used: (FileId, Span),
) -> Option<String> {
    let id = kernel.function?;
    let function = program.function(id);
    if !program.is_visible_at(id, file, place.start) || program.is_overloaded(id) {
        return None;
    }
    let arguments = kernel.name.strip_prefix(function.path.last()?.as_str())?;
    if function.template_params.is_empty() != arguments.is_empty() {
        return None;
    }
    let here = places::function_at(&program.unit(file).facts, place)?.span;
    let there = places::function_at(&program.unit(used.0).facts, used.1).map(|it| it.span);
    let same = file == used.0 && there == Some(here);
    if !same && !arguments.is_empty() && names_locals(program, used, arguments) {
        return None;
    }
    // Each source that instantiates a template has a kernel of its own.
    let is_own = file == used.0 && written_name(program, used).is_some();
    if !arguments.is_empty() && !is_own {
        return None;
    }
    if !means_same(program, (file, place), used, arguments) {
        return None;
    }
    let written = written_name(program, used).filter(|it| same && it.path.last() == function.path.last());
    Some(match written {
        Some(name) if name.template_args.is_empty() => format!("{name}{arguments}"),
        Some(name) => name.to_string(),
        None => format!("{}{arguments}", function.path.join("::")),
    })
}

/// The name a launch with launch syntax is written with.
fn written_name(program: &Program, (file, span): (FileId, Span)) -> Option<&Name> {
    match &places::call_at(&program.unit(file).facts, span)?.kind {
        ExprKind::Launch(launch) => match &launch.kernel.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Whether template arguments mean the same in two functions: they name nothing but basic types, or both look names up in
/// the same namespaces and classes.
fn means_same(program: &Program, here: (FileId, Span), used: (FileId, Span), arguments: &str) -> bool {
    const BASIC: &[&str] = &[
        "bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "true", "false",
        "const",
    ];
    let words = arguments.split(|it: char| !(it.is_ascii_alphanumeric() || it == '_'));
    let is_basic = |it: &str| {
        it.is_empty() || it.starts_with(|first: char| first.is_ascii_digit()) || BASIC.contains(&it)
    };
    let scope = |(file, span): (FileId, Span)| {
        let function = places::function_at(&program.unit(file).facts, span)?;
        Some(function.path[..function.path.len() - 1].to_vec())
    };
    // Where a launch names no arguments, others wrote them elsewhere.
    let written = written_name(program, used).is_some_and(|it| !it.template_args.is_empty());
    words.into_iter().all(is_basic) || written && scope(here) == scope(used)
}

/// Whether template arguments mention what only the function of the launch knows.
fn names_locals(program: &Program, (file, span): (FileId, Span), arguments: &str) -> bool {
    let Some(function) = places::function_at(&program.unit(file).facts, span) else {
        return true;
    };
    let mentions = |name: &str| !name.is_empty() && has_word(arguments.as_bytes(), name);
    let mut found = function.template_params.iter().any(|it| mentions(it))
        || function.params.iter().any(|it| mentions(&it.name));
    visit::function(function, &mut |node| {
        if let visit::Node::Variable(it) = node {
            found |= mentions(&it.name);
        }
    });
    found
}

/// A name for the attributes that the file does not hold yet.
fn variable_name(bytes: &[u8], kernel: &str) -> String {
    let plain: String = kernel
        .split(['<', '('])
        .next()
        .and_then(|it| it.rsplit("::").next())
        .unwrap_or_default()
        .to_owned();
    fresh_name(bytes, &["attributes", &format!("{plain}_attributes")])
}
