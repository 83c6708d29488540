//! `cudalint check --verify`: the programs of the user, and what findings say then.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::common::{Outcome, Project};
use crate::programs::{project, run_with};

/// A program that hangs for want of a load.
const HANG: &str = include_str!("../../fixtures/spin-without-preload/bad-flag-handoff.cu");

/// Checks and verifies `src`.
fn check(project: &Project, more: &[&str]) -> Outcome {
    let args =
        "check src --isolated --verify --no-gpu-check --nvcc ./nvcc --timeout 1 --trials 1 --format json";
    let args: Vec<&str> = args.split(' ').chain(more.iter().copied()).collect();
    run_with(project, &args, "TMPDIR", project.path("tmp"))
}

/// Rule and evidence of each finding.
fn evidence(outcome: &Outcome) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().expect("findings");
    findings
        .iter()
        .map(|it| (text(&it["rule"]), text(&it["evidence"])))
        .collect()
}

#[test]
fn findings_say_what_their_program_did() {
    let project = project(&[]);
    let write = |script: &str| {
        let text = format!("{HANG}// sh: {script}\n");
        project.write("src/hang.cu", text.as_bytes());
    };
    write("[ $CUDA_MODULE_LOADING = LAZY ] && sleep 60; exit 0");
    let refused = check(&project, &[]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--run-user-code"), "{}", refused.stderr);
    assert!(!evidence(&refused)[0].1.contains("verified"));
    for (script, said) in [
        (
            "[ $CUDA_MODULE_LOADING = LAZY ] && sleep 60; exit 0",
            "verified on this machine: confirmed (LAZY hang ×1, EAGER done ×1); seen without a debugger: ",
        ),
        (
            "sleep 60",
            "inconclusive (it hangs under EAGER too: more than lazy loading holds it",
        ),
        (
            "exit 0",
            "not reproduced (LAZY done ×1, EAGER done ×1, predicted was LAZY hang, EAGER done)",
        ),
        (
            "echo usage; exit 1",
            "inconclusive (it ends with `exit 1`, perhaps before",
        ),
        (
            "echo ERROR",
            "inconclusive (it says `ERROR`, which cannot be read)",
        ),
    ] {
        write(script);
        let outcome = check(&project, &["--run-user-code", "--explain"]);
        assert_eq!(outcome.code, 1, "{}", outcome.stderr);
        let (_, evidence) = &evidence(&outcome)[0];
        assert!(evidence.contains(said), "{script}: {evidence}");
    }
}

/// What cuda-gdb says, with the folder of the program for `DIR`.
const SAID: &str = r#"  Kernel Parent Dev Grid Status   SMs Mask    GridDim  BlockDim Invocation
*      0      -   0    1 Active 0x00000001 (1,1,1)  (1,1,1)  wait_for_gate(int)()
  BlockIdx ThreadIdx To BlockIdx To ThreadIdx Count         PC      Filename  Line
Kernel 0
* (0,0,0)   (0,0,0)     (0,0,0)    (0,0,0)    1 0x00007fffd4f1 DIR/src/hang.cu    WAITS
Thread 1 (Thread 0x7f2 (LWP 11) "prog"):
#0  0x00007f03 in ?? () from /lib/libcuda.so.1
#1  0x00007f04 in cuLaunchKernel () from /lib/libcuda.so.1
#2  0x00005502 in cudaLaunchKernel ()
#3  0x00005504 in __device_stub__Z9open_gatev () at /tmp/tmpxft.cudafe1.stub.c:12
#4  0x00005505 in open_gate () at DIR/src/hang.cu:2
#5  0x00005503 in main () at DIR/src/hang.cu:LAUNCHES
"#;

#[test]
fn what_a_debugger_sees_stands_beside_the_steps_it_proves() {
    let project = project(&[]);
    let text = format!("{HANG}// sh: [ $CUDA_MODULE_LOADING = LAZY ] && sleep 60; exit 0\n");
    project.write("src/hang.cu", text.as_bytes());
    let steps = |outcome: &Outcome| -> Vec<Value> {
        let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        report["findings"][0]["steps"].as_array().expect("steps").clone()
    };
    let plain = steps(&check(&project, &["--run-user-code"]));
    assert!(plain.iter().all(|it| it["seen"].is_null()), "{plain:?}");
    let line = |words: &str| {
        let at = text.lines().position(|it| it.contains(words));
        (at.expect(words) + 1).to_string()
    };
    let folder = project
        .path("src")
        .parent()
        .expect("a folder")
        .display()
        .to_string();
    let said = SAID
        .replace("DIR", &folder)
        .replace("WAITS", &line("while ("))
        .replace("LAUNCHES", &line("open_gate<<<"));
    project.write(
        "cuda-gdb",
        format!("#!/bin/sh\ncat <<'END'\n{said}END\n").as_bytes(),
    );
    fs::set_permissions(project.path("cuda-gdb"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let outcome = check(&project, &["--run-user-code", "--explain"]);
    let seen: Vec<(u64, Vec<String>)> = steps(&outcome)
        .iter()
        .filter_map(|it| {
            let seen: Vec<String> = serde_json::from_value(it["seen"].clone()).ok()?;
            Some((it["line"].as_u64()?, seen))
        })
        .collect();
    let waits = "seen on the GPU: threads on the device are here".to_owned();
    let launches = "seen on the GPU: thread 1 is in `cudaLaunchKernel`".to_owned();
    let number = |words: &str| line(words).parse::<u64>().expect("a number");
    assert!(seen.contains(&(number("while ("), vec![waits])), "{seen:?}");
    assert!(
        seen.contains(&(number("open_gate<<<"), vec![launches])),
        "{seen:?}"
    );
    assert_eq!(seen.len(), 2, "{seen:?}");
    let (_, evidence) = &evidence(&outcome)[0];
    assert!(
        evidence.contains("kernel `wait_for_gate(int)()` is resident"),
        "{evidence}"
    );
}

#[test]
fn each_finding_is_judged_by_what_it_predicts_itself() {
    let project = project(&[]);
    let race = "void race(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  int *a, *b;
  cudaMalloc((void **)&a, 4);
  cudaMalloc((void **)&b, 4);
  cudaMemsetAsync(a, 0, 4, t);
  cudaStreamWaitEvent(s, e, 0);
  cudaEventRecord(e, t);
  cudaMemcpyAsync(b, a, 4, cudaMemcpyDeviceToDevice, s);
}
void start() { cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); race(s, t); }
// cudalint: ignore[callback-waits]
// sh: [ $CUDA_MODULE_LOADING = LAZY ] && sleep 60; exit 0
";
    project.write("src/all.cu", format!("{HANG}{race}").as_bytes());
    let found = evidence(&check(&project, &["--run-user-code"]));
    let of = |rule: &str| {
        let it = found.iter().find(|(name, _)| name == rule);
        it.map(|(_, evidence)| evidence.as_str()).expect(rule)
    };
    assert!(of("spin-without-preload").contains(": confirmed (LAZY hang ×1, EAGER done ×1)"));
    assert!(
        of("wait-before-record")
            .contains(": inconclusive (it hangs, perhaps before it came to what was predicted)"),
        "{}",
        of("wait-before-record")
    );
    assert_eq!(of("unused-suppression"), "", "no run can tell");
}

#[test]
fn a_finding_is_about_the_programs_it_goes_through() {
    let project = project(&[]);
    let helper = "#include <cuda_runtime.h>
__global__ void hold(volatile int *stop) { while (*stop == 0) { } }
void start(volatile int *stop, cudaStream_t stream) { hold<<<1, 1, 0, stream>>>(stop); }
";
    let main = |between: &str, script: &str| {
        format!(
            "#include <cuda_runtime.h>
void start(volatile int *stop, cudaStream_t stream);
int main() {{
  int *stop;
  cudaMallocHost((void **)&stop, 4);
  *stop = 0;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  start(stop, stream);
  {between}
  *stop = 1;
  cudaStreamSynchronize(stream);
}}
// sh: {script}
"
        )
    };
    project.write("src/helper.cu", helper.as_bytes());
    project.write(
        "src/bad.cu",
        main("cudaDeviceSynchronize();", "sleep 60").as_bytes(),
    );
    project.write("src/good.cu", main("", "exit 0").as_bytes());
    let outcome = check(&project, &["--run-user-code"]);
    let found = evidence(&outcome);
    assert_eq!(found.len(), 1, "{}", outcome.stdout);
    assert!(
        found[0].1.contains(": confirmed (LAZY hang ×1, EAGER hang ×1"),
        "{}",
        found[0].1
    );
    assert!(!found[0].1.contains("good.cu"), "{}", found[0].1);
    assert!(
        outcome.stderr.contains("src/good.cu: confirmed"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_program_starts_where_the_code_says_so() {
    let project = project(&[]);
    for (text, is_program) in [
        ("int\nmain()\n{ return 0; }", true),
        ("extern \"C\" int main(int c, char** v) { return 0; }", true),
        (
            "static int x; [[nodiscard]] signed main(void) { return 0; }",
            true,
        ),
        ("auto main() -> int { return 0; }", true),
        ("/*\nint main() {}\n*/\nvoid f() {}", false),
        ("#if 0\nint main() { return 0; }\n#endif\nvoid f() {}", false),
        ("int main(int, char**);\nvoid f() {}", false),
        ("namespace a { int main() { return 1; } }", false),
        ("struct A { int main(); };\nint A::main() { return 0; }", false),
    ] {
        project.write("src/a.cu", text.as_bytes());
        let outcome = check(&project, &["--run-user-code", "--exit-zero"]);
        assert_eq!(
            outcome.code,
            if is_program { 0 } else { 2 },
            "{text}: {}",
            outcome.stderr
        );
    }
}

#[test]
fn programs_are_made_of_what_they_need() {
    let project = project(&[]);
    let main = |more: &str| format!("#include \"help.h\"\n{more}\nint main() {{ return 0; }}\n");
    let tell = |name: &str| format!("// sh: echo \"$BUILD\" > \"$TMPDIR/{name}\"; exit 0");
    project.write("src/help.h", b"void help();\n");
    project.write("src/help.cu", b"// IS_HELPER\nvoid help() {}\n");
    project.write(
        "src/a.cu",
        main(&format!("// LACKS_HELPER\n{}", tell("a"))).as_bytes(),
    );
    project.write("src/b.cu", main(&tell("b")).as_bytes());
    project.write("src/one/c.cu", main(&tell("c")).as_bytes());
    project.write("src/one/d e.cpp", b"void beside() {}\n");
    let macros = [
        "--run-user-code",
        "-DSIZE=4",
        "-UDEBUG",
        "--default-stream",
        "per-thread",
    ];
    let outcome = check(&project, &macros);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let built = |name: &str| fs::read_to_string(project.path("tmp").join(name)).expect("it ran");
    for (name, sources) in [
        ("a", "/src/a.cu ROOT/src/help.cu"),
        ("b", "/src/b.cu"),
        ("c", "/src/one/c.cu ROOT/src/one/d e.cpp"),
    ] {
        let built = built(name).replace(&*project.root().to_string_lossy(), "ROOT");
        assert!(
            built.contains("-UDEBUG -DSIZE=4 --default-stream=per-thread"),
            "{built}"
        );
        assert!(built.contains(&format!(" ROOT{sources} -L")), "{built}");
    }
}

#[test]
fn programs_run_where_their_arguments_mean_something() {
    let project = project(&[]);
    project.write("data.txt", b"42\n");
    project.write(
        "src/a.cu",
        b"int main() { return 0; }\n// sh: grep -q 42 \"$1\"\n",
    );
    let outcome = check(&project, &["--run-user-code", "--args", "data.txt"]);
    assert!(
        outcome.stderr.contains("a.cu: confirmed: LAZY done"),
        "{}",
        outcome.stderr
    );
}
