//! Tells apart what has the same name in one finding: two streams of one wrapper class, two copies.
//!
//! A name is marked where it is made; when the finding is whole, marks become words where a name means several things, and
//! vanish where it does not. No mark outlives [`resolve`].

use std::collections::BTreeSet;

use crate::diagnostics::{Finding, Fix};
use crate::facts::ir::Span;
use crate::program::{FileId, Program};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Means the same wherever the finding names it.
    Stream,
    /// Stands beside others of its name in most findings, each at a place of its own: told apart within a sentence.
    Event,
}

impl Kind {
    const LETTERS: [(char, Kind); 2] = [('s', Kind::Stream), ('e', Kind::Event)];

    fn letter(self) -> char {
        let mut letters = Self::LETTERS.iter();
        letters.find(|it| it.1 == self).map_or('e', |it| it.0)
    }
}

const BEGIN: char = '\u{F0000}';
const PART: char = '\u{F0001}';
const END: char = '\u{F0002}';

/// A name with what is needed to tell it from others: the calls that lead to where it was made, outermost first, and its place
/// among all of its kind.
pub(super) fn mark(name: &str, kind: Kind, path: &[(FileId, Span)], order: u64) -> String {
    let places: Vec<String> = path
        .iter()
        .map(|(file, span)| format!("{} {}", file.0, span.start))
        .collect();
    let (letter, places) = (kind.letter(), places.join(","));
    format!("{BEGIN}{letter}{PART}{name}{PART}{places}{PART}{order}{END}")
}

/// One thing a name stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Meant<'a> {
    order: u64,
    /// File and byte of the calls that lead to where it was made, outermost first.
    path: Vec<(u32, u32)>,
    name: &'a str,
    kind: Kind,
}

/// Puts words where a finding names several things alike.
pub(in crate::rules) fn resolve(program: &Program, finding: &mut Finding) {
    let streams = {
        let mut streams = BTreeSet::new();
        each_text(finding, &mut |text| {
            for meant in marks(text).filter(|it| it.kind == Kind::Stream) {
                streams.insert((meant.name.to_owned(), meant.order, meant.path));
            }
        });
        streams
    };
    let own = finding.primary.path.clone();
    let streams: Vec<Meant<'_>> = streams
        .iter()
        .map(|(name, order, path)| Meant {
            order: *order,
            path: path.clone(),
            name,
            kind: Kind::Stream,
        })
        .collect();
    each_text(finding, &mut |text| {
        if text.contains(BEGIN) {
            *text = in_words(program, &own, &streams, text);
        }
    });
}

fn in_words(program: &Program, own: &str, streams: &[Meant<'_>], text: &str) -> String {
    let here: BTreeSet<Meant<'_>> = marks(text).collect();
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, marked)) = rest.split_once(BEGIN) {
        words.push_str(before);
        let Some((mark, behind)) = marked.split_once(END) else {
            break;
        };
        rest = behind;
        let Some(meant) = parse(mark) else { continue };
        let among: Vec<&Meant<'_>> = match meant.kind {
            Kind::Stream => streams.iter().filter(|it| it.name == meant.name).collect(),
            Kind::Event => here.iter().filter(|it| it.name == meant.name).collect(),
        };
        words.push_str(meant.name);
        words.push_str(&difference(program, own, &meant, &among));
    }
    words.push_str(rest);
    words
}

/// What tells one of several from the others; nothing where it is the only one.
fn difference(program: &Program, own: &str, meant: &Meant<'_>, among: &[&Meant<'_>]) -> String {
    let others: Vec<&&Meant<'_>> = among.iter().filter(|it| it.order != meant.order).collect();
    if others.is_empty() {
        return String::new();
    }
    let apart =
        (0..meant.path.len()).find(|at| others.iter().all(|it| it.path.get(*at) != meant.path.get(*at)));
    let lines: Option<String> = apart.and_then(|at| {
        let line = |it: &Meant<'_>| it.path.get(at).and_then(|place| line(program, own, *place));
        let mine = line(meant)?;
        others
            .iter()
            .all(|it| line(it).as_ref() != Some(&mine))
            .then_some(mine)
    });
    match (lines, meant.kind) {
        (Some(line), Kind::Stream) => format!(" made in {line}"),
        (Some(line), Kind::Event) => format!(" of {line}"),
        (None, Kind::Stream) => {
            let before = others.iter().filter(|it| it.order < meant.order).count();
            format!(" ({})", ORDINALS.get(before).unwrap_or(&"another"))
        }
        (None, Kind::Event) if others.iter().all(|it| it.order < meant.order) => String::new(),
        (None, Kind::Event) => {
            let same_thread = others
                .iter()
                .any(|it| it.order > meant.order && it.order >> 32 == meant.order >> 32);
            match same_thread {
                true => " enqueued before".to_owned(),
                false => " of another thread".to_owned(),
            }
        }
    }
}

const ORDINALS: [&str; 4] = ["the first", "the second", "the third", "the fourth"];

/// "line 7", with its file where that is another one than the finding's.
fn line(program: &Program, own: &str, (file, byte): (u32, u32)) -> Option<String> {
    let unit = program.unit(FileId(file));
    let before = unit.bytes.get(..byte as usize)?;
    let line = before.iter().filter(|it| **it == b'\n').count() + 1;
    let name = unit.path.rsplit('/').next().unwrap_or_default();
    Some(match *unit.path == *own {
        true => format!("line {line}"),
        false => format!("line {line} of `{name}`"),
    })
}

fn marks(text: &str) -> impl Iterator<Item = Meant<'_>> {
    let marked = text.split(BEGIN).skip(1);
    marked.filter_map(|it| parse(it.split_once(END)?.0))
}

fn parse(mark: &str) -> Option<Meant<'_>> {
    let parts: Vec<&str> = mark.split(PART).collect();
    let &[letter, name, places, order] = parts.as_slice() else {
        return None;
    };
    let letter = letter.chars().next()?;
    let kind = Kind::LETTERS.iter().find(|it| it.0 == letter)?.1;
    let place = |it: &str| {
        let (file, byte) = it.split_once(' ')?;
        Some((file.parse().ok()?, byte.parse().ok()?))
    };
    Some(Meant {
        order: order.parse().ok()?,
        path: places.split(',').filter_map(place).collect(),
        name,
        kind,
    })
}

/// Every text of a finding, to be read or changed.
pub(super) fn each_text(finding: &mut Finding, see: &mut dyn FnMut(&mut String)) {
    see(&mut finding.message);
    finding.steps.iter_mut().for_each(|it| see(&mut it.message));
    finding.help.iter_mut().for_each(&mut *see);
    finding.assumptions.iter_mut().for_each(&mut *see);
    each_title(finding.fix.as_mut(), see);
    let Some(picture) = &mut finding.picture else {
        return;
    };
    picture.lanes.iter_mut().for_each(|it| see(&mut it.name));
    picture.arrows.iter_mut().for_each(|it| see(&mut it.text));
    for moment in &mut picture.moments {
        see(&mut moment.name);
        see(&mut moment.text);
    }
}

fn each_title(mut fix: Option<&mut Fix>, see: &mut dyn FnMut(&mut String)) {
    while let Some(it) = fix {
        see(&mut it.title);
        fix = it.otherwise.as_deref_mut();
    }
}
