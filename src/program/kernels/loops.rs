//! Loops: which ones end only when somebody else changes a place.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::super::FileId;
use super::symbols::{Base, Kind, Load, Loc, Strength, Sym, Touch, depends, loc_depends, select};
use super::walk::{Breakable, Flow, PathCondition, Walker};
use super::{conditions, release, scan};
use crate::facts::ir::{BinaryOp, Expr, LoopKind, Span, Stmt};

/// A loop being walked.
pub(super) struct Loop<'a> {
    /// Depth of the frame it is in.
    pub(super) frame: usize,
    /// Labels inside it.
    pub(super) labels: BTreeSet<&'a str>,
    /// Something in it makes the compiler read memory again.
    pub(super) reloads: bool,
    /// What is read again may be new: more than a store, a pause or a barrier of the block happens in it.
    pub(super) refreshes: bool,
    /// Places it reads with plain loads.
    pub(super) read: Vec<Loc>,
    /// Something in it keeps the assembler from dropping it: a store, a fence, a pause, a call.
    pub(super) has_effect: bool,
    /// It calls functions without a visible body.
    pub(super) calls_unknown: bool,
    /// Memory that was handed to functions without a visible body.
    pub(super) handed_out: Vec<Base>,
    pub(super) id: u32,
    path_start: usize,
    exits: Vec<Vec<PathCondition>>,
    serial_start: u32,
    unknown_start: u32,
    write_start: usize,
}

impl Loop<'_> {
    /// A function that calls itself, from its first statement on. Its `return`s are looked at by who asks.
    pub(super) fn of_function(walker: &Walker<'_>) -> Self {
        Loop {
            id: walker.loops.saturating_add(1),
            reloads: false,
            refreshes: false,
            has_effect: false,
            calls_unknown: false,
            frame: usize::MAX,
            path_start: walker.path.len(),
            serial_start: walker.serial,
            unknown_start: walker.unknowns,
            write_start: walker.writes.len(),
            ..unreachable_loop(0)
        }
    }

    /// The loop is left under these conditions.
    pub(super) fn add_way_out(&mut self, path: Vec<PathCondition>) {
        self.exits.push(path);
    }

    /// The loop is left where this path leads.
    pub(super) fn add_exit(&mut self, path: &[PathCondition]) {
        self.exits
            .push(path.get(self.path_start..).unwrap_or_default().to_vec());
    }
}

/// A loop whose end depends on memory.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) file: FileId,
    pub(super) span: Span,
    /// Where the loop statement ends.
    pub(super) end: u32,
    /// Ways it can end; each needs memory to change.
    pub(super) exits: Vec<Exit>,
    /// It also ends by itself.
    pub(super) bounded: bool,
    /// What ends it, when all it does is look at memory: a clock or not, and how far that goes.
    pub(super) bound: Option<(bool, Option<Sym>)>,
    /// Memory is read again in every iteration.
    pub(super) reloads: bool,
    /// What is read again may be new.
    pub(super) refreshes: bool,
    /// Conditions under which it is reached.
    pub(super) path: Vec<PathCondition>,
    /// Its place in the order of events.
    pub(super) serial: u32,
    /// The last event in it.
    pub(super) serial_end: u32,
    /// Loops it is in, outermost first.
    pub(super) around: Vec<u32>,
}

/// One way a waiting loop can end.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    pub(super) loads: Vec<Sym>,
    /// `load op value`, where that is plain to see.
    pub(super) until: Option<(BinaryOp, Sym)>,
    /// The loop itself, or its kernel, can make it true.
    pub(super) internal: bool,
    /// Where several places must change: each for itself.
    pub(super) parts: Vec<Exit>,
}

/// What an atom of an exit condition depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dependence {
    Invariant,
    Memory,
    Unknown,
    Progress,
}

/// The parts of a loop statement.
struct Parts<'a> {
    /// The condition is tested after the body.
    tested_last: bool,
    condition: Option<&'a Expr>,
    step: Option<&'a Expr>,
    body: &'a [Stmt],
    /// Control leaves the loop at the end of the body.
    once: bool,
}

