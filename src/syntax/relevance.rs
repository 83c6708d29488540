//! Whether a file can matter at all, decided on its bytes.

use memchr::{memchr_iter, memmem};

use super::vocabulary::is_api_name;

/// `false` only when a file cannot matter: no launch, no CUDA qualifier, no call of a CUDA-like API, no library on
/// top of it. Comments and strings count: the answer is quick, not exact.
pub fn is_relevant(bytes: &[u8]) -> bool {
    if MARKERS.iter().any(|marker| memmem::find(bytes, marker).is_some()) {
        return true;
    }
    // Every call needs a parenthesis: look at the word before each.
    memchr_iter(b'(', bytes).any(|open| is_api_name(word_before(bytes, open)))
}

/// Whether a file may read a clock of the host.
pub fn reads_clock(bytes: &[u8]) -> bool {
    const CLOCKS: &[&[u8]] = &[
        b"clock::now",
        b"gettimeofday",
        b"clock_gettime",
        b"timespec_get",
        b"omp_get_wtime",
        b"MPI_Wtime",
        b"QueryPerformanceCounter",
    ];
    CLOCKS.iter().any(|it| memmem::find(bytes, it).is_some())
}

const MARKERS: &[&[u8]] = &[
    b"<<<",
    b"__global__",
    b"__device__",
    b"thrust::",
    b"cub::",
    b"cuda::",
    b"cooperative_groups",
    b"cudaStream_t",
    b"CUDA_MODULE_LOADING",
    b"CUDA_LAUNCH_BLOCKING",
];

fn word_before(bytes: &[u8], open: usize) -> &[u8] {
    let end = bytes[..open]
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))
        .map_or(0, |at| at + 1);
    let start = bytes[..end]
        .iter()
        .rposition(|byte| !is_identifier(*byte))
        .map_or(0, |at| at + 1);
    &bytes[start..end]
}

fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Names and numbers in a text.
pub fn words(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let separates = |it: &u8| !it.is_ascii_alphanumeric() && *it != b'_';
    bytes.split(separates).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_qualifiers_and_calls_are_relevant() {
        let relevant = [
            "k<<<1, 2>>>();",
            "__global__ void k();",
            "  cudaMalloc (&p, n)",
            "gpuFree(p)",
            "thrust::sort",
        ];
        assert!(relevant.iter().all(|source| is_relevant(source.as_bytes())));
        let other = ["", "(", "int cuda(int x);", "current(x); gpu(1); cu(2)", "a << b"];
        assert!(!other.iter().any(|source| is_relevant(source.as_bytes())));
    }
}
