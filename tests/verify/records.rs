//! What is recorded, and goes on from there.

use std::fs;

use serde_json::Value;

use crate::programs::{project, verify};

#[test]
fn a_record_holds_every_trial_and_grows() {
    let project = project(&[("bad-one", "done", "exit 0"), ("bad-two", "hang", "sleep 60")]);
    for name in ["f/rule/bad-one.cu", "f/rule/bad-two.cu"] {
        verify(
            &project,
            &[name, "--run-user-code", "--trials", "2", "--record=kept"],
        );
    }
    let args = [
        "f",
        "--run-user-code",
        "--record=kept",
        "--resume",
        "--trials",
        "2",
    ];
    let resumed = verify(&project, &args);
    assert!(!resumed.stderr.contains("[1/"), "{}", resumed.stderr);
    let folder = fs::read_dir(project.root().join("kept")).expect("the folder");
    let files: Vec<_> = folder.flatten().map(|it| it.path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let record: Value = serde_json::from_slice(&fs::read(&files[0]).expect("a record")).expect("JSON");
    assert_eq!(record["version"], 2);
    assert_eq!(record["complete"], false);
    assert_eq!(
        record["fixtures"]["rule/bad-one.cu"]["LAZY"],
        serde_json::json!(["done", "done"])
    );
    assert_eq!(
        record["fixtures"]["rule/bad-two.cu"]["EAGER"],
        serde_json::json!(["hang", "hang"])
    );
    assert_eq!(
        record["fixtures"]["rule/bad-two.cu"]["expected"],
        "LAZY hang, EAGER hang"
    );
}

#[test]
fn what_was_recorded_as_it_is_now_is_left_out() {
    let project = project(&[("good-one", "done", "exit 0"), ("good-two", "done", "exit 0")]);
    let run = |trials: &str| {
        let args = [
            "f",
            "--run-user-code",
            "--record=kept",
            "--resume",
            "--trials",
            trials,
        ];
        let outcome = verify(&project, &args);
        let ran = outcome.stderr.lines().filter(|it| it.starts_with('[')).count();
        (outcome.code, ran)
    };
    assert_eq!(run("1"), (0, 2));
    assert_eq!(run("1"), (0, 0));
    assert_eq!(run("2"), (0, 2), "there were too few trials");
    assert_eq!(run("1"), (0, 0));
    project.write("f/rule/good-two.cu", b"// verify: done\nint x;\n");
    assert_eq!(run("1"), (0, 1), "the code is another");
    project.write("f/rule/good-two.cu", b"// verify: exit 3\nint x;\n");
    assert_eq!(run("1"), (1, 1), "the prediction is another");
}

#[test]
fn what_was_recorded_elsewhere_is_not_replaced_and_nothing_runs() {
    let project = project(&[("good-any", "done", "echo ran >> \"$TMPDIR/ran\"")]);
    let args = [
        "f",
        "--run-user-code",
        "--trials",
        "1",
        "--record=kept",
        "--quiet",
    ];
    assert_eq!(verify(&project, &args).code, 0);
    let runs = fs::read(project.path("tmp/ran")).expect("it ran");
    let folder = fs::read_dir(project.path("kept")).expect("the folder").next();
    let path = folder.expect("a record").expect("it can be listed").path();
    let record = fs::read_to_string(&path).expect("it can be read");
    for (text, reason) in [
        (
            record.replace("13.0.88", "13.0.1"),
            "it is about no GPU, driver , nvcc 13.0.1; this is",
        ),
        (
            record.replace("\"version\": 2", "\"version\": 3"),
            "it is of version 3, not 2",
        ),
        (
            format!("<<<<<<< ours\n{record}"),
            "it is no record: expected value at line 1",
        ),
    ] {
        fs::write(&path, &text).expect("a record");
        let outcome = verify(&project, &args);
        assert_eq!(outcome.code, 2, "{reason}");
        assert!(
            outcome.stderr.starts_with("error: cannot add to `kept/"),
            "{}",
            outcome.stderr
        );
        assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
        assert!(
            outcome.stderr.contains("\nhint: record to another folder"),
            "{}",
            outcome.stderr
        );
        assert_eq!(fs::read_to_string(&path).expect("the record"), text);
    }
    let unwritable = verify(&project, &["f", "--run-user-code", "--record=nvcc/kept"]);
    assert_eq!(unwritable.code, 2);
    assert!(
        unwritable.stderr.starts_with("error: cannot add to `nvcc/kept/"),
        "{}",
        unwritable.stderr
    );
    let compiled = verify(&project, &["f", "--record=kept", "--compile-only"]);
    assert_eq!(compiled.code, 2);
    assert_eq!(fs::read(project.path("tmp/ran")).expect("it ran"), runs);
    let files = fs::read_dir(project.path("kept")).expect("the folder").count();
    assert_eq!(files, 1, "nothing is left beside the record");
}
