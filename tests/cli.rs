//! The command as a user meets it: the real binary, its exit codes, and which words go where.

mod common;

use std::fs;

use common::{Project, run};

/// A program that hangs: the stream wait comes before the write, and a first launch between them.
const HANG: &str = include_str!("../fixtures/wait-before-write/bad-worker-thread.cu");

const QUIET: &str = "int main() { cudaDeviceSynchronize(); return 0; }\n";

#[test]
fn a_clean_project_exits_with_0_and_says_so_on_standard_error() {
    let project = Project::new(&[("a.cu", QUIET)]);
    let result = run(&project, &["check"]);
    assert_eq!((result.code, result.stdout.as_str()), (0, ""));
    assert_eq!(result.stderr, "no findings in 1 file\n");
}

#[test]
fn findings_exit_with_1_and_go_to_standard_output() {
    let project = Project::new(&[("src/a.cu", HANG)]);
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    assert!(result.stdout.starts_with("src/a.cu:"), "{}", result.stdout);
    assert!(result.stdout.contains("[CL101]"), "{}", result.stdout);
    assert!(!result.stdout.contains('\u{1b}'), "no colour in a pipe");
    assert!(!result.stderr.contains("CL101"), "{}", result.stderr);
}

#[test]
fn what_tells_more_of_the_worst_finding_is_said() {
    let copy = include_str!("../fixtures/pageable-async-copy/bad-malloc-upload.cu");
    let project = Project::new(&[("a.cu", copy), ("it's/b.cu", HANG)]);
    let marked = HANG.lines().position(|it| it.contains("//~"));
    let line = 1 + marked.expect("a marked line");
    let told = run(&project, &["check"]).stderr;
    let place = format!("'it'\\''s/b.cu:{line}'");
    assert!(
        told.ends_with(&format!(
            "explain CL101\nthe same with the picture, in the browser: cudalint explain --open {place}\n"
        )),
        "{told}"
    );
    // What only a flag brings is not found by who says the place alone.
    for flags in [&["--isolated"][..], &["--select", "hang"], &["--pedantic"]] {
        let told = run(&project, &[&["check"][..], flags].concat()).stderr;
        assert!(told.ends_with("cudalint explain CL101\n"), "{told}");
    }
    assert_eq!(run(&project, &["explain", "it's/b.cu:1"]).code, 2);
    assert_eq!(run(&project, &["explain", &format!("it's/b.cu:{line}")]).code, 0);
}

/// `cudaMalloc` returned at once wherever it was measured; its documents do not promise that.
const ALLOCATES_BEHIND_A_WAIT: &str = "#include <cuda_runtime.h>
__global__ void serve(volatile int *quit) { while (*quit == 0) {} }
int main() {
  int *quit;
  float *scratch;
  cudaHostAlloc(&quit, 4, cudaHostAllocMapped);
  *quit = 0;
  serve<<<1, 1>>>(quit);
  cudaMalloc(&scratch, 1 << 20);
  *(volatile int *)quit = 1;
  cudaDeviceSynchronize();
}
";

#[test]
fn pedantic_tells_what_documents_allow_and_no_gpu_was_seen_to_do() {
    let project = Project::new(&[("a.cu", ALLOCATES_BEHIND_A_WAIT)]);
    assert_eq!(run(&project, &["check"]).stdout, "");
    let result = run(&project, &["check", "--pedantic"]);
    assert_eq!(result.code, 0, "an info: {}", result.stdout);
    let unwrapped = result.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "info[CL104]",
        "documents allow a hang here: `cudaMalloc` waits for `serve`",
        "low confidence",
        "no GPU was seen to",
    ] {
        assert!(unwrapped.contains(part), "{part} in {}", result.stdout);
    }
    assert!(!result.stdout.contains("predicted:"), "{}", result.stdout);
}

