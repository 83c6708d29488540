//! `cudalint verify` without a GPU: the real binary, with shell scripts in the place of compiler and programs.
#![cfg(all(feature = "verify", unix))]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use common::{Outcome, Project, run};
use serde_json::Value;

/// A compiler whose programs are what follows `// sh:` in the source.
const COMPILER: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0; }
out= sources=
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    *.cu) sources="$sources $1" ;;
  esac
  shift
done
grep -q NO_SPACE $sources && { echo 'fatal error: x.o: No space left on device' >&2; exit 1; }
grep -q NO_LIBRARY $sources && { echo 'x.cu:3:10: fatal error: nccl.h: No such file or directory' >&2; exit 1; }
grep -q NO_BUILD $sources && { echo 'x.cu(3): error: no such thing' >&2; exit 2; }
grep -q NO_ARCH $sources && { echo "nvcc fatal : Unsupported gpu architecture 'compute_12'" >&2; exit 1; }
grep -q NO_END $sources && sleep 600
{ echo '#!/bin/sh'; sed -n 's|^// sh: ||p' $sources; } > "$out"
chmod +x "$out"
"#;

/// A project with programs (name, header, script) in `f/rule/`.
fn project(programs: &[(&str, &str, &str)]) -> Project {
    let project = Project::new(&[("nvcc", COMPILER), ("tmp/empty", "")]);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(project.path("nvcc"), executable).expect("permissions");
    for (name, header, script) in programs {
        let text = format!("// fixture: bad\n// verify: {header}\n// sh: {script}\n");
        project.write(&format!("f/rule/{name}.cu"), text.as_bytes());
    }
    project
}

/// Runs the command on the programs.
fn verify(project: &Project, args: &[&str]) -> Outcome {
    let nvcc = project.path("nvcc");
    let nvcc = nvcc.to_str().expect("a readable path");
    let mut all = vec!["verify", "--nvcc", nvcc, "--no-gpu-check", "--timeout", "2"];
    all.extend(args);
    let mut command = project.command(&all);
    command.0.env("TMPDIR", project.path("tmp"));
    command.run()
}

/// Verdict of each program, by name.
fn verdicts(outcome: &Outcome) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let programs = report["programs"].as_array().expect("programs");
    programs
        .iter()
        .map(|it| (text(&it["name"]), text(&it["verdict"])))
        .collect()
}

/// What of a run is left in its temporary folder.
fn left_behind(project: &Project) -> Vec<String> {
    let entries = fs::read_dir(project.path("tmp")).expect("the folder").flatten();
    let names = entries.map(|it| it.file_name().to_string_lossy().into_owned());
    names.filter(|it| it != "empty").collect()
}

/// Living processes with this word on their command line.
fn running(word: &str) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = entries.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    commands
        .filter(|it| String::from_utf8_lossy(it).contains(word))
        .count()
}

const JSON: [&str; 6] = ["f", "--run-user-code", "--trials", "1", "--format", "json"];

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
        ("good-library", "skipped"),
        ("good-right", "confirmed"),
        ("good-wrong", "not-reproduced"),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, verdict)| (format!("rule/{name}.cu"), (*verdict).to_owned()))
        .collect();
    assert_eq!(verdicts(&outcome), expected, "{}", outcome.stderr);
    assert_eq!(outcome.code, 1);
    assert_eq!(left_behind(&project), [""; 0]);
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

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_running() {
    let id = 7_000_000 + std::process::id();
    let escape =
        format!("setsid sleep {id} & (sleep {id} &); (setsid setsid env -i sleep {id} &); sleep {id}");
    let outlive = format!("sleep {id} & (setsid sleep {id} &); echo DONE");
    let project = project(&[
        ("bad-escape", "hang", &escape),
        ("good-outlive", "done", &outlive),
    ]);
    let started = Instant::now();
    let outcome = verify(&project, &JSON);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert_eq!(running(&id.to_string()), 0);
    assert!(
        started.elapsed() < Duration::from_secs(40),
        "nobody waits for what outlives its parent"
    );
}

