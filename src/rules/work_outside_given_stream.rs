//! CL210: a function that is handed a stream does some of its work outside of it.

use super::story::race::{attempted, name, place, verb, without_loading};
use super::story::{PathPhrase, location, path_finding, stream_name};
use super::{PathCase, Place, is_program};
use crate::api::Operation;
use crate::diagnostics::{Confidence, Finding, Severity, Step, evidence};
use crate::order::{Aside, Breach, How, MarkedElsewhere, asides, attempt, forgotten, marked_elsewhere};
use crate::program::{DefaultCarrier, MadeElsewhere, Program, StreamLeftOut};
use crate::trace::notes::Forgotten;
use crate::trace::{Action, Block, Mode, WorkKind};

pub(super) const CODE: &str = "CL210";

/// `work-outside-given-stream` (CL210).
pub(super) fn check(case: &PathCase<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let own = case.breaches().iter();
    for breach in own.filter(|it| !it.forked && is_meant(case, it)) {
        let finding = finding(case, breach);
        // What the function does to itself says more than what it does to a caller.
        if !found.iter().any(|it| it.primary == finding.primary) {
            found.push(finding);
        }
    }
    for call in forgotten(case.trace) {
        let finding = forgotten_stream(case, &call);
        if !found.iter().any(|it| it.primary == finding.primary) {
            found.push(finding);
        }
    }
    let is_told = |found: &[Finding], aside: &Aside| {
        let place = location(case.program, aside.work.at(case.trace));
        found
            .iter()
            .any(|it| it.primary == place || it.steps.iter().any(|it| it.location == place))
    };
    if !is_program(case) {
        for aside in asides(case.trace) {
            if !is_told(&found, &aside) {
                found.push(beside(case, &aside));
            }
        }
        let marked = marked_elsewhere(case.trace).into_iter();
        found.extend(marked.filter_map(|it| marks_nothing(case, &it)));
    }
    found
}

/// An event that is recorded where nothing it could stand for was enqueued. Where times are taken the stream is another question.
fn marks_nothing(case: &PathCase<'_>, marked: &MarkedElsewhere) -> Option<Finding> {
    let place = marked.record.at(case.trace);
    let takes_times = case.program.cuda_sites().iter().any(|it| {
        let asks = it
            .api
            .is_some_and(|it| it.operation == Operation::EventElapsedTime);
        asks && it.function.file == place.0
    });
    if takes_times {
        return None;
    }
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let given = &marked.given;
    let record = name(case, marked.record);
    let work = marked.record.work(case.trace)?;
    let event = match work.kind {
        WorkKind::Record(event) => case.trace.events.get(&event),
        _ => None,
    };
    let event = event.map_or_else(|| "the event".to_owned(), |it| format!("`{it}`"));
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "work-outside-given-stream",
            code: CODE,
            severity: Severity::Warning,
            primary: place,
            message: format!(
                "`{own_name}` is given `{given}`, but {record} records {event}{}: whoever waits for it does not wait for \
                 work in `{given}`",
                self::place(case, marked.record)
            ),
            steps: vec![
                (
                    (case.trace.entry.file, function.name_span),
                    format!("`{own_name}` is given `{given}`, which may be a non-blocking stream"),
                ),
                (
                    place,
                    format!("{event} stands for nothing that was enqueued in `{given}`"),
                ),
            ],
            help: format!("record it in `{given}`"),
        },
    );
    without_loading(&mut finding);
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
        .assumptions
        .push(format!("{event} is to stand for what was done in `{given}`"));
    Some(finding)
}