/// A condition that nobody knows decides whether the capture breaks.
const MAY_ALLOCATE_IN_A_CAPTURE: &str = "#include <cuda_runtime.h>
__global__ void relax(float *u) { u[threadIdx.x] *= 0.5f; }
void record(float *u, float **scratch, bool grow, cudaStream_t stream, cudaGraph_t *graph) {
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (grow) cudaMalloc(scratch, 1024);
  relax<<<1, 32, 0, stream>>>(u);
  cudaStreamEndCapture(stream, graph);
}
";

#[test]
fn what_rests_on_much_is_counted_and_shown_when_asked_for() {
    let project = Project::new(&[("a.cu", MAY_ALLOCATE_IN_A_CAPTURE)]);
    let hidden = run(&project, &["check"]);
    assert_eq!((hidden.code, hidden.stdout.as_str()), (0, ""));
    assert!(
        hidden.stderr.contains("(1 of lower confidence)"),
        "{}",
        hidden.stderr
    );
    let shown = run(&project, &["check", "--min-confidence", "low"]);
    assert_eq!(shown.code, 1, "{}", shown.stdout);
    assert!(shown.stdout.contains("low confidence"), "{}", shown.stdout);
    assert!(!shown.stderr.contains("of lower confidence"), "{}", shown.stderr);
}

/// The source of an asynchronous copy ends with the function.
const GIVES_UP_A_SOURCE: &str = "#include <cuda_runtime.h>
#include <vector>
void mark_all(int *flags, int n, cudaStream_t stream) {
  std::vector<int> ones(n, 1);
  cudaMemcpyAsync(flags, ones.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaMemset(flags + n, 0, 4);
}
";

#[test]
fn pedantic_tells_of_pageable_sources_that_end_before_anything_waits() {
    let check = |text: &str, flags: &[&str]| {
        let arguments = [&["check", "--preview", "--select", "CL209"], flags].concat();
        run(&Project::new(&[("a.cu", text)]), &arguments).stdout
    };
    assert_eq!(check(GIVES_UP_A_SOURCE, &[]), "");
    let told = check(GIVES_UP_A_SOURCE, &["--pedantic"]);
    let unwrapped = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "info[CL209]",
        "the host gives up `ones` and nothing has waited for `cudaMemcpyAsync`",
        "`ones` ends here, and nothing has waited for the copy",
    ] {
        assert!(unwrapped.contains(part), "{part} in {told}");
    }
    for wait in [
        "  cudaStreamSynchronize(stream);\n}",
        "  somebody_elses_function();\n}",
    ] {
        let waits = GIVES_UP_A_SOURCE.replace("}", wait);
        assert_eq!(check(&waits, &["--pedantic"]), "");
    }
}

/// Captured only when a macro is defined.
const CAPTURE: &str = "#include <cuda_runtime.h>
void run(float *data, cudaStream_t stream, cudaGraph_t *graph) {
#ifdef USE_GRAPHS
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
#endif
  cudaMemsetAsync(data, 0, 4, stream);
  cudaStreamSynchronize(stream);
#ifdef USE_GRAPHS
  cudaStreamEndCapture(stream, graph);
#endif
}
";

#[test]
fn a_capture_in_another_configuration_is_looked_at() {
    let project = Project::new(&[("a.cu", CAPTURE)]);
    let result = run(&project, &["check"]);
    assert!(result.stdout.contains("[CL301]"), "{}", result.stdout);
    assert!(
        result.stdout.contains("when `USE_GRAPHS` is defined"),
        "{}",
        result.stdout
    );
    let with_macro = run(&project, &["check", "-U", "USE_GRAPHS"]);
    assert_eq!(with_macro.code, 0, "{}", with_macro.stdout);
}

