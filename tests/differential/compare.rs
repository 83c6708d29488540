//! What it means that the engine is wrong about a program: its paths against what one real run prints.
//!
//! The programs have no input, so there is one real run, and the engine says that it is one of its paths. A path *fits* when
//! every value it holds as known is the value of the real run; the engine is right when some path fits. Paths it did not
//! look at (its budget) are all one more path: what the last one saw before the first decision in which they differ.
//!
//! Whether a path fits is asked line by line, in order of occurrence. The real run may have more observations of a line than
//! the path, anywhere between: a loop that is cut, a call that is not followed. It cannot have fewer, except for those in
//! a pass that may not be. So where a path observes a line as often as the run does, every occurrence is compared with
//! its own; and what it observes more often than the run is wrong, where it claims to know the value.

use std::collections::BTreeMap;

use super::engine::{Claim, Seen};

/// A value that was held as known and is not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wrong {
    /// Line of the observation.
    pub line: u32,
    /// Which of the observations of that line on the path, from 0.
    pub occurrence: usize,
    /// What the engine knows.
    pub known: i64,
    /// What the run has there; `None` where the run does not come by.
    pub real: Option<i64>,
}

/// How a program went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Observations of the real run.
    pub observations: usize,
    /// Of those, known to the engine, and rightly so.
    pub known: usize,
    /// Values that only hold where a branch nobody looks at is not taken, as it is.
    pub assumed: usize,
    /// What contradicts the run on the path that fits best; empty when one fits.
    pub wrong: Vec<Wrong>,
    /// Lines with observations of the run that are not known.
    pub unknown: Vec<u32>,
}

/// Compares all paths with the run: the path with the fewest wrong values counts, and of those the one that knows most.
pub fn judge(claim: &Claim, real: &[(u32, i64)]) -> Verdict {
    let unexplored = claim.shared.and_then(|shared| {
        let last = claim.paths.last()?.iter();
        Some(last.filter(|it| it.decisions <= shared).cloned().collect())
    });
    let mut best: Option<Verdict> = None;
    for path in claim.paths.iter().chain(unexplored.iter()) {
        let verdict = judge_path(path, real);
        let rank = |it: &Verdict| (it.wrong.len(), usize::MAX - it.known);
        if best.as_ref().is_none_or(|best| rank(&verdict) < rank(best)) {
            best = Some(verdict);
        }
    }
    best.unwrap_or(Verdict {
        observations: real.len(),
        ..Verdict::default()
    })
}

fn judge_path(path: &[Seen], real: &[(u32, i64)]) -> Verdict {
    let mut lines: BTreeMap<u32, (Vec<&Seen>, Vec<i64>)> = BTreeMap::new();
    path.iter()
        .for_each(|it| lines.entry(it.line).or_default().0.push(it));
    real.iter()
        .for_each(|it| lines.entry(it.0).or_default().1.push(it.1));
    let mut verdict = Verdict {
        observations: real.len(),
        ..Verdict::default()
    };
    for (line, (seen, real)) in lines {
        let known = verdict.known;
        let steps = align(&seen, &real);
        for (occurrence, (seen, at)) in seen.iter().zip(steps).enumerate() {
            let value = at.map(|it| real[it]);
            match seen.value {
                Some(known) if Some(known) == value => verdict.known += 1,
                // It is known where a side that nobody looks at is not taken.
                Some(_) if seen.assumed => verdict.assumed += 1,
                Some(known) if value.is_some() || !seen.unsure => verdict.wrong.push(Wrong {
                    line,
                    occurrence,
                    known,
                    real: value,
                }),
                _ => {}
            }
        }
        if verdict.known - known < real.len() {
            verdict.unknown.push(line);
        }
    }
    verdict
}

/// The cost of an alignment: sure observations without a counterpart, wrong values, and values not known.
type Cost = (usize, usize, usize);

/// For each observation of a path the occurrence in the run it stands for, in order; the kindest such assignment.
fn align(seen: &[&Seen], real: &[i64]) -> Vec<Option<usize>> {
    let (rows, columns) = (seen.len(), real.len());
    let mut costs = vec![vec![(0, 0, 0); columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..=columns).rev() {
            let mut cost = plus(costs[row + 1][column], dropped(seen[row]));
            if column < columns {
                cost = cost.min(costs[row][column + 1]);
                cost = cost.min(plus(costs[row + 1][column + 1], matched(seen[row], real[column])));
            }
            costs[row][column] = cost;
        }
    }
    let (mut steps, mut column) = (Vec::with_capacity(rows), 0);
    for row in 0..rows {
        loop {
            let cost = costs[row][column];
            let meets = column < columns
                && cost == plus(costs[row + 1][column + 1], matched(seen[row], real[column]));
            if meets {
                steps.push(Some(column));
                column += 1;
                break;
            }
            if column < columns && cost == costs[row][column + 1] {
                column += 1;
                continue;
            }
            steps.push(None);
            break;
        }
    }
    steps
}

fn plus(left: Cost, right: Cost) -> Cost {
    (left.0 + right.0, left.1 + right.1, left.2 + right.2)
}

fn dropped(seen: &Seen) -> Cost {
    (usize::from(!seen.unsure), 0, 1)
}

fn matched(seen: &Seen, real: i64) -> Cost {
    match seen.value {
        Some(known) => (0, usize::from(known != real), usize::from(known != real)),
        None => (0, 0, 1),
    }
}
