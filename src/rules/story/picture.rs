//! The picture of a cycle, a race or another story: its operations and calls in lanes, with what connects them.

use crate::rules::Place;
use std::collections::BTreeMap;

use super::{
    barrier_words, blocked_words, call, location, name, name_in, place, stream_name, wait, waits_in,
};
use crate::diagnostics::picture::{Arrow, ArrowKind, Lane, LaneKind, Moment, MomentState, Picture};
use crate::order::{DeviceOrder, EventRef, HostReason, Link, Race, event_refs};
use crate::program::Program;
use crate::rules::{HangCase, PathCase};
use crate::trace::{Action, Block, StreamId, ThreadId, Trace};

/// The cycle a hang is; `None` where it passes through something that stands nowhere.
pub(super) fn of_hang(case: &HangCase<'_>) -> Option<Box<Picture>> {
    let trace = case.trace;
    let cycle = &case.hang.cycle;
    let mut drawing = Drawing::new(case.program, trace);
    let subjects: Vec<EventRef> = cycle.iter().map(subject).collect();
    if !subjects.iter().all(|it| exists(trace, *it)) {
        return None;
    }
    let drafts: Vec<usize> = cycle.iter().map(|link| drawing.subject(case, link)).collect();
    for (index, link) in cycle.iter().enumerate() {
        let following = (index + 1) % cycle.len();
        let (from, next) = (drafts[index], drafts[following]);
        let text = words(case, link);
        match link {
            Link::Waits {
                operation, releaser, ..
            } if operation == releaser => {
                let inside = drawing.inside(case, *operation);
                drawing.connect(from, inside, text);
                drawing.connect(
                    inside,
                    next,
                    "a node of the graph comes behind that one".to_owned(),
                );
            }
            Link::Waits { releaser, .. } if *releaser != subjects[following] => {
                if !exists(trace, *releaser) {
                    return None;
                }
                let never = format!("{} is never reached", name(case, *releaser));
                let release = drawing.host(*releaser, MomentState::Unreached, never);
                drawing.connect(from, release, text);
                let stuck = name(case, subjects[following]);
                drawing.connect(release, next, format!("the host comes to it only after {stuck}"));
            }
            Link::Behind {
                operation, barrier, ..
            } => {
                if operation != barrier && exists(trace, *barrier) {
                    let text = format!("{} puts a barrier", name(case, *barrier));
                    drawing.host(*barrier, MomentState::Issued, text);
                }
                drawing.connect(from, next, text);
            }
            _ => drawing.connect(from, next, text),
        }
    }
    Some(Box::new(drawing.finish()))
}

/// Two accesses that nothing orders.
pub(super) fn of_race(case: &PathCase<'_>, race: &Race, texts: [String; 2]) -> Option<Box<Picture>> {
    let mut drawing = Drawing::new(case.program, case.trace);
    if ![race.earlier, race.later]
        .iter()
        .all(|it| exists(case.trace, *it))
    {
        return None;
    }
    let [earlier, later] = texts;
    let earlier = drawing.either(race.earlier, MomentState::Runs, earlier);
    if let Some(barrier) = race.through.filter(|it| exists(case.trace, *it)) {
        let text = format!(
            "{} may wait, and need not",
            name_in(case.program, case.trace, barrier)
        );
        drawing.host(barrier, MomentState::Issued, text);
    }
    let later = drawing.either(race.later, MomentState::Runs, later);
    if earlier == later {
        return None;
    }
    let what = &race.later_access.what;
    drawing.arrows.push(Arrow {
        from: earlier,
        to: later,
        kind: ArrowKind::Races,
        text: format!("nothing orders these two, and both use `{what}`"),
    });
    Some(Box::new(drawing.finish()))
}

/// A story that is no cycle and no race: its calls in the order they are made, and the work they enqueue; `None` where that is one
/// thing only. At `marks` the host does what is no event of the path, before the event that each names.
pub(super) fn of_story(
    program: &Program,
    trace: &Trace,
    steps: &[(Place, String)],
    marks: &[(Place, EventRef)],
) -> Option<Box<Picture>> {
    let mut drawing = Drawing::new(program, trace);
    let mut told: Vec<EventRef> = Vec::new();
    for (at, text) in steps {
        if let Some((_, next)) = marks.iter().find(|(place, _)| place == at) {
            drawing.mark(*at, *next, text.clone());
            continue;
        }
        let Some(event) = told_at(trace, *at, &told) else {
            continue;
        };
        told.push(event);
        let is_wait = match &event.of(trace).action {
            Action::Call(call) => call.blocks != Block::None,
            Action::HostWait { .. } | Action::Join(_) => true,
            _ => false,
        };
        let state = match drawing.stream(event).is_some() || is_wait {
            true => MomentState::Runs,
            false => MomentState::Issued,
        };
        drawing.either(event, state, text.clone());
    }
    (drawing.drafts.len() > 1).then(|| Box::new(drawing.finish()))
}