#[test]
fn what_a_function_that_is_only_declared_takes_by_reference_is_unknown_behind_it() {
    let program = |declared: &str| {
        format!(
            "#include <cuda_runtime.h>
#include <vector>
void fill(std::vector<int> {declared} lanes, int {declared} count);
int main() {{
  cudaStream_t stream;
  float *device, *host;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&device, 4096);
  cudaMallocHost(&host, 4096);
  std::vector<int> lanes;
  int count = 0;
  fill(lanes, count);
  cudaMemcpyAsync(host, device, 4096, cudaMemcpyDeviceToHost, stream);
  for (int i = 0; i < COUNT; ++i) cudaStreamSynchronize(stream);
  return host[0];
}}
"
        )
    };
    for count in ["count", "lanes.size()"] {
        let lent = program("&").replace("COUNT", count);
        let project = Project::new(&[("a.cu", &lent)]);
        assert_eq!(run(&project, &["check"]).stdout, "", "{lent}");
    }
    let kept = program("const &").replace("COUNT", "count");
    let project = Project::new(&[("a.cu", &kept)]);
    assert!(run(&project, &["check"]).stdout.contains("CL205"), "{kept}");
}

#[test]
fn exit_zero_and_fail_on_decide_about_the_exit_code() {
    let project = Project::new(&[("a.cu", HANG)]);
    assert_eq!(run(&project, &["check", "--exit-zero"]).code, 0);
    assert_eq!(run(&project, &["check", "--fail-on", "never"]).code, 0);
    assert_eq!(run(&project, &["check", "--fail-on", "error"]).code, 1);
}

#[test]
fn selectors_choose_rules() {
    let project = Project::new(&[("a.cu", HANG)]);
    for nothing in [
        ["--ignore", "CL101"],
        ["--ignore", "hang"],
        ["--select", "CL102"],
        ["--select", "suppressions"],
    ] {
        assert_eq!(
            run(&project, &["check", nothing[0], nothing[1]]).code,
            0,
            "{nothing:?}"
        );
    }
    for something in ["wait-before-write", "CL1", "hang", "all", "CL102,CL101"] {
        assert_eq!(
            run(&project, &["check", "--select", something]).code,
            1,
            "{something}"
        );
    }
    let result = run(&project, &["check", "--select", "hagn"]);
    assert_eq!(result.code, 2);
    assert_eq!(
        result.stderr,
        "error: unknown rule or group `hagn`\nhint: did you mean `hang`?\n"
    );
}

#[test]
fn paths_select_what_is_reported_and_the_project_what_is_read() {
    // The kernel that is launched first behind the wait lives in another file.
    let project = Project::new(&[("cudalint.toml", ""), ("a.cu", HANG), ("sub/b.cu", HANG)]);
    let result = run(&project, &["check", "sub", "--format", "concise", "--statistics"]);
    assert!(
        result.stdout.lines().all(|line| line.starts_with("sub/b.cu:")),
        "{}",
        result.stdout
    );
    assert!(result.stderr.contains("2  files indexed"), "{}", result.stderr);
    assert!(result.stderr.contains("in 1 file"), "{}", result.stderr);
}

#[test]
fn files_in_no_project_are_read_with_the_headers_beside_them() {
    let (kernels, main) = HANG.split_at(HANG.find("int main").expect("it is a program"));
    let project = Project::new(&[
        (
            "a.cu",
            &format!("#include \"lib/kernels.h\"\n#include \"none.h\"\n{main}"),
        ),
        ("lib/kernels.h", "#include \"more.cuh\"\n#include \"../a.cu\"\n"),
        ("lib/more.cuh", kernels),
        ("lib/other.cuh", QUIET),
    ]);
    let result = run(
        &project,
        &["check", "a.cu", "--format", "concise", "--statistics"],
    );
    assert_eq!(result.code, 1, "{}", result.stderr);
    assert!(result.stdout.contains("[CL101]"), "{}", result.stdout);
    assert!(result.stderr.contains("3  files indexed"), "{}", result.stderr);
}

#[test]
fn helpers_without_cuda_of_a_pool_that_lends_in_streams_are_read() {
    let pool = "#include \"memory.h\"
        struct Pool {
          void *allocate(size_t bytes, cudaStream_t stream) { return take(bytes); }
          void deallocate(void *it, cudaStream_t stream) { give(it); }
        };";
    let helpers = "inline void *take(size_t bytes) { return malloc(bytes); }
        inline void give(void *it) { free(it); }";
    let project = Project::new(&[("cudalint.toml", ""), ("pool.cuh", pool), ("memory.h", helpers)]);
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    assert!(result.stdout.contains("[CL206]"), "{}", result.stdout);
}

