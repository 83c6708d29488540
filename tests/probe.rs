//! `cudalint probe` without a GPU: the real binary, with shell scripts in the place of the cases.
#![cfg(all(feature = "verify", unix))]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use common::{Outcome, Project, run};
use serde_json::Value;

/// A project with a child that does this for each case: `$1` is its name.
fn project(script: &str) -> Project {
    let project = Project::new(&[("child", &format!("#!/bin/sh\n{script}\n")), ("tmp/empty", "")]);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(project.path("child"), executable).expect("permissions");
    project
}

/// Runs the command with that child.
fn probe(project: &Project, args: &[&str]) -> Outcome {
    let child = project.path("child");
    let child = child.to_str().expect("a readable path");
    let mut all = vec!["probe", "--no-gpu-check", "--child", child, "--timeout", "2"];
    all.extend(args);
    let mut command = project.command(&all);
    command.0.env("TMPDIR", project.path("tmp"));
    command.run()
}

/// What was seen in a case.
fn observed(report: &Value, case: &str) -> String {
    let cases = report["cases"].as_array().expect("cases");
    let found = cases.iter().find(|it| it["case"] == case);
    let seen = found.expect("the case is listed")["observed"].as_str();
    seen.unwrap_or_default().to_owned()
}

fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

/// Living processes with this word on their command line.
fn running(word: &str) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = entries.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    commands
        .filter(|it| String::from_utf8_lossy(it).contains(word))
        .count()
}

fn lines(project: &Project, path: &str) -> usize {
    let text = fs::read_to_string(project.path(path)).unwrap_or_default();
    text.lines().count()
}

const FREE: &str = "M1/free/kernel/host/non-blocking/LAZY";

/// The cases of one operation, in the first situation.
const TWO: [&str; 4] = ["--only", "M1/free/kernel/host/non-blocking", "--format", "json"];

#[test]
fn what_is_seen_is_compared_with_the_table_of_calls_and_with_an_h100() {
    let script = r#"case $1 in
  */EAGER) echo '{"outcome":"BLOCKS","milliseconds":501.2}' ;;
  *) echo noise; echo '{"outcome":"ok","milliseconds":0.1,"detail":"at once"}' ;;
esac"#;
    let outcome = probe(&project(script), &TWO);
    let report = json(&outcome);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert_eq!(observed(&report, FREE), "ok");
    assert_eq!(report["differsFromApi"], serde_json::json!([FREE]));
    assert_eq!(report["differsFromMeasured"], serde_json::json!([FREE]));

    let outcome = probe(&project(script), &TWO[..2]);
    assert!(outcome.stdout.contains("ok/BLOCKS"), "{}", outcome.stdout);
    let line = format!("  {FREE}: ok (at once), predicted was BLOCKS\n");
    assert!(outcome.stdout.contains(&line), "{}", outcome.stdout);

    let same = probe(
        &project(r#"echo '{"outcome":"BLOCKS","milliseconds":501.2}'"#),
        &TWO,
    );
    assert_eq!(same.code, 0, "{}", same.stdout);
    assert_eq!(json(&same)["differsFromApi"], serde_json::json!([]));
}

#[test]
fn whatever_a_child_does_is_an_outcome_and_nothing_of_it_is_left() {
    let id = 6_000_000 + std::process::id();
    let cases = [
        ("kill -SEGV $$", "crash SIGSEGV", 1),
        ("echo why >&2; exit 3", "failed", 2),
        ("exit 0", "failed", 2),
        ("sleep 60", "no answer", 1),
        ("head -c 3000000 /dev/zero | tr '\\0' 'x'", "failed", 2),
        ("echo '{\"outcome\":\"late\"}'; kill -KILL $$", "late", 1),
    ];
    for (script, expected, code) in cases {
        let escape = format!("(setsid sleep {id} &) >/dev/null 2>&1; {script}");
        let outcome = probe(&project(&escape), &TWO);
        assert_eq!(observed(&json(&outcome), FREE), expected, "{script}");
        assert_eq!(outcome.code, code, "{script}");
        assert_eq!(running(&id.to_string()), 0, "{script}");
    }
}

