//! What each CUDA call does, as data: argument roles, blocking, loading, capture and callback legality.
//!
//! The data is `rules/api.toml`; `build.rs` turns it into a sorted static table, so a typo does not compile.

#[expect(missing_docs, reason = "the names say it: they are the words of the table")]
mod call;
mod constants;
mod errors;
pub mod library;
#[cfg(test)]
mod table;

use std::sync::LazyLock;

use crate::syntax::FastMap;

pub use call::{Blocking, Call, Capture, Certainty, Direction, Loading, Lock, Operation, Preload, Role};
pub use constants::{NOT_READY, STACK_LIMIT, cuda_constant};
pub use errors::is_failure;

include!(concat!(env!("OUT_DIR"), "/api.rs"));

/// Every call the table knows, sorted by name; names with `::` are those of thrust, cub and `cuda::`.
pub fn calls() -> &'static [Call] {
    CALLS
}

/// What is known of the function called `name`.
///
/// Tried in turn: the name itself; the name without the suffixes of versioned and per-thread entry points
/// (`_v2`, `_ptsz`, …); the CUDA spelling of a HIP name or of a `gpu…` wrapper macro, likewise.
pub fn lookup(name: &str) -> Option<&'static Call> {
    find(name)
        .or_else(|| find(strip_suffixes(name)))
        .or_else(|| respelled(name))
}

/// The type that the call of this name returns, where the table says so.
pub fn result_type(name: &str) -> Option<&'static str> {
    lookup(name)?;
    let (_, ty) = RESULTS.iter().find(|(prefix, _)| name.starts_with(prefix))?;
    (!ty.is_empty()).then_some(ty)
}

/// What is known of a qualified name: `["thrust", "sort"]`, `["", "cub", "DeviceReduce", "Sum"]`, `["cudaMalloc"]`.
///
/// Enclosing namespaces (`at::cuda::cub::DeviceScan`, an inline version namespace) do not matter.
pub fn lookup_path<S: AsRef<str>>(path: &[S]) -> Option<&'static Call> {
    let segments: Vec<&str> = path
        .iter()
        .map(AsRef::as_ref)
        .filter(|it| !it.is_empty())
        .collect();
    match segments.as_slice() {
        [] => None,
        [name] => lookup(name),
        [class, _] if class.starts_with("Device") => find(&format!("cub::{}", segments.join("::"))),
        _ => (0..segments.len() - 1).find_map(|start| find_qualified(&segments[start..])),
    }
}

/// The entry of a path that starts at a known library namespace, an inline version namespace left out.
fn find_qualified(segments: &[&str]) -> Option<&'static Call> {
    let library = NAMESPACES
        .iter()
        .find(|(from, _)| *from == segments[0])
        .map(|(_, to)| *to)?;
    let qualified = |rest: &[&str]| find(&format!("{library}::{}", rest.join("::")));
    qualified(&segments[1..]).or_else(|| {
        if segments.len() > 2 {
            qualified(&segments[2..])
        } else {
            None
        }
    })
}

/// `name` in CUDA's spelling, looked up.
fn respelled(name: &str) -> Option<&'static Call> {
    let stripped = strip_suffixes(name);
    if let Ok(at) = RESPELLED.binary_search_by(|(from, _)| (*from).cmp(stripped)) {
        return find(RESPELLED[at].1);
    }
    let (rest, targets) = SPELLINGS
        .iter()
        .find_map(|(prefix, targets)| Some((name.strip_prefix(prefix)?, *targets)))?;
    targets.iter().find_map(|target| {
        let spelled = format!("{target}{rest}");
        find(&spelled).or_else(|| find(strip_suffixes(&spelled)))
    })
}

/// `name` without the suffixes of versioned, per-thread default stream and 64-bit entry points.
fn strip_suffixes(name: &str) -> &str {
    let mut name = name;
    while let Some(shorter) = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)) {
        name = shorter;
    }
    name
}