#[test]
fn what_no_path_reached_is_listed_with_the_reason() {
    const UNREACHED: &str =
        "int main() {\n  int n = 2;\n  if (n > 3) cudaDeviceSynchronize();\n  cudaMemset(0, 0, 4);\n}\n";
    let project = Project::new(&[("cudalint.toml", ""), ("a.cu", UNREACHED)]);
    let result = run(&project, &["check", "--show-unreached", "--format", "concise"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert!(
        result
            .stderr
            .contains("a.cu:3:14: not executed: on a side not taken\n"),
        "{}",
        result.stderr
    );
    assert!(!result.stderr.contains("a.cu:4:"), "{}", result.stderr);
}

#[test]
fn standard_input_stands_for_a_file() {
    let project = Project::new(&[("a.cu", QUIET)]);
    let result = project
        .command(&["check", "--stdin-filename", "a.cu", "--format", "concise"])
        .run_with_input(HANG);
    assert_eq!(result.code, 1);
    assert!(result.stdout.starts_with("a.cu:"), "{}", result.stdout);
    let result = project
        .command(&["check", "--stdin-filename", "new/b.cu", "--format", "concise"])
        .run_with_input(HANG);
    assert!(result.stdout.starts_with("new/b.cu:"), "{}", result.stdout);
}

#[test]
fn ignored_files_are_not_read_unless_asked_for() {
    let project = Project::new(&[(".gitignore", "build/\n"), ("build/a.cu", HANG), ("b.cu", QUIET)]);
    assert_eq!(run(&project, &["check"]).code, 0);
    assert_eq!(run(&project, &["check", "--no-gitignore"]).code, 1);
    assert_eq!(
        run(&project, &["check", "--no-gitignore", "--exclude", "build/"]).code,
        0
    );
    assert_eq!(
        run(&project, &["check", "build/a.cu"]).code,
        1,
        "a file that is named is always read"
    );
    assert_eq!(run(&project, &["check", "--show-files"]).stdout, "b.cu\n");
}

#[test]
fn the_closest_configuration_wins() {
    let project = Project::new(&[
        ("cudalint.toml", "ignore = [\"CL101\"]\n"),
        ("a.cu", HANG),
        ("sub/cudalint.toml", ""),
        ("sub/b.cu", HANG),
    ]);
    let result = run(&project, &["check", "--format", "concise"]);
    assert!(result.stdout.starts_with("sub/b.cu:"), "{}", result.stdout);
    assert_eq!(run(&project, &["check", "a.cu"]).code, 0);
    assert_eq!(run(&project, &["check", "a.cu", "--isolated"]).code, 1);
    assert_eq!(
        run(&project, &["check", "a.cu", "--config", "sub/cudalint.toml"]).code,
        1
    );
}

#[test]
fn a_configuration_extends_another_and_overrides_some_files() {
    let project = Project::new(&[
        ("base.toml", "fail-on = \"never\"\n"),
        (
            "cudalint.toml",
            "extend = \"base.toml\"\n[[overrides]]\nfiles = [\"tests/**\"]\nignore = [\"hang\"]\n",
        ),
        ("a.cu", HANG),
        ("tests/b.cu", HANG),
    ]);
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 0);
    assert!(
        result.stdout.lines().all(|line| line.starts_with("a.cu:")),
        "{}",
        result.stdout
    );
    let settings = run(&project, &["check", "--show-settings"]).stdout;
    assert!(
        settings
            .lines()
            .any(|line| line.starts_with("fail-on") && line.ends_with("never")),
        "{settings}"
    );
}

#[cfg(unix)]
#[test]
fn a_configuration_that_cannot_be_read_is_said() {
    for (target, reason) in [("/dev/zero", "it is no regular file"), ("gone", "No such file")] {
        let project = Project::new(&[("a.cu", QUIET)]);
        std::os::unix::fs::symlink(target, project.path("cudalint.toml")).expect("a link");
        let result = run(&project, &["check"]);
        assert_eq!(result.code, 2, "{}", result.stderr);
        let said = &result.stderr;
        assert!(said.contains("cudalint.toml`") && said.contains(reason), "{said}");
    }
}

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_line() {
    let project = Project::new(&[("cudalint.toml", "\ningore = []\n"), ("a.cu", QUIET)]);
    let result = run(&project, &["check"]);
    assert_eq!(result.code, 2);
    assert!(
        result.stderr.contains("cudalint.toml:2:1: unknown key `ingore`"),
        "{}",
        result.stderr
    );
    assert!(
        result.stderr.contains("hint: did you mean `ignore`?"),
        "{}",
        result.stderr
    );
    assert_eq!(result.stdout, "");
}

#[test]
fn macros_from_flags_and_from_the_compile_database_decide_what_is_compiled() {
    let guarded = format!("#if MODE == 2\n{HANG}\n#endif\n");
    let database = r#"[{"directory": ".", "file": "a.cu", "command": "nvcc -DMODE=2 -c a.cu"}]"#;
    let project = Project::new(&[
        ("a.cu", &guarded),
        ("build/compile_commands.json", "[]"),
        ("db/compile_commands.json", database),
    ]);
    fs::rename(
        project.path("db/compile_commands.json"),
        project.path("compile_commands.json"),
    )
    .expect("a rename");
    assert_eq!(run(&project, &["check", "-p", "."]).code, 1);
    assert_eq!(run(&project, &["check", "-p", ".", "-U", "MODE"]).code, 0);
    assert_eq!(run(&project, &["check", "-p", "build", "-D", "MODE=1"]).code, 0);
    assert_eq!(run(&project, &["check", "-p", "build", "-D", "MODE=2"]).code, 1);
}

#[test]
fn the_include_path_of_the_compile_database_tells_equal_names_apart() {
    // Two headers of one name: in one the kernel waits for the flag, in the other it returns at once.
    let wait = "__global__ void poll(volatile int *flag) { while (*flag == 0) {} }\n";
    let nothing = "__global__ void poll(volatile int *flag) {}\n";
    let main = "#include \"poll.cuh\"\nint main() {\n  int *flag;\n  cudaMalloc(&flag, 4);\n  cudaMemset(flag, 0, 4);\n  \
                poll<<<1, 1>>>(flag);\n  cudaDeviceSynchronize();\n  cudaMemset(flag, 1, 4);\n}\n";
    let database = |directory: &str| {
        format!(
            r#"[{{"directory": ".", "file": "src/a.cu", "arguments": ["nvcc", "-I{directory}", "src/a.cu"]}}]"#
        )
    };
    let files = [
        ("waits/poll.cuh", wait),
        ("ends/poll.cuh", nothing),
        ("src/a.cu", main),
        (".git/HEAD", ""),
    ];
    let project = Project::new(&files);
    project.write("compile_commands.json", database("waits").as_bytes());
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    project.write("compile_commands.json", database("ends").as_bytes());
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 0, "{}", result.stdout);
}