/// Whether all that lies between the first and the last event of a story was followed: one thread's, whose places are all known.
pub(super) fn is_followed(trace: &Trace, steps: &[(Place, String)]) -> bool {
    let mut told: Vec<EventRef> = Vec::new();
    for (at, _) in steps {
        match told_at(trace, *at, &told) {
            Some(event) => told.push(event),
            None => return false,
        }
    }
    let (Some(first), Some(last)) = (told.iter().min(), told.iter().max()) else {
        return false;
    };
    let is_inside = |(thread, position): &(ThreadId, u32)| {
        *thread == first.thread && (first.index + 1..=last.index).contains(position)
    };
    first.thread == last.thread && !trace.notes.lost.iter().any(is_inside)
}

/// What a step tells of: what happens at its place, or what a call there leads to; of several the first behind what was told before.
fn told_at(trace: &Trace, at: Place, told: &[EventRef]) -> Option<EventRef> {
    let behind = |it: &EventRef| {
        let mut same = told.iter().filter(|earlier| earlier.thread == it.thread);
        same.all(|earlier| earlier.index < it.index)
    };
    let best = |is_there: &dyn Fn(&EventRef) -> bool| {
        let mut all = event_refs(trace).filter(|it| is_there(it));
        let first = all.next()?;
        Some(std::iter::once(first).chain(all).find(behind).unwrap_or(first))
    };
    // The first frame is the entry itself, which leads everywhere.
    let leads =
        |it: &EventRef| it.site(trace).frames.iter().skip(1).any(|it| *it == at) && drawn_as_work(trace, *it);
    best(&|it| it.at(trace) == at).or_else(|| best(&leads))
}

fn drawn_as_work(trace: &Trace, event: EventRef) -> bool {
    call(trace, event).is_some_and(|it| it.work.is_some())
}

/// What cannot go on.
fn subject(link: &Link) -> EventRef {
    match link {
        Link::Waits { operation, .. } | Link::After { operation, .. } | Link::Behind { operation, .. } => {
            *operation
        }
        Link::Blocked { call, .. } => *call,
        Link::HostWaits { event, .. } => *event,
    }
}

/// Why it cannot.
fn words(case: &HangCase<'_>, link: &Link) -> String {
    let trace = case.trace;
    match link {
        Link::Waits {
            operation,
            releaser,
            wait: number,
        } => {
            let flag = wait(trace, *operation, *number).map_or_else(|| "its flag".to_owned(), place);
            match operation == releaser {
                true => format!("{} waits for {flag}", name(case, *operation)),
                false => format!(
                    "{} waits for {flag}, which {} writes",
                    name(case, *operation),
                    name(case, *releaser)
                ),
            }
        }
        Link::After {
            operation,
            earlier,
            order,
        } => {
            let why = match order {
                DeviceOrder::Stream(stream) => format!("both are in {}", stream_name(trace, *stream)),
                DeviceOrder::Legacy => "the legacy default stream orders them".to_owned(),
                DeviceOrder::Event => "an event orders them".to_owned(),
                DeviceOrder::Graph => "the graph orders them".to_owned(),
                DeviceOrder::Executable => "one executable graph runs once at a time".to_owned(),
                DeviceOrder::Wait => "it waits itself".to_owned(),
            };
            let (operation, earlier) = (name(case, *operation), name(case, *earlier));
            format!("{operation} runs after {earlier}: {why}")
        }
        Link::Behind { barrier, earlier, .. } => barrier_words(case, *barrier, *earlier),
        Link::Blocked { call, operation } => blocked_words(case, *call, *operation),
        Link::HostWaits { why, .. } => match why {
            HostReason::Join => "this thread waits for the other one to end",
            HostReason::Mutex => "this thread waits for a mutex that the other one holds",
            HostReason::ContextLock => "this call waits for the context lock that the blocked call holds",
            HostReason::Flag => "this thread waits for what the other one stores",
        }
        .to_owned(),
    }
}

fn exists(trace: &Trace, event: EventRef) -> bool {
    let thread = trace.threads.get(event.thread.0 as usize);
    thread.is_some_and(|it| (event.index as usize) < it.events.len())
}