/// Work in the default stream that may use what work beside it, in the stream, uses.
fn beside(case: &PathCase<'_>, aside: &Aside) -> Finding {
    let Aside {
        work,
        other,
        given,
        through,
    } = aside;
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let (kernel, beside) = (name(case, *work), name(case, *other));
    let handed = (
        (case.trace.entry.file, function.name_span),
        format!("`{own_name}` is given `{given}`, which may be a non-blocking stream"),
    );
    let outside = (
        work.at(case.trace),
        format!("{kernel} runs{}", place(case, *work)),
    );
    let inside = (other.at(case.trace), format!("{beside} works in `{given}`"));
    let through = through.as_ref().filter(|it| it.site != work.at(case.trace));
    let mut steps = match other < work {
        true => vec![handed, inside, outside],
        false => vec![handed, outside, inside],
    };
    if let Some(call) = through {
        steps.insert(1, (call.site, left_with(case, call)));
    }
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "work-outside-given-stream",
            code: CODE,
            severity: Severity::Warning,
            primary: through.map_or(work.at(case.trace), |it| it.site),
            message: format!(
                "`{own_name}` is given `{given}`, but {kernel} runs{}: nothing orders that with {beside} in `{given}`",
                place(case, *work)
            ),
            steps,
            help: format!("enqueue it in `{given}`"),
        },
    );
    without_loading(&mut finding);
    finding.assumptions.push(format!(
        "{kernel} uses what {beside} uses, or the caller's memory"
    ));
    finding.confidence = finding.confidence.min(Confidence::Medium);
    finding
}

/// What the text of a function says, on whatever path.
struct InText {
    primary: Place,
    message: String,
    steps: Vec<(Place, String)>,
    help: String,
    assumed: String,
}

fn in_text(program: &Program, said: InText) -> Finding {
    let step = |(at, message): (Place, String)| Step::new(location(program, at), message);
    Finding {
        rule: "work-outside-given-stream",
        code: CODE,
        severity: Severity::Warning,
        confidence: Confidence::Medium,
        primary: location(program, said.primary),
        message: said.message,
        steps: said.steps.into_iter().map(step).collect(),
        help: Some(said.help),
        evidence: evidence::sentence("work-outside-given-stream"),
        assumptions: vec![said.assumed],
        configuration: None,
        fix: None,
        picture: None,
    }
}

/// What the texts of functions say: objects that are made in the default stream and used in the one that was handed in, calls of what
/// takes no stream where the same takes one elsewhere, and calls on objects that are made with nothing where another one that
/// carries a stream is at hand.
pub(super) fn in_texts(program: &Program) -> Vec<Finding> {
    let (elsewhere, left) = (program.made_elsewhere(), program.streams_left_out());
    let made = elsewhere.iter().map(|it| made(program, it));
    let left = left.iter().map(|it| left_out(program, it));
    let carriers = program.default_carriers();
    let carriers = carriers.iter().map(|it| of_default(program, it));
    made.chain(left).chain(carriers).collect()
}

fn of_default(program: &Program, it: &DefaultCarrier) -> Finding {
    let own_name = program
        .function(it.function)
        .path
        .last()
        .map_or("", String::as_str);
    let DefaultCarrier {
        other, class, method, ..
    } = it;
    in_text(
        program,
        InText {
            primary: it.call,
            message: format!(
                "`{own_name}` works in the stream of `{other}`, but calls `{method}` of a `{class}` that is made with nothing: that \
             is about the stream of the default one"
            ),
            steps: vec![
                (it.used, format!("`{own_name}` works with `{other}`")),
                (it.call, format!("`{method}` is called for the default `{class}`")),
            ],
            help: format!("call `{method}` for `{other}`"),
            assumed: format!("`{other}` and the default `{class}` have different streams"),
        },
    )
}

fn left_out(program: &Program, it: &StreamLeftOut) -> Finding {
    let (function, twin) = (program.function(it.function), program.function(it.twin));
    let own_name = function.path.last().map_or("", String::as_str);
    let twin_name = twin.path.join("::");
    let StreamLeftOut {
        given, what, callee, ..
    } = it;
    in_text(
        program,
        InText {
            primary: it.call,
            message: format!(
                "`{own_name}` is given `{given}`, but calls `{callee}` with `{what}`, which takes no stream: what it does on \
             the device is not ordered with work in `{given}`"
            ),
            steps: vec![
                (
                    (it.function.file, function.name_span),
                    format!("`{own_name}` is given `{given}`, which may be a non-blocking stream"),
                ),
                (it.call, format!("`{callee}` works in the default stream")),
                (
                    (it.twin.file, twin.name_span),
                    format!("`{twin_name}` takes the same, and a stream"),
                ),
            ],
            help: format!("call `{twin_name}` with `{given}`"),
            assumed: format!(
                "`{callee}` does what `{twin_name}` does, in the default stream, and does not wait for it"
            ),
        },
    )
}