#[test]
fn a_build_option_that_alone_brings_the_toolkit_in_is_on() {
    let option = "#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#endif\n";
    let guarded = format!("{option}#ifdef WITH_GPU\n{HANG}\n#endif\n");
    let project = Project::new(&[("a.cu", guarded.as_str()), (".git/HEAD", "")]);
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1, "{}{}", result.stdout, result.stderr);
    // A compile database knows that it is off.
    let database = r#"[{"directory": ".", "file": "a.cu", "arguments": ["nvcc", "a.cu"]}]"#;
    project.write("compile_commands.json", database.as_bytes());
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 0, "{}", result.stdout);
}

#[test]
fn reports_go_to_files_as_well() {
    let project = Project::new(&[("a.cu", HANG)]);
    let result = run(
        &project,
        &[
            "check",
            "--report",
            "sarif=a.sarif",
            "--report",
            "json=a.json",
            "--quiet",
        ],
    );
    assert_eq!((result.code, result.stderr.as_str()), (1, ""));
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(project.path("a.json")).expect("a report")).expect("JSON");
    assert_eq!(json["findings"][0]["code"], "CL101");
    let sarif: serde_json::Value =
        serde_json::from_slice(&fs::read(project.path("a.sarif")).expect("a report")).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(run(&project, &["check", "--report", "yaml=x"]).code, 2);
}

