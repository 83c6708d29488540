//! How much of a path's steps something may take: what makes no events a few of them, what does as many as it needs, or its
//! fair part where one call would take all.

use super::budget;
use super::coverage::Cut;
use super::machine::Machine;
use crate::program::FunctionId;

impl Machine<'_> {
    /// Runs something that makes no events: it gets a few steps, for what it computes, and is left alone then.
    pub(super) fn patiently<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let share = self.limit.saturating_sub(self.steps) / 16;
        self.within(share.clamp(budget::QUIET_STEPS, budget::MOST_QUIET_STEPS), body)
    }

    fn within<T>(&mut self, steps: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.control.patience;
        self.control.patience = outer.min(self.steps.saturating_add(steps));
        let result = body(self);
        self.coverage.impatience += u64::from(self.is_tired());
        self.control.patience = outer;
        result
    }

    /// The same for a function that asks and stores, and takes locks at most: what was called often and took long gets less.
    pub(super) fn aside<T>(&mut self, function: FunctionId, body: impl FnOnce(&mut Self) -> T) -> T {
        let spent = self.spent_on.get(&function).copied().unwrap_or_default();
        let share = self.limit.saturating_sub(self.steps) / 16;
        let steps = match spent > budget::MOST_QUIET_STEPS.min(self.limit / 8) {
            true => budget::REPEATED_STEPS,
            false => share.clamp(budget::QUIET_STEPS, budget::MOST_QUIET_STEPS),
        };
        let start = self.steps;
        self.control.aside += 1;
        let result = self.within(steps, body);
        self.control.aside -= 1;
        *self.spent_on.entry(function).or_default() += self.steps - start;
        result
    }

    /// Steps that what makes no events may still take.
    pub(super) fn patience_left(&self) -> u32 {
        self.control.patience.min(self.limit).saturating_sub(self.steps)
    }

    /// Runs something that makes events in the middle of what was taken to make none: it takes the time it needs, or all of
    /// the part that its caller gets.
    pub(super) fn thoroughly<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        if self.fair {
            let (result, tired) = self.fairly(0, u32::MAX, |machine| {
                let result = body(machine);
                (result, machine.is_tired() && !machine.exited)
            });
            if tired {
                self.coverage.cuts.insert(Cut::Part);
            }
            return result;
        }
        let (outer, start) = (self.control.patience, self.steps);
        let aside = std::mem::take(&mut self.control.aside);
        self.control.patience = u32::MAX;
        let result = body(self);
        self.control.patience = outer.saturating_add(self.steps - start);
        self.control.aside = aside;
        result
    }

    /// The same where it gets no more of the steps that are left than each of so many calls behind it, and so many at
    /// most.
    pub(super) fn fairly<T>(&mut self, behind: u32, most: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        let (outer, start) = (self.control.patience, self.steps);
        let aside = std::mem::take(&mut self.control.aside);
        let end = if aside > 0 {
            self.limit
        } else {
            self.limit.min(outer)
        };
        let left = end.saturating_sub(start);
        let parts = 1 + behind.min(budget::FAIR_CALLS);
        let part = (left - left / budget::FAIR_REST) / parts;
        self.control.patience = start + part.min(most);
        let result = body(self);
        self.control.patience = match aside {
            0 => outer,
            _ => outer.saturating_add(self.steps - start),
        };
        self.control.aside = aside;
        result
    }

    /// Whether what runs gets its part only and has used it: what it is handed from here on was not worked out.
    pub(super) fn has_spent_part(&self) -> bool {
        self.fair && self.is_tired()
    }

    /// Whether what runs makes no events and has taken its time.
    pub(super) fn is_tired(&self) -> bool {
        self.steps >= self.control.patience && self.steps < self.limit
    }
}
