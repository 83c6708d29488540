//! What programs do, told apart and reported.

use crate::programs::{JSON, project, verdicts, verify};

#[test]
fn what_programs_do_is_compared_with_what_their_headers_predict() {
    let lazy = "[ $CUDA_MODULE_LOADING = LAZY ] && sleep 60; echo DONE";
    let project = project(&[
        ("bad-lazy", "LAZY hang, EAGER done", lazy),
        ("bad-wrong", "WRONG n", "echo noise; echo WRONG 12"),
        (
            "bad-error",
            "ERROR cudaErrorNotPermitted",
            "echo ERROR cudaErrorNotPermitted",
        ),
        ("bad-slow", "SLOW ratio", "echo SLOW 3.2"),
        ("bad-crash", "crash SIGSEGV", "kill -SEGV $$"),
        ("bad-exit", "exit 3", "exit 3"),
        ("bad-both", "LAZY hang, EAGER done", "sleep 60"),
        ("bad-never", "hang", "echo DONE"),
        (
            "bad-other-error",
            "ERROR cudaErrorNotPermitted",
            "echo ERROR cudaErrorUnknown",
        ),
        ("bad-code", "done", "NO_BUILD"),
        ("good-library", "done", "NO_LIBRARY"),
        ("good-right", "done", "echo WRONG 0; echo SLOW 1.1"),
        ("good-wrong", "done", "echo WRONG 1"),
        ("good-wrong-negative", "done", "echo WRONG -1"),
        ("good-wrong-unreadable", "done", "echo WRONG nan"),
        ("good-error-unreadable", "done", "echo ERROR"),
        (
            "good-error-described",
            "done",
            "echo 'ERROR cudaErrorUnknown: why'",
        ),
    ]);
    let outcome = verify(&project, &JSON);
    let expected = [
        ("bad-both", "inconclusive"),
        ("bad-code", "build-failure"),
        ("bad-crash", "confirmed"),
        ("bad-error", "confirmed"),
        ("bad-exit", "confirmed"),
        ("bad-lazy", "confirmed"),
        ("bad-never", "not-reproduced"),
        ("bad-other-error", "not-reproduced"),
        ("bad-slow", "confirmed"),
        ("bad-wrong", "confirmed"),
        ("good-error-described", "not-reproduced"),
        ("good-error-unreadable", "inconclusive"),
        ("good-library", "skipped"),
        ("good-right", "confirmed"),
        ("good-wrong-negative", "not-reproduced"),
        ("good-wrong-unreadable", "inconclusive"),
        ("good-wrong", "not-reproduced"),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, verdict)| (format!("rule/{name}.cu"), (*verdict).to_owned()))
        .collect();
    assert_eq!(verdicts(&outcome), expected, "{}", outcome.stderr);
    assert_eq!(outcome.code, 1);
}

#[test]
fn the_table_counts_and_explains() {
    let project = project(&[
        ("bad-hang", "hang", "sleep 60"),
        ("good-end", "done", "echo odd; exit 4"),
    ]);
    let outcome = verify(&project, &["f", "--run-user-code", "--trials", "2", "--quiet"]);
    assert!(
        outcome.stdout.contains("2 trials in each loading mode"),
        "{}",
        outcome.stdout
    );
    let row = |begin: &str| {
        outcome
            .stdout
            .lines()
            .find(|line| line.starts_with(begin))
            .map(str::to_owned)
    };
    let words = |line: String| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        words(row("rule  bad").expect("a row")),
        ["rule", "bad", "1", "-", "-", "-", "-"]
    );
    assert_eq!(
        words(row("all").expect("a row")),
        ["all", "1", "1", "-", "-", "-"]
    );
    let reason = "rule/good-end.cu: not reproduced: LAZY exit 4 ×2, EAGER exit 4 ×2, predicted was LAZY done, EAGER done";
    assert!(
        outcome.stdout.contains(&format!("{reason}\n  | odd\n")),
        "{}",
        outcome.stdout
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn output_is_told_without_what_would_move_a_terminal() {
    let project = project(&[("good-any", "done", "printf '\\033[31mred\\007\\r\\n'; exit 3")]);
    let outcome = verify(&project, &["f", "--run-user-code", "--trials", "1", "--quiet"]);
    assert!(
        outcome.stdout.ends_with("  | \u{fffd}[31mred\u{fffd}\n"),
        "{:?}",
        outcome.stdout
    );
}

#[test]
fn arguments_and_environment_reach_the_programs() {
    let script = "[ \"$1|$2|$3|$NAME\" = \"one|two words|it's|3\" ] || exit 5";
    let project = project(&[("good-args", "done", script)]);
    let args = [
        "f",
        "--run-user-code",
        "--trials",
        "1",
        "--args",
        "one 'two words'",
        "--args",
        "\"it's\"",
        "--env",
        "NAME=3",
    ];
    assert_eq!(verify(&project, &args).code, 0);
    let refused = verify(&project, &["f", "--env", "CUDA_MODULE_LOADING=EAGER"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("programs run with both values of it"),
        "{}",
        refused.stderr
    );
}
