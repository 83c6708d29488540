//! Puts waits between two accesses that nothing orders.

use super::dialect::Dialect;
use super::named::stream_at;
use super::records::record_behind;
use super::{chain, edit, unsafe_fix};
use crate::diagnostics::Fix;
use crate::facts::ir::Span;
use crate::facts::places;
use crate::order::{self, EventRef, Race, captures};
use crate::program::{FileId, Program};
use crate::rules::PathCase;
use crate::rules::story;
use crate::trace::WorkKind;

/// What puts an order between the two sides of a race, the one that holds up least first.
pub(in crate::rules) fn between(case: &PathCase<'_>, race: &Race) -> Option<Fix> {
    // Some were meant the other way round; and who holds work back with a word means to do something before it.
    if order::is_turned_round(case.trace, race) || order::is_held_back(case.trace, race.earlier) {
        return None;
    }
    let sides = [race.earlier, race.later];
    // What is missing from a graph no wait brings back, and what a broken capture leaves is never launched.
    let is_launched = |it: EventRef| {
        let work = story::call(case.trace, it).and_then(|it| it.work.as_ref());
        work.is_some_and(|it| it.kind == WorkKind::Graph)
    };
    if sides.iter().any(|it| is_left_out(case, *it))
        || sides
            .iter()
            .any(|it| is_launched(*it) && captures::has_failed_before(case.trace, *it))
    {
        return None;
    }
    story::call(case.trace, race.earlier)?.work.as_ref()?;
    let mut fixes: Vec<Fix> = record_behind(case, race).into_iter().collect();
    let waits = Waits { case, race };
    if race.earlier.thread == race.later.thread {
        fixes.extend(waits.before_later());
    }
    fixes.extend(waits.behind_earlier());
    if race.earlier.thread == race.later.thread {
        fixes.extend(waits.of_device());
    }
    Fix::first_of(fixes)
}

/// Whether the same place of the program also enqueues work that a graph lacks.
fn is_left_out(case: &PathCase<'_>, side: EventRef) -> bool {
    let place = side.at(case.trace);
    let mut same = order::event_refs(case.trace).filter(|it| it.at(case.trace) == place);
    same.any(|it| captures::is_left_out(case.trace, it))
}

struct Waits<'a> {
    case: &'a PathCase<'a>,
    race: &'a Race,
}

