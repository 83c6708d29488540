//! `cudalint contracts`: what functions do with the streams they are handed, as the real binary prints it.

mod common;

use common::{Project, run};

const HEADER: &str = "#pragma once
#include <cuda_runtime.h>

void scale(float *x, int n, cudaStream_t stream);
float total(const float *x, int n, cudaStream_t stream);
void clear(float *x, int n, cudaStream_t stream);
void measure(int n);
";

const SOURCE: &str = "#include \"vectors.h\"

__global__ void scale_all(float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] *= 2.0f;
}

__global__ void clear_all(float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 0.0f;
}

static void launch(float *x, int n, cudaStream_t stream) { scale_all<<<n / 256 + 1, 256, 0, stream>>>(x, n); }

void scale(float *x, int n, cudaStream_t stream) { launch(x, n, stream); }

float total(const float *x, int n, cudaStream_t stream) {
  float first = 0.0f;
  cudaMemcpyAsync(&first, x, sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  return first;
}

void clear(float *x, int n, cudaStream_t stream) { clear_all<<<n / 256 + 1, 256>>>(x, n); }

void measure(int n) { cudaDeviceSynchronize(); }
";

fn vectors() -> Project {
    Project::new(&[
        ("cudalint.toml", ""),
        ("vectors.h", HEADER),
        ("vectors.cu", SOURCE),
    ])
}

#[test]
fn a_header_says_what_its_functions_do_with_a_stream() {
    let result = run(&vectors(), &["contracts", "vectors.h"]);
    assert_eq!((result.code, result.stderr.as_str()), (0, ""));
    assert_eq!(
        result.stdout,
        "vectors.h:4: scale(x, n, stream)
    works in   `stream`
    reads      `x`
    writes     `x`
    host       returns at once
    capture    nothing it calls is refused

vectors.h:5: total(x, n, stream)
    works in   `stream`
    reads      `x`
    host       returns when that is done
    capture    refused: `cudaStreamSynchronize` (vectors.cu:20)

vectors.h:6: clear(x, n, stream)
    works in   `stream`
    host       enqueues nothing there
    beside     `clear_all` in the legacy default stream
    capture    nothing it calls is refused

"
    );
}

#[test]
fn contracts_are_a_table_and_json_too() {
    let project = vectors();
    let table = run(&project, &["contracts", "--format", "markdown", "vectors.h"]);
    let row =
        "| `scale(x, n, stream)` | `stream` | `x` | `x` | returns at once |  | nothing it calls is refused |";
    assert!(table.stdout.lines().any(|it| it == row), "{}", table.stdout);
    let json = run(&project, &["contracts", "--format", "json", "vectors.h"]);
    let told: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(told["version"], 1);
    let total = &told["contracts"][1];
    assert_eq!(total["function"], "total");
    assert_eq!(total["returns"], "done");
    assert_eq!(total["refusedInCapture"][0]["location"]["line"], 20);
    assert_eq!(
        told["contracts"][2]["elsewhere"][0]["stream"],
        serde_json::Value::Null
    );
}

#[test]
fn who_asks_whether_a_stream_captures_may_call_what_a_capture_refuses() {
    let source = "#include <cuda_runtime.h>
void wait_unless_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  if (status == cudaStreamCaptureStatusNone) cudaStreamSynchronize(stream);
}
";
    let result = run(&Project::new(&[("a.cu", source)]), &["contracts"]);
    assert!(!result.stdout.contains("refused: "), "{}", result.stdout);
    assert!(
        result
            .stdout
            .starts_with("a.cu:2: wait_unless_captured(stream)\n"),
        "{}",
        result.stdout
    );
}

#[test]
fn without_streams_there_is_nothing_to_say_and_a_missing_path_is_an_error() {
    let project = Project::new(&[("a.cu", "void f() { cudaDeviceSynchronize(); }\n")]);
    let result = run(&project, &["contracts"]);
    assert_eq!((result.code, result.stdout.as_str()), (0, ""));
    assert!(result.stderr.contains("no function there"), "{}", result.stderr);
    assert_eq!(run(&project, &["contracts", "nowhere.h"]).code, 2);
}
