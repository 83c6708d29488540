//! Waiting: loops and calls that end only when somebody else changes a place.

use std::rc::Rc;

use super::super::FileId;
use super::loops::{Loop, is_load_since};
use super::symbols::{Base, Kind, Load, Loc, Step, Strength, Sym, Touch, binary, depends, loc_depends};
use super::walk::{Breakable, PathCondition, Walker};
use super::{conditions, release};
use crate::facts::ir::{BinaryOp, Span};

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
    /// What holds when it has ended: any of these, all of it.
    pub(super) ways: Vec<Vec<PathCondition>>,
    /// It stands for the end of a loop that waits in each of its rounds.
    pub(super) session: bool,
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

impl<'a> Walker<'a> {
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
            ways: conditions::ways_out(&walked.exits, &self.path),
            session: false,
        };
        let mut unknown = false;
        let mut bounds = Vec::new();
        for way in wait.ways.clone() {
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
        self.summary.unseen_waits |= unknown && !wait.bounded && !walked.handed_out.is_empty();
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
        let loads = || {
            wait.exits
                .iter()
                .flat_map(|exit| &exit.loads)
                .filter_map(location)
        };
        if loads().any(|loc| index_moves(loc, walked)) {
            // Another element in each round: nothing to keep.
            (wait.reloads, wait.refreshes) = (true, true);
        }
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
        let holds = until.as_ref().map(|(op, old)| PathCondition {
            sym: binary(*op, value, old),
            side: true,
            span,
            first_round: false,
        });
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
            ways: vec![holds.into_iter().collect()],
            session: false,
        });
    }

    fn judge_exit(&self, atoms: &[PathCondition], walked: &Loop<'a>) -> Verdict {
        let polls = self
            .waits
            .iter()
            .any(|it| it.serial > walked.serial_start && !it.bounded);
        let dependences: Vec<Dependence> = atoms
            .iter()
            .map(|atom| dependence(&atom.sym, walked, polls))
            .collect();
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
            // What a place held a round ago it may hold still: the rest is what must change.
            if let [only] = exit.parts.as_slice()
                && only.until.is_some()
            {
                return Verdict::Waits(only.clone());
            }
        }
        Verdict::Waits(exit)
    }
}

/// What an atom of an exit condition depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dependence {
    Invariant,
    Memory,
    Unknown,
    Progress,
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

/// What makes this way out be taken some time: a clock or a count, and what it is compared with. What does not change in
/// the loop, such as whether it is to be given up at all, may be asked beside it.
fn bound_of(atoms: &[PathCondition], walked: &Loop<'_>) -> Option<(bool, Option<Sym>)> {
    let moves = |sym: &Sym| depends(sym, &|kind| is_progress(kind, walked));
    let (moving, others): (Vec<_>, Vec<_>) = atoms.iter().partition(|it| moves(&it.sym));
    let still = |it: &&PathCondition| dependence(&it.sym, walked, false) == Dependence::Invariant;
    let [only] = moving.as_slice() else { return None };
    if !others.iter().all(still) {
        return None;
    }
    let clock = depends(&only.sym, &|kind| matches!(kind, Kind::Clock));
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

/// `polls`: the loop waits in each of its rounds; what it then reads where it was told to is written by others too.
fn dependence(sym: &Sym, walked: &Loop<'_>, polls: bool) -> Dependence {
    if depends(sym, &|kind| is_progress(kind, walked)) || compares_with_itself(sym) {
        return Dependence::Progress;
    }
    let unknown = |kind: &Kind| match kind {
        Kind::Unknown(serial) => *serial > walked.unknown_start,
        Kind::Load(load) => {
            loc_depends(&load.loc, &|kind| is_load_since(kind, walked.serial_start))
                && !(polls && index_moves(&load.loc, walked))
        }
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

/// The place is an element of one array, and which one is read afresh in each round.
fn index_moves(loc: &Loc, walked: &Loop<'_>) -> bool {
    let fresh = |kind: &Kind| matches!(kind, Kind::Load(load) if load.serial > walked.serial_start && load.strength == Strength::Strong);
    let moving = |kind: &Kind| is_load_since(kind, walked.serial_start);
    let is_array = matches!(loc.base, Base::Parameter(_) | Base::Global(_));
    let mut moved = false;
    for step in &loc.path {
        if let Step::Element(index) = step
            && depends(index, &moving)
        {
            moved = depends(index, &fresh);
        }
    }
    is_array && moved
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

/// The location a load reads.
pub(super) fn location(sym: &Sym) -> Option<&Loc> {
    match &sym.kind {
        Kind::Load(load) => Some(&load.loc),
        _ => None,
    }
}
