//! Input that nobody should write: one clear message or a degraded analysis, never a panic, a hang or a stack overflow.

mod common;
#[path = "common/stacks.rs"]
mod stacks;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{Project, run};
use cudalint::facts::extract;
use cudalint::program::{Program, SourceUnit};
use cudalint::rules;
use cudalint::syntax::{Defines, collect_macros};

const HANG: &str = include_str!("../fixtures/wait-before-write/bad-worker-thread.cu");

/// Checks one file and expects an ordinary end.
fn check(text: &[u8]) -> common::Outcome {
    let project = Project::new(&[]);
    project.write("a.cu", text);
    let result = run(&project, &["check", "--format", "concise"]);
    assert!(
        result.code == 0 || result.code == 1,
        "exit code {}: {}",
        result.code,
        result.stderr
    );
    assert!(!result.stderr.contains("internal error"), "{}", result.stderr);
    result
}

#[test]
fn a_missing_path_is_named() {
    let project = Project::new(&[]);
    let result = run(&project, &["check", "nowhere"]);
    assert_eq!(result.code, 2);
    assert!(
        result.stderr.starts_with("error: cannot find `nowhere`: "),
        "{}",
        result.stderr
    );
    assert_eq!(result.stderr.lines().count(), 1);
}

#[test]
fn an_empty_directory_is_clean_and_says_why() {
    let project = Project::new(&[("readme.txt", "text")]);
    let result = run(&project, &["check"]);
    assert_eq!(
        (result.code, result.stderr.as_str()),
        (0, "note: no source files to check here\n")
    );
}

#[test]
fn an_empty_file_is_clean() {
    assert_eq!(check(b"").code, 0);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_costs_one_warning() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("a.cu", HANG), ("b.cu", HANG)]);
    fs::set_permissions(project.path("a.cu"), fs::Permissions::from_mode(0o000)).expect("permissions");
    if fs::read(project.path("a.cu")).is_ok() {
        // Whoever runs this may read everything; a link to nowhere stands in.
        fs::remove_file(project.path("a.cu")).expect("removed");
        std::os::unix::fs::symlink("nowhere", project.path("a.cu")).expect("a link");
        let result = run(&project, &["check", "a.cu"]);
        assert_eq!(result.code, 2, "{}", result.stderr);
    }
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1);
    assert!(
        result.stdout.lines().all(|line| line.starts_with("b.cu:")),
        "{}",
        result.stdout
    );
}

#[test]
fn a_file_that_is_no_text_is_skipped_with_a_warning() {
    let project = Project::new(&[("b.cu", HANG)]);
    project.write("a.cu", b"\x7fELF\0\0\0cudaMalloc");
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1);
    assert!(
        result
            .stderr
            .starts_with("warning: skipped `a.cu`: it is binary\n"),
        "{}",
        result.stderr
    );
}

#[test]
fn a_file_that_is_too_large_for_source_is_skipped_with_a_warning() {
    let project = Project::new(&[("b.cu", HANG), ("a.cu", "")]);
    let file = fs::OpenOptions::new()
        .write(true)
        .open(project.path("a.cu"))
        .expect("it exists");
    file.set_len(33 << 20).expect("a sparse file");
    let result = run(&project, &["check"]);
    assert_eq!(result.code, 1);
    assert!(
        result.stderr.starts_with("warning: skipped `a.cu`: 33 MB"),
        "{}",
        result.stderr
    );
}

#[test]
fn bytes_that_are_no_utf8_do_not_move_positions() {
    let clean = check(HANG.as_bytes());
    let marked = HANG.replacen("int main", "/* \u{fffd} */ int main", 1);
    let bytes: Vec<u8> = marked
        .bytes()
        .filter(|byte| *byte != 0xEF && *byte != 0xBF)
        .collect();
    assert!(std::str::from_utf8(&bytes).is_err());
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.split(' ').next().unwrap_or("").to_owned())
            .collect()
    };
    assert_eq!(lines(&check(&bytes).stdout), lines(&clean.stdout));
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_not_move_positions() {
    let clean = check(HANG.as_bytes()).stdout;
    assert!(!clean.is_empty());
    assert_eq!(check(format!("\u{feff}{HANG}").as_bytes()).stdout, clean);
    assert_eq!(check(HANG.replace('\n', "\r\n").as_bytes()).stdout, clean);
}