impl<'a> Walker<'a> {
    pub(super) fn loop_statement(
        &mut self,
        span: Span,
        kind: LoopKind,
        condition: Option<&'a Expr>,
        step: Option<&'a Expr>,
        body: &'a [Stmt],
    ) {
        let tested_last = kind == LoopKind::DoWhile;
        let end = match condition.into_iter().chain(step).map(|expr| expr.span.end).max() {
            Some(end) if !tested_last => end.saturating_add(1).min(span.end),
            _ => span
                .start
                .saturating_add(if tested_last { 2 } else { 3 })
                .min(span.end),
        };
        let head = Span {
            start: span.start,
            end,
        };
        self.walk_loop(
            head,
            &Parts {
                tested_last,
                condition,
                step,
                body,
                once: false,
            },
            BTreeSet::new(),
        );
    }

    /// A label and the statements after it, some of which jump back to it.
    pub(super) fn jump_loop(&mut self, span: Span, label: &'a str, body: &'a [Stmt]) {
        let parts = Parts {
            tested_last: true,
            condition: None,
            step: None,
            body,
            once: true,
        };
        self.walk_loop(span, &parts, BTreeSet::from([label]));
    }

    /// A loop that ends by itself.
    pub(super) fn counted_loop(&mut self, span: Span, body: &'a [Stmt]) {
        let parts = Parts {
            tested_last: false,
            condition: None,
            step: None,
            body,
            once: true,
        };
        self.walk_loop(span, &parts, BTreeSet::new());
    }

