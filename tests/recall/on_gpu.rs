//! `tests/programs/run_on_gpu.py` without a GPU: shell scripts in the place of the compiler and of the programs.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::common::Project;
use crate::measure::label;

/// Takes the first source for the program, and says no to what is no program.
const COMPILER: &str = r#"#!/bin/sh
echo "$@" >> "$(dirname "$0")/arguments"
while [ $# -gt 0 ]; do
  case $1 in
    -o) target=$2; shift ;;
    *.cu) [ -z "$source" ] && source=$1 ;;
  esac
  shift
done
if grep -q 'no program' "$source"; then echo "$source:1: error"; exit 1; fi
cp "$source" "$target" && chmod +x "$target"
"#;

/// Name, script, `expect_lazy`, `expect_eager` and what must come out in both modes.
const PROGRAMS: &[(&str, &str, &str, &str, &str, &str)] = &[
    ("01-done", "echo words; echo DONE", "done", "done", "done", "done"),
    ("02-wrong", "echo WRONG 3", "wrong", "wrong", "wrong", "wrong"),
    (
        "03-slow",
        "echo SLOW 2.5; echo DONE",
        "slow",
        "slow",
        "slow",
        "slow",
    ),
    (
        "04-error",
        "echo ERROR cudaErrorLaunchFailure; exit 1",
        "error",
        "error",
        "error",
        "error",
    ),
    ("05-crash", "kill -SEGV $$", "done", "done", "crash", "crash"),
    (
        "06-late-crash",
        "echo DONE; exit 3",
        "done",
        "done",
        "crash",
        "crash",
    ),
    ("07-mute", "echo words", "done", "done", "crash", "crash"),
    (
        "08-hang",
        "sleep 1000 & echo child $!; wait",
        "hang",
        "hang",
        "hang",
        "hang",
    ),
    (
        "09-lazy",
        "if [ $CUDA_MODULE_LOADING = EAGER ]; then echo DONE; else echo WRONG 1; fi",
        "wrong",
        "done",
        "wrong",
        "done",
    ),
    ("10-words", "no program", "done", "done", "compile", "compile"),
    ("11-label", "echo DONE", "hang", "done", "done", "done"),
];

/// A set of those programs; a timed one beside them.
fn set() -> Project {
    let project = Project::new(&[("nvcc", COMPILER)]);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path("nvcc"), executable).expect("it was just written");
    for (name, script, lazy, eager, ..) in PROGRAMS {
        project.write(
            &format!("set/{name}/main.cu"),
            format!("#!/bin/sh\n{script}\n").as_bytes(),
        );
        project.write(&format!("set/{name}/more/part.cpp"), b"");
        let bad = *lazy != "done";
        let label = format!(
            "family = \"hang\"\nbad = {bad}\nbuild = \"-DWIDTH=3 -lcuda\"\nexpect_lazy = \"{lazy}\"\nexpect_eager = \"{eager}\"\n"
        );
        project.write(&format!("set/{name}/label.toml"), label.as_bytes());
    }
    project.write("set/00-timed/main.cu", b"#!/bin/sh\necho DONE\n");
    project.write(
        "set/00-timed/label.toml",
        b"family = \"benchmark\"\nbad = false\nexpect = \"done\"\n",
    );
    project
}

/// Runs the script; `None` where there is no Python that can.
fn run(project: &Project, args: &[&str]) -> Option<Output> {
    let can = Command::new("python3").args(["-c", "import tomllib"]).output();
    if !can.is_ok_and(|it| it.status.success()) {
        return None;
    }
    let nvcc = project.path("nvcc");
    let run = Command::new("python3")
        .arg(label::root().join("run_on_gpu.py"))
        .arg(project.path("set"))
        .args([
            "--nvcc",
            nvcc.to_str().expect("a plain path"),
            "--timeout",
            "6",
            "-j",
            "2",
        ])
        .args(args)
        .output();
    Some(run.expect("it starts"))
}

fn results(project: &Project) -> Vec<Value> {
    let text = std::fs::read_to_string(project.path("set/gpu_results.jsonl")).expect("results");
    text.lines()
        .map(|it| serde_json::from_str(it).expect("JSON"))
        .collect()
}

fn text<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key]
        .as_str()
        .unwrap_or_else(|| panic!("{key} in {record}"))
}

#[test]
fn every_ending_of_a_run_has_its_name() {
    let project = set();
    let Some(output) = run(&project, &["--jobs", "8"]) else {
        return;
    };
    let (said, talk) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(1), "labels are wrong\n{said}{talk}");
    let results = results(&project);
    let outcomes: BTreeMap<(&str, &str), &str> = results
        .iter()
        .map(|it| ((text(it, "case"), text(it, "mode")), text(it, "outcome")))
        .collect();
    for (name, _, lazy, eager, outcome_lazy, outcome_eager) in PROGRAMS {
        assert_eq!(outcomes[&(*name, "LAZY")], *outcome_lazy, "{name}");
        assert_eq!(outcomes[&(*name, "EAGER")], *outcome_eager, "{name}");
        for (mode, expected, outcome) in [("LAZY", lazy, outcome_lazy), ("EAGER", eager, outcome_eager)] {
            let told = said.contains(&format!("{name} {mode}: {outcome}, the label says {expected}"));
            assert_eq!(told, expected != outcome, "{name} {mode} in {said}");
        }
    }
    let last: Vec<&str> = results.iter().rev().take(4).map(|it| text(it, "case")).collect();
    assert_eq!(
        last,
        ["03-slow", "03-slow", "00-timed", "00-timed"],
        "what is timed runs after all others"
    );
    for it in results.iter().filter(|it| text(it, "case") == "08-hang") {
        let child = text(it, "output").trim().trim_start_matches("child ");
        let status = std::fs::read_to_string(Path::new("/proc").join(child).join("status"));
        let runs = status.is_ok_and(|it| !it.contains("State:\tZ"));
        assert!(!runs, "the child {child} of a program that hung still runs");
    }
    let arguments = std::fs::read_to_string(project.path("arguments")).expect("the compiler ran");
    let done = arguments
        .lines()
        .find(|it| it.contains("01-done"))
        .expect("it was compiled");
    for part in [
        "-std=c++17 -arch=sm_90",
        " main.cu ",
        " more/part.cpp ",
        "-DWIDTH=3 -lcuda",
    ] {
        assert!(done.contains(part), "{part} in {done}");
    }
}

#[test]
fn trials_are_counted_and_other_programs_keep_their_lines() {
    let project = set();
    let Some(output) = run(&project, &["--only", "01-done", "--trials", "3"]) else {
        return;
    };
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let attempts = |name: &str| {
        let results = results(&project);
        let of_case = results.iter().filter(|it| text(it, "case") == name);
        of_case
            .map(|it| it["attempt"].as_u64().expect("a number"))
            .collect::<Vec<_>>()
    };
    assert_eq!(attempts("01-done"), [1, 2, 3, 1, 2, 3]);
    run(&project, &["--only", "02-wrong"]);
    assert_eq!(attempts("01-done"), [1, 2, 3, 1, 2, 3]);
    assert_eq!(attempts("02-wrong"), [1, 1]);
}
