//! Models: those that come with the tool are C++, and a project can bring its own.

#[expect(dead_code, reason = "other tests ask where the project stands")]
mod common;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Project, run};

/// What the models take from the language's own library, under another name than `std`.
const PREAMBLE: &str = "#define std modelled
typedef unsigned long size_t;
typedef struct CUstream_st* cudaStream_t;
int cudaStreamCreate(cudaStream_t* stream);
int cudaStreamDestroy(cudaStream_t stream);
int cudaStreamSynchronize(cudaStream_t stream);
int cudaStreamQuery(cudaStream_t stream);
int cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream);
int cudaFreeAsync(void* memory, cudaStream_t stream);
int cudaMemcpyAsync(void* to, const void* from, size_t bytes, int kind, cudaStream_t stream);
int cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream);
#define cudaSuccess 0
#define cudaMemcpyDefault 4
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
namespace std {
template <class T> struct initializer_list { const T* begin() const; const T* end() const; };
template <class A, class B> struct pair { A first; B second; };
template <class A, class B> pair<A, B> make_pair(A first, B second);
struct string {
    bool operator==(const string& other) const;
    bool operator!=(const string& other) const;
    bool operator<(const string& other) const;
};
template <class T> struct allocator;
template <class T, class A = allocator<T>> struct vector;
template <class T> void swap(T& a, T& b);
template <class T> T&& move(T& value);
}
namespace thrust::cuda {
struct policy { cudaStream_t on(cudaStream_t stream) const; };
extern const policy par, par_nosync;
}
";

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/models");
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = files.map(|it| it.expect("the models can be read").into_path());
    files
        .filter(|it| it.extension().is_some_and(|it| it == "h"))
        .collect()
}