    fn walk_loop(&mut self, head: Span, parts: &Parts<'a>, mut labels: BTreeSet<&'a str>) {
        labels.extend(scan::labels(parts.body));
        self.loops += 1;
        let id = self.loops;
        let before = self.store.clone();
        let context = |walker: &Self, labels: &BTreeSet<&'a str>| Loop {
            frame: walker.frames.len(),
            labels: labels.clone(),
            reloads: false,
            refreshes: false,
            read: Vec::new(),
            has_effect: false,
            calls_unknown: false,
            handed_out: Vec::new(),
            id,
            path_start: walker.path.len(),
            exits: Vec::new(),
            serial_start: walker.serial,
            unknown_start: walker.unknowns,
            write_start: walker.writes.len(),
        };
        self.carry_assigned(id, parts);
        let first = context(self, &labels);
        let (serial_start, unknown_start) = (first.serial_start, first.unknown_start);
        let was_dry = std::mem::replace(&mut self.dry, true);
        let at_start = self.store.clone();
        self.iterate(first, parts);
        self.dry = was_dry;
        if self.dry {
            return;
        }
        self.carry_changed(id, &before, at_start, serial_start);
        let mut second = context(self, &labels);
        second.serial_start = serial_start;
        second.unknown_start = unknown_start;
        let walked = self.iterate(second, parts);
        self.note_counted(id, &walked.exits);
        let end = parts.body.last().map_or(head.end, |last| last.span.end);
        self.judge(head, end, &walked);
    }

    /// One iteration; the loop's exits are collected on the way.
    fn iterate(&mut self, context: Loop<'a>, parts: &Parts<'a>) -> Loop<'a> {
        let path_start = context.path_start;
        self.breakables.push(Breakable::Loop(context));
        let test = |walker: &mut Self| {
            let Some(condition) = parts.condition else { return };
            let sym = walker.evaluate(condition);
            let condition = |side| PathCondition {
                sym: Rc::clone(&sym),
                side,
                span: condition.span,
            };
            walker.path.push(condition(false));
            walker.exit_here();
            walker.path.pop();
            walker.path.push(condition(true));
        };
        if !parts.tested_last {
            test(self);
        }
        let flow = self.scoped(parts.body);
        if parts.once && flow == Flow::Next {
            self.exit_here();
        }
        if parts.tested_last {
            self.path.truncate(path_start);
            test(self);
        }
        if let Some(step) = parts.step {
            self.evaluate(step);
        }
        self.path.truncate(path_start);
        match self.breakables.pop() {
            Some(Breakable::Loop(context)) => context,
            _ => unreachable_loop(path_start),
        }
    }

    fn exit_here(&mut self) {
        if let Some(Breakable::Loop(innermost)) = self.breakables.last_mut() {
            innermost.add_exit(&self.path);
        }
    }

    /// Variables the loop assigns to hold an unknown value at the start of an iteration.
    fn carry_assigned(&mut self, loop_id: u32, parts: &Parts<'a>) {
        let exprs = parts.condition.into_iter().chain(parts.step);
        let names = scan::assigned_names(parts.body, exprs);
        let holds = |id: u32, element: bool| !element || self.variable(id).is_some_and(|it| it.is_array);
        let variables: Vec<u32> = names
            .iter()
            .filter_map(|(name, element)| self.lookup(name).filter(|id| holds(*id, *element)))
            .collect();
        for variable in variables {
            let keys: Vec<Rc<str>> = self
                .store
                .of_variable(variable)
                .map(|(path, _)| Rc::clone(path))
                .collect();
            for key in keys {
                let first = self.store.get(&(variable, Rc::clone(&key))).map(Rc::clone);
                if let Some(first) = first.filter(|_| key.is_empty()) {
                    self.initials.insert((loop_id, variable), first);
                }
                self.store.replace((variable, key), carried(loop_id, variable));
            }
        }
    }

    /// Sets the store for the second walk from what the first one found: values an iteration computes anew from
    /// memory are kept, others that changed stay unknown.
    fn carry_changed(
        &mut self,
        loop_id: u32,
        before: &super::store::Store,
        at_start: super::store::Store,
        serial: u32,
    ) {
        let after = std::mem::replace(&mut self.store, before.clone());
        for (key, value) in after.entries() {
            let Some(original) = before.get(key) else {
                // A part of a variable that was known as a whole.
                let has_whole = before
                    .of_variable(key.0)
                    .any(|(path, _)| key.1.starts_with(&**path));
                if has_whole {
                    let fresh = depends(value, &|kind| is_load_since(kind, serial))
                        && !depends(value, &|kind| is_carried_since(kind, loop_id));
                    let value = if fresh {
                        Rc::clone(value)
                    } else {
                        carried(loop_id, key.0)
                    };
                    self.store.replace(key.clone(), value);
                }
                continue;
            };
            if at_start.get(key) == Some(value) && value == original {
                continue;
            }
            let changed = recomputed(value, original, loop_id, key.0)
                .filter(|value| value == original || depends(value, &|kind| is_load_since(kind, serial)))
                .unwrap_or_else(|| carried(loop_id, key.0));
            self.store.replace(key.clone(), changed);
        }
    }

    pub(super) fn judge(&mut self, head: Span, end: u32, walked: &Loop<'a>) {
        let mut wait = Wait {
            file: self.frame().file,
            span: head,
            end: end.max(head.end),
            exits: Vec::new(),
            bounded: false,
            bound: None,
            reloads: walked.reloads,
            refreshes: walked.refreshes,
            path: self.path.clone(),
            serial: walked.serial_start,
            serial_end: self.serial,
            around: self.loops_around(),
        };
        let mut unknown = false;
        let mut bounds = Vec::new();
        for way in conditions::ways_out(&walked.exits) {
            match self.judge_exit(&way, walked) {
                Verdict::Always => return,
                Verdict::Ends => {
                    wait.bounded = true;
                    bounds.push(bound_of(&way, walked));
                }
                Verdict::Unknown => unknown = true,
                Verdict::Under(condition) => wait.path.push(condition),
                Verdict::Ignored => {}
                Verdict::Waits(exit) if wait.exits.len() < 8 => wait.exits.push(exit),
                Verdict::Waits(_) => unknown = true,
            }
        }
        let strongest = wait
            .exits
            .iter()
            .flat_map(|exit| &exit.loads)
            .filter_map(strength)
            .max();
        // A loop of weak loads and nothing else does not survive the assembler: the program goes on at once.
        let repeated = strongest == Some(Strength::Weak) || walked.reloads;
        if strongest < Some(Strength::Strong) && repeated && !walked.has_effect {
            return;
        }
        let fresh = strongest > Some(Strength::Plain);
        wait.refreshes |= walked.reloads && reads_more(walked, &wait.exits);
        if wait.exits.is_empty() || ((unknown || wait.bounded) && !fresh) {
            return;
        }
        if unknown {
            self.summary.incomplete = true;
            return;
        }
        if self.only_looks(walked, &wait)
            && let [Some(bound)] = bounds.as_slice()
        {
            wait.bound = Some(bound.clone());
        }
        self.waits.push(wait);
    }

    /// A loop on its own that does nothing but look at one place.
    fn only_looks(&self, walked: &Loop<'a>, wait: &Wait) -> bool {
        let looped = |it: &Breakable<'_>| matches!(it, Breakable::Loop(_));
        wait.exits.len() == 1
            && wait.exits[0].loads.len() == 1
            && !walked.calls_unknown
            && !reads_more(walked, &wait.exits)
            && self.writes.len() == walked.write_start
            && !self.breakables.iter().any(looped)
    }

    /// `place.wait(old)`: returns when the place no longer holds `old`.
    pub(super) fn wait_call(&mut self, value: &Sym, old: &Sym, span: Span) {
        self.wait_for(value, Some((BinaryOp::NotEqual, Rc::clone(old))), span);
    }

    /// A wait for some change of the place a value was loaded from.
    pub(super) fn wait_until_any(&mut self, value: &Sym, span: Span) {
        self.wait_for(value, None, span);
    }

    fn wait_for(&mut self, value: &Sym, until: Option<(BinaryOp, Sym)>, span: Span) {
        if self.dry || !location(value).is_some_and(Loc::is_visible) {
            return;
        }
        self.waits.push(Wait {
            file: self.frame().file,
            span,
            end: span.end,
            exits: vec![Exit {
                loads: vec![Rc::clone(value)],
                until,
                internal: false,
                parts: Vec::new(),
            }],
            bounded: false,
            bound: None,
            reloads: true,
            refreshes: true,
            path: self.path.clone(),
            serial: self.serial,
            serial_end: self.serial,
            around: self.loops_around(),
        });
    }

    fn judge_exit(&self, atoms: &[PathCondition], walked: &Loop<'a>) -> Verdict {
        let dependences: Vec<Dependence> = atoms.iter().map(|atom| dependence(&atom.sym, walked)).collect();
        match dependences.iter().max() {
            None => Verdict::Always,
            Some(Dependence::Invariant) => match atoms {
                [only] => Verdict::Under(PathCondition {
                    side: !only.side,
                    ..only.clone()
                }),
                _ => Verdict::Ignored,
            },
            Some(_) if !dependences.contains(&Dependence::Memory) => {
                if dependences.contains(&Dependence::Progress) {
                    Verdict::Ends
                } else {
                    Verdict::Unknown
                }
            }
            Some(_) => {
                let memory: Vec<&PathCondition> = atoms
                    .iter()
                    .zip(&dependences)
                    .filter(|(_, dependence)| **dependence == Dependence::Memory)
                    .map(|(atom, _)| atom)
                    .collect();
                self.judge_memory(&memory, walked)
            }
        }
    }

    fn judge_memory(&self, atoms: &[&PathCondition], walked: &Loop<'a>) -> Verdict {
        let mut loads = Vec::new();
        for atom in atoms {
            conditions::collect_loads(&atom.sym, walked.serial_start, &mut loads);
        }
        let places = |sym: &Sym| match &sym.kind {
            Kind::Load(load) => Some(load.loc.clone()),
            _ => None,
        };
        if loads
            .iter()
            .filter_map(places)
            .any(|loc| walked.handed_out.contains(&loc.base))
        {
            return Verdict::Unknown;
        }
        let mut exit = Exit {
            loads,
            until: conditions::until_all(atoms),
            internal: false,
            parts: Vec::new(),
        };
        let writes = self.writes.get(walked.write_start..).unwrap_or_default();
        let changes = |exit: &Exit| writes.iter().any(|write| release::changes_itself(exit, write));
        if changes(&exit) {
            // What the loop does not do by itself remains to be waited for.
            let others: Vec<Exit> = parts_of(atoms, walked)
                .into_iter()
                .filter(|it| !changes(it))
                .collect();
            if let [only] = others.as_slice()
                && atoms.len() > 1
            {
                return Verdict::Waits(only.clone());
            }
            if !exit.loads.iter().any(acquires) {
                return Verdict::Ends;
            }
            exit.internal = true;
        } else if exit.loads.len() > 1 {
            exit.parts = parts_of(atoms, walked);
            exit.parts.retain(|it| it.loads.len() == 1);
        }
        Verdict::Waits(exit)
    }
}

