//! What a person at a terminal sees, and what never reaches a terminal or a pipe: pseudo-terminals stand in for the person.
#![cfg(unix)]

mod common;

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use common::{Project, run};

const HANG: &str = include_str!("../fixtures/spin-without-preload/bad-flag-handoff.cu");

/// All that a command writes to a terminal of 24 lines and 80 columns.
fn on_terminal(project: &Project, args: &[&str], environment: &[(&str, &str)]) -> String {
    let size = nix::pty::Winsize {
        ws_row: 24,
        ws_col: 80,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let terminal = nix::pty::openpty(&size, None).expect("a pseudo-terminal");
    let mut command = project.command(args).0;
    let side = || Stdio::from(terminal.slave.try_clone().expect("it is open"));
    command.stdin(Stdio::null()).stdout(side()).stderr(side());
    command
        .env("TERM", "xterm")
        .env_remove("CI")
        .env_remove("NO_PROGRESS")
        .env("PAGER", "cat");
    command.envs(environment.iter().copied());
    let mut child = command.spawn().expect("the binary starts");
    drop(command);
    drop(terminal.slave);
    let mut bytes = Vec::new();
    // The last side that closes is an error here, and the end.
    let _ = File::from(terminal.master).read_to_end(&mut bytes);
    child.wait().expect("it ends");
    String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
}

/// What a check of ever more files shows, until it takes long enough on this machine to show how far it is.
fn long_run(args: &[&str]) -> (Project, String) {
    let project = Project::new(&[]);
    let mut files = 0;
    loop {
        let more = files.max(200);
        for number in files..files + more {
            project.write(&format!("{number}.cu"), HANG.as_bytes());
        }
        files += more;
        let seen = on_terminal(&project, args, &[]);
        if seen.contains(" left") || files >= 12_800 {
            return (project, seen);
        }
    }
}

#[test]
fn a_long_run_shows_how_far_it_is_and_takes_it_away() {
    let args = ["check", "--format", "concise", "--jobs", "1"];
    let (project, seen) = long_run(&args);
    assert!(
        seen.contains("following entry points") || seen.contains("parsing files"),
        "{seen}"
    );
    let (_, behind) = seen.rsplit_once(" left").expect("the time left");
    assert!(behind.contains("\u{1b}[2K"), "the line is cleared: {behind}");
    let says_progress = |text: &str| text.contains(" left") || text.contains("following");
    for (args, environment) in [
        (&["--quiet"][..], &[][..]),
        (&["--color", "never"], &[]),
        (&[], &[("NO_PROGRESS", "1")]),
        (&[], &[("TERM", "dumb")]),
    ] {
        let args: Vec<&str> = ["check", "--format", "concise", "--jobs", "1"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let seen = on_terminal(&project, &args, environment);
        assert!(!says_progress(&seen), "{args:?} {environment:?}: {seen}");
    }
    let piped = run(&project, &args);
    assert!(
        !says_progress(&piped.stderr) && !piped.stderr.contains('\u{1b}'),
        "{}",
        piped.stderr
    );
}

/// A source whose comment, string and name of file would move the cursor and set the title.
fn obeyed() -> Project {
    let evil = "\u{1b}]0;gone\u{7}\u{1b}[2J\u{9b}31m";
    let source = HANG.replace(
        "  await_gate<<<1, 1, 0, waiting>>>();",
        &format!("  await_gate<<<1, 1, 0, waiting>>>(); // {evil}"),
    );
    let source = source.replace(
        "//~ spin-without-preload",
        &format!("/* {evil} cudalint: ignore[{evil}] */"),
    );
    assert!(source.contains(evil));
    let project = Project::new(&[]);
    project.write("a\u{1b}[2J.cu", source.as_bytes());
    project
}

#[test]
fn a_terminal_obeys_nothing_that_stands_in_a_source() {
    let project = obeyed();
    for args in [
        &["check"][..],
        &["check", "--format", "concise"],
        &["check", "--format", "github"],
        &["check", "--format", "json"],
        &["check", "--format", "sarif"],
        &["check", "--format", "junit"],
        &["check", "--format", "html"],
        &["check", "--diff", "--unsafe-fixes"],
        &["check", "--show-files"],
        &["check", "--statistics", "--verbose"],
        &["check", "a\u{1b}[2J.cu", "--select", "\u{1b}[2Jhang"],
        &["check", "--config", "\u{1b}[2J.toml"],
        &["explain", "\u{1b}[2J"],
        &["check", "--fix", "--unsafe-fixes"],
    ] {
        let mut args = args.to_vec();
        if args[0] == "check" {
            args.extend(["--color", "never"]);
        }
        let seen = on_terminal(&project, &args, &[]);
        let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        assert!(!seen.contains(is_obeyed), "{args:?}: {seen:?}");
        assert!(!seen.is_empty(), "{args:?}");
    }
}

#[test]
fn pipes_get_annotations_that_no_log_obeys_and_diffs_that_apply() {
    let project = obeyed();
    let result = run(&project, &["check", "--format", "github"]);
    let annotations = result.stdout;
    assert_eq!(result.code, 1, "{}", project.root().display());
    assert!(
        annotations.starts_with("::") && !annotations.contains('\u{1b}'),
        "{annotations:?}"
    );
    let diff = run(&project, &["check", "--diff", "--unsafe-fixes", "--no-ignores"]).stdout;
    assert!(diff.contains("+++ \"a\\u{1b}[2J.cu\""), "{diff}");
    assert!(
        diff.contains("\u{1b}[2J"),
        "what is in the file is what `patch` looks for"
    );
}

#[test]
fn cards_are_coloured_and_paged_where_somebody_reads_them() {
    let project = Project::new(&[]);
    let seen = on_terminal(
        &project,
        &["explain", "CL102"],
        &[("PAGER", "sed s/Evidence/PAGED/")],
    );
    assert!(
        seen.contains("\u{1b}[1;36m# spin-without-preload") && seen.contains("PAGED"),
        "{seen}"
    );
    let plain = on_terminal(
        &project,
        &["explain", "CL102", "--no-pager", "--color", "never"],
        &[],
    );
    assert!(
        !plain.contains('\u{1b}') && plain.contains("## Evidence"),
        "{plain}"
    );
    let without = on_terminal(&project, &["explain", "CL102"], &[("PAGER", "/no/such/pager")]);
    assert!(without.contains("Evidence"), "{without}");
    let piped = run(&project, &["explain", "CL102"]).stdout;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&piped), words(&plain));
    // Code stays as it is; words end where the terminal does.
    let mut is_code = false;
    for line in plain.lines() {
        is_code ^= line.starts_with("```");
        // An address is one word.
        let is_whole = is_code || line.starts_with(['#', '|']) || line.contains("](http");
        assert!(is_whole || line.chars().count() <= 80, "{line}");
    }
    assert!(plain.contains("  while (turn == 0) {\n"), "{plain}");
}

#[test]
fn a_headline_ends_where_the_terminal_does() {
    let project = Project::new(&[("a.cu", HANG)]);
    let seen = on_terminal(&project, &["check", "--color", "never"], &[]);
    let long: Vec<&str> = seen.lines().filter(|it| it.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:?}");
    assert!(seen.starts_with("error[CL102] spin-without-preload: "), "{seen}");
}