#[test]
fn a_line_of_ten_megabytes_ends() {
    // Mostly data, as such lines are; the calls come after it.
    let data = "\\x00\\xff".repeat(9_500_000 / 8);
    let calls = "cudaFree(0); ".repeat(500_000 / 13);
    let result = check(format!("const char *data = \"{data}\"; void f() {{ {calls} }}").as_bytes());
    assert_eq!(result.stderr, "no findings in 1 file\n");
}

#[test]
fn a_sum_of_a_million_terms_ends() {
    check(
        format!(
            "int f() {{ cudaMalloc(0, 1); return 1{}; }}",
            "+1".repeat(1_000_000)
        )
        .as_bytes(),
    );
}

#[test]
fn nothing_needs_to_be_closed() {
    for tail in [
        "/* comment",
        "\"string",
        "'c",
        "R\"x(raw",
        "k<<<",
        "k<<<1, 1",
        "k<<<1, 1>>>(",
        "#if 1",
        "#if 0",
        "#define X \\",
        "(((",
        "{{{",
    ] {
        check(format!("void f() {{ cudaFree(0);\n{tail}").as_bytes());
        check(format!("{HANG}\n{tail}").as_bytes());
    }
}

#[test]
fn conditionals_need_not_balance() {
    for text in [
        "#endif\n#endif\n",
        "#else\n",
        "#elif 1\n",
        "#if\n#if\n#else\n#else\n#endif\n",
        "#if (((\n#endif\n",
        "#if 1/0\n#endif\n",
    ] {
        check(format!("{text}void f() {{ cudaFree(0); }}\n{text}").as_bytes());
    }
    let deep = "#if A\n".repeat(10_000);
    check(format!("{deep}void f() {{ cudaFree(0); }}\n").as_bytes());
}

#[test]
fn nesting_of_ten_thousand_levels_ends() {
    let depth = 10_000;
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("if (x) {", "}"),
        ("f(", ")"),
        ("-", ""),
        ("a<", ">"),
        ("[&] {", "}"),
        ("x ? y : ", ""),
        ("namespace n {", "}"),
        ("struct s {", "};"),
        ("k<<<1, ", ", 1>>>()"),
        ("do ", " while (x);"),
        ("else if (x) ; ", ""),
    ] {
        let nested = format!("{}x{}", open.repeat(depth), close.repeat(depth));
        check(format!("void f() {{ cudaFree(0); {nested}; }}").as_bytes());
        check(format!("void f() {{ cudaFree(0); }}\n{nested}").as_bytes());
    }
}

#[test]
fn macros_that_call_themselves_end() {
    check(b"#define A() B()\n#define B() A() cudaFree(0)\n#define C(x) C(C(x)) cudaFree(x)\nvoid f() { A(); B(); C(C(1)); }");
}

#[test]
fn suppressions_by_the_thousand_end() {
    const COUNT: usize = 20_000;
    let begin = "// cudalint: disable[CL102]\n";
    for comments in [
        "// cudalint: ignore[spin-without-preload]\n".repeat(COUNT),
        "// cudalint: ignore-file[CL104]\n".repeat(COUNT),
        begin.repeat(COUNT),
        format!(
            "{}{}",
            begin.repeat(COUNT),
            begin.replace("dis", "en").repeat(COUNT)
        ),
        format!("// cudalint: ignore[{}CL102]\n", "CL104, ".repeat(COUNT)),
    ] {
        check(format!("void f() {{\n{comments}cudaFree(0); }}\n").as_bytes());
    }
}

