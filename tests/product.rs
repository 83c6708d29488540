//! What surrounds the analysis: git, severities, suppressions, new projects, pictures; with the real binary.

mod common;

use std::process::Command;

use common::{Project, run};
use serde_json::Value;

/// The flagship hang.
const HANG: &str = include_str!("../fixtures/spin-without-preload/bad-flag-handoff.cu");
/// A race between two streams.
const RACE: &str = include_str!("../fixtures/unordered-cross-stream-access/bad-two-kernels.cu");

const QUIET: &str = "int main() { cudaDeviceSynchronize(); return 0; }\n";

/// Runs git in a project, away from whatever the user has configured.
fn git(project: &Project, args: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.current_dir(project.root()).args(args);
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "test"),
        ("GIT_AUTHOR_EMAIL", "test@example.com"),
        ("GIT_COMMITTER_NAME", "test"),
        ("GIT_COMMITTER_EMAIL", "test@example.com"),
    ] {
        command.env(name, value);
    }
    let output = command.output().expect("git is installed where the tests run");
    output.status.success()
}

fn repository(files: &[(&str, &str)]) -> Project {
    let project = Project::new(files);
    assert!(git(&project, &["init", "-q", "-b", "main"]));
    project
}

fn commit(project: &Project) {
    assert!(git(project, &["add", "-A"]));
    assert!(git(project, &["commit", "-q", "-m", "work"]));
}

fn concise(project: &Project, args: &[&str]) -> (i32, String, String) {
    let mut all = vec!["check", "--format", "concise"];
    all.extend(args);
    let result = run(project, &all);
    (result.code, result.stdout, result.stderr)
}

#[test]
fn only_what_git_says_changed_is_reported() {
    let project = repository(&[("old.cu", HANG)]);
    // Before the first commit everything is new.
    assert_eq!(concise(&project, &["--changed"]).0, 1);
    commit(&project);
    let (code, _, said) = concise(&project, &["--changed"]);
    assert_eq!(
        (code, said.lines().next()),
        (0, Some("note: no source file changed"))
    );
    project.write("a folder/größe.cu", HANG.as_bytes());
    let (code, found, _) = concise(&project, &["--changed"]);
    assert_eq!(code, 1);
    assert!(
        found.starts_with("a folder/größe.cu:") && !found.contains("old.cu"),
        "{found}"
    );
    // Not staged yet.
    assert_eq!(concise(&project, &["--staged"]).0, 0);
    assert!(git(&project, &["add", "-A"]));
    assert_eq!(concise(&project, &["--staged"]).0, 1);
    commit(&project);
    assert_eq!(concise(&project, &["--changed"]).0, 0);
    assert_eq!(concise(&project, &["--since", "HEAD~1"]).0, 1);
    // Renamed is changed, under the new name; deleted is nothing to report on.
    assert!(git(&project, &["mv", "old.cu", "new.cu"]));
    assert!(git(&project, &["rm", "-q", "a folder/größe.cu"]));
    let (code, found, _) = concise(&project, &["--staged"]);
    assert_eq!(code, 1);
    assert!(found.lines().all(|it| it.starts_with("new.cu:")), "{found}");
    // Paths narrow it further.
    project.write("sub/b.cu", QUIET.as_bytes());
    assert_eq!(concise(&project, &["--changed", "sub"]).0, 0);
}