#[test]
fn comments_keep_findings_quiet_unless_told_otherwise() {
    let project = Project::new(&[("a.cu", &format!("// cudalint: ignore-file[CL101] a test\n{HANG}"))]);
    let quiet = run(&project, &["check", "--select", "hang"]);
    assert_eq!(quiet.code, 0, "{}", quiet.stdout);
    assert!(quiet.stderr.contains("suppressed"), "{}", quiet.stderr);
    assert_eq!(
        run(&project, &["check", "--select", "hang", "--no-ignores"]).code,
        1
    );
}

#[test]
fn a_baseline_leaves_only_what_is_new() {
    let files = [(".git/HEAD", ""), ("src/a.cu", HANG), ("src/b.cu", QUIET)];
    let project = Project::new(&files);
    let missing = run(&project, &["check", "--baseline", "known.json"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("hint: `--update-baseline` writes it"),
        "{}",
        missing.stderr
    );
    assert_eq!(
        run(&project, &["check", "--update-baseline"]).code,
        2,
        "which one?"
    );

    let written = run(
        &project,
        &["check", "--baseline", "known.json", "--update-baseline"],
    );
    assert_eq!(
        (written.code, written.stdout.as_str()),
        (0, ""),
        "{}",
        written.stderr
    );
    assert!(
        written
            .stderr
            .contains("`known.json` lists 1 finding now (0 before)"),
        "{}",
        written.stderr
    );
    let text = fs::read_to_string(project.path("known.json")).expect("a baseline");
    assert!(
        text.contains("{\"path\":\"src/a.cu\",\"rule\":\"wait-before-write\",\"source\":"),
        "{text}"
    );

    // From any directory, and while lines move.
    project.write("cudalint.toml", b"baseline = \"known.json\"\n");
    project.write("src/a.cu", format!("// moved\n\n{HANG}").as_bytes());
    let known = run(&project, &["check"]);
    assert_eq!((known.code, known.stdout.as_str()), (0, ""), "{}", known.stderr);
    assert!(
        known
            .stderr
            .contains("no findings in 2 files (1 in the baseline)"),
        "{}",
        known.stderr
    );
    let mut below = project.command(&["check", "a.cu"]);
    below.0.current_dir(project.path("src"));
    assert_eq!(below.run().code, 0);

    // What is new is reported, and alone.
    project.write("src/b.cu", HANG.as_bytes());
    let new = run(&project, &["check", "--format", "concise"]);
    assert_eq!(new.code, 1);
    assert!(
        new.stdout.lines().all(|line| line.starts_with("src/b.cu:")),
        "{}",
        new.stdout
    );

    // What is gone is said where it was looked for, and taken out when asked.
    project.write("src/a.cu", QUIET.as_bytes());
    assert!(!run(&project, &["check", "src/b.cu"]).stderr.contains("gone"));
    let gone = run(&project, &["check"]).stderr;
    assert!(gone.contains("note: 1 finding of the baseline is gone"), "{gone}");
    run(&project, &["check", "src/b.cu", "--update-baseline"]);
    assert_eq!(
        fs::read_to_string(project.path("known.json"))
            .expect("a baseline")
            .matches("path")
            .count(),
        2
    );
    run(&project, &["check", "--update-baseline"]);
    let text = fs::read_to_string(project.path("known.json")).expect("a baseline");
    assert!(text.contains("src/b.cu") && !text.contains("src/a.cu"), "{text}");

    project.write("known.json", b"{\"findings\": 3}");
    let broken = run(&project, &["check"]);
    assert_eq!(broken.code, 2);
    assert!(broken.stderr.contains("it is no baseline"), "{}", broken.stderr);
}

#[test]
fn colour_follows_the_flag_then_the_environment() {
    let project = Project::new(&[("a.cu", HANG)]);
    let coloured = |args: &[&str], environment: &[(&str, &str)]| {
        let mut command = project.command(args);
        command.0.envs(environment.iter().copied());
        command.run().stdout.contains('\u{1b}')
    };
    let check = ["check", "--format", "concise"];
    assert!(!coloured(&check, &[]));
    assert!(coloured(&check, &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&check, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(
        &["check", "--format", "concise", "--color", "always"],
        &[]
    ));
    assert!(!coloured(
        &["check", "--format", "concise", "--color", "never"],
        &[("CLICOLOR_FORCE", "1")]
    ));
}

#[test]
fn rules_are_listed_and_explained() {
    let project = Project::new(&[]);
    let table = run(&project, &["rules"]).stdout;
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("CL102  spin-without-preload")),
        "{table}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&run(&project, &["rules", "--format", "json"]).stdout).expect("JSON");
    assert_eq!(json[0]["code"], "CL101");
    assert!(
        run(&project, &["rules", "--format", "markdown"])
            .stdout
            .starts_with("| rule | code |")
    );
    for name in ["spin-without-preload", "CL102", "cl102"] {
        assert!(
            run(&project, &["explain", name])
                .stdout
                .starts_with("# spin-without-preload (CL102)")
        );
    }
    let races = run(&project, &["rules", "race", "CL102"]).stdout;
    assert!(
        races
            .lines()
            .all(|line| line.starts_with("CL2") || line.starts_with("CL102")),
        "{races}"
    );
    assert_eq!(
        run(&project, &["rules", "rase"]).stderr,
        "error: unknown rule or group `rase`\nhint: did you mean `race`?\n"
    );
    assert_eq!(
        run(&project, &["explain", "hang"]).stderr,
        "error: `hang` is more than one rule\nhint: `cudalint rules hang` lists them\n"
    );
    let card = run(&project, &["explain", "CL209"]).stdout;
    assert!(card.contains("\nrace: warning, "), "{card}");
    let unknown = run(&project, &["explain", "spin-without-prelod"]);
    assert_eq!(unknown.code, 2);
    assert_eq!(
        unknown.stderr,
        "error: unknown rule `spin-without-prelod`\nhint: did you mean `spin-without-preload`?\n"
    );
}

#[test]
fn the_finding_in_the_readme_is_what_the_command_prints() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let fixture = "fixtures/spin-without-preload/bad-flag-handoff.cu";
    // Alone, so that not all of this repository is read.
    let text = fs::read_to_string(root.join(fixture)).expect("the fixture");
    let project = Project::new(&[(fixture, &text)]);
    let mut command = project.command(&["check", fixture, "--quiet", "--isolated"]);
    command.0.env("COLUMNS", "100");
    let printed = command.run().stdout;
    let readme = fs::read_to_string(root.join("README.md")).expect("a README");
    let (begin, end) = ("<!-- finding -->\n", "<!-- /finding -->");
    let (head, rest) = readme.split_once(begin).expect("the marker");
    let (shown, tail) = rest.split_once(end).expect("the other marker");
    let expected = format!(
        "\n```console\n$ cudalint check {fixture}\n{}\n```\n\n",
        printed.trim_end()
    );
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let updated = format!("{head}{begin}{expected}{end}{tail}");
        fs::write(root.join("README.md"), updated).expect("README.md can be written");
        return;
    }
    assert!(
        shown == expected,
        "README.md is stale: run with UPDATE_SNAPSHOTS=1; it should show\n{expected}"
    );
}

