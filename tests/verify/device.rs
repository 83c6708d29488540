//! A GPU that is asked what it is and how it is: a driver that answers what a test says.

use std::path::PathBuf;

use crate::common::{Outcome, Project};
use crate::programs::{left_behind, project};

/// Compiles the driver into the project.
fn with_driver(programs: &[(&str, &str, &str)]) -> Project {
    let project = project(programs);
    project.write("driver/how", b"well\n");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/driver.c");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let compiled = std::process::Command::new(compiler)
        .args(["-shared", "-fPIC", "-w", "-o"])
        .arg(project.path("driver/libcuda.so"))
        .arg(source)
        .status();
    assert!(compiled.expect("a C compiler").success());
    project
}

/// Verifies with the driver; `health` is what the GPU says of itself at first.
fn verify(project: &Project, health: &str, more: &[&str]) -> Outcome {
    project.write("driver/how", health.as_bytes());
    let args = "verify f --run-user-code --nvcc ./nvcc --trials 1 --timeout 1 --jobs 1";
    let args: Vec<&str> = args.split(' ').chain(more.iter().copied()).collect();
    let mut command = project.command(&args);
    command
        .0
        .env("LD_LIBRARY_PATH", project.path("driver"))
        .env("FAKE_GPU", project.path("driver/how"))
        .env("TMPDIR", project.path("tmp"));
    command.run()
}

#[test]
fn programs_are_compiled_for_the_gpu_at_hand() {
    let script = "case $BUILD in *-arch=sm_80*) ;; *) exit 5 ;; esac";
    let project = with_driver(&[("good-any", "done", script)]);
    let outcome = verify(&project, "well", &[]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    assert!(
        outcome.stdout.starts_with("NVIDIA Test, driver "),
        "{}",
        outcome.stdout
    );
    for newer in ["sm_90", "sm_90a", "compute_90"] {
        let outcome = verify(&project, "well", &["--arch", newer]);
        let expected = format!(
            "error: {newer} code does not run on NVIDIA Test, which is sm_80\n\
             hint: leave --arch out to compile for the GPU at hand\n"
        );
        assert_eq!((outcome.code, outcome.stderr), (2, expected));
    }
}

#[test]
fn a_gpu_that_cannot_be_used_is_told_before_anything_runs() {
    let project = with_driver(&[("good-any", "done", "echo ran > \"$TMPDIR/ran\"")]);
    for (health, message) in [
        ("none", "error: no NVIDIA GPU is visible here\n"),
        (
            "busy",
            "error: the GPU is busy: another process holds it exclusively\n",
        ),
        (
            "lost",
            "error: the GPU cannot be used: CUDA_ERROR_LAUNCH_FAILED, as the test says\n",
        ),
    ] {
        let outcome = verify(&project, health, &[]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{health}");
        assert!(outcome.stderr.starts_with(message), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 2, "{}", outcome.stderr);
        assert_eq!(left_behind(&project), [""; 0]);
    }
}

#[test]
fn a_gpu_that_is_lost_to_a_hang_ends_everything() {
    let lose = "echo lost > \"$FAKE_GPU\"; sleep 60";
    let project = with_driver(&[("bad-one", "hang", lose), ("good-two", "done", "exit 0")]);
    let outcome = verify(&project, "well", &["--record=kept"]);
    assert_eq!(outcome.code, 2);
    let message = "error: after `rule/bad-one.cu`: the GPU cannot be used: CUDA_ERROR_LAUNCH_FAILED, as the test says; \
                   what was not run yet is not verified\n";
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("good-two"), "{}", outcome.stderr);
    assert_eq!(left_behind(&project), [""; 0]);
}

#[test]
fn a_gpu_that_recovers_from_a_hang_is_used_again() {
    let project = with_driver(&[("bad-one", "hang", "sleep 60"), ("good-two", "done", "exit 0")]);
    let outcome = verify(&project, "well", &[]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}