#[test]
fn what_git_cannot_say_is_one_message() {
    let project = Project::new(&[("a.cu", HANG)]);
    // The folder for temporary files may itself lie in somebody's repository.
    let mut command = project.command(&["check", "--changed"]);
    command.0.env(
        "GIT_CEILING_DIRECTORIES",
        project.root().parent().expect("it has one"),
    );
    let outcome = command.run();
    assert_eq!(outcome.code, 2);
    assert!(
        outcome
            .stderr
            .starts_with("error: `--changed` needs a git work tree: not a git repository"),
        "{}",
        outcome.stderr
    );
    let mut command = project.command(&["check", "--staged"]);
    command.0.env("PATH", "");
    let outcome = command.run();
    assert_eq!(
        (outcome.code, outcome.stderr.as_str()),
        (2, "error: `--staged` asks git, and there is no `git` on PATH\n")
    );

    let origin = repository(&[("a.cu", HANG)]);
    commit(&origin);
    origin.write("b.cu", QUIET.as_bytes());
    commit(&origin);
    for revision in ["nowhere", "--output=x", "HEAD~9"] {
        let (code, _, said) = concise(&origin, &[&format!("--since={revision}")]);
        assert_eq!(code, 2);
        assert_eq!(said, format!("error: git knows no revision `{revision}` here\n"));
    }
    let url = format!("file://{}", origin.root().display());
    let clone = Project::new(&[]);
    assert!(git(&clone, &["clone", "-q", "--depth", "1", &url, "."]));
    let (code, _, said) = concise(&clone, &["--since", "HEAD~1"]);
    assert_eq!(code, 2);
    assert!(
        said.starts_with("error: git knows no revision `HEAD~1` here: the clone is shallow\nhint: "),
        "{said}"
    );
}

#[test]
fn a_finding_is_reported_where_any_step_of_it_lies() {
    let (kernels, main) = HANG.split_once("int main").expect("it has a main");
    let main = format!("#include \"kernels.cuh\"\nint main{main}");
    let project = Project::new(&[
        ("cudalint.toml", ""),
        ("kernels.cuh", kernels),
        ("main.cu", &main),
        ("other.cu", QUIET),
    ]);
    let (code, found, _) = concise(&project, &["kernels.cuh"]);
    assert_eq!(code, 1, "the loop that waits stands there");
    assert!(found.starts_with("main.cu:"), "{found}");
    assert_eq!(concise(&project, &["other.cu"]).0, 0);
    // A comment at any step keeps it quiet, so no file is written that was not named.
    let result = run(&project, &["check", "--add-suppressions", "kernels.cuh"]);
    assert_eq!(result.stderr, "added 1 comment in 1 file\n");
    let written = std::fs::read_to_string(project.path("main.cu")).expect("it is there");
    assert_eq!(written, main);
    assert_eq!(concise(&project, &[]).0, 0);
}

#[test]
fn severities_can_be_given() {
    let project = Project::new(&[("a.cu", HANG)]);
    let (code, found, _) = concise(&project, &["--info", "hang"]);
    assert!(code == 0 && found.contains(": info[CL102]"), "{found}");
    let (code, found, _) = concise(&project, &["--info", "hang", "--warn", "CL102"]);
    assert!(
        code == 1 && found.contains(": warning[CL102]"),
        "the narrower word wins: {found}"
    );
    project.write(
        "cudalint.toml",
        b"fail-on = \"error\"\n[severity]\nCL1 = \"info\"\n",
    );
    let (code, found, _) = concise(&project, &[]);
    assert!(code == 0 && found.contains(": info[CL102]"), "{found}");
    let (code, found, _) = concise(&project, &["--deny", "all"]);
    assert!(
        code == 1 && found.contains(": error[CL102]"),
        "the command line wins: {found}"
    );
    project.write("cudalint.toml", b"[severity]\nCL888 = \"info\"\n");
    let (code, _, said) = concise(&project, &[]);
    assert_eq!(code, 2);
    assert!(
        said.contains("cudalint.toml:2:1: unknown rule or group `CL888`"),
        "{said}"
    );
}