fn find(name: &str) -> Option<&'static Call> {
    /// Most of what is looked up is no call of CUDA: one hash says so, a search compares a dozen names.
    static BY_NAME: LazyLock<FastMap<&str, &Call>> =
        LazyLock::new(|| CALLS.iter().map(|call| (call.name, call)).collect());
    BY_NAME.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str) -> &'static Call {
        lookup(name).unwrap_or_else(|| panic!("`{name}` is not in the table"))
    }

    #[test]
    fn table_is_sorted_and_large() {
        assert!(CALLS.is_sorted_by(|left, right| left.name < right.name));
        assert!(CALLS.len() >= 900, "{}", CALLS.len());
    }

    #[test]
    fn measured_values_are_as_measured() {
        let free = call("cudaFree");
        assert_eq!(
            (free.blocks, free.lock, free.certainty),
            (Blocking::Device, Lock::Write, Certainty::Measured)
        );
        let malloc = call("cudaMalloc");
        assert_eq!(
            (malloc.blocks, malloc.may_block),
            (Blocking::None, Blocking::Device)
        );
        assert_eq!(call("cudaFreeAsync").blocks, Blocking::None);
        assert_eq!(call("cudaMemcpy").lock, Lock::Write);
        assert_eq!(call("cudaMemcpyAsync").lock, Lock::Read);
        assert_eq!(call("cudaStreamSynchronize").lock, Lock::None);
        assert_eq!(call("cudaStreamDestroy").blocks, Blocking::None);
        assert_eq!(call("cudaMemcpy").blocks, Blocking::LegacyCopy);
        assert_eq!(call("cudaMemcpyAsync").blocks, Blocking::PageableToHost);
        assert_eq!(call("cudaFuncGetAttributes").preloads, Preload::Yes);
        assert_eq!(call("cudaFuncSetAttribute").preloads, Preload::Measured);
        assert_eq!(call("cudaGetKernel").preloads, Preload::No);
        assert_eq!(call("cuModuleLoadData").loads, Loading::Module);
        assert!(call("cudaEventQuery").in_callback);
        assert_eq!(call("cudaStreamSynchronize").capture, Capture::Prohibited);
    }

    #[test]
    fn what_is_measured_names_its_measurement() {
        for call in calls()
            .iter()
            .filter(|call| call.certainty == Certainty::Measured)
        {
            let names_one = call.reference.split([' ', ',', ';']).any(|word| {
                let digits = word.trim_matches('(').strip_prefix('M').unwrap_or("");
                digits
                    .parse::<u32>()
                    .is_ok_and(|number| (1..=14).contains(&number))
            });
            assert!(names_one, "{}: {}", call.name, call.reference);
        }
    }

    #[test]
    fn calls_that_only_ask_enqueue_and_block_nothing() {
        for call in calls().iter().filter(|call| call.operation == Operation::Other) {
            assert!(
                !call.is_enqueue() && !call.can_block() && call.lock == Lock::None,
                "{}",
                call.name
            );
        }
    }

    #[test]
    fn suffixes_of_entry_points_are_ignored() {
        assert_eq!(call("cuStreamWaitValue32_v2_ptsz").name, "cuStreamWaitValue32");
        assert_eq!(call("cudaMemcpy_ptds").name, "cudaMemcpy");
    }

    #[test]
    fn calls_return_the_results_of_their_library() {
        for (name, ty) in [
            ("cudaMalloc", Some("cudaError_t")),
            ("cuInit", Some("CUresult")),
            ("cublasCreate", Some("cublasStatus_t")),
            ("hipMalloc", Some("hipError_t")),
            ("cudaGetErrorString", None),
            ("cudaOfNobody", None),
        ] {
            assert_eq!(result_type(name), ty, "{name}");
        }
    }

    #[test]
    fn hip_and_wrapper_spellings_are_the_same_calls() {
        for (hip, cuda) in [
            ("hipMalloc", "cudaMalloc"),
            ("hipHostMalloc", "cudaHostAlloc"),
            ("hipModuleLaunchKernel", "cuLaunchKernel"),
            ("hipStreamWaitValue32", "cuStreamWaitValue32"),
            ("hipModuleLoadData", "cuModuleLoadData"),
            ("hipMemcpyHtoDAsync", "cuMemcpyHtoDAsync"),
            ("gpuMemcpyAsync", "cudaMemcpyAsync"),
        ] {
            assert_eq!(call(hip).name, cuda);
        }
        assert!(lookup("gpuSimulate").is_none());
        assert!(lookup("hip").is_none() && lookup("").is_none() && lookup("cuda").is_none());
    }

    #[test]
    fn qualified_names_are_found_behind_other_namespaces() {
        let found = |path: &[&str]| lookup_path(path).map(|call| call.name);
        assert_eq!(found(&["thrust", "sort"]), Some("thrust::sort"));
        assert_eq!(
            found(&["", "cub", "DeviceReduce", "Sum"]),
            Some("cub::DeviceReduce::Sum")
        );
        assert_eq!(
            found(&["at", "cuda", "cub", "DeviceScan", "InclusiveSum"]),
            Some("cub::DeviceScan::InclusiveSum")
        );
        assert_eq!(
            found(&["cub", "CUB_200700", "DeviceScan", "InclusiveSum"]),
            Some("cub::DeviceScan::InclusiveSum")
        );
        assert_eq!(
            found(&["hipcub", "DeviceSelect", "If"]),
            Some("cub::DeviceSelect::If")
        );
        assert_eq!(found(&["DeviceReduce", "Sum"]), Some("cub::DeviceReduce::Sum"));
        assert_eq!(found(&["std", "sort"]), None);
        assert_eq!(found(&["", "cudaFree"]), Some("cudaFree"));
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn overloads_are_told_apart_by_their_length() {
        let prefetch = call("cudaMemPrefetchAsync");
        assert_eq!(prefetch.argument(Role::Stream, 4), Some(3));
        assert_eq!(prefetch.argument(Role::Stream, 5), Some(4));
        assert_eq!(prefetch.argument(Role::Stream, 3), None);
        assert!(prefetch.default_argument_is_stream_zero(3));
        assert!(call("cudaMemcpyAsync").default_argument_is_stream_zero(4));
        assert!(!call("cudaMemcpyAsync").default_argument_is_stream_zero(5));
        assert!(call("cudaMemcpy").has_no_stream_argument());
    }

    #[test]
    fn variadic_launches_know_where_kernel_arguments_begin() {
        let launch = call("hipLaunchKernelGGL");
        assert_eq!(launch.first_kernel_argument(), Some(5));
        assert_eq!(launch.role(7, 9), Role::KernelArgument);
        assert_eq!(call("cudaLaunchKernel").first_kernel_argument(), None);
    }
}
