//! Records an event behind the work that it stands for.

use super::{chain, edit, unsafe_fix};
use crate::diagnostics::Fix;
use crate::facts::places;
use crate::order::{EventRef, Race};
use crate::rules::{PathCase, story};
use crate::trace::{Action, EventId, StreamId, Trace, WorkKind};

/// The later stream waits for an event that is recorded right before the earlier work: it is recorded right behind it.
///
/// `None` where the two are no statements of one block, or where anything between them would notice.
pub(super) fn record_behind(case: &PathCase<'_>, race: &Race) -> Option<Fix> {
    let (program, trace) = (case.program, case.trace);
    let record = early_record(trace, race)?;
    let works: Vec<_> = chain(race.earlier.site(trace)).collect();
    // A call around the record may do more than record.
    let (file, span) = record.at(trace);
    let unit = program.unit(file);
    let works = works.iter().filter(|it| it.0 == file);
    let mut pairs = works.filter_map(|(_, work)| places::pair(&unit.facts, &unit.bytes, span, *work));
    let changes = pairs.find_map(|it| it.moved_down(&unit.bytes))?;
    let edits = changes.into_iter().map(|it| edit(program, file, it)).collect();
    let work = story::name_in(program, trace, race.earlier);
    Some(unsafe_fix(format!("record the event behind {work}"), edits))
}

/// The record in the stream of the earlier work, with nothing but waits between the two, of an event that the stream of the
/// later work waits for between the two works.
fn early_record(trace: &Trace, race: &Race) -> Option<EventRef> {
    let (earlier, later) = (race.earlier, race.later);
    if earlier.thread != later.thread {
        return None;
    }
    let (stream, _) = work(trace, earlier)?;
    let (waiting, _) = work(trace, later)?;
    let at = |index: u32| EventRef { index, ..earlier };
    let before = (0..earlier.index)
        .rev()
        .map(at)
        .filter(|it| work(trace, *it).is_some_and(|it| it.0 == stream));
    let mut before = before.skip_while(|it| matches!(work(trace, *it), Some((_, WorkKind::WaitEvent(_)))));
    let record = before.next()?;
    let (_, WorkKind::Record(event)) = work(trace, record)? else {
        return None;
    };
    let awaits = |it: u32| is_wait(trace, at(it), waiting, event);
    // A wait that stands before the work would find no record behind it.
    let in_time = !(record.index..earlier.index).any(awaits);
    (in_time && (earlier.index..later.index).any(awaits)).then_some(record)
}

fn is_wait(trace: &Trace, it: EventRef, stream: StreamId, event: EventId) -> bool {
    work(trace, it) == Some((stream, WorkKind::WaitEvent(event)))
}

fn work(trace: &Trace, event: EventRef) -> Option<(StreamId, WorkKind)> {
    match &event.of(trace).action {
        Action::Call(call) => call.work.as_ref().map(|it| (it.stream, it.kind)),
        _ => None,
    }
}