#[test]
fn every_model_is_cpp_for_a_compiler_too() {
    let mut text = PREAMBLE.to_owned();
    for path in models() {
        let _ = writeln!(text, "#include \"{}\"", path.display());
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models.cpp");
    std::fs::write(&file, text).expect("a scratch file can be written");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
    let output = Command::new(compiler)
        .args(["-std=c++17", "-fsyntax-only", "-nostdinc", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/models"))
        .arg(&file)
        .output()
        .expect("a C++ compiler is there wherever this crate was built");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_model_is_understood_whole() {
    for path in models() {
        let text = std::fs::read(&path).expect("it was just listed");
        let mistake = cudalint::models::first_mistake(&text);
        assert_eq!(mistake, None, "{}", path.display());
    }
}

/// A program that reads what a library's call brings.
const PROGRAM: &str = "#include <cuda_runtime.h>
#include <acme.h>
__global__ void produce(int *data) { data[threadIdx.x] = threadIdx.x; }
int main() {
  int *device, *host;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, 1024);
  cudaMallocHost(&host, 1024);
  produce<<<1, 256, 0, stream>>>(device);
  acme::download(host, device, 1024, stream);
  int sum = host[0] + host[1];
  cudaStreamSynchronize(stream);
  return sum;
}
";

const MODEL: &str = "namespace acme {

inline void download(void* to, const void* from, size_t bytes, cudaStream_t stream) {
    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
}

}  // namespace acme
";

#[test]
fn a_project_says_what_its_closed_libraries_do() {
    let project = Project::new(&[("cudalint.toml", ""), ("a.cu", PROGRAM)]);
    assert_eq!(run(&project, &["check", "--format", "concise"]).stdout, "");
    project.write("cudalint.toml", b"models = [\"cuda-models/\"]\n");
    project.write("cuda-models/acme.h", MODEL.as_bytes());
    let result = run(&project, &["check", "--format", "concise"]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    assert!(result.stdout.starts_with("a.cu:12:"), "{}", result.stdout);
    assert!(result.stdout.contains("[CL205]"), "{}", result.stdout);
    assert!(!result.stdout.contains("acme.h"), "{}", result.stdout);
}

#[test]
fn what_the_project_defines_itself_wins() {
    let own = PROGRAM.replace(
        "int main()",
        "namespace acme {\nvoid download(int *to, int *from, size_t bytes, cudaStream_t) { cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost); \
         cudaDeviceSynchronize(); }\n}\nint main()",
    );
    let project = Project::new(&[
        ("cudalint.toml", "models = [\"cuda-models/\"]\n"),
        ("cuda-models/acme.h", MODEL),
        ("a.cu", &own),
    ]);
    let result = run(&project, &["check", "--format", "concise"]);
    assert!(!result.stdout.contains("[CL205]"), "{}", result.stdout);
}

#[test]
fn a_model_that_is_no_cpp_is_named_with_line_and_column() {
    let project = Project::new(&[
        ("cudalint.toml", "models = [\"cuda-models\", \"more.h\"]\n"),
        (
            "cuda-models/acme.h",
            "namespace acme {\nvoid f() { int = ; }\n}\n",
        ),
        ("more.h", ""),
        ("a.cu", PROGRAM),
    ]);
    let result = run(&project, &["check"]);
    assert_eq!(result.code, 2, "{}", result.stderr);
    assert!(result.stderr.contains("acme.h:2:"), "{}", result.stderr);
    project.write("cudalint.toml", b"models = [\"nowhere/\"]\n");
    let result = run(&project, &["check"]);
    assert_eq!(result.code, 2, "{}", result.stderr);
    assert!(result.stderr.contains("nowhere"), "{}", result.stderr);
    project.write("cudalint.toml", b"\nmodels = \"cuda-models\"\n");
    let result = run(&project, &["check"]);
    assert!(
        result
            .stderr
            .contains("cudalint.toml:2:10: `models` must be a list"),
        "{}",
        result.stderr
    );
}

/// Functions of a library that are handed a stream, each with one mistake or none, and the line and code of what is wrong.
const CONTAINERS: &str = "#include <rmm/device_scalar.hpp>
#include <rmm/device_uvector.hpp>
#include <rmm/exec_policy.hpp>
#include <thrust/fill.h>
#include <thrust/reduce.h>
__global__ void number(int *data, int n) { int i = threadIdx.x; if (i < n) data[i] = i; }
int first_in_default(int n, rmm::cuda_stream_view stream) {
  rmm::device_uvector<int> data(n, stream);
  number<<<1, 32, 0, stream.value()>>>(data.data(), n);
  return data.element(0, rmm::cuda_stream_default);
}
int first(int n, rmm::cuda_stream_view stream) {
  rmm::device_uvector<int> data(n, stream);
  number<<<1, 32, 0, stream.value()>>>(data.data(), n);
  return data.element(0, stream);
}
rmm::device_uvector<int> filled_in_default(int n, rmm::cuda_stream_view stream) {
  rmm::device_uvector<int> data(n, stream);
  thrust::fill(thrust::device, data.begin(), data.end(), 1);
  return data;
}
rmm::device_uvector<int> filled(int n, rmm::cuda_stream_view stream) {
  rmm::device_uvector<int> data(n, stream);
  thrust::fill(rmm::exec_policy_nosync(stream), data.begin(), data.end(), 1);
  return data;
}
int sum_in_default(int n, rmm::cuda_stream_view stream) {
  auto data = filled(n, stream);
  number<<<1, 32, 0, stream.value()>>>(data.data(), n);
  return thrust::reduce(rmm::exec_policy(), data.begin(), data.end());
}
int sum(int n, rmm::cuda_stream_view stream) {
  auto data = filled(n, stream);
  return thrust::reduce(rmm::exec_policy(stream), data.begin(), data.end());
}
void copied_in_default(int *target, int n, rmm::cuda_stream_view stream) {
  auto data = filled(n, stream);
  cudaMemcpy(target, data.data(), n * sizeof(int), cudaMemcpyDeviceToHost);
}
";

#[test]
fn containers_that_allocate_in_a_stream_are_used_in_it() {
    let project = Project::new(&[("cudalint.toml", ""), ("a.cu", CONTAINERS)]);
    let result = run(&project, &["check", "--format", "concise", "--exit-zero"]);
    let found = result
        .stdout
        .lines()
        .filter_map(|it| it.split_once(" `").map(|(place, _)| place));
    let lines: Vec<&str> = found.filter_map(|it| it.split(':').nth(1)).collect();
    assert_eq!(lines, ["10", "19", "30", "38"], "{}", result.stdout);
    assert_eq!(result.stdout.matches("[CL210]").count(), 4, "{}", result.stdout);
}