fn made(program: &Program, it: &MadeElsewhere) -> Finding {
    let function = program.function(it.function);
    let own_name = function.path.last().map_or("", String::as_str);
    let MadeElsewhere {
        given, what, class, ..
    } = it;
    let (message, used) = match &it.callee {
        Some(callee) => (
            format!(
                "`{own_name}` is given `{given}`, but makes the `{class}` of `{what}` in the default stream: `{callee}` gets \
                 it in `{given}`, and may use it before it is filled"
            ),
            format!("`{callee}` is handed it together with `{given}`"),
        ),
        None => (
            format!(
                "`{own_name}` is given `{given}`, but makes the `{class}` that it returns in the default stream: who uses \
                 that in `{given}` may do so before it is filled"
            ),
            format!("it is returned to whoever has `{given}`"),
        ),
    };
    in_text(
        program,
        InText {
            primary: it.made,
            message,
            steps: vec![
                (
                    (it.function.file, function.name_span),
                    format!("`{own_name}` is given `{given}`, which may be a non-blocking stream"),
                ),
                (
                    it.made,
                    format!("the constructor of `{class}` takes a stream, and gets the default one"),
                ),
                (it.used, used),
            ],
            help: format!("pass `{given}` to the constructor of `{class}`"),
            assumed: format!("the constructor of `{class}` works on the device"),
        },
    )
}

/// Whoever calls a program or a test does not care for what keeps its streams.
fn is_meant(case: &PathCase<'_>, breach: &Breach) -> bool {
    !(breach.kept && is_program(case))
}

/// A call that is left with the default stream, whatever it does there.
fn forgotten_stream(case: &PathCase<'_>, call: &Forgotten) -> Finding {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let callee = case
        .program
        .function(call.callee)
        .path
        .last()
        .map_or("", String::as_str);
    let given = case
        .trace
        .notes
        .promise
        .streams
        .first()
        .map_or("", String::as_str);
    let what = call.what.as_deref().unwrap_or("what it gets");
    let elsewhere = match call.ignored {
        true => "another stream",
        false => "the default stream",
    };
    let unused = match call.ignored {
        true => ", makes no use of it,",
        false => ",",
    };
    let but = if call.ignored { "and" } else { "but" };
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "work-outside-given-stream",
            code: CODE,
            severity: Severity::Warning,
            primary: call.site,
            message: format!(
                "`{own_name}` is given `{given}`{unused} {but} calls `{callee}` with `{what}` in {elsewhere}: a caller's work \
                 in `{given}` may still use it then"
            ),
            steps: vec![
                (
                    (case.trace.entry.file, function.name_span),
                    format!("`{own_name}` is given `{given}`, which may be a non-blocking stream"),
                ),
                (call.site, left_with(case, call)),
            ],
            help: match case.program.takes_stream(call.callee) {
                true => format!("pass `{given}` on to `{callee}`"),
                false => format!("call what `{callee}` is made of with `{given}`"),
            },
        },
    );
    without_loading(&mut finding);
    finding
        .assumptions
        .push(format!("`{callee}` works on `{what}` on the device"));
    finding.confidence = Confidence::Low;
    finding
}

/// What stream a call is left with.
fn left_with(case: &PathCase<'_>, call: &Forgotten) -> String {
    let path = &case.program.function(call.callee).path;
    let callee = path.last().map_or("", String::as_str);
    match case.program.takes_stream(call.callee) {
        true if call.ignored => format!("`{callee}` takes a stream, and gets another one"),
        true => format!("`{callee}` takes a stream, and gets the default one"),
        false => format!("`{callee}` takes no stream, and works in the default one"),
    }
}