/// Every key is shown, and what is shown is a configuration.
#[test]
fn the_configuration_in_the_documentation_is_one() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/configuration.md")).expect("the page");
    let (_, block) = page.split_once("```toml\n").expect("an example");
    let (text, _) = block.split_once("```").expect("its end");
    for key in cudalint::config::FileConfig::KEYS {
        let shown =
            |line: &str| line.starts_with(key) || line == format!("[[{key}]]") || line == format!("[{key}]");
        assert!(text.lines().any(shown), "`{key}` is not in docs/configuration.md");
    }
    let project = Project::new(&[
        ("cudalint.toml", ""),
        ("sub/cudalint.toml", text),
        ("sub/cuda-models/acme.h", ""),
        ("sub/a.cu", QUIET),
    ]);
    let result = run(&project, &["check", "sub", "--show-settings"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert!(
        result.stdout.contains("cuda-version      12.4"),
        "{}",
        result.stdout
    );
}

#[test]
fn completions_are_printed_for_every_shell() {
    let project = Project::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            run(&project, &["completions", shell]).stdout.contains("cudalint"),
            "{shell}"
        );
    }
}

#[test]
fn wrong_usage_exits_with_2_and_suggests() {
    let project = Project::new(&[]);
    let result = run(&project, &["check", "--selct", "hang"]);
    assert_eq!(result.code, 2);
    assert!(result.stderr.contains("--select"), "{}", result.stderr);
    assert_eq!(run(&project, &[]).code, 2);
    let path = run(&project, &["src/a.cu"]);
    assert_eq!(path.code, 2);
    assert!(
        path.stderr.contains("hint: `cudalint check PATHS`"),
        "{}",
        path.stderr
    );
    assert_eq!(run(&project, &["--version"]).code, 0);
}

