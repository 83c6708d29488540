//! How far a run has come: counted where the work is done, for whoever looks on from another thread.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// What a run does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// Files are looked for.
    Finding,
    /// Files are read.
    Reading,
    /// Files are parsed.
    Parsing,
    /// Names of all files are put together.
    Linking,
    /// Entry points are followed.
    Following,
}

impl Phase {
    const ALL: [Phase; 5] = [
        Phase::Finding,
        Phase::Reading,
        Phase::Parsing,
        Phase::Linking,
        Phase::Following,
    ];
}

/// Counters that only ever tell somebody something: nothing is decided by them.
#[derive(Debug, Default)]
pub struct Progress {
    phase: AtomicU8,
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Progress {
    /// Begins a phase of so many steps; 0 where they are not counted.
    pub fn begin(&self, phase: Phase, steps: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(steps, Ordering::Relaxed);
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// One step is done.
    pub fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// The phase, and of how many steps how many are done.
    pub fn now(&self) -> (Phase, usize, usize) {
        let phase = usize::from(self.phase.load(Ordering::Relaxed));
        let phase = Phase::ALL.get(phase).copied().unwrap_or(Phase::Finding);
        let all = self.all.load(Ordering::Relaxed);
        (phase, self.done.load(Ordering::Relaxed).min(all), all)
    }
}
