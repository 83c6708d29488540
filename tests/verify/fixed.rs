//! `cudalint verify --fix`: programs with their fixes applied.

use std::fs;

use serde_json::Value;

use crate::common::Project;
use crate::programs::{left_behind, project, verdicts, verify};

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
