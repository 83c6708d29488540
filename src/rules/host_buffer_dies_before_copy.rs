//! CL206: the host changes or gives up memory that work in flight still uses.

use std::collections::BTreeMap;

use super::story::race::{RacePhrase, bare_verb, findings_where, name, place, subject, without_loading};
use super::story::{PathPhrase, path_finding};
use super::{PathCase, is_program};
use crate::diagnostics::{Confidence, Finding, Severity};
use crate::facts::ir::Role;
use crate::order::lasting::{self, Refilled};
use crate::order::{self, Hazard, Race, Settings};
use crate::program::FileId;
use crate::syntax::Span;
use crate::trace::{self, Mode, Trace};

type Site = (FileId, Span);

pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut found = findings_where(
        case,
        |it| it.hazard == Hazard::HostChange,
        |race| pinned(case, race),
    );
    let deferred = |it: &Race| it.hazard == Hazard::DeferredSource;
    found.extend(
        findings_where(case, deferred, |race| pageable(case, race))
            .into_iter()
            .map(|it| Finding {
                confidence: it.confidence.min(Confidence::Medium),
                ..it
            }),
    );
    found
}

/// Memory that the next call of a function fills while the copy of this one may still read it.
pub(super) fn refilled(case: &PathCase<'_>) -> Vec<Finding> {
    if is_program(case) {
        return Vec::new();
    }
    let all = lasting::refilled(case.trace);
    let is_plain = |it: &Refilled| it.write.filter(|_| !it.marked).map(|it| it.at(case.trace));
    let met = match all.iter().all(|it| is_plain(it).is_some()) {
        true => BTreeMap::new(),
        false => met_at_next_call(case),
    };
    let write = |it: &Refilled| is_plain(it).or_else(|| met.get(&it.copy.at(case.trace)).copied());
    let found = all.iter().filter_map(|it| Some((it, write(it)?)));
    found.map(|(it, write)| at_next_call(case, it, write)).collect()
}

/// The copies of one call that stores of the next one in the same stream meet: where the two stand. A method's object may be
/// another one: of methods nothing is said.
fn met_at_next_call(case: &PathCase<'_>) -> BTreeMap<Site, Site> {
    let entry = case.trace.entry;
    if case.program.function(entry).role != Role::Function {
        return BTreeMap::new();
    }
    let two = trace::trace_two_calls(case.program, entry, true);
    let settings = Settings { lazy_loading: false };
    let met = |trace: &Trace| {
        let races = order::judge(case.program, trace, settings).races;
        let changes = races.into_iter().filter(|it| it.hazard == Hazard::HostChange);
        changes
            .map(|it| (it.earlier.at(trace), it.later.at(trace)))
            .collect::<Vec<_>>()
    };
    two.traces.iter().flat_map(met).collect()
}

fn at_next_call(case: &PathCase<'_>, it: &Refilled, write: Site) -> Finding {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let Refilled {
        copy,
        access,
        given,
        marked,
        ..
    } = it;
    let (what, copy_name) = (&access.what, name(case, *copy));
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "host-buffer-dies-before-copy",
            code: "CL206",
            severity: Severity::Warning,
            primary: copy.at(case.trace),
            message: format!(
                "{copy_name} may still read `{what}` in `{given}` when `{own_name}` is called again: every call fills the \
                 same memory, and nothing waits for the copy"
            ),
            steps: vec![
                (
                    write,
                    "the host fills memory that static or global variables lead to, at every call to the same".to_owned(),
                ),
                (
                    copy.at(case.trace),
                    match marked {
                        true => format!("{copy_name} reads it in `{given}`, and the next call waits for no event behind it"),
                        false => format!("{copy_name} reads it in `{given}`, and no event is recorded behind it"),
                    },
                ),
                (
                    (case.trace.entry.file, function.name_span),
                    "assumed: the next call fills it before the stream gets to the copy".to_owned(),
                ),
            ],
            help: format!(
                "record an event in `{given}` behind the copy and wait for it before the memory is filled again, or wait for \
                 the copy"
            ),
        },
    );
    without_loading(&mut finding);
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
        .assumptions
        .push(format!("callers of `{own_name}` do not wait between two calls"));
    finding
}

fn pinned(case: &PathCase<'_>, race: &Race) -> RacePhrase {
    RacePhrase {
        rule: "host-buffer-dies-before-copy",
        code: "CL206",
        severity: Severity::Error,
        message: format!(
            "{} {} `{}` while {} may still {} it{}: nothing waits for it",
            subject(case, race.later),
            does(race),
            race.later_access.what,
            name(case, race.earlier),
            bare_verb(&race.earlier_access),
            place(case, race.earlier),
        ),
        help: "wait for that work before the memory is used again, or give every operation in flight a buffer of \
               its own"
            .to_owned(),
    }
}

/// No such copy has been measured to be late, but documents and users say it may be.
fn pageable(case: &PathCase<'_>, race: &Race) -> RacePhrase {
    RacePhrase {
        rule: "host-buffer-dies-before-copy",
        code: "CL206",
        severity: Severity::Warning,
        message: format!(
            "{} {} `{}` while {} may still read it{}: its access order leaves that until the stream gets there, and \
             nothing waits for it",
            subject(case, race.later),
            does(race),
            race.later_access.what,
            name(case, race.earlier),
            place(case, race.earlier),
        ),
        help: "wait for the stream before the memory is given up, or let the batch read its sources during the call \
               (`cudaMemcpySrcAccessOrderDuringApiCall`)"
            .to_owned(),
    }
}

fn does(race: &Race) -> &'static str {
    match race.later_access.mode {
        Mode::Free => "gives up",
        _ => "overwrites",
    }
}
