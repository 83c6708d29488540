//! Random CUDA programs: what the analyser says of them against what a GPU did, and against an independent order.

mod analysis;
mod compare;
mod encode;
mod generate;
mod outcomes;
mod program;
mod random;
mod reference;
mod render;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use compare::{Comparison, Missed, Verdict};
use outcomes::{Loading, Outcome, recorded};

/// Every so many of the recorded programs are compared here; `cargo bench --bench device_order` compares all.
const EVERY: u64 = 5;

/// Runs that do not do what is predicted, whether they hang, and why.
const KNOWN: &[(u64, Loading, bool, &str)] = &[
    (
        1198,
        Loading::Lazy,
        false,
        "two host threads: it hangs only if `cudaMemcpy` comes before the other thread's write",
    ),
    (
        1198,
        Loading::Eager,
        false,
        "two host threads: it hangs only if `cudaMemcpy` comes before the other thread's write",
    ),
    (
        1897,
        Loading::Lazy,
        false,
        "two host threads: it hangs only if `cudaMemcpy` comes before the other thread's launch, which loads",
    ),
    (
        1945,
        Loading::Eager,
        true,
        "not explained, perhaps a hardware queue shared with the waiting stream: with a non-blocking first stream, without the copy \
         or without the memset in the forked graph it ends; 8, 16 or 32 connections change nothing",
    ),
];

/// Programs with a race on some object that no finding names.
const MISSED: &[(u64, &str)] = &[(2321, "the same `cudaFree` is reported for another pair")];

fn is_compared(seed: u64) -> bool {
    let known = KNOWN.iter().map(|it| it.0).chain(MISSED.iter().map(|it| it.0));
    seed.is_multiple_of(EVERY) || known.into_iter().any(|it| it == seed)
}

fn compared() -> &'static Comparison {
    static COMPARED: OnceLock<Comparison> = OnceLock::new();
    COMPARED.get_or_init(|| {
        let mut comparison = Comparison::default();
        for record in recorded().iter().filter(|it| is_compared(it.seed)) {
            comparison.add(record);
        }
        comparison
    })
}

#[test]
fn programs_are_those_that_were_run() {
    let changed = |it: &outcomes::Record| {
        let program = generate::generate(it.seed);
        encode::fingerprint(&program, &render::render(&program)) != it.fingerprint
    };
    let seeds: Vec<u64> = recorded()
        .iter()
        .filter(|it| changed(it))
        .map(|it| it.seed)
        .collect();
    assert!(
        seeds.is_empty(),
        "the generator changed: run these again (tests/device_order/README.md): {seeds:?}"
    );
}

#[test]
fn enough_of_both_kinds_was_run() {
    let mut runs = [0, 0];
    for (_, outcome) in recorded().iter().flat_map(|it| &it.runs) {
        runs[usize::from(*outcome == Outcome::Hang)] += 1;
    }
    assert!(runs[0] > 3000 && runs[1] > 1000, "{runs:?}");
}

#[test]
fn programs_hang_where_it_is_predicted() {
    let wrong: Vec<(u64, Loading, bool)> = compared()
        .wrong
        .iter()
        .map(|it| (it.seed, it.loading, it.hung))
        .collect();
    let known: Vec<(u64, Loading, bool)> = KNOWN.iter().map(|it| (it.0, it.1, it.2)).collect();
    assert_eq!(wrong, known, "\n{}", compared());
}

#[test]
fn memory_without_a_race_holds_what_the_reference_says() {
    let (right, wrong) = &compared().kept;
    assert!(*right > 400, "{right}");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn races_are_those_of_the_reference() {
    let races = &compared().races;
    let of = |wanted: fn(&Verdict) -> bool| -> Vec<u64> {
        let found = races.iter().filter(|it| wanted(it.0));
        found.flat_map(|it| it.1).copied().collect()
    };
    let unconfirmed = of(|it| matches!(it, Verdict::Unconfirmed(_)));
    assert!(unconfirmed.is_empty(), "{unconfirmed:?}");
    let plain = of(|it| *it == Verdict::Missed(Missed::Plain));
    let known: Vec<u64> = MISSED.iter().map(|it| it.0).collect();
    assert_eq!(plain, known, "\n{}", compared());
    let missed: BTreeMap<Missed, usize> = races
        .iter()
        .filter_map(|(verdict, seeds)| match verdict {
            Verdict::Missed(why) => Some((*why, seeds.len())),
            _ => None,
        })
        .collect();
    assert_eq!(missed, BTreeMap::from(BUDGET), "\n{}", compared());
}

/// Objects with a race that no finding names, by what is particular about them.
const BUDGET: [(Missed, usize); 4] = [
    (Missed::Pageable, 10),
    (Missed::Waits, 6),
    (Missed::SameOperation, 8),
    (Missed::Plain, 1),
];