#[test]
fn containers_of_billions_of_elements_end() {
    check(
        b"struct S { cudaStream_t s; ~S() { cudaStreamDestroy(s); } };\n\
          __global__ void k(volatile int *f) { while (*f == 0) {} }\n\
          int main() { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); std::vector<S> v(2147483647); v.resize(0);\n\
          std::vector<S> w(9223372036854775807); w.push_back(S()); w.back(); w.resize(-9223372036854775807 - 1);\n\
          w.pop_back(); w.back(); p = p - (-9223372036854775807 - 1); cudaDeviceSynchronize(); }\n",
    );
}

#[test]
fn functions_that_call_each_other_end() {
    let mut text = String::from("void f0(cudaStream_t s);\n");
    for n in 0..200 {
        let _ = writeln!(
            text,
            "void f{n}(cudaStream_t s) {{ if (x) f{}(s); else f{}(s); cudaFree(0); }}",
            (n + 1) % 200,
            (n + 7) % 200
        );
    }
    text.push_str("int main() { f0(0); }\n");
    check(text.as_bytes());
}

#[test]
fn classes_that_hold_themselves_end() {
    check(
        b"struct B;\nstruct A : B { B one, two; A() { cudaStreamCreate(&s); } ~A() { cudaStreamDestroy(s); } cudaStream_t s; };\n\
          struct B : A { A one, two; B() {} };\nstruct V { std::vector<V> all; std::unique_ptr<V> next = std::make_unique<V>(); };\n\
          template <int N> struct L { L<N - 1> inner, other; ~L() { cudaFree(0); } };\n\
          int main() { A a, more[4]; std::vector<A> all(3); V v; L<3> l; cudaDeviceSynchronize(); }\n",
    );
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_are_not_followed() {
    let project = Project::new(&[("sub/a.cu", HANG)]);
    std::os::unix::fs::symlink("..", project.path("sub/up")).expect("a link");
    std::os::unix::fs::symlink("loop", project.path("sub/loop")).expect("a link");
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1);
    assert!(
        result.stdout.lines().all(|line| line.starts_with("sub/a.cu:")),
        "{}",
        result.stdout
    );
    assert_eq!(run(&project, &["check", "sub/loop"]).code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_utf8_is_read_and_shown() {
    use std::os::unix::ffi::OsStringExt;
    let project = Project::new(&[]);
    let name = PathBuf::from(std::ffi::OsString::from_vec(b"\xff\xfe.cu".to_vec()));
    fs::write(project.root().join(name), HANG).expect("a file");
    for format in ["concise", "json", "sarif"] {
        assert_eq!(run(&project, &["check", "--format", format]).code, 1);
    }
}

#[test]
fn a_broken_configuration_is_one_message() {
    for text in [
        "select = [",
        "select = 3",
        "= 1",
        "\u{0}",
        "extend = \"nowhere.toml\"",
        "extend = \"cudalint.toml\"",
        "cuda-version = \"new\"",
        "define = [\"\"]",
    ] {
        let project = Project::new(&[("cudalint.toml", text), ("a.cu", HANG)]);
        let result = run(&project, &["check"]);
        assert_eq!(result.code, 2, "{text}: {}", result.stderr);
        assert!(result.stderr.starts_with("error: "), "{text}: {}", result.stderr);
        assert_eq!(result.stdout, "");
    }
    for (extended, problem) in [
        ("nowhere.toml", "cannot read "),
        ("cudalint.toml", " extends itself"),
    ] {
        let text = format!("preview = true\nextend = \"{extended}\"\n");
        let project = Project::new(&[("cudalint.toml", &text), ("a.cu", HANG)]);
        let said = run(&project, &["check"]).stderr;
        assert!(
            said.contains("cudalint.toml:2:10: ") && said.contains(problem),
            "{said}"
        );
    }
    let project = Project::new(&[("a.cu", HANG)]);
    assert_eq!(run(&project, &["check", "--config", "nowhere.toml"]).code, 2);
}

#[test]
fn a_broken_compile_database_is_refused_when_asked_for_and_left_out_otherwise() {
    for text in ["", "[", "{}", "[{\"file\": 3}]", "[{\"directory\": \"/\"}]"] {
        let project = Project::new(&[("compile_commands.json", text), ("a.cu", HANG)]);
        let asked = run(&project, &["check", "-p", "."]);
        assert_eq!(asked.code, 2);
        assert!(
            asked.stderr.starts_with("error: cannot use the compile database"),
            "{}",
            asked.stderr
        );
        let unasked = run(&project, &["check"]);
        assert_eq!(unasked.code, 1);
        assert!(
            unasked
                .stderr
                .starts_with("warning: cannot use the compile database"),
            "{}",
            unasked.stderr
        );
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let project = Project::new(&[("a.cu", HANG)]);
    let result = run(&project, &["check", "--report", "json=no/such/directory/a.json"]);
    assert_eq!(result.code, 2);
    assert!(
        result
            .stderr
            .contains("error: cannot write `no/such/directory/a.json`"),
        "{}",
        result.stderr
    );
}

/// What is no file, in every place that names one: said at once, and never waited for.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_input() {
    let project = Project::new(&[
        ("a.cu", HANG),
        ("extends/cudalint.toml", "extend = \"/dev/zero\"\n"),
        ("extends/a.cu", HANG),
        ("models/cudalint.toml", "models = [\"/dev/zero\"]\n"),
        ("models/a.cu", HANG),
        (
            "known/cudalint.toml",
            "# what is known\nbaseline = \"/dev/zero\"\n",
        ),
        ("known/a.cu", HANG),
    ]);
    let pipe = project.path("pipe.cu");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    for (args, said) in [
        (
            &["check", "/dev/zero"][..],
            "error: skipped `/dev/zero`: it is no regular file\n",
        ),
        (
            &["check", "pipe.cu"],
            "error: skipped `pipe.cu`: it is no regular file\n",
        ),
        (
            &["check", "a.cu", "--baseline", "/dev/zero"],
            "error: cannot use the baseline `/dev/zero`: it is no regular file\n",
        ),
        (
            &["check", "a.cu", "-p", "/dev/zero"],
            "error: cannot use the compile database `/dev/zero`: it is no regular file\n",
        ),
        (
            &["check", "a.cu", "--config", "pipe.cu"],
            "pipe.cu`: it is no regular file\n",
        ),
        (
            &["check", "extends/a.cu"],
            "extends/cudalint.toml:1:10: cannot read `/dev/zero`: it is no regular file\n",
        ),
        (
            &["check", "models/a.cu"],
            "error: cannot read the model `/dev/zero`: it is no regular file\n",
        ),
        (
            &["check", "known/a.cu"],
            "known/cudalint.toml:2: `baseline` names it\n",
        ),
        (
            &["draw", "/dev/zero"],
            "error: cannot read `/dev/zero`: it is no regular file\n",
        ),
    ] {
        let result = run(&project, args);
        assert_eq!(result.code, 2, "{args:?}: {}", result.stderr);
        assert!(result.stderr.contains(said), "{args:?}: {}", result.stderr);
    }
    assert_eq!(
        run(&project, &["check", "--format", "concise", "a.cu"]).code,
        1,
        "the pipe is passed by"
    );
}

#[cfg(unix)]
#[test]
fn ignore_files_that_never_end_are_not_read() {
    use std::os::unix::fs::symlink;
    let project = Project::new(&[("a.cu", HANG), ("sub/b.cu", HANG), ("cudalint.toml", "")]);
    symlink("/dev/zero", project.path("sub/.gitignore")).expect("a link");
    let result = run(&project, &["check", "--format", "concise"]);
    assert!(
        result.stderr.contains("sub/.gitignore`: it is no regular file"),
        "{}",
        result.stderr
    );
    assert!(
        result.stdout.lines().all(|it| it.starts_with("a.cu:")),
        "{}",
        result.stdout
    );
    symlink("/dev/zero", project.path(".ignore")).expect("a link");
    let result = run(&project, &["check", "--format", "concise"]);
    assert!(
        result.stderr.contains("nothing is left out for ignore files"),
        "{}",
        result.stderr
    );
    assert_eq!(result.code, 1);
}

#[test]
fn what_is_larger_than_is_read_says_how_much_is() {
    let project = Project::new(&[("a.cu", HANG)]);
    let file = fs::File::create(project.path("cudalint.toml")).expect("a file");
    file.set_len(17 << 20).expect("a sparse file");
    let result = run(&project, &["check"]);
    assert_eq!(result.code, 2);
    assert!(
        result
            .stderr
            .ends_with("17 MB is more than the 16 MB that are read\n"),
        "{}",
        result.stderr
    );
}

/// What grows with the square does not end within the limit of a run; the growth itself is measured by `cargo bench --bench growth`.
#[test]
fn long_stacks_of_comments_and_definitions_end() {
    for stack in &stacks::ALL {
        println!("{}", stack.name);
        check((stack.text)(2 * stack.count).as_bytes());
    }
}

/// How many mutants of one fixture the test tries; the sample is the same in every run.
const MUTANTS_PER_FIXTURE: usize = 48;

#[test]
fn no_mutant_of_a_fixture_panics_or_hangs() {
    let fixtures: BTreeMap<PathBuf, Vec<u8>> =
        walkdir::WalkDir::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"))
            .into_iter()
            .map(|entry| entry.expect("fixtures can be read").into_path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|it| it == "cu" || it == "cpp" || it == "cuh" || it == "h")
            })
            .map(|path| (path.clone(), fs::read(path).expect("fixtures can be read")))
            .collect();
    assert!(!fixtures.is_empty());
    let work = || {
        use rayon::prelude::*;
        fixtures.par_iter().for_each(|(path, bytes)| {
            let mutants = mutants(bytes);
            let step = mutants.len().div_ceil(MUTANTS_PER_FIXTURE).max(1);
            for (what, mutant) in mutants.into_iter().step_by(step) {
                let started = Instant::now();
                let outcome = std::panic::catch_unwind(|| analyse(&mutant));
                assert!(outcome.is_ok(), "{} panics with {what}", path.display());
                assert!(
                    started.elapsed() < Duration::from_secs(20),
                    "{} takes too long with {what}",
                    path.display()
                );
            }
        });
    };
    let threads = rayon::ThreadPoolBuilder::new()
        .stack_size(256 << 20)
        .build()
        .expect("threads");
    threads.install(work);
}