#[test]
fn a_surprise_beside_many_cases_is_tried_again_beside_few() {
    // Children that may take only 500 ms for a call are beside many.
    let script = r#"echo "$1 $3" >> "$TMPDIR/ran"
[ "$3" = 500 ] && echo '{"outcome":"late"}' || echo '{"outcome":"BLOCKS"}'"#;
    let project = project(script);
    let outcome = probe(&project, &TWO);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert_eq!(lines(&project, "tmp/ran"), 4);
    let alone = probe(&project, &[&TWO[..], &["--gpu-jobs", "1"]].concat());
    assert_eq!(alone.code, 0, "{}", alone.stdout);
    assert_eq!(lines(&project, "tmp/ran"), 6);
}

#[test]
fn a_run_that_was_cut_off_goes_on_where_it_stopped() {
    let project = project("echo \"$1\" >> \"$TMPDIR/ran\"; sleep 1; echo '{\"outcome\":\"BLOCKS\"}'");
    let slow = ["--record", "kept", "--gpu-jobs", "1", "--budget", "0.5"];
    let outcome = probe(&project, &[&TWO[..], &slow].concat());
    assert_eq!(outcome.code, 2);
    assert_eq!(
        outcome.stderr.lines().rev().take(2).collect::<Vec<_>>(),
        [
            "hint: with --record FILE the next run goes on where this one stopped",
            "error: 1 of 2 cases were seen when the 0.5 s of --budget were over"
        ]
    );
    // As if it had been killed while it wrote.
    let mut kept = fs::read_to_string(project.root().join("kept")).expect("a record");
    kept.push_str("{\"case\":\"M1/fr");
    project.write("kept", kept.as_bytes());
    let args = [&TWO[..], &["--record", "kept"]].concat();
    let outcome = probe(&project, &args);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(lines(&project, "tmp/ran"), 2);
    assert_eq!(probe(&project, &args).code, 0);
    assert_eq!(lines(&project, "tmp/ran"), 2, "nothing is left to do");

    project.write("kept", b"{\"version\":1,\"gpu\":\"another\",\"driver\":\"\"}\n");
    let outcome = probe(&project, &args);
    assert_eq!(outcome.code, 2);
    assert_eq!(
        outcome.stderr,
        "error: `kept` is no record of this GPU and driver\n"
    );
}

#[test]
fn what_could_not_be_done_is_no_difference_and_done_again_the_next_time() {
    let project = project("echo \"$1\" >> \"$TMPDIR/ran\"; echo CUDA_ERROR_OUT_OF_MEMORY >&2; exit 1");
    let args = [&TWO[..2], &["--record", "kept", "--quiet", "--gpu-jobs", "1"]].concat();
    for ran in [2, 4] {
        let outcome = probe(&project, &args);
        assert_eq!(outcome.code, 2);
        let first = format!("error: 2 cases could not be done, the first of them `{FREE}`");
        assert!(outcome.stderr.starts_with(&first), "{}", outcome.stderr);
        let line = format!("these could not be done:\n  {FREE}: CUDA_ERROR_OUT_OF_MEMORY\n");
        assert!(outcome.stdout.contains(&line), "{}", outcome.stdout);
        assert!(
            outcome.stdout.contains("nothing differs from rules/api.toml"),
            "{}",
            outcome.stdout
        );
        assert_eq!(lines(&project, "tmp/ran"), ran);
    }
}

