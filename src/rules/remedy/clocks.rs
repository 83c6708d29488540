//! Makes a measurement end, and begin, where the work does.

use super::named::{stream_argument, stream_at};
use super::waits::{event_wait, host_waits, put, stream_words};
use super::{edit, unsafe_fix};
use crate::diagnostics::{Edit, Fix};
use crate::facts::ir::Span;
use crate::facts::places;
use crate::order::EventRef;
use crate::program::{FileId, Program};
use crate::rules::PathCase;

/// The host waits for the work before it reads its clock.
pub(in crate::rules) fn wait_before_clock(
    case: &PathCase<'_>,
    work: EventRef,
    clock: (FileId, Span),
) -> Option<Fix> {
    Fix::first_of(host_waits(case, work, clock, "the clock is read"))
}

/// Both events in the stream of the work; else the second one behind the work.
pub(in crate::rules) fn record_with_work(
    case: &PathCase<'_>,
    work: EventRef,
    records: [(FileId, Span); 2],
) -> Option<Fix> {
    let mut fixes: Vec<Fix> = moved_records(case, work, records).into_iter().collect();
    let (file, span) = records[1];
    fixes.extend(joined(case, work, (file, span)));
    fixes.extend(host_waits(
        case,
        work,
        (file, span),
        "the second event is recorded",
    ));
    Fix::first_of(fixes)
}

fn moved_records(case: &PathCase<'_>, work: EventRef, records: [(FileId, Span); 2]) -> Option<Fix> {
    let program = case.program;
    let mut name = None;
    let mut edits = Vec::new();
    for (file, span) in records {
        let stream = stream_at(program, case.trace, work, (file, span))?;
        edits.extend(in_stream(program, (file, span), &stream)?);
        name = Some(stream);
    }
    let title = format!("record the events in {}, where the work is", stream_words(&name?));
    Some(unsafe_fix(title, edits))
}

/// Another stream for a call, where it has another one.
fn in_stream(program: &Program, (file, span): (FileId, Span), stream: &str) -> Option<Option<Edit>> {
    let (written, end) = stream_argument(program, (file, span))?;
    let change = match written {
        Some(span) if program.words(file, span) == stream => return Some(None),
        Some(span) => (span, stream.to_owned()),
        None => (Span { start: end, end }, format!(", {stream}")),
    };
    Some(Some(edit(program, file, change)))
}

/// The stream the second event is recorded in waits for the work first.
fn joined(case: &PathCase<'_>, work: EventRef, (file, span): (FileId, Span)) -> Option<Fix> {
    let program = case.program;
    let unit = program.unit(file);
    let (written, _) = stream_argument(program, (file, span))?;
    let second = written.map_or_else(|| "0".to_owned(), |it| program.words(file, it));
    let statement = places::statement_at(&unit.facts, &unit.bytes, span)?;
    let first = stream_at(program, case.trace, work, (file, statement))?;
    let lines = event_wait(program, file, &first, &second)?;
    let title = format!(
        "let {} wait for the work before the second event",
        stream_words(&second)
    );
    put(program, title, (file, statement), &lines)
}