/// A picture that has no times yet.
struct Drawing<'a> {
    program: &'a Program,
    trace: &'a Trace,
    drafts: Vec<Draft>,
    arrows: Vec<Arrow>,
}

struct Draft {
    event: EventRef,
    /// The host does it before that event, and it is none itself.
    before: bool,
    /// `None` for the host's side of it.
    stream: Option<StreamId>,
    /// Behind another moment of the same event.
    inside: bool,
    state: MomentState,
    name: String,
    text: String,
    at: Place,
    /// The calls that lead there, outermost first.
    frames: Vec<Place>,
}

/// An event, or what the host does before it (`false`, which comes first); several such things in the order of their places.
type Column = (EventRef, bool, usize);

impl Draft {
    fn column(&self) -> Column {
        let among_marks = if self.before { self.at.1.start as usize } else { 0 };
        (self.event, !self.before, among_marks)
    }
}

impl<'a> Drawing<'a> {
    fn new(program: &'a Program, trace: &'a Trace) -> Self {
        Drawing {
            program,
            trace,
            drafts: Vec::new(),
            arrows: Vec::new(),
        }
    }

    /// What cannot go on, as it fares.
    fn subject(&mut self, case: &HangCase<'_>, link: &Link) -> usize {
        let event = subject(link);
        let called = name(case, event);
        match link {
            Link::Waits { wait, .. } => self.device(event, MomentState::Waits, waits_in(case, event, *wait)),
            Link::After { .. } | Link::Behind { .. } => {
                self.device(event, MomentState::Held, format!("{called} never starts"))
            }
            Link::Blocked { .. } => self.host(event, MomentState::Stuck, format!("{called} never returns")),
            Link::HostWaits { .. } => {
                self.host(event, MomentState::Stuck, "this thread never goes on".to_owned())
            }
        }
    }

    /// The write inside an operation that waits for it itself.
    fn inside(&mut self, case: &HangCase<'_>, event: EventRef) -> usize {
        let (file, span) = case.hang.write.at;
        self.drafts.push(Draft {
            event,
            before: false,
            stream: self.stream(event),
            inside: true,
            state: MomentState::Held,
            name: self.program.words(file, span),
            text: "a node behind the one that waits: it never starts".to_owned(),
            at: (file, span),
            frames: self.frames(event),
        });
        self.drafts.len() - 1
    }

    fn either(&mut self, event: EventRef, state: MomentState, text: String) -> usize {
        match self.stream(event) {
            Some(_) => self.device(event, state, text),
            None => self.host(event, state, text),
        }
    }

    /// The operation in its stream, and the call that enqueues it.
    fn device(&mut self, event: EventRef, state: MomentState, text: String) -> usize {
        let Some(stream) = self.stream(event) else {
            return self.host(event, state, text);
        };
        let called = name_in(self.program, self.trace, event);
        let issue = self.host(event, MomentState::Issued, format!("{called} is enqueued"));
        let operation = self.draft(event, Some(stream), state, text);
        let arrow = Arrow {
            from: issue,
            to: operation,
            kind: ArrowKind::Enqueues,
            text: String::new(),
        };
        if !self.arrows.contains(&arrow) {
            self.arrows.push(arrow);
        }
        operation
    }

    fn host(&mut self, event: EventRef, state: MomentState, text: String) -> usize {
        self.draft(event, None, state, text)
    }

    /// One draft for each side of an event; what is worse about it is what is shown.
    fn draft(
        &mut self,
        event: EventRef,
        stream: Option<StreamId>,
        state: MomentState,
        text: String,
    ) -> usize {
        let same = |it: &Draft| it.event == event && it.stream == stream && !it.inside && !it.before;
        if let Some(index) = self.drafts.iter().position(same) {
            if state > self.drafts[index].state {
                self.drafts[index].state = state;
                self.drafts[index].text = text;
            }
            return index;
        }
        self.drafts.push(Draft {
            event,
            before: false,
            stream,
            inside: false,
            state,
            name: name_in(self.program, self.trace, event).replace('`', ""),
            text,
            at: event.at(self.trace),
            frames: self.frames(event),
        });
        self.drafts.len() - 1
    }

    /// What the host does before an event, which may be the end of its thread.
    fn mark(&mut self, at: Place, event: EventRef, text: String) {
        self.drafts.push(Draft {
            event,
            before: true,
            stream: None,
            inside: false,
            state: MomentState::Issued,
            name: self.program.words(at.0, at.1),
            text,
            at,
            frames: Vec::new(),
        });
    }