impl Waits<'_> {
    /// A wait in front of the later access, as near to it as both streams can be named: of its stream, or of the host.
    fn before_later(&self) -> Vec<Fix> {
        let sites: Vec<(FileId, Span)> = chain(self.later().site(self.case.trace)).collect();
        let mut fixes: Vec<Fix> = Vec::new();
        for place in sites {
            let found = self
                .places(place)
                .into_iter()
                .filter_map(|at| self.wait_at(place.0, at));
            fixes.extend(found);
            if !fixes.is_empty() {
                break;
            }
        }
        fixes
    }

    /// The statements in front of which a wait comes late enough, the one that repeats it least first.
    fn places(&self, (file, span): (FileId, Span)) -> Vec<Span> {
        let unit = self.case.program.unit(file);
        let around = places::statements_around(&unit.facts, &unit.bytes, span);
        let Some(innermost) = around.first().map(|it| it.span) else {
            return Vec::new();
        };
        let earlier: Vec<Span> = chain(self.race.earlier.site(self.case.trace))
            .filter(|(other, _)| *other == file)
            .map(|(_, span)| span)
            .collect();
        let apart = |outer: Span| !earlier.iter().any(|it| places::holds(outer, *it));
        let loops = around
            .iter()
            .take_while(|it| apart(it.span))
            .filter(|it| it.is_loop);
        let mut found: Vec<Span> = loops.last().map(|it| it.span).into_iter().collect();
        if !found.contains(&innermost) {
            found.push(innermost);
        }
        found
    }

    fn wait_at(&self, file: FileId, statement: Span) -> Option<Fix> {
        let (program, trace) = (self.case.program, self.case.trace);
        let first = stream_at(program, trace, self.race.earlier, (file, statement))?;
        let later = story::call(trace, self.later()).and_then(|it| it.work.as_ref());
        let (title, lines) = match later {
            Some(_) => {
                let second = stream_at(program, trace, self.later(), (file, statement))?;
                let title = format!(
                    "let {} wait for {} with an event",
                    stream_words(&second),
                    self.name(self.race.earlier)
                );
                (title, event_wait(program, file, &first, &second)?)
            }
            None => {
                let line = Dialect::of(program, file)?.wait_for_stream(&first);
                let title = format!("wait for {} before {} here", stream_words(&first), self.act());
                (title, vec![line])
            }
        };
        put(program, title, (file, statement), &lines)
    }

    /// A wait of the host right behind the earlier access.
    fn behind_earlier(&self) -> Option<Fix> {
        let (program, trace) = (self.case.program, self.case.trace);
        let (file, span) = self.race.earlier.at(trace);
        let stream = stream_at(program, trace, self.race.earlier, (file, span))?;
        let unit = program.unit(file);
        let statement = places::statement_at(&unit.facts, &unit.bytes, span)?;
        let line = Dialect::of(program, file)?.wait_for_stream(&stream);
        let change = places::insertion_behind(&unit.bytes, statement, &[line])?;
        let title = format!("wait for {} behind it", self.name(self.race.earlier));
        Some(unsafe_fix(title, vec![edit(program, file, change)]))
    }

    /// A wait of the host for the whole device, which needs no name.
    fn of_device(&self) -> Option<Fix> {
        let (file, span) = self.later().at(self.case.trace);
        let statement = *self.places((file, span)).last()?;
        let line = Dialect::of(self.case.program, file)?.wait_for_device();
        let title = format!("wait for the device before {} here", self.act());
        put(self.case.program, title, (file, statement), &[line])
    }

    /// What is to come behind the wait: a free that waits by accident comes before what it saves.
    fn later(&self) -> EventRef {
        self.race.through.unwrap_or(self.race.later)
    }

    fn name(&self, event: EventRef) -> String {
        story::name_in(self.case.program, self.case.trace, event)
    }

    /// What the later side does, as in "before … here".
    fn act(&self) -> String {
        match story::call(self.case.trace, self.later()) {
            Some(_) => self.name(self.later()),
            None => format!("`{}` is used", self.race.later_access.what),
        }
    }
}

/// What makes the host wait for some work before a place: for its stream where that has a name there, and for the device.
pub(super) fn host_waits(
    case: &PathCase<'_>,
    work: EventRef,
    (file, span): (FileId, Span),
    what: &str,
) -> Vec<Fix> {
    let program = case.program;
    let unit = program.unit(file);
    let statement = places::statement_at(&unit.facts, &unit.bytes, span);
    let (Some(statement), Some(dialect)) = (statement, Dialect::of(program, file)) else {
        return Vec::new();
    };
    let wait = |on: &str, line: String| {
        put(
            program,
            format!("wait for {on} before {what}"),
            (file, statement),
            &[line],
        )
    };
    let stream = stream_at(program, case.trace, work, (file, statement));
    let of_stream = stream.map(|it| wait(&stream_words(&it), dialect.wait_for_stream(&it)));
    let of_device = wait("the device", dialect.wait_for_device());
    of_stream.flatten().into_iter().chain(of_device).collect()
}

/// Lines that make one stream wait for another; `None` where it is the same one.
pub(super) fn event_wait(program: &Program, file: FileId, first: &str, second: &str) -> Option<Vec<String>> {
    let dialect = Dialect::of(program, file)?;
    (first != second).then(|| dialect.event_wait(&program.unit(file).bytes, first, second))
}

/// Lines put before a statement.
pub(super) fn put(
    program: &Program,
    title: String,
    (file, statement): (FileId, Span),
    lines: &[String],
) -> Option<Fix> {
    let unit = program.unit(file);
    places::function_at(&unit.facts, statement)?;
    let change = places::insertion(&unit.bytes, statement, lines);
    Some(unsafe_fix(title, vec![edit(program, file, change)]))
}

pub(super) fn stream_words(stream: &str) -> String {
    match stream {
        "0" => "the default stream".to_owned(),
        name => format!("`{name}`"),
    }
}