#[test]
fn help_groups_the_flags() {
    let project = Project::new(&[]);
    let help = run(&project, &["check", "-h"]).stdout;
    for heading in ["Files:", "Compilation:", "Rules:", "Configuration:", "Output:"] {
        assert!(
            help.lines().any(|line| line == heading),
            "{heading} is missing in\n{help}"
        );
    }
    assert!(help.contains("Exit codes: 0"), "{help}");
    let tall = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'))
        .count();
    assert!(
        tall > 20 && help.lines().count() < 90,
        "one line per flag:\n{help}"
    );
}

#[test]
fn the_order_does_not_depend_on_the_number_of_threads() {
    let files: Vec<(String, &str)> = (0..12).map(|n| (format!("d{}/f{n}.cu", n % 3), HANG)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let project = Project::new(&files);
    let one = run(&project, &["check", "--format", "json", "--jobs", "1"]).stdout;
    for _ in 0..3 {
        assert_eq!(
            run(&project, &["check", "--format", "json", "--jobs", "4"]).stdout,
            one
        );
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let project = Project::new(&[("a.cu", HANG)]);
    let binary = env!("CARGO_BIN_EXE_cudalint");
    let script = format!(
        "'{binary}' explain CL102 | head -c 1 >/dev/null; '{binary}' check --format json | true; echo ${{PIPESTATUS[0]}}"
    );
    let output = std::process::Command::new("bash")
        .current_dir(project.root())
        .args(["-c", &script])
        .output();
    let output = output.expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("error:"));
}

/// Two sections of one test, each with work in a stream of its own on the same memory.
const SECTIONS: &str = "#include <catch2/catch_test_macros.hpp>
#include <cuda_runtime.h>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
TEST_CASE(\"fill\") {
  int *data;
  cudaStream_t one, other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaMalloc(&data, 128);
  SECTION(\"in one\") {
    fill<<<1, 32, 0, one>>>(data);
  }
  SECTION(\"in the other\") {
    fill<<<1, 32, 0, other>>>(data);
  }
  cudaDeviceSynchronize();
}
";

#[test]
fn a_run_of_a_test_takes_one_of_its_sections() {
    let project = Project::new(&[("test.cu", SECTIONS)]);
    assert_eq!(run(&project, &["check"]).stdout, "");
    // What stands before them comes before each.
    let before = SECTIONS.replace("  SECTION(\"in one\") {\n", "  {\n");
    let project = Project::new(&[("test.cu", &before)]);
    let found = run(&project, &["check", "--format", "concise"]).stdout;
    assert!(found.contains("test.cu:14:5: error[CL201]"), "{found}");
}
