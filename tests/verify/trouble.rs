//! What keeps programs from being verified: one message, and the right exit code.

use crate::common::run;
use crate::programs::{COMPILER, left_behind, project, run_with, verify, write_script};

#[test]
fn programs_of_others_run_only_when_that_is_said() {
    let project = project(&[("bad-any", "done", "echo DONE > ../ran")]);
    let outcome = verify(&project, &["f"]);
    assert_eq!(outcome.code, 2);
    assert_eq!(
        outcome.stderr,
        "error: verifying runs the program `rule/bad-any.cu`, which is not one of cudalint's own\nhint: say so with --run-user-code\n"
    );
    // To compile is not to run, unless the source says how.
    let compiled = verify(&project, &["f", "--compile-only"]);
    assert_eq!(compiled.code, 0, "{}", compiled.stderr);
    project.write(
        "f/rule/bad-flags.cu",
        b"// verify: done\n// build: -ccbin ./mine\n",
    );
    let refused = verify(&project, &["f", "--compile-only"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stderr
            .starts_with("error: the `// build:` line of `rule/bad-flags.cu`"),
        "{}",
        refused.stderr
    );
    project.write("f/rule/bad-flags.cu", b"int main() {}\n");
    let silent = verify(&project, &["f/rule/bad-flags.cu"]);
    assert!(
        silent.stderr.contains("\nhint: `cudalint check --verify` runs"),
        "{}",
        silent.stderr
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
fn what_keeps_everything_from_being_verified_exits_with_2_and_one_message() {
    let cases = [
        (
            "NO_SPACE",
            "error: no space left on the device for temporary files\nhint: set TMPDIR to a folder with room\n",
        ),
        ("NO_ARCH", "error: nvcc 13.0 cannot compile for sm_12\n"),
        ("NO_OUTPUT", "says that it compiled, and there is no program\n"),
        (
            "NO_START",
            "hint: set TMPDIR to a folder that programs may be started from\n",
        ),
    ];
    for (script, message) in cases {
        let project = project(&[("bad-any", "hang", script)]);
        let outcome = verify(&project, &["f", "--run-user-code", "--quiet", "--arch", "sm_12"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
        assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
        assert!(outcome.stderr.ends_with(message), "{}", outcome.stderr);
        assert!(outcome.stderr.lines().count() <= 2, "{}", outcome.stderr);
        assert_eq!(left_behind(&project), [""; 0]);
    }
}

#[test]
fn a_program_that_does_not_compile_says_why() {
    let project = project(&[
        ("bad-linked", "hang", "LACKS_HELPER"),
        ("bad-slow-build", "hang", "\n// NO_END 600"),
        ("bad-header", "sings", ""),
    ]);
    for (name, reason) in [
        (
            "bad-linked",
            "x.o: in function main: undefined reference to 'help'",
        ),
        ("bad-slow-build", "nvcc takes longer than 1 s"),
    ] {
        let path = format!("f/rule/{name}.cu");
        let outcome = verify(&project, &[&path, "--run-user-code", "--compile-timeout", "1"]);
        let expected = format!("{name}.cu: does not compile: {reason}\n");
        assert_eq!(outcome.code, 1, "{}", outcome.stderr);
        assert!(outcome.stdout.ends_with(&expected), "{}", outcome.stdout);
        assert_eq!(left_behind(&project), [""; 0]);
    }
    let outcome = verify(&project, &["f"]);
    assert_eq!(
        outcome.stderr,
        "error: rule/bad-header.cu: cannot read `// verify: sings`\n"
    );
}

#[test]
fn what_is_no_compiler_is_not_taken_for_one() {
    let project = project(&[("good-any", "done", "exit 0")]);
    write_script(&project, "true", "#!/bin/sh\n");
    write_script(&project, "false", "#!/bin/sh\nexit 1\n");
    write_script(&project, "path/nvcc", COMPILER);
    project.write("data/nvcc", b"no program\n");
    for (nvcc, begin) in [
        ("./missing", "error: cannot start `"),
        ("missing", "error: cannot find `missing`"),
        ("./true", "error: `"),
        ("./false", "error: `"),
        ("./data/nvcc", "error: cannot start `"),
    ] {
        let outcome = run(&project, &["verify", "f", "--run-user-code", "--nvcc", nvcc]);
        assert_eq!(outcome.code, 2, "{nvcc}");
        assert!(outcome.stderr.starts_with(begin), "{}", outcome.stderr);
        assert!(
            outcome.stderr.contains("\nhint: put nvcc on PATH"),
            "{}",
            outcome.stderr
        );
    }
    let args = [
        "verify",
        "f",
        "--run-user-code",
        "--no-gpu-check",
        "--trials",
        "1",
    ];
    let folders = [
        project.path("data"),
        project.path("path"),
        "/usr/bin".into(),
        "/bin".into(),
    ];
    let path = std::env::join_paths(folders).expect("a path");
    let outcome = run_with(&project, &args, "PATH", &path);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

#[test]
fn temporary_files_go_where_they_are_wanted_or_nowhere() {
    let project = project(&[("good-any", "done", "exit 0")]);
    let nvcc = project.path("nvcc");
    let args = [
        "verify",
        "f",
        "--run-user-code",
        "--no-gpu-check",
        "--trials",
        "1",
        "--nvcc",
    ];
    let args = [&args[..], &[nvcc.to_str().expect("a path")]].concat();
    let relative = run_with(&project, &args, "TMPDIR", "tmp");
    assert_eq!(relative.code, 0, "{}", relative.stdout);
    assert_eq!(left_behind(&project), [""; 0]);
    let missing = run_with(&project, &args, "TMPDIR", "tmp/no/such");
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.starts_with("error: cannot use `"),
        "{}",
        missing.stderr
    );
    assert_eq!(left_behind(&project), [""; 0]);
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
    let outcome = run_with(&project, &args, "CUDA_VISIBLE_DEVICES", "");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("error: no NVIDIA "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.stderr.lines().count(), 2, "{}", outcome.stderr);
    assert_eq!(left_behind(&project), [""; 0]);
}