    fn frames(&self, event: EventRef) -> Vec<Place> {
        let entry = self.program.function(self.trace.entry);
        // The first frame is the entry itself.
        let is_entry = |it: &Place| *it == (self.trace.entry.file, entry.name_span);
        let frames = event.site(self.trace).frames.iter();
        frames.filter(|it| !is_entry(it)).copied().collect()
    }

    fn connect(&mut self, from: usize, to: usize, text: String) {
        self.arrows.push(Arrow {
            from,
            to,
            kind: ArrowKind::Needs,
            text,
        });
    }

    fn stream(&self, event: EventRef) -> Option<StreamId> {
        let work = call(self.trace, event)?.work.as_ref()?;
        Some(work.stream)
    }

    /// Host moments in the order of their threads, the threads side by side as the story comes to them.
    fn columns(&self) -> BTreeMap<Column, u32> {
        let mut waiting: BTreeMap<ThreadId, Vec<Column>> = BTreeMap::new();
        for column in self.drafts.iter().map(Draft::column) {
            let events = waiting.entry(column.0.thread).or_default();
            if !events.contains(&column) {
                events.push(column);
            }
        }
        for events in waiting.values_mut() {
            events.sort();
            events.reverse();
        }
        let told = |column: &Column| self.drafts.iter().position(|it| it.column() == *column);
        let mut columns = BTreeMap::new();
        while let Some(events) = waiting
            .values_mut()
            .filter(|it| !it.is_empty())
            .min_by_key(|it| it.last().and_then(told))
        {
            let column = columns.len() as u32;
            columns.extend(events.pop().map(|it| (it, column)));
        }
        columns
    }

    fn finish(self) -> Picture {
        let columns = self.columns();
        let entry = self.program.function(self.trace.entry);
        let threads: BTreeMap<ThreadId, usize> = columns
            .keys()
            .map(|it| it.0.thread)
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .enumerate()
            .map(|(lane, thread)| (thread, lane))
            .collect();
        let mut lanes: Vec<Lane> = threads.keys().map(|it| self.host_lane(*it)).collect();
        let mut streams: BTreeMap<StreamId, usize> = BTreeMap::new();
        for stream in self.drafts.iter().filter_map(|it| it.stream) {
            streams.entry(stream).or_insert_with(|| {
                lanes.push(Lane {
                    kind: LaneKind::Stream,
                    name: stream_name(self.trace, stream).replace('`', ""),
                });
                lanes.len() - 1
            });
        }
        let mut moments: Vec<Moment> = self
            .drafts
            .iter()
            .map(|draft| {
                let column = 2 * columns.get(&draft.column()).copied().unwrap_or_default();
                let start = column + u32::from(draft.stream.is_some()) + 2 * u32::from(draft.inside);
                let frames = draft.frames.iter();
                Moment {
                    lane: match draft.stream {
                        Some(stream) => streams.get(&stream).copied(),
                        None => threads.get(&draft.event.thread).copied(),
                    }
                    .unwrap_or_default(),
                    start,
                    end: None,
                    state: draft.state,
                    name: draft.name.clone(),
                    text: draft.text.clone(),
                    location: location(self.program, draft.at),
                    calls: frames.map(|it| location(self.program, *it)).collect(),
                }
            })
            .collect();
        end(&mut moments);
        let mut arrows = self.arrows;
        arrows.sort_by_key(|it| it.kind != ArrowKind::Enqueues);
        Picture {
            entry: self.program.words(self.trace.entry.file, entry.name_span),
            lanes,
            moments,
            arrows,
        }
    }

    fn host_lane(&self, thread: ThreadId) -> Lane {
        let name = match (self.trace.threads.len(), thread.0) {
            (1, _) => "host".to_owned(),
            (_, 0) => "main thread".to_owned(),
            (_, number) => format!("host thread {number}"),
        };
        Lane {
            kind: LaneKind::Host,
            name,
        }
    }
}

/// Says when each moment ends: at once, with what comes next in its lane, or never.
fn end(moments: &mut [Moment]) {
    let last_run = moments
        .iter()
        .filter(|it| it.state == MomentState::Runs)
        .map(|it| it.start)
        .max();
    let starts: Vec<(usize, u32)> = moments.iter().map(|it| (it.lane, it.start)).collect();
    for moment in moments {
        let next = starts
            .iter()
            .filter(|(lane, start)| *lane == moment.lane && *start > moment.start)
            .map(|(_, start)| *start)
            .min();
        moment.end = match moment.state {
            MomentState::Issued | MomentState::Unreached => Some(moment.start),
            MomentState::Runs => next.or(last_run.map(|it| it + 3)),
            MomentState::Waits | MomentState::Held | MomentState::Stuck => next,
        };
    }
}