/// Each condition of a way out for itself.
fn parts_of(atoms: &[&PathCondition], walked: &Loop<'_>) -> Vec<Exit> {
    let part = |atom: &&PathCondition| {
        let mut loads = Vec::new();
        conditions::collect_loads(&atom.sym, walked.serial_start, &mut loads);
        Exit {
            loads,
            until: conditions::until(&atom.sym, atom.side),
            internal: false,
            parts: Vec::new(),
        }
    };
    atoms.iter().map(part).collect()
}

/// What makes this way out be taken some time: a clock or a count, and what it is compared with.
fn bound_of(atoms: &[PathCondition], walked: &Loop<'_>) -> Option<(bool, Option<Sym>)> {
    let [only] = atoms else { return None };
    let moves = |sym: &Sym| depends(sym, &|kind| is_progress(kind, walked));
    let clock = depends(&only.sym, &|kind| matches!(kind, Kind::Clock));
    if !moves(&only.sym) {
        return None;
    }
    let limit = match &only.sym.kind {
        Kind::Binary(_, left, right) if moves(left) && !moves(right) => Some(Rc::clone(right)),
        Kind::Binary(_, left, right) if moves(right) && !moves(left) => Some(Rc::clone(left)),
        _ => None,
    };
    Some((clock, limit))
}

