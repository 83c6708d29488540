//! Whatever happens, nothing keeps running and no temporary file stays.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::Project;
use crate::programs::{JSON, left_behind, project, running, verdicts, verify, write_script};

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

/// Runs the command until something of it has this on its command line; then interrupts it. What it says at its end.
#[cfg(target_os = "linux")]
fn interrupted(project: &Project, args: &[&str], word: &str, signal: &str) -> (Option<i32>, String) {
    let mut command = project.command(args);
    command.0.env("TMPDIR", project.path("tmp"));
    let child = command.0.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the binary starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while running(&format!("sleep\0{word}")) == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    let killed = std::process::Command::new("kill").args([signal, &pid]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// The signal of a closed terminal, unless these tests run under `nohup`: then the command does not hear it either.
#[cfg(target_os = "linux")]
fn hang_up() -> &'static str {
    let status = std::fs::read_to_string("/proc/self/status").expect("a process has a status");
    let ignored = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.expect("Linux says so").trim(), 16).expect("a mask");
    if ignored & 1 == 0 { "-HUP" } else { "-TERM" }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_what_runs_and_removes_what_was_written() {
    let id = (8_000_000 + std::process::id()).to_string();
    let script = format!("sleep {id}");
    let verify = [
        "verify",
        "f",
        "--run-user-code",
        "--no-gpu-check",
        "--timeout",
        "60",
    ];
    let hang = [&verify[..], &["--nvcc", "./nvcc"]].concat();
    let version = [&verify[..], &["--nvcc", "./slow-nvcc"]].concat();
    let debugger = [&verify[..5], &["1", "--nvcc", "./nvcc", "--explain"]].concat();
    let check = ["check", "f", "--isolated", "--verify", "--nvcc", "./nvcc"];
    let check = [&check[..], &verify[2..]].concat();
    for (name, args, source, signal) in [
        ("run", &hang, script.as_str(), "-INT"),
        ("compilation", &hang, &format!("\n// NO_END {id}"), "-TERM"),
        ("version", &version, "", hang_up()),
        ("debugger", &debugger, "sleep 60", "-QUIT"),
        ("check", &check, &script, "-INT"),
    ] {
        let project = project(&[("bad-hang", "hang", &format!("{source}\nint main() {{}}"))]);
        write_script(&project, "slow-nvcc", &format!("#!/bin/sh\n{script}\n"));
        write_script(&project, "cuda-gdb", &format!("#!/bin/sh\n{script}\n"));
        let (code, said) = interrupted(&project, args, &id, signal);
        assert_eq!(code, Some(2), "{name}: {said}");
        let last = "error: interrupted: everything that ran was ended\n";
        assert!(said.ends_with(last), "{name}: {said}");
        assert_eq!(running(&id), 0, "{name}");
        assert_eq!(left_behind(&project), [""; 0], "{name}");
    }
}

#[test]
fn kept_files_stay_and_are_named() {
    let project = project(&[("bad-any", "done", "exit 0")]);
    let outcome = verify(&project, &["f", "--run-user-code", "--keep", "--quiet"]);
    let kept = left_behind(&project);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(outcome.stderr.contains(&kept[0]), "{}", outcome.stderr);
}