/// Truncated anywhere, without a line, with a line twice, with two neighbouring lines swapped.
fn mutants(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let mut mutants = Vec::new();
    // Odd strides, so that every kind of mutation meets the sampling stride.
    for end in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
        mutants.push((format!("nothing after byte {end}"), bytes[..end].to_vec()));
    }
    for index in 0..lines.len() {
        let without = [&lines[..index], &lines[index + 1..]].concat().concat();
        mutants.push((format!("line {} deleted", index + 1), without));
        let twice = [&lines[..=index], &lines[index..]].concat().concat();
        mutants.push((format!("line {} twice", index + 1), twice));
        if index + 1 < lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(index, index + 1);
            mutants.push((
                format!("lines {} and {} swapped", index + 1, index + 2),
                swapped.concat(),
            ));
        }
    }
    mutants
}

fn analyse(bytes: &[u8]) {
    let macros = collect_macros(bytes);
    let facts = extract(bytes, &Defines::for_cuda(13000), &macros);
    let unit = SourceUnit {
        path: "mutant.cu".into(),
        bytes: bytes.into(),
        facts: facts.into(),
        ..SourceUnit::default()
    };
    let outcome = rules::check(&Program::link(vec![unit]), &rules::Options::default());
    for location in outcome.findings.iter().flat_map(|finding| finding.locations()) {
        assert!(location.span.start <= location.span.end && location.span.end as usize <= bytes.len());
    }
}