#[test]
fn a_flood_of_output_is_read_and_bounded() {
    let flood = "head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo WRONG 7";
    let project = project(&[("good-flood", "done", flood)]);
    let outcome = verify(&project, &JSON);
    assert_eq!(verdicts(&outcome)[0].1, "not-reproduced");
    assert!(outcome.stdout.contains("WRONG 7"));
    assert!(outcome.stdout.len() < 10_000, "{} bytes", outcome.stdout.len());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_what_runs_and_removes_what_was_written() {
    let id = 8_000_000 + std::process::id();
    let project = project(&[("bad-hang", "hang", &format!("sleep {id}"))]);
    let nvcc = project.path("nvcc");
    let nvcc = nvcc.to_str().expect("a readable path");
    let args = [
        "verify",
        "f",
        "--run-user-code",
        "--no-gpu-check",
        "--timeout",
        "60",
        "--nvcc",
        nvcc,
    ];
    let mut command = project.command(&args);
    command
        .0
        .env("TMPDIR", project.path("tmp"))
        .stderr(std::process::Stdio::piped());
    let child = command
        .0
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the binary starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while running(&format!("sleep\0{id}")) == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &pid]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: interrupted"));
    assert_eq!(running(&id.to_string()), 0);
    assert_eq!(left_behind(&project), [""; 0]);
}

#[test]
fn programs_of_others_run_only_when_that_is_said() {
    let project = project(&[("bad-any", "done", "echo DONE > ../ran")]);
    let outcome = verify(&project, &["f"]);
    assert_eq!(outcome.code, 2);
    assert_eq!(
        outcome.stderr,
        "error: verifying runs the program `rule/bad-any.cu`, which is not one of cudalint's own\nhint: say so with --run-user-code\n"
    );
    // A shipped one may run; here the compiler makes an empty program of it, which ends.
    let shipped = verify(
        &project,
        &["spin-without-preload/good-threads.cu", "--trials", "1", "--quiet"],
    );
    assert_eq!(shipped.code, 0, "{}", shipped.stderr);
    assert!(
        shipped.stdout.contains("spin-without-preload  good "),
        "{}",
        shipped.stdout
    );
}

#[test]
fn arguments_and_environment_reach_the_programs() {
    let project = project(&[("good-args", "done", "[ \"$1$2$NAME\" = one--two3 ] || exit 5")]);
    let args = [
        "f",
        "--run-user-code",
        "--trials",
        "1",
        "--args",
        "one --two",
        "--env",
        "NAME=3",
    ];
    assert_eq!(verify(&project, &args).code, 0);
}