#[test]
fn suppressions_are_added_where_they_hold() {
    let windows = HANG.replace('\n', "\r\n");
    let project = Project::new(&[("a.cu", HANG), ("b.cu", &windows)]);
    let result = run(
        &project,
        &["check", "--add-suppressions", "--reason", "known since 2024"],
    );
    assert_eq!((result.code, result.stdout.as_str()), (0, ""));
    assert_eq!(result.stderr, "added 2 comments in 2 files\n");
    let text = |name: &str| std::fs::read_to_string(project.path(name)).expect("it is there");
    assert!(text("a.cu").contains("\n  // cudalint: ignore[CL102] known since 2024\n  open_gate<<<"));
    assert!(text("b.cu").contains("\r\n  // cudalint: ignore[CL102] known since 2024\r\n  open_gate<<<"));
    let (code, _, said) = concise(&project, &[]);
    assert_eq!(
        (code, said.as_str()),
        (0, "no findings in 2 files (2 suppressed)\n")
    );
    let bad = run(
        &project,
        &["check", "--add-suppressions", "--reason", "ends with \\"],
    );
    assert_eq!(bad.code, 2);
    assert_eq!(run(&project, &["check", "--reason", "alone"]).code, 2);
}

#[test]
fn a_suppression_in_the_words_of_another_tool_is_said() {
    let text = HANG.replace("//~ spin-without-preload", "// NOLINT(CL102)");
    let project = Project::new(&[("a.cu", &text)]);
    let (_, found, _) = concise(&project, &[]);
    assert!(found.contains("[CL102]"), "{found}");
    assert!(
        found.contains("[CL903] `NOLINT(CL102)` keeps nothing quiet; write `NOLINT(cudalint-CL102)`"),
        "{found}"
    );
    project.write(
        "a.cu",
        HANG.replace("//~ spin-without-preload", "// NOLINT(bugprone-x)")
            .as_bytes(),
    );
    assert!(!concise(&project, &[]).1.contains("CL903"));
}