/// A loop that reads other memory too may push its place out of the cache.
fn reads_more(walked: &Loop<'_>, exits: &[Exit]) -> bool {
    let waited: Vec<&Loc> = exits
        .iter()
        .flat_map(|exit| exit.loads.iter().filter_map(location))
        .collect();
    walked.read.iter().any(|loc| !waited.contains(&loc))
}

/// What one way out says about a loop.
enum Verdict {
    /// It is taken at once.
    Always,
    /// It is taken some time.
    Ends,
    /// Nobody knows.
    Unknown,
    /// The loop only goes on under this condition.
    Under(PathCondition),
    /// It says nothing about the other threads.
    Ignored,
    /// Memory must change first.
    Waits(Exit),
}

fn dependence(sym: &Sym, walked: &Loop<'_>) -> Dependence {
    if depends(sym, &|kind| is_progress(kind, walked)) || compares_with_itself(sym) {
        return Dependence::Progress;
    }
    let unknown = |kind: &Kind| match kind {
        Kind::Unknown(serial) => *serial > walked.unknown_start,
        Kind::Load(load) => loc_depends(&load.loc, &|kind| is_load_since(kind, walked.serial_start)),
        _ => false,
    };
    if depends(sym, &unknown) || value_is_local(sym) {
        return Dependence::Unknown;
    }
    if depends(sym, &|kind| is_load_since(kind, walked.serial_start)) {
        return Dependence::Memory;
    }
    Dependence::Invariant
}

fn is_progress(kind: &Kind, walked: &Loop<'_>) -> bool {
    match kind {
        Kind::Carried { loop_id, .. } => *loop_id >= walked.id,
        Kind::Clock => true,
        Kind::Load(load) if load.serial > walked.serial_start => match &load.touch {
            Touch::Change => true,
            Touch::Compare(expected, desired) => [expected, desired]
                .iter()
                .any(|value| depends(value, &|kind| is_load_since(kind, walked.serial_start))),
            Touch::Read | Touch::Exchange(_) => false,
        },
        _ => false,
    }
}

