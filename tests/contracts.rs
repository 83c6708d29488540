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

const CLASS: &str = "#include <cuda_runtime.h>
void log_stream(cudaStream_t stream);

__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }

class Filler {
public:
  explicit Filler(cudaStream_t stream) : stream_(stream) { cudaEventCreate(&event_); }
  void fill_one(int *to) { fill<<<1, 32, 0, stream_>>>(to, 1); }
  void wait_too_early(int *to) {
    cudaEventRecord(event_, stream_);
    fill<<<1, 32, 0, stream_>>>(to, 2);
    cudaEventSynchronize(event_);
  }
  void wait_behind(int *to) {
    fill<<<1, 32, 0, stream_>>>(to, 3);
    cudaEventRecord(event_, stream_);
    cudaEventSynchronize(event_);
  }
  void wait_when_told(int *to, bool wait) {
    fill<<<1, 32, 0, stream_>>>(to, 4);
    if (wait) cudaStreamSynchronize(stream_);
  }
  void tell(int *to) {
    fill<<<1, 32, 0, stream_>>>(to, 5);
    log_stream(stream_);
  }

private:
  void hidden(int *to) { fill<<<1, 32, 0, stream_>>>(to, 6); }
  cudaStream_t stream_;
  cudaEvent_t event_;
};
";

#[test]
fn what_an_event_stands_for_decides_what_is_done_on_return() {
    let project = Project::new(&[("cudalint.toml", ""), ("filler.cu", CLASS)]);
    let json = run(&project, &["contracts", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let told = told["contracts"].as_array().expect("a list");
    let returns = told
        .iter()
        .map(|it| (it["function"].as_str(), it["returns"].as_str()));
    assert_eq!(
        returns.collect::<Vec<_>>(),
        [
            (Some("Filler::fill_one"), Some("at-once")),
            (Some("Filler::wait_too_early"), Some("at-once")),
            (Some("Filler::wait_behind"), Some("done")),
            (Some("Filler::wait_when_told"), Some("sometimes-done")),
            (Some("Filler::tell"), Some("at-once")),
        ]
    );
    let tell = &told[4];
    assert_eq!(
        (&tell["unseen"][0], &tell["complete"]),
        (&"log_stream".into(), &false.into())
    );
    assert_eq!(
        (&told[0]["unseen"], &told[0]["complete"]),
        (&serde_json::json!([]), &true.into())
    );
    for it in told {
        assert_eq!(it["streams"].as_array().map(Vec::len), Some(1), "{it}");
        assert_eq!(it["writes"], serde_json::json!(["to"]), "{it}");
    }
}

#[test]
fn a_stream_that_a_library_made_is_none_of_the_callers() {
    let source = "#include <cuda_runtime.h>
__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }
struct split {
  cudaStream_t side;
  cudaEvent_t fork;
};
split *split_open() {
  split *it = new split;
  cudaStreamCreateWithFlags(&it->side, cudaStreamNonBlocking);
  cudaEventCreate(&it->fork);
  return it;
}
void split_fill(split *it, int *one, int *other, cudaStream_t stream) {
  cudaEventRecord(it->fork, stream);
  cudaStreamWaitEvent(it->side, it->fork, 0);
  fill<<<1, 32, 0, it->side>>>(other, 1);
  fill<<<1, 32, 0, stream>>>(one, 2);
}
";
    let project = Project::new(&[("cudalint.toml", ""), ("split.cu", source)]);
    let json = run(&project, &["contracts", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let fill = &told["contracts"][0];
    assert_eq!(fill["function"], "split_fill");
    assert_eq!(fill["streams"], serde_json::json!(["stream"]));
    assert_eq!(fill["writes"], serde_json::json!(["one"]));
    assert_eq!(fill["elsewhere"][0]["work"], "fill");
}

#[test]
fn without_streams_there_is_nothing_to_say_and_a_missing_path_is_an_error() {
    let project = Project::new(&[("a.cu", "void f() { cudaDeviceSynchronize(); }\n")]);
    let result = run(&project, &["contracts"]);
    assert_eq!((result.code, result.stdout.as_str()), (0, ""));
    assert!(result.stderr.contains("no function there"), "{}", result.stderr);
    let nowhere = project.root().join("nowhere.h");
    let nowhere = nowhere.to_str().expect("a path of letters");
    assert_eq!(run(&project, &["contracts", nowhere]).code, 2);
}