#[test]
fn what_keeps_everything_from_being_verified_exits_with_2_and_one_message() {
    let cases = [
        (
            "NO_SPACE",
            "error: no space left on the device for temporary files\nhint: set TMPDIR to a folder with room\n",
        ),
        ("NO_ARCH", "error: nvcc 13.0 cannot compile for sm_12\n"),
    ];
    for (script, message) in cases {
        let project = project(&[("bad-any", "hang", script)]);
        let outcome = verify(&project, &["f", "--run-user-code", "--quiet", "--arch", "sm_12"]);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (2, message));
        assert_eq!(left_behind(&project), [""; 0]);
    }
    let project = project(&[("bad-slow-build", "hang", "NO_END"), ("bad-header", "sings", "")]);
    let slow = [
        "f/rule/bad-slow-build.cu",
        "--run-user-code",
        "--compile-timeout",
        "1",
    ];
    let outcome = verify(&project, &slow);
    assert!(
        outcome
            .stdout
            .contains("does not compile: nvcc takes longer than 1 s"),
        "{}",
        outcome.stdout
    );
    let outcome = verify(&project, &["f"]);
    assert_eq!(
        outcome.stderr,
        "error: rule/bad-header.cu: cannot read `// verify: sings`\n"
    );
    let outcome = run(&project, &["verify", "--nvcc", "./missing"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("error: cannot start `"),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stderr.contains("hint: put nvcc on PATH"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn without_a_gpu_there_is_one_message() {
    let project = project(&[("bad-any", "hang", "sleep 60")]);
    let nvcc = project.path("nvcc");
    let args = [
        "verify",
        "f",
        "--run-user-code",
        "--nvcc",
        nvcc.to_str().expect("a path"),
    ];
    let mut command = project.command(&args);
    command
        .0
        .env("CUDA_VISIBLE_DEVICES", "")
        .env("TMPDIR", project.path("tmp"));
    let outcome = command.run();
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("error: no NVIDIA "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.stderr.lines().count(), 2, "{}", outcome.stderr);
    assert_eq!(left_behind(&project), [""; 0]);
}

#[test]
fn a_record_holds_every_trial_and_grows() {
    let project = project(&[("bad-one", "done", "exit 0"), ("bad-two", "hang", "sleep 60")]);
    for name in ["f/rule/bad-one.cu", "f/rule/bad-two.cu"] {
        verify(
            &project,
            &[name, "--run-user-code", "--trials", "2", "--record=kept"],
        );
    }
    let resumed = verify(&project, &["f", "--run-user-code", "--record=kept", "--resume"]);
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
fn kept_files_stay_and_are_named() {
    let project = project(&[("bad-any", "done", "exit 0")]);
    let outcome = verify(&project, &["f", "--run-user-code", "--keep", "--quiet"]);
    let kept = left_behind(&project);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(outcome.stderr.contains(&kept[0]), "{}", outcome.stderr);
}

#[test]
fn findings_say_what_their_program_did() {
    let hang = include_str!("../fixtures/spin-without-preload/bad-flag-handoff.cu");
    let project = project(&[]);
    let script = "// sh: [ $CUDA_MODULE_LOADING = LAZY ] && sleep 60; exit 0\n";
    project.write("src/hang.cu", format!("{hang}{script}").as_bytes());
    let nvcc = project.path("nvcc");
    let check = |more: &[&str]| {
        let mut args = vec![
            "check",
            "src",
            "--isolated",
            "--verify",
            "--no-gpu-check",
            "--timeout",
            "1",
        ];
        args.extend([
            "--trials",
            "1",
            "--format",
            "json",
            "--nvcc",
            nvcc.to_str().expect("a path"),
        ]);
        args.extend(more);
        project.command(&args).run()
    };
    let evidence = |outcome: &Outcome| {
        let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        report["findings"][0]["evidence"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let refused = check(&[]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--run-user-code"), "{}", refused.stderr);
    assert!(!evidence(&refused).contains("verified"));
    let outcome = check(&["--run-user-code"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let said = evidence(&outcome);
    assert!(
        said.contains("verified on this machine: confirmed (LAZY hang ×1, EAGER done ×1)"),
        "{said}"
    );

    project.write(
        "src/hang.cu",
        format!("{hang}// sh: echo usage; exit 1\n").as_bytes(),
    );
    let said = evidence(&check(&["--run-user-code"]));
    assert!(said.contains("inconclusive (it ends with `exit 1`"), "{said}");
}

/// A program that hangs for want of a load, and is a script that ends only once it has it.
const FIXABLE: &str = "// fixture: bad
// verify: LAZY hang, EAGER done
// sh: SCRIPT
#include <cuda_runtime.h>
__device__ volatile int turn;
__global__ void spin() { while (turn == 0) { } }
__global__ void set() { turn = 1; }
int main() {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  spin<<<1, 1, 0, a>>>();
  set<<<1, 1, 0, b>>>();
  cudaDeviceSynchronize();
}
";

/// A project with fixable programs (name, script) in `f/rule/`.
fn fixable(programs: &[(&str, &str)]) -> Project {
    let project = project(&[]);
    for (name, script) in programs {
        let text = FIXABLE.replace("SCRIPT", script);
        project.write(&format!("f/rule/{name}.cu"), text.as_bytes());
    }
    project
}

/// What lies in the folder of records `e`.
fn only_record(project: &Project) -> Value {
    let entry = fs::read_dir(project.path("e")).expect("the folder").next();
    let path = entry.expect("a record").expect("it can be listed").path();
    serde_json::from_slice(&fs::read(path).expect("it can be read")).expect("JSON")
}

#[test]
fn fixed_programs_are_run_and_recorded_beside_what_they_did_before() {
    let project = fixable(&[("bad-one", "echo DONE"), ("bad-two", "sleep 60")]);
    project.write(
        "f/rule/bad-other.cu",
        b"// fixture: bad\n// verify: hang\nint main() {}\n",
    );
    project.write(
        "f/rule/good-one.cu",
        b"// fixture: good\n// verify: done\nint main() {}\n",
    );
    let before = fs::read(project.path("f/rule/bad-one.cu")).expect("the fixture");
    let args = [
        "f",
        "--run-user-code",
        "--trials",
        "1",
        "--format",
        "json",
        "--fix",
        "--record=e",
    ];
    let outcome = verify(&project, &args);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(
        outcome
            .stderr
            .contains("2 of 3 bad fixtures have a fix, and nothing is found in 2 of them then")
    );
    let expected = [("bad-one", "confirmed"), ("bad-two", "not-reproduced")];
    let expected = expected.map(|(name, verdict)| (format!("rule/{name}.cu"), verdict.to_owned()));
    assert_eq!(verdicts(&outcome), expected);
    assert_eq!(
        fs::read(project.path("f/rule/bad-one.cu")).expect("the fixture"),
        before
    );
    assert_eq!(left_behind(&project), Vec::<String>::new());

    let record = only_record(&project);
    let fixed = &record["fixtures"]["rule/bad-one.cu"]["fixed"];
    assert_eq!(
        (&fixed["LAZY"][0], &fixed["EAGER"][0]),
        (&"done".into(), &"done".into())
    );
    assert_eq!(
        record["fixtures"]["rule/bad-one.cu"]["expected"],
        "LAZY hang, EAGER done"
    );
}

#[test]
fn the_table_of_fixes_shows_before_and_after() {
    let project = fixable(&[
        ("bad-one", "echo DONE"),
        ("bad-two", "echo ERROR cudaErrorUnknown"),
    ]);
    let outcome = verify(
        &project,
        &["f", "--run-user-code", "--trials", "1", "--fix", "-q"],
    );
    let expected = "rule  fixtures  hangs before  completes after  does not  was not run\n\
                    rule  fixed                2                1         1            -\n\
                    all                        2                1         1            -\n";
    assert!(outcome.stdout.contains(expected), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("rule/bad-two.cu: not reproduced"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_record_of_fixes_and_one_of_fixtures_add_up() {
    let project = fixable(&[("bad-one", "echo DONE")]);
    let args = ["f", "--run-user-code", "--trials", "1", "--record=e", "-q"];
    for order in [["", "--fix"], ["--fix", ""]] {
        let _ = fs::remove_dir_all(project.path("e"));
        for fix in order {
            let args: Vec<&str> = args
                .iter()
                .copied()
                .chain(Some(fix).filter(|it| !it.is_empty()))
                .collect();
            verify(&project, &args);
        }
        let record = &only_record(&project)["fixtures"]["rule/bad-one.cu"];
        assert_eq!(record["LAZY"][0], "done", "{record}");
        assert_eq!(record["fixed"]["LAZY"][0], "done", "{record}");
    }
    // Nothing is left to do for either.
    let resumed = verify(
        &project,
        &[&args[..], &["--fix", "--resume", "--format", "json"]].concat(),
    );
    assert_eq!(verdicts(&resumed), Vec::new(), "{}", resumed.stdout);
}
