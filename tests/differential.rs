//! What the engine holds as known is what a real run has: conformance programs, random programs, conditionals.

#[path = "differential/mod.rs"]
mod differential;
#[path = "differential/shrink.rs"]
mod shrink;

use std::collections::BTreeSet;

use differential::compare::{Verdict, Wrong, judge};
use differential::compiler::{Compiler, Outcome};
use differential::conformance::{self, Answers, Budget};
use differential::engine::{Claim, Seen, claim, with_room};
use differential::{BATCH, CONDITIONALS, Generator, SEEDS, check_seeds, conditionals, csmith, generate};

fn compiler() -> Compiler {
    Compiler::find().expect("a C++ compiler is there wherever this crate was built")
}

#[test]
fn known_answers_are_the_real_ones() {
    let compiler = compiler();
    let answers = conformance::run(&compiler);
    assert!(answers.programs > 0, "there are programs");
    assert!(answers.broken.is_empty(), "{}", answers.broken.join("\n"));
    let tally = check_seeds(&compiler, Generator::Own, 0..SEEDS).expect("the compiler runs");
    assert!(
        tally.rejected.is_empty(),
        "the generator writes C++: {:?}",
        tally.rejected.first()
    );
    let values = tally.failures.iter().flat_map(|it| &it.wrong);
    assert!(
        values.clone().all(|it| it.real != Some(it.known)),
        "wrong is what differs"
    );
    let panics = tally.failures.iter().find(|it| it.panic.is_some());
    assert!(panics.is_none(), "the engine panics: {panics:?}");
    let enough = tally.programs * 10 >= SEEDS as usize * 6;
    assert!(
        enough,
        "only {} of {SEEDS} random programs have a meaning",
        tally.programs
    );
    let failing: BTreeSet<u64> = tally.failures.iter().map(|it| it.seed).collect();
    let differences = Budget::read().differences(&answers, &failing);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn conditionals_are_decided_as_by_the_compiler() {
    let compiler = compiler();
    let (mut branches, mut found) = (0, Vec::new());
    for seed in 0..CONDITIONALS {
        let (count, disagreements) = conditionals::check(&compiler, seed).expect("the preprocessor runs");
        branches += count;
        found.extend(disagreements);
    }
    assert!(branches > 1000, "{branches} branches are compared");
    let (agreed, allowed) = (branches - found.len(), conformance::Budget::read().conditionals);
    assert_eq!(
        found.len(),
        allowed,
        "{agreed} of {branches} agree: {:#?}",
        &found[..found.len().min(12)]
    );
}

fn seen(line: u32, value: Option<i64>) -> Seen {
    Seen {
        line,
        value,
        decisions: 0,
        unsure: false,
        assumed: false,
    }
}

fn one_path(path: &[Seen]) -> Claim {
    Claim {
        paths: vec![path.to_vec()],
        shared: None,
    }
}

fn wrong(claim: &Claim, real: &[(u32, i64)]) -> Vec<Wrong> {
    judge(claim, real).wrong
}

#[test]
fn a_known_value_must_be_the_printed_one() {
    let path = one_path(&[seen(1, Some(5)), seen(2, None), seen(3, Some(7))]);
    let right = Verdict {
        observations: 3,
        known: 2,
        assumed: 0,
        wrong: Vec::new(),
        unknown: vec![2],
    };
    assert_eq!(judge(&path, &[(1, 5), (2, 6), (3, 7)]), right);
    let found = wrong(&path, &[(1, 5), (2, 6), (3, 8)]);
    assert_eq!(
        found,
        [Wrong {
            line: 3,
            occurrence: 0,
            known: 7,
            real: Some(8)
        }]
    );
}

#[test]
fn equally_many_observations_are_compared_one_by_one() {
    let path = one_path(&[seen(1, None), seen(1, Some(5))]);
    assert_eq!(wrong(&path, &[(1, 5), (1, 5)]), []);
    let found = wrong(&path, &[(1, 5), (1, 7)]);
    assert_eq!(
        found,
        [Wrong {
            line: 1,
            occurrence: 1,
            known: 5,
            real: Some(7)
        }]
    );
}

#[test]
fn a_loop_that_is_cut_observes_a_part_in_order() {
    let path = one_path(&[
        seen(1, Some(0)),
        seen(1, Some(1)),
        seen(1, Some(9)),
        seen(2, Some(4)),
    ]);
    let real: Vec<(u32, i64)> = (0..10).map(|it| (1, it)).chain([(2, 4)]).collect();
    assert_eq!(judge(&path, &real).known, 4);
    assert_eq!(wrong(&path, &real), []);
    let backwards = one_path(&[seen(1, Some(3)), seen(1, Some(2))]);
    assert_eq!(wrong(&backwards, &real).len(), 1);
    let stale: Vec<(u32, i64)> = (0..10).map(|it| (1, it)).chain([(2, 5)]).collect();
    assert_eq!(wrong(&path, &stale).len(), 1);
}

#[test]
fn what_the_run_never_does_is_wrong_unless_it_only_may_be() {
    let path = one_path(&[seen(1, Some(0)), seen(1, Some(1))]);
    assert_eq!(
        wrong(&path, &[(1, 0)]),
        [Wrong {
            line: 1,
            occurrence: 1,
            known: 1,
            real: None
        }]
    );
    assert_eq!(wrong(&one_path(&[seen(4, None)]), &[]), []);
    let unsure = Seen {
        unsure: true,
        ..seen(1, Some(1))
    };
    let path = one_path(&[seen(1, Some(0)), unsure.clone()]);
    assert_eq!(wrong(&path, &[(1, 0)]), []);
    // If it is, it has the value.
    assert_eq!(wrong(&path, &[(1, 0), (1, 2)]), []);
    assert_eq!(
        wrong(&one_path(&[unsure.clone(), seen(2, Some(3))]), &[(2, 4)]).len(),
        1
    );
}

#[test]
fn one_of_the_paths_is_the_real_one() {
    let path = |value| {
        vec![
            seen(1, Some(1)),
            Seen {
                decisions: 1,
                ..seen(2, Some(value))
            },
        ]
    };
    let both = Claim {
        paths: vec![path(10), path(20)],
        shared: None,
    };
    assert_eq!(wrong(&both, &[(1, 1), (2, 20)]), []);
    assert_eq!(wrong(&both, &[(1, 1), (2, 30)]).len(), 1);
    assert_eq!(wrong(&both, &[(1, 2), (2, 20)]).len(), 1);
}

#[test]
fn paths_nobody_looked_at_begin_as_the_last_one() {
    let path = vec![
        seen(1, Some(1)),
        Seen {
            decisions: 1,
            ..seen(2, Some(10))
        },
    ];
    let cut = Claim {
        paths: vec![path],
        shared: Some(0),
    };
    assert_eq!(wrong(&cut, &[(1, 1), (2, 30)]), []);
    assert_eq!(wrong(&cut, &[(1, 7), (2, 30)]).len(), 1);
}

#[test]
fn the_engine_is_asked_along_every_path() {
    let program = "void observe(long long value);\nint f(int x) {\n    observe(x);\n    return x + 1;\n}\nint main() {\n    int y = f(4);\n    \
                   observe(y);\n    for (int i = 0; i < 3; ++i) observe(i);\n    return 0;\n}\n";
    let claim = with_room(|| claim(program)).expect("the engine does not panic");
    let expected = [(3, 4), (8, 5), (9, 0), (9, 1), (9, 2)].map(|(line, value)| seen(line, Some(value)));
    assert_eq!(claim.paths, [expected.to_vec()]);
}

#[test]
fn a_batch_prints_what_each_program_prints() {
    let good = generate::program(1);
    let overflow = "void observe(long long value);\nint main() {\n    int x = 2147483647;\n    ++x;\n    observe(x);\n    return 0;\n}\n";
    let endless = "void observe(long long value);\nint main() {\n    volatile int x = 1;\n    while (x) x = 1;\n    return 0;\n}\n";
    let broken = "void observe(long long value);\nint main() {\n    return nothing;\n}\n";
    let simple = "void observe(long long value);\nint main() {\n    observe(7);\n    return 0;\n}\n";
    let outcomes = compiler()
        .run_batch(&[&good, overflow, endless, simple, broken])
        .expect("the compiler runs");
    assert!(matches!(outcomes[0], Outcome::Printed(_) | Outcome::Undefined));
    assert_eq!(
        outcomes[1..4],
        [
            Outcome::Undefined,
            Outcome::Undefined,
            Outcome::Printed(vec![(3, 7)])
        ]
    );
    assert!(matches!(outcomes[4], Outcome::Rejected(_)));
    assert!(BATCH >= outcomes.len());
    let unset =
        "void observe(long long value);\nint main() {\n    int x;\n    observe(x);\n    return 0;\n}\n";
    assert_eq!(compiler().run_alone(unset), Outcome::Undefined);
    assert_eq!(compiler().run_alone(simple), Outcome::Printed(vec![(3, 7)]));
}

#[test]
fn a_seed_is_always_the_same_program() {
    assert_eq!(generate::program(3), generate::program(3));
    assert_ne!(generate::program(3), generate::program(4));
}

#[test]
fn the_budget_only_shrinks() {
    let mut budget = Budget {
        known: 5,
        ..Budget::default()
    };
    budget.wrong.insert("a/x.cpp:3".to_owned());
    budget.seeds.insert(9);
    assert_eq!(Budget::parse(&budget.text()), budget);
    let mut answers = Answers {
        known: 5,
        ..Answers::default()
    };
    answers.wrong.insert("a/x.cpp:3".to_owned(), String::new());
    let failing = BTreeSet::from([9]);
    assert_eq!(budget.differences(&answers, &failing), Vec::<String>::new());
    assert_eq!(budget.differences(&answers, &BTreeSet::new()).len(), 1);
    assert_eq!(budget.differences(&answers, &BTreeSet::from([9, 10])).len(), 1);
    answers.known = 4;
    assert_eq!(budget.differences(&answers, &failing).len(), 1);
    answers.known = 6;
    assert_eq!(budget.differences(&answers, &failing).len(), 1);
    answers.known = 5;
    answers.wrong.insert("a/x.cpp:4".to_owned(), String::new());
    assert_eq!(budget.differences(&answers, &failing).len(), 1);
    answers.wrong.clear();
    assert_eq!(budget.differences(&answers, &failing).len(), 1);
}

#[test]
fn csmiths_programs_observe_what_they_would_hash() {
    // As csmith 2.3.0 writes them.
    let text = csmith::observing(
        "#include \"csmith.h\"\nstatic int8_t g_2 = 3;\nint main (void)\n{\n    int print_hash_value = 0;\n    platform_main_begin();\n    \
         crc32_gentab();\n    g_2 = safe_lshift_func_int8_t_s_u(safe_div_func_int8_t_s_s(g_2, 0), 5);\n    \
         transparent_crc(g_2, \"g_2\", print_hash_value);\n    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);\n    \
         return safe_unary_minus_func_uint16_t_u(0);\n}\n",
    );
    assert!(text.contains("observe(g_2);"), "{text}");
    assert_eq!(
        compiler().run_alone(&text),
        Outcome::Printed(vec![(11, 96)]),
        "{text}"
    );
}

#[test]
fn csmiths_programs_are_ones_the_compiler_takes() {
    // Those who have no csmith have the programs of our own generator.
    if csmith::is_installed() {
        let tally = check_seeds(&compiler(), Generator::Csmith, 0..10).expect("csmith and the compiler run");
        assert!(tally.rejected.is_empty(), "{:?}", tally.rejected.first());
    }
}

#[test]
fn a_program_is_made_smaller_as_long_as_it_is_wanted() {
    let source = "void observe(long long value);\n\nint unused = 1;\nint used = 2;\nint main() {\n    if (used) {\n        \
                  observe(used);\n        used = 3;\n    }\n    return 0;\n}\n";
    let wanted = |text: &str| {
        let opened = text.matches('{').count();
        text.contains("observe(used)") && text.contains("int used") && opened == text.matches('}').count()
    };
    let small = "void observe(long long value);\nint used = 2;\nint main() {\n        observe(used);\n}\n";
    assert_eq!(shrink::shrink_while(source, wanted), small);
    // The engine is right about it, whatever is left out.
    let right = "void observe(long long value);\nint main() {\n    int x = 1;\n    observe(x);\n}\n";
    assert_eq!(shrink::shrink(&compiler(), right), right);
}
