//! What the trials of a program say about its prediction.

use serde::Serialize;

use super::expectation::{Expectation, Mode};
use super::outcome::UNREADABLE;

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every trial did what was predicted.
    Confirmed,
    /// The trials agree, on something else.
    NotReproduced,
    /// The trials do not decide it.
    Inconclusive,
    /// It does not compile here.
    BuildFailure,
    /// It needs what this machine does not have.
    Skipped,
}

impl Verdict {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Inconclusive => "inconclusive",
            Verdict::BuildFailure => "does not compile",
            Verdict::Skipped => "skipped",
        }
    }
}

/// Judges the outcomes of all trials; the second part says why.
pub fn judge(expectation: &Expectation, lazy: &[String], eager: &[String]) -> (Verdict, String) {
    let observed = [(Mode::Lazy, lazy), (Mode::Eager, eager)];
    let as_predicted = |mode: Mode, outcomes: &[String]| {
        outcomes
            .iter()
            .filter(|it| expectation.under(mode).allows(it))
            .count()
    };
    let tell = || {
        observed
            .map(|(mode, outcomes)| format!("{} {}", mode.as_str(), summary(outcomes)))
            .join(", ")
    };
    if lazy.is_empty() && eager.is_empty() {
        return (Verdict::Inconclusive, "it was not run".to_owned());
    }
    let mut unreadable = lazy
        .iter()
        .chain(eager)
        .filter_map(|it| it.strip_prefix(UNREADABLE));
    if let Some(said) = unreadable.next() {
        return (
            Verdict::Inconclusive,
            format!("it says{said}, which cannot be read"),
        );
    }
    if observed
        .iter()
        .all(|(mode, outcomes)| as_predicted(*mode, outcomes) == outcomes.len())
    {
        return (Verdict::Confirmed, tell());
    }
    for (mode, outcomes) in observed {
        let matching = as_predicted(mode, outcomes);
        if matching > 0 && matching < outcomes.len() {
            let (name, of) = (mode.as_str(), outcomes.len());
            let reason = format!(
                "{} in {matching} of {of} trials under {name}",
                expectation.under(mode)
            );
            return (Verdict::Inconclusive, format!("{reason} ({})", tell()));
        }
    }
    if let Some(reason) = another_hang(expectation, lazy, eager) {
        return (Verdict::Inconclusive, format!("{reason} ({})", tell()));
    }
    (
        Verdict::NotReproduced,
        format!("{}, predicted was {expectation}", tell()),
    )
}

/// What a hang that comes in other modes than predicted says.
fn another_hang(expectation: &Expectation, lazy: &[String], eager: &[String]) -> Option<&'static str> {
    let always = |outcomes: &[String], outcome: &str| outcomes.iter().all(|it| it == outcome);
    let is_in_both = expectation.lazy.is("hang") && expectation.eager.is("hang");
    match (always(lazy, "hang"), always(eager, "hang")) {
        (true, true) if expectation.is_lazy_loading_hang() => {
            Some("it hangs under EAGER too: more than lazy loading holds it")
        }
        (true, false) if is_in_both && always(eager, "done") => {
            Some("it completes under EAGER: lazy loading alone holds it")
        }
        (false, true) if expectation.lazy.is("hang") && always(lazy, "done") => {
            Some("it hangs under EAGER only: what holds it comes with loading everything")
        }
        _ => None,
    }
}

/// Outcomes with their counts: `hang ×5`, `done ×4 hang ×1`.
pub fn summary(outcomes: &[String]) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for outcome in outcomes {
        // Numbers differ from trial to trial.
        let kind = match outcome.split_once(' ') {
            Some((word @ ("WRONG" | "SLOW"), _)) => word,
            _ => outcome,
        };
        match counts.iter_mut().find(|(it, _)| it == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind.to_owned(), 1)),
        }
    }
    counts
        .iter()
        .map(|(kind, count)| format!("{kind} ×{count}"))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Verdict, judge};
    use crate::verify::expectation::Expectation;

    fn verdict(expected: &str, lazy: &[&str], eager: &[&str]) -> Verdict {
        let owned = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let expectation = Expectation::parse(expected).expect("it is valid");
        judge(&expectation, &owned(lazy), &owned(eager)).0
    }

    #[test]
    fn a_lazy_loading_hang_is_told_by_the_difference_between_the_modes() {
        let expected = "LAZY hang, EAGER done";
        assert_eq!(
            verdict(expected, &["hang", "hang"], &["done", "done"]),
            Verdict::Confirmed
        );
        assert_eq!(
            verdict(expected, &["hang", "hang"], &["hang", "hang"]),
            Verdict::Inconclusive
        );
        assert_eq!(
            verdict(expected, &["hang", "done"], &["done", "done"]),
            Verdict::Inconclusive
        );
        assert_eq!(
            verdict(expected, &["done", "done"], &["done", "done"]),
            Verdict::NotReproduced
        );
        assert_eq!(
            verdict(expected, &["hang", "hang"], &["hang", "done"]),
            Verdict::Inconclusive
        );
        assert_eq!(
            verdict(expected, &["hang", "hang"], &["ERROR cudaErrorUnknown"; 2]),
            Verdict::NotReproduced
        );
    }

    #[test]
    fn a_hang_in_another_mode_than_predicted_is_told_apart() {
        for (expected, lazy, eager, begin) in [
            (
                "LAZY hang, EAGER done",
                "hang",
                "hang",
                "it hangs under EAGER too",
            ),
            (
                "LAZY hang, EAGER done",
                "done",
                "hang",
                "it hangs under EAGER only",
            ),
            ("hang", "done", "hang", "it hangs under EAGER only"),
            ("hang", "hang", "done", "it completes under EAGER"),
        ] {
            let expectation = Expectation::parse(expected).expect("it is valid");
            let outcomes = |it: &str| vec![it.to_owned(); 3];
            let (verdict, reason) = judge(&expectation, &outcomes(lazy), &outcomes(eager));
            assert_eq!(verdict, Verdict::Inconclusive, "{expected}: {lazy}, {eager}");
            assert!(reason.starts_with(begin), "{reason}");
        }
    }

    #[test]
    fn numbers_do_not_count_and_names_do() {
        assert_eq!(verdict("WRONG n", &["WRONG 3"], &["WRONG 4"]), Verdict::Confirmed);
        let named = "ERROR cudaErrorNotPermitted";
        assert_eq!(verdict(named, &[named], &[named]), Verdict::Confirmed);
        assert_eq!(
            verdict(named, &["ERROR cudaErrorUnknown"], &[named]),
            Verdict::NotReproduced
        );
    }
}