/// The value itself (not an address it uses) comes from shared or local arrays.
fn value_is_local(sym: &Sym) -> bool {
    match &sym.kind {
        Kind::Local => true,
        Kind::Unary(_, operand) => value_is_local(operand),
        Kind::Binary(_, left, right) => value_is_local(left) || value_is_local(right),
        Kind::Select(a, b, c) => value_is_local(a) || value_is_local(b) || value_is_local(c),
        Kind::Derived(of) => of.iter().any(value_is_local),
        _ => false,
    }
}

/// Two loads of one place in one condition: the second sees what changed since the first.
fn compares_with_itself(sym: &Sym) -> bool {
    let mut loads = Vec::new();
    conditions::collect_loads(sym, 0, &mut loads);
    loads.iter().enumerate().any(|(index, a)| {
        loads[..index].iter().any(|b| match (&a.kind, &b.kind) {
            (Kind::Load(a), Kind::Load(b)) => {
                a.loc == b.loc && a.serial != b.serial && a.touch != Touch::Read
            }
            _ => false,
        })
    })
}

fn is_carried_since(kind: &Kind, loop_id: u32) -> bool {
    matches!(kind, Kind::Carried { loop_id: other, .. } if *other >= loop_id)
}

fn is_load_since(kind: &Kind, serial: u32) -> bool {
    matches!(kind, Kind::Load(load) if load.serial > serial)
}

/// How a value was loaded.
pub(super) fn strength(sym: &Sym) -> Option<Strength> {
    match &sym.kind {
        Kind::Load(load) => Some(load.strength),
        _ => None,
    }
}

/// The load also changes the place: a lock or a token.
pub(super) fn acquires(sym: &Sym) -> bool {
    matches!(
        &sym.kind,
        Kind::Load(Load {
            touch: Touch::Exchange(_) | Touch::Compare(..),
            ..
        })
    )
}

fn carried(loop_id: u32, variable: u32) -> Sym {
    super::symbols::node(Kind::Carried { loop_id, variable })
}

/// The value at the end of an iteration when it does not build on earlier iterations; a variable that keeps its
/// value on some paths keeps the one it had before the loop.
fn recomputed(value: &Sym, original: &Sym, loop_id: u32, variable: u32) -> Option<Sym> {
    let since = |kind: &Kind| is_carried_since(kind, loop_id);
    match &value.kind {
        Kind::Carried {
            loop_id: other,
            variable: same,
        } if *other == loop_id && *same == variable => Some(Rc::clone(original)),
        Kind::Select(condition, then, otherwise) if !depends(condition, &since) => Some(select(
            condition,
            &recomputed(then, original, loop_id, variable)?,
            &recomputed(otherwise, original, loop_id, variable)?,
        )),
        Kind::Binary(
            op @ (BinaryOp::Or | BinaryOp::And | BinaryOp::BitOr | BinaryOp::BitAnd),
            left,
            right,
        ) => Some(super::symbols::binary(
            *op,
            &recomputed(left, original, loop_id, variable)?,
            &recomputed(right, original, loop_id, variable)?,
        )),
        _ => (!depends(value, &since)).then(|| Rc::clone(value)),
    }
}

/// Only for a stack of breakables that lost its loop; has no exits, so nothing is said about it.
fn unreachable_loop<'a>(path_start: usize) -> Loop<'a> {
    Loop {
        frame: 0,
        labels: BTreeSet::new(),
        reloads: true,
        refreshes: true,
        read: Vec::new(),
        has_effect: true,
        calls_unknown: true,
        handed_out: Vec::new(),
        id: 0,
        path_start,
        exits: Vec::new(),
        serial_start: 0,
        unknown_start: 0,
        write_start: 0,
    }
}

/// The location a load reads.
pub(super) fn location(sym: &Sym) -> Option<&Loc> {
    match &sym.kind {
        Kind::Load(load) => Some(&load.loc),
        _ => None,
    }
}