#[test]
fn a_record_is_reported_without_a_gpu() {
    let free = |mode: &str| format!("M1/free/kernel/host/non-blocking/{mode}");
    let lines = [
        r#"{"version":1,"gpu":"NVIDIA A100","driver":"570.1"}"#.to_owned(),
        format!(
            r#"{{"case":"{}","outcome":"ok","milliseconds":0.2}}"#,
            free("LAZY")
        ),
        format!(
            r#"{{"case":"{}","outcome":"BLOCKS","milliseconds":500.1}}"#,
            free("EAGER")
        ),
        r#"{"case":"M8/allocate/global","outcome":"ok / 1 node"}"#.to_owned(),
        r#"{"case":"M5/2048/LAZY","outcome":"BLOCKS"}"#.to_owned(),
        r#"{"case":"M5/512/LAZY","outcome":"failed","detail":"CUDA_ERROR_UNKNOWN"}"#.to_owned(),
    ];
    let project = Project::new(&[("kept", &format!("{}\n", lines.join("\n"))), ("other", "text\n")]);
    let outcome = run(&project, &["probe", "--report", "kept"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let expected = "\
NVIDIA A100, driver 570.1: 5 of 1900 cases

M1: behind a spinning kernel (K: released by the host, P: once the other stream is idle, D: by a kernel) or a wait value (W); k, w: blocking streams; LAZY/EAGER
operation  K          P  D  W  k  w  kernel-device-blocking  wait-host  wait-host-blocking
free       ok/BLOCKS

M5/512/LAZY   failed
M5/2048/LAZY  BLOCKS

M8/allocate/global  ok / 1 node

these could not be done:
  M5/512/LAZY: CUDA_ERROR_UNKNOWN

2 differ from rules/api.toml:
  M8/allocate/global: ok / 1 node, predicted was STREAM_CAPTURE_UNSUPPORTED / STREAM_CAPTURE_INVALIDATED
  M1/free/kernel/host/non-blocking/LAZY: ok, predicted was BLOCKS

2 differ from what an H100 did:
  M8/allocate/global: ok / 1 node, measured was STREAM_CAPTURE_UNSUPPORTED / STREAM_CAPTURE_INVALIDATED
  M1/free/kernel/host/non-blocking/LAZY: ok, measured was BLOCKS
";
    let total = run(&project, &["probe", "--list"]).stdout.lines().count();
    assert_eq!(outcome.stdout, expected.replace("1900", &total.to_string()));
    let other = run(&project, &["probe", "--report", "other"]);
    assert_eq!(
        (other.code, other.stderr.as_str()),
        (2, "error: `other` is no record of a probe\n")
    );
}

#[test]
fn an_h100_does_what_the_table_of_calls_says() {
    let project = Project::new(&[("kept", include_str!("data/probe-h100.jsonl"))]);
    let outcome = run(&project, &["probe", "--report", "kept", "--format", "json"]);
    let report = json(&outcome);
    assert_eq!(report["differsFromApi"], serde_json::json!([]));
    assert_eq!(report["differsFromMeasured"], serde_json::json!([]));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(observed(&report, FREE), "BLOCKS");
    let cases = report["cases"].as_array().expect("cases");
    let seen = cases.iter().filter(|it| !it["observed"].is_null()).count();
    assert_eq!(
        seen,
        lines(&project, "kept") - 1,
        "every case of the record is still one"
    );
}

#[test]
fn children_run_side_by_side() {
    let project = project("sleep 1; echo '{\"outcome\":\"ok\"}'");
    let started = Instant::now();
    let args = ["--only", "M3", "--gpu-jobs", "26", "--quiet"];
    let outcome = probe(&project, &[&args[..], &["--budget", "1"]].concat());
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("4 differ from what an H100 did:"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn without_a_gpu_there_is_one_message() {
    let project = Project::new(&[]);
    let mut command = project.command(&["probe"]);
    command.0.env("CUDA_VISIBLE_DEVICES", "");
    let outcome = command.run();
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("error: no NVIDIA "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.stderr.lines().count(), 2, "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn cases_are_listed_and_chosen() {
    let project = Project::new(&[]);
    let list = |more: &[&str]| run(&project, &[&["probe", "--list"], more].concat());
    assert!(list(&[]).stdout.lines().count() > 1000);
    let chosen = list(&["--only", "M1", "--ops", "free"]);
    assert_eq!(chosen.stdout.lines().count(), 18);
    assert!(chosen.stdout.lines().all(|it| it.starts_with("M1/free/")));
    let wrong = list(&["--ops", "fre"]);
    assert_eq!(wrong.code, 2);
    assert_eq!(
        wrong.stderr,
        "error: --ops `fre` selects no case\nhint: groups are M1, M3, M4, M5, M7, M8; `cudalint probe --list` names every case\n"
    );
    let help = run(&project, &["probe", "-h"]).stdout;
    for flag in ["--only", "--ops", "--budget", "--gpu-jobs", "--record", "--json"] {
        assert!(help.contains(flag), "{help}");
    }
    assert!(!help.contains("--child"), "{help}");
    assert!(help.contains("Exit codes: 0"), "{help}");
}
