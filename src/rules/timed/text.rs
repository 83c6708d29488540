//! What the text says that a time is the time of.

use crate::facts::ir::Init;
use crate::facts::places;
use crate::facts::visit::{self, Node};
use crate::program::{FileId, Program};
use crate::syntax::Span;
use crate::trace::Trace;
use crate::trace::notes::Region;

/// Whether the time of a region is printed with one of these words: what it is called in one place it is in all others.
pub(super) fn is_said(trace: &Trace, region: &Region, words: &[&str]) -> bool {
    trace.shown(region).any(|it| says(&it.text, words))
}

/// Whether it goes by one of them where it is taken: in the name of what it is kept in, or in what a timer that lasts as long as
/// its scope is made with.
pub(super) fn is_named(program: &Program, region: &Region, words: &[&str]) -> bool {
    let (start, stop) = region.places();
    let kept_in = statement(program, stop).map_or_else(String::new, |it| program.words(stop.0, it));
    let kept_in = kept_in.split_once('=').map_or("", |it| it.0);
    says(kept_in, words) || says(&made_with(program, start), words)
}

/// The statement around a place.
fn statement(program: &Program, (file, span): (FileId, Span)) -> Option<Span> {
    let unit = program.unit(file);
    places::statement_at(&unit.facts, &unit.bytes, span)
}

/// What the object is made with that is declared in the statement around a place.
fn made_with(program: &Program, at: (FileId, Span)) -> String {
    let function = places::function_at(&program.unit(at.0).facts, at.1);
    let (Some(around), Some(function)) = (statement(program, at), function) else {
        return String::new();
    };
    let mut name = None;
    visit::statements(&function.body, &mut |node| {
        if let Node::Variable(variable) = node
            && around.start <= variable.span.start
            && variable.span.end <= around.end
            && matches!(variable.init, Some(Init::Parens(_) | Init::Braces(_)))
        {
            name = name.or(Some(variable.span));
        }
    });
    let behind = |name: Span| Span {
        start: name.end,
        end: around.end,
    };
    name.map_or_else(String::new, |it| program.words(at.0, behind(it)))
}

/// Whether one of the words is in a text, by itself or in a name: `launch_ms`, `coldTime`.
fn says(text: &str, words: &[&str]) -> bool {
    let mut word = String::new();
    let mut found = false;
    let mut was_lower = false;
    for it in text.chars().chain([' ']) {
        if !it.is_alphanumeric() || it.is_uppercase() && was_lower {
            found |= words.contains(&word.as_str());
            word.clear();
        }
        if it.is_alphanumeric() {
            word.extend(it.to_lowercase());
        }
        was_lower = it.is_lowercase();
    }
    found
}
