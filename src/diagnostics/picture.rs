//! What a finding looks like: who does what beside whom, and who waits for whom.

use super::Location;

/// Lanes, what happens in them, and what connects it. Time has no unit: it says what comes after what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The function in which the path begins.
    pub entry: String,
    /// Host threads, then streams.
    pub lanes: Vec<Lane>,
    /// What happens, by the time at which it begins.
    pub moments: Vec<Moment>,
    /// What connects it; of those that close the cycle, in its order.
    pub arrows: Vec<Arrow>,
}

/// Something that does one thing after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// What it is.
    pub kind: LaneKind,
    /// The user's name for it.
    pub name: String,
}

/// What a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneKind {
    /// A host thread.
    Host,
    /// A stream, with what is resident in it.
    Stream,
}

/// Something that happens in a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Index of its lane.
    pub lane: usize,
    /// When it begins.
    pub start: u32,
    /// When it ends; `None` when it never does.
    pub end: Option<u32>,
    /// How it fares.
    pub state: MomentState,
    /// What the user calls it: a kernel, a call, a statement.
    pub name: String,
    /// What becomes of it, as a sentence.
    pub text: String,
    /// Where it is written.
    pub location: Location,
    /// The calls that lead there from the entry, outermost first.
    pub calls: Vec<Location>,
}

/// How something fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MomentState {
    /// The host makes the call and goes on.
    Issued,
    /// It does its work.
    Runs,
    /// It has started and waits for ever.
    Waits,
    /// It is enqueued and never starts.
    Held,
    /// The host never comes back from it.
    Stuck,
    /// The host never comes to it.
    Unreached,
}

/// What connects two moments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Index of the moment it begins at.
    pub from: usize,
    /// Index of the moment it ends at.
    pub to: usize,
    /// What it means.
    pub kind: ArrowKind,
    /// The same as a sentence.
    pub text: String,
}

/// What an arrow means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// The host puts work into a stream.
    Enqueues,
    /// The one cannot go on before the other; all of these together are the cycle.
    Needs,
    /// Nothing orders the two.
    Races,
}

impl Picture {
    /// Every place it names.
    pub fn locations(&self) -> impl Iterator<Item = &Location> {
        self.moments
            .iter()
            .flat_map(|it| std::iter::once(&it.location).chain(&it.calls))
    }

    /// The same, to be changed.
    pub fn locations_mut(&mut self) -> impl Iterator<Item = &mut Location> {
        self.moments
            .iter_mut()
            .flat_map(|it| std::iter::once(&mut it.location).chain(&mut it.calls))
    }
}

impl LaneKind {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            LaneKind::Host => "host",
            LaneKind::Stream => "stream",
        }
    }
}

impl MomentState {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            MomentState::Issued => "issued",
            MomentState::Runs => "runs",
            MomentState::Waits => "waits",
            MomentState::Held => "held",
            MomentState::Stuck => "stuck",
            MomentState::Unreached => "unreached",
        }
    }
}

impl ArrowKind {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            ArrowKind::Enqueues => "enqueues",
            ArrowKind::Needs => "needs",
            ArrowKind::Races => "races",
        }
    }
}