fn finding(case: &PathCase<'_>, breach: &Breach) -> Finding {
    let function = case.program.function(case.trace.entry);
    let own_name = function.path.last().map_or("", String::as_str);
    let (work, what, given) = (breach.work, &breach.access.what, given_words(case, breach));
    let at = work.at(case.trace);
    let done = format!(
        "{} {} `{what}`{}",
        name(case, work),
        match breach.access.declared {
            true => "is handed",
            false => verb(&breach.access),
        },
        place(case, work)
    );
    let has = match case.trace.notes.promise.streams.is_empty() {
        _ if breach.kept => "works in",
        true => "has",
        false => "is given",
    };
    let may_be = match breach.both {
        true => format!("which need not be {}", stream_name(case.trace, breach.stream)),
        false => "which may be a non-blocking stream".to_owned(),
    };
    let handed = (
        (case.trace.entry.file, function.name_span),
        format!("`{own_name}` {has} {given}, {may_be}"),
    );
    let (told, mut steps) = match &breach.how {
        How::Inside(race) => {
            let (other, access) = if race.earlier == work {
                (race.later, &race.later_access)
            } else {
                (race.earlier, &race.earlier_access)
            };
            let told = format!(
                "nothing orders that with {}, which {} it in {given}",
                name(case, other),
                verb(access)
            );
            let other = (
                other.at(case.trace),
                format!(
                    "{} {} `{}` in {given}",
                    name(case, other),
                    verb(access),
                    access.what
                ),
            );
            let mut steps = vec![handed, other];
            let place = if race.earlier == work { 1 } else { 2 };
            steps.insert(place, (at, done.clone()));
            let tried = attempted(
                case,
                attempt(case.trace, Some(race.earlier), race.later),
                race.later,
            );
            steps.splice(2..2, tried);
            (told, steps)
        }
        How::Before => {
            let may = match breach.access.mode {
                Mode::Read if !breach.access.declared => "write",
                _ => "use",
            };
            let told = format!("a caller's work in {given} may still {may} it then");
            let assumed = (
                (case.trace.entry.file, function.name_span),
                format!("assumed: the caller enqueued work on `{what}` in {given} before"),
            );
            (told, vec![handed, assumed, (at, done.clone())])
        }
        How::After => {
            let told = format!(
                "a caller's next work in {given} does not wait until it is {}",
                match breach.access.mode {
                    Mode::Read => "read",
                    _ => "written",
                }
            );
            let assumed = (
                (case.trace.entry.file, function.name_span),
                format!("assumed: the caller enqueues more work on `{what}` in {given} afterwards"),
            );
            (told, vec![handed, (at, done.clone()), assumed])
        }
    };
    if let Some(call) = breach.through.as_ref().filter(|it| it.site != at) {
        steps.insert(1, (call.site, left_with(case, call)));
    }
    let inside = matches!(breach.how, How::Inside(_));
    let waits = match &work.of(case.trace).action {
        Action::Call(call) => call.blocks != Block::None,
        _ => false,
    };
    let severity =
        if inside && !breach.kept || !inside && breach.works_in_given && !waits && !breach.access.declared {
            Severity::Error
        } else {
            Severity::Warning
        };
    let mut finding = path_finding(
        case,
        PathPhrase {
            rule: "work-outside-given-stream",
            code: CODE,
            severity,
            primary: breach.through.as_ref().map_or(at, |it| it.site),
            message: format!("`{own_name}` {has} {given}, but {done}: {told}"),
            steps,
            help: format!(
                "pass {given} on to it (a copy takes it in its asynchronous form, and is waited for where the host \
                 needs the result)"
            ),
        },
    );
    without_loading(&mut finding);
    if breach.both {
        finding.severity = finding.severity.min(Severity::Warning);
        finding.confidence = finding.confidence.min(Confidence::Medium);
        finding
            .assumptions
            .push("a caller may hand in two different streams".to_owned());
    }
    if !inside {
        finding.confidence = finding.confidence.min(Confidence::Medium);
        finding.assumptions.push(format!(
            "callers of `{own_name}` work on `{what}` in a non-blocking stream"
        ));
    }
    if severity == Severity::Warning {
        finding.confidence = Confidence::Low;
    }
    finding
}

/// The stream whose promise is broken, in words; of two streams that were handed in, which one.
fn given_words(case: &PathCase<'_>, breach: &Breach) -> String {
    let other = match &breach.how {
        How::Inside(race) if race.earlier == breach.work => race.later,
        How::Inside(race) => race.earlier,
        _ => breach.work,
    };
    match other.work(case.trace).filter(|_| breach.both) {
        Some(other) => stream_name(case.trace, other.stream),
        None => format!("`{}`", breach.given),
    }
}