#[test]
fn a_new_project_gets_files_that_work_and_none_is_overwritten() {
    let project = Project::new(&[("a.cu", HANG)]);
    let result = run(&project, &["init", "--hook", "--workflow"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert_eq!(run(&project, &["check", "--exit-zero"]).code, 0);
    // What stands behind `#` is a configuration, too, and the one that holds without the file.
    let text = std::fs::read_to_string(project.path("cudalint.toml")).expect("it was written");
    let keys = |line: &str| {
        line.strip_prefix("# ")
            .filter(|it| it.contains(" = ") || it.starts_with('['))
            .map(str::to_owned)
    };
    let on: Vec<String> = text
        .lines()
        .filter_map(keys)
        .filter(|it| !it.contains("baseline") && !it.contains("models") && !it.contains("compile-commands"))
        .collect();
    assert!(on.len() > 12, "{on:?}");
    project.write("cudalint.toml", on.join("\n").as_bytes());
    let result = run(&project, &["check", "--exit-zero", "--no-gitignore"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    let hook = std::fs::read_to_string(project.path(".pre-commit-config.yaml")).expect("it was written");
    assert!(
        hook.contains(concat!("cudalint==", env!("CARGO_PKG_VERSION"))),
        "{hook}"
    );
    let again = run(&project, &["init"]);
    assert_eq!(again.code, 2);
    assert!(
        again
            .stderr
            .starts_with("error: `cudalint.toml` is there already\n"),
        "{}",
        again.stderr
    );
}

#[test]
fn what_a_project_has_stays_and_what_it_lacks_is_added() {
    let hooks = "repos:\n  - repo: local\n    hooks: []\n";
    let project = Project::new(&[
        ("cudalint.toml", "preview = true\n"),
        (".pre-commit-config.yaml", hooks),
    ]);
    let result = run(&project, &["init", "--hook", "--workflow"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    let read = |name: &str| std::fs::read_to_string(project.path(name)).expect("it is there");
    assert_eq!(read("cudalint.toml"), "preview = true\n");
    assert_eq!(read(".pre-commit-config.yaml"), hooks);
    assert!(read(".github/workflows/cudalint.yml").contains("cudalint check"));
    let said = &result.stderr;
    assert!(
        said.contains("`cudalint.toml` and `.pre-commit-config.yaml` are there already"),
        "{said}"
    );
    // What is missing in the one that stays can be copied from here.
    assert!(
        said.contains("  - repo: local\n    hooks:\n      - id: cudalint\n"),
        "{said}"
    );
}

#[test]
fn an_override_that_matches_nothing_is_said() {
    let project = Project::new(&[
        (
            "cudalint.toml",
            "[[overrides]]\nfiles = [\"tset/**\", \"a.cu\"]\nignore = [\"timing\"]\n",
        ),
        ("a.cu", QUIET),
    ]);
    let said = run(&project, &["check"]).stderr;
    let file = project.path("cudalint.toml");
    let expected = format!(
        "warning: {}:2: `tset/**` in `[[overrides]]` matches no file of the project\nno findings in 1 file\n",
        file.display()
    );
    assert_eq!(said, expected);
}

#[test]
fn an_excluded_path_that_is_not_there_is_said_with_its_line() {
    let text = "exclude = [\n  \"third_party/old/**\",\n  \"gen/\",\n  \"src/*.cu\",\n]\n";
    let project = Project::new(&[("cudalint.toml", text), ("a.cu", QUIET), ("src/b.cu", QUIET)]);
    let said = run(&project, &["check"]).stderr;
    let file = project.path("cudalint.toml");
    let expected = format!(
        "warning: {}:2: `third_party/old/**` in `exclude` matches nothing\n",
        file.display()
    );
    assert_eq!(said, format!("{expected}no findings in 1 file\n"));
}

#[test]
fn a_comment_takes_groups_and_beginnings_of_codes_as_the_command_line_does() {
    for word in ["hang", "CL1", "cl1", "CL10", "race, hang"] {
        let source = HANG.replace(
            "//~ spin-without-preload",
            &format!("// cudalint: ignore[{word}] known"),
        );
        let project = Project::new(&[("a.cu", &source)]);
        let result = run(
            &project,
            &["check", "--format", "concise", "--select", "hang,suppressions"],
        );
        let others: Vec<&str> = result
            .stdout
            .lines()
            .filter(|it| !it.contains("`race`"))
            .collect();
        assert!(others.is_empty(), "{word}: {}", result.stdout);
        assert!(
            result.stderr.contains("1 suppressed"),
            "{word}: {}",
            result.stderr
        );
    }
    let source = HANG.replace("//~ spin-without-preload", "// cudalint: ignore[capture]");
    let project = Project::new(&[("a.cu", &source)]);
    let said = run(&project, &["check", "--format", "concise"]).stdout;
    assert!(
        said.contains("warning[CL901] this suppression keeps no `capture` quiet"),
        "{said}"
    );
}

#[test]
fn a_comment_that_nearly_keeps_something_quiet_is_said() {
    for (comment, problem) in [
        ("// NOLINT(CL102)", "write `NOLINT(cudalint-CL102)`"),
        ("// NOLINT(hang)", "write `NOLINT(cudalint-hang)`"),
        (
            "// Cudalint: ignore[CL102]",
            "`Cudalint:` keeps nothing quiet; write `cudalint:`",
        ),
        ("// cudalint:ignore CL102", "write `cudalint: ignore[CL102]`"),
        (
            "// cudalint: ignore spin-without-preload",
            "write `cudalint: ignore[spin-without-preload]`",
        ),
        ("// cudalint: ignore(CL102)", "rules stand in square brackets"),
    ] {
        let source = HANG.replace("//~ spin-without-preload", comment);
        let project = Project::new(&[("a.cu", &source)]);
        let said = run(&project, &["check", "--format", "concise"]).stdout;
        assert!(
            said.contains("[CL903]") && said.contains(problem),
            "{comment}: {said}"
        );
        assert!(said.contains("[CL102]"), "{comment}: {said}");
    }
    for comment in [
        "// Cudalint: a tool",
        "// see Cudalint::ignore",
        "// cudalint: ignore known since 2024",
    ] {
        let source = HANG.replace("//~ spin-without-preload", comment);
        let project = Project::new(&[("a.cu", &source)]);
        let said = run(&project, &["check", "--format", "concise"]).stdout;
        assert!(!said.contains("[CL903]"), "{comment}: {said}");
    }
}

#[test]
fn a_baseline_holds_for_a_file_that_was_renamed() {
    let project = Project::new(&[("cudalint.toml", "baseline = \"known.json\"\n"), ("old.cu", HANG)]);
    assert_eq!(run(&project, &["check", "--update-baseline"]).code, 0);
    std::fs::rename(project.path("old.cu"), project.path("new.cu")).expect("renamed");
    let result = run(&project, &["check"]);
    assert_eq!(
        (result.code, result.stdout.as_str()),
        (0, ""),
        "{}",
        result.stderr
    );
    // A copy is new.
    project.write("old.cu", HANG.as_bytes());
    assert_eq!(run(&project, &["check"]).code, 1);
}

#[test]
fn manual_pages_and_words_for_shells_come_with_it() {
    let project = Project::new(&[]);
    assert_eq!(run(&project, &["man", "--out", "pages"]).code, 0);
    let page =
        |name: &str| std::fs::read_to_string(project.path(&format!("pages/{name}.1"))).unwrap_or_default();
    assert!(
        page("cudalint").contains(".TH cudalint 1"),
        "{}",
        page("cudalint")
    );
    assert!(
        page("cudalint-check").contains("update\\-baseline"),
        "{}",
        page("cudalint-check")
    );
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&project, &["completions", shell]).stdout;
        assert!(
            script.contains("spin-without-preload") && script.contains("serialise"),
            "{shell}"
        );
    }
    let help = run(&project, &["check", "--help"]).stdout;
    assert!(!help.contains("spin-without-preload"), "{help}");
}

#[test]
fn a_named_file_that_cannot_be_read_is_no_clean_run() {
    let project = Project::new(&[("a.cu", "\0\0\0\0"), ("b.cu", QUIET)]);
    let result = run(&project, &["check", "a.cu", "--report", "sarif=out.sarif"]);
    assert_eq!(result.code, 2);
    assert!(
        result.stderr.starts_with("error: skipped `a.cu`: it is binary\n"),
        "{}",
        result.stderr
    );
    let log: Value =
        serde_json::from_slice(&std::fs::read(project.path("out.sarif")).expect("it was written"))
            .expect("JSON");
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
    assert_eq!(run(&project, &["check", "."]).code, 0, "nobody named it");
}

#[test]
fn hosts_of_code_get_files_named_from_the_top_of_the_repository() {
    let project = repository(&[("sub/deep/a.cu", HANG)]);
    let whole = project.path("sub/deep/a.cu");
    let whole = whole.to_str().expect("a temporary folder has a plain name");
    for (from, path) in [
        (project.path("sub/deep"), "."),
        (project.path("sub/deep"), whole),
        (project.path("sub"), "deep"),
        (std::env::temp_dir(), whole),
    ] {
        let report = |format: &str| {
            let mut command = project.command(&["check", "--format", format, path]);
            command.0.current_dir(&from);
            command.run().stdout
        };
        let log: Value = serde_json::from_str(&report("sarif")).expect("JSON");
        let run = &log["runs"][0];
        let place = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(place["uri"], "sub/deep/a.cu", "{path} from {}", from.display());
        assert_eq!(place["uriBaseId"], "%SRCROOT%");
        assert_eq!(run["automationDetails"]["id"], "cudalint/");
        assert_eq!(
            run["tool"]["driver"]["semanticVersion"],
            env!("CARGO_PKG_VERSION")
        );
        let quality: Value = serde_json::from_str(&report("gitlab")).expect("JSON");
        assert_eq!(quality[0]["location"]["path"], "sub/deep/a.cu");
        let annotations = report("github");
        assert!(
            annotations.starts_with("::error file=sub/deep/a.cu,line="),
            "{annotations}"
        );
    }
}

#[test]
fn git_is_asked_about_the_repository_of_what_is_named() {
    let project = repository(&[("sub/a.cu", HANG)]);
    commit(&project);
    std::fs::write(project.path("sub/b.cu"), HANG).expect("it can be written");
    let mut command = project.command(&["check", "--changed", "--format", "concise", "-q"]);
    command.0.arg(project.path("")).current_dir(std::env::temp_dir());
    let result = command.run();
    assert_eq!(result.code, 1, "{result:?}");
    assert!(
        result.stdout.contains("sub/b.cu:") && !result.stdout.contains("sub/a.cu:"),
        "{result:?}"
    );
}

#[test]
fn the_version_is_told_to_machines_and_colour_can_be_forced() {
    let project = Project::new(&[("a.cu", HANG)]);
    let version: Value = serde_json::from_str(&run(&project, &["version", "--json"]).stdout).expect("JSON");
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    let with = |args: &[&str], variables: &[&str]| {
        let mut command = project.command(args);
        command.0.envs(variables.iter().map(|it| (*it, "1")));
        command.run()
    };
    let coloured = with(&["check"], &["FORCE_COLOR"]);
    assert!(coloured.stdout.contains('\u{1b}'));
    let plain = with(&["check"], &["FORCE_COLOR", "NO_COLOR"]);
    assert!(!plain.stdout.contains('\u{1b}'));
    let to_file = with(&["check", "-o", "out.txt", "-v"], &["FORCE_COLOR"]);
    assert!(
        to_file.stdout.is_empty() && to_file.stderr.contains("read: 1 source files"),
        "{}",
        to_file.stderr
    );
    let written = std::fs::read_to_string(project.path("out.txt")).expect("it was written");
    assert!(written.starts_with("error[CL102]"), "{written}");
}

#[test]
fn hangs_and_races_have_pictures_that_are_drawn_from_the_report_alone() {
    let project = Project::new(&[("a.cu", HANG), ("b.cu", RACE)]);
    let result = run(
        &project,
        &[
            "check",
            "--report",
            "json=out.json",
            "--report",
            "html=out.html",
            "--format",
            "json",
        ],
    );
    let document: Value = serde_json::from_str(&result.stdout).expect("JSON");
    let hang = &document["findings"][0]["picture"];
    let lanes: Vec<&str> = hang["lanes"]
        .as_array()
        .expect("lanes")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(lanes, ["host", "stream waiting", "stream opening"]);
    // The cycle is closed: each arrow begins where the one before it ended.
    let edges = hang["edges"].as_array().expect("edges").iter();
    let cycle: Vec<(u64, u64)> = edges
        .filter(|it| it["kind"] == "needs")
        .map(|it| {
            (
                it["from"].as_u64().expect("a number"),
                it["to"].as_u64().expect("a number"),
            )
        })
        .collect();
    assert!(cycle.len() >= 2);
    for (index, (_, to)) in cycle.iter().enumerate() {
        assert_eq!(*to, cycle[(index + 1) % cycle.len()].0, "{cycle:?}");
    }
    let race = document["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .find(|it| it["rule"] == "unordered-cross-stream-access");
    let race = race.expect("the race is found");
    assert!(
        race["picture"]["edges"]
            .as_array()
            .expect("edges")
            .iter()
            .any(|it| it["kind"] == "races")
    );

    // The files are gone; the report is enough.
    std::fs::remove_file(project.path("a.cu")).expect("it is there");
    std::fs::remove_file(project.path("b.cu")).expect("it is there");
    let svg = run(&project, &["draw", "out.json", "--finding", "CL102"]);
    assert!(
        svg.code == 0 && svg.stdout.starts_with("<svg ") && svg.stdout.contains("await_gate"),
        "{}",
        svg.stderr
    );
    let page = run(&project, &["draw", "out.json", "--format", "html"]).stdout;
    assert_eq!(
        page,
        std::fs::read_to_string(project.path("out.html")).expect("it was written")
    );
    for (args, said) in [
        (
            &["draw", "out.json", "--finding", "7"][..],
            "error: the report holds no finding `7`\n",
        ),
        (&["draw", "out.html"][..], "error: `out.html` is no JSON report: "),
        (&["draw", "none.json"][..], "error: cannot read `none.json`: "),
    ] {
        let result = run(&project, args);
        assert_eq!(result.code, 2);
        assert!(result.stderr.starts_with(said), "{}", result.stderr);
    }
}

#[test]
fn the_picture_in_the_documentation_is_what_the_command_draws() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixture = "fixtures/spin-without-preload/bad-flag-handoff.cu";
    let project = Project::new(&[(fixture, HANG)]);
    let report = run(&project, &["check", fixture, "--format", "json"]).stdout;
    let drawn = project.command(&["draw", "-"]).run_with_input(&report).stdout;
    let path = root.join("docs/hang.svg");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &drawn).expect("docs/hang.svg can be written");
    }
    let shown = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        shown == drawn,
        "docs/hang.svg is stale: run with UPDATE_SNAPSHOTS=1"
    );
}

/// What the GitHub Action runs, with the environment it gets there.
#[cfg(unix)]
#[test]
fn the_action_annotates_reports_and_sums_up() {
    let project = repository(&[("old.cu", HANG)]);
    commit(&project);
    project.write("new.cu", HANG.as_bytes());
    commit(&project);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_cudalint"));
    let folder = binary.parent().expect("it is in a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let act = |variables: &[(&str, &str)]| {
        let mut command = Command::new("bash");
        command
            .arg(root.join(".github/check.sh"))
            .current_dir(project.root());
        command
            .env("PATH", format!("{folder}:{path}"))
            .env("RUNNER_TEMP", project.root());
        command
            .env("GITHUB_OUTPUT", project.path("output"))
            .env("GITHUB_STEP_SUMMARY", project.path("summary.md"));
        command.envs([("PATHS", "."), ("SARIF", "c.sarif"), ("HTML", "c.html")]);
        let output = command
            .envs(variables.iter().copied())
            .output()
            .expect("bash is there");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (code, annotations) = act(&[("CHANGED_ONLY", "true"), ("BASE", "HEAD~1")]);
    assert_eq!(code, Some(1), "{annotations}");
    assert!(
        annotations.starts_with("::error file=new.cu,") && !annotations.contains("old.cu"),
        "{annotations}"
    );
    let read = |name: &str| std::fs::read_to_string(project.path(name)).unwrap_or_default();
    assert!(read("output").contains("exit-code=1"));
    assert!(
        read("summary.md").contains("1 error in 1 file"),
        "{}",
        read("summary.md")
    );
    assert!(read("c.sarif").contains("\"2.1.0\"") && read("c.html").starts_with("<!doctype html>"));
    let (code, annotations) = act(&[("FAIL", "false"), ("ARGS", "--select hang")]);
    assert!(code == Some(0) && annotations.contains("old.cu"), "{annotations}");
    let (code, _) = act(&[("FAIL", "false"), ("ARGS", "--select nothing")]);
    assert_eq!(code, Some(2), "no complete answer is never green");
}

#[cfg(unix)]
#[test]
fn what_is_explained_opens_in_the_browser() {
    let project = Project::new(&[("a.cu", HANG), ("tmp/keep", "")]);
    let explain = |what: &str, browser: &str| {
        let mut command = project.command(&["explain", what, "--open"]);
        command
            .0
            .env("TMPDIR", project.path("tmp"))
            .env("BROWSER", browser);
        for screen in ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"] {
            command.0.env_remove(screen);
        }
        command.run()
    };
    let shown = format!("cp %s {}", project.path("shown.html").display());
    let page = |what: &str| {
        let _ = std::fs::remove_file(project.path("shown.html"));
        // What is not there is left for the next one.
        let outcome = explain(what, &format!("/no/such/browser:{shown}"));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(
            outcome.stderr.starts_with("note: the page is `"),
            "{}",
            outcome.stderr
        );
        std::fs::read_to_string(project.path("shown.html")).expect("the browser had a page")
    };
    let card = page("CL102");
    for part in [
        "<h1>spin-without-preload (CL102)</h1>",
        "<figure>",
        "<h3>Known limitations</h3>",
        "<svg",
    ] {
        assert!(card.contains(part), "{part}");
    }
    let line = 1 + HANG
        .lines()
        .position(|it| it.contains("//~"))
        .expect("a marked line");
    for place in [format!("a.cu:{line}"), format!("a.cu:{line}:3")] {
        let finding = page(&place);
        assert!(finding.contains("open_gate") && finding.contains("<h3>Evidence</h3>"));
        let text = run(&project, &["explain", &place]);
        assert!(
            text.stdout.contains("error[CL102]") && text.stdout.contains("## Use instead"),
            "{}",
            text.stdout
        );
    }
    let nothing = run(&project, &["explain", "a.cu:1"]);
    assert_eq!(
        nothing.stderr,
        "error: nothing is found at a.cu:1\nhint: `cudalint check a.cu` says what is found\n"
    );
    for browser in ["", "/no/such/browser", "false"] {
        let without = explain("CL102", browser);
        assert_eq!(without.code, 2, "{}", without.stderr);
        assert!(
            without.stderr.contains("error: there is no browser to open `"),
            "{}",
            without.stderr
        );
        let file = without.stderr.split('`').nth(1).expect("the page is named");
        assert!(std::path::Path::new(file).is_file());
    }
}

#[test]
fn an_overview_of_many_folders_tells_those_above_them() {
    let project = Project::new(&[("a.cu", HANG), ("one/b.cu", HANG)]);
    for number in 0..9 {
        for top in ["left", "right"] {
            project.write(&format!("{top}/deep/{number}/a.cu"), HANG.as_bytes());
        }
    }
    let page = run(&project, &["check", "--format", "html", "--exit-zero"]).stdout;
    let (_, by_folder) = page.split_once("By folder").expect("an overview");
    let (by_folder, _) = by_folder.split_once("</table>").expect("its table");
    let told: Vec<&str> = by_folder
        .split("</a>")
        .filter_map(|it| Some(it.rsplit_once('>')?.1))
        .filter(|it| !it.trim().is_empty())
        .collect();
    assert_eq!(told, [".", "left/deep", "one", "right/deep"], "{by_folder}");
    assert!(by_folder.contains("<td class=\"n\">9</td>"), "{by_folder}");
}

#[test]
fn what_is_worst_comes_first_on_the_page() {
    let project = Project::new(&[("a.cu", HANG), ("b.cu", RACE)]);
    let args = ["check", "--info", "CL102", "--format", "html", "--exit-zero"];
    let page = run(&project, &args).stdout;
    let severities: Vec<&str> = page
        .split("data-severity=\"")
        .skip(1)
        .filter_map(|it| it.split('"').next())
        .collect();
    assert_eq!(severities, ["error", "info"]);
}

#[test]
fn a_clock_is_drawn_beside_the_work_it_does_not_wait_for() {
    let sample = include_str!("../fixtures/unsynchronised-timing/bad-c-clock.cu");
    let project = Project::new(&[("a.cu", sample)]);
    let result = run(
        &project,
        &["check", "--format", "json", "--exit-zero", "--select", "CL502"],
    );
    let report: serde_json::Value = serde_json::from_str(&result.stdout).expect("a report");
    let picture = &report["findings"][0]["picture"];
    let in_lane = |kind: &str| -> Vec<&str> {
        let lanes = picture["lanes"].as_array().expect("lanes");
        let lane = lanes
            .iter()
            .position(|it| it["kind"] == kind)
            .expect("such a lane");
        let events = picture["events"].as_array().expect("events");
        let mut inside: Vec<_> = events.iter().filter(|it| it["lane"] == lane).collect();
        inside.sort_by_key(|it| it["start"].as_u64());
        inside.iter().filter_map(|it| it["name"].as_str()).collect()
    };
    assert_eq!(in_lane("host"), ["clock()", "churn", "clock()"], "{picture:#}");
    assert_eq!(in_lane("stream"), ["churn"], "{picture:#}");
}
