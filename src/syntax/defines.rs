//! What the preprocessor knows before a file starts.

use super::Defines;

impl Defines {
    /// Macros of nvcc on 64-bit Linux for a toolkit version such as `13000` (13.0).
    ///
    /// `__CUDA_ARCH__` is not among them: the preprocessor gives it a value in device code only.
    pub fn for_cuda(cuda_version: u32) -> Self {
        let mut defines = Defines::default();
        let version = cuda_version.to_string();
        let major = (cuda_version / 1000).to_string();
        let minor = (cuda_version % 1000 / 10).to_string();
        let versions = [
            ("CUDART_VERSION", version.as_str()),
            ("CUDA_VERSION", version.as_str()),
            ("__CUDACC_VER_MAJOR__", major.as_str()),
            ("__CUDACC_VER_MINOR__", minor.as_str()),
        ];
        for (name, value) in versions.iter().chain(DEFINED) {
            defines
                .values
                .insert((*name).to_owned(), Some((*value).to_owned()));
        }
        for name in UNDEFINED {
            defines.values.insert((*name).to_owned(), None);
        }
        defines
    }
}

const DEFINED: &[(&str, &str)] = &[
    ("__CUDACC__", "1"),
    ("__NVCC__", "1"),
    ("__CUDACC_VER_BUILD__", "0"),
    ("__CUDACC_EXTENDED_LAMBDA__", "1"),
    ("__CUDACC_RELAXED_CONSTEXPR__", "1"),
    ("__CUDA__", "1"),
    ("__cplusplus", "201703L"),
    ("__STDC__", "1"),
    ("__STDC_HOSTED__", "1"),
    ("__linux__", "1"),
    ("__linux", "1"),
    ("linux", "1"),
    ("__unix__", "1"),
    ("__unix", "1"),
    ("__x86_64__", "1"),
    ("__x86_64", "1"),
    ("__amd64__", "1"),
    ("__LP64__", "1"),
    ("_LP64", "1"),
    ("__ELF__", "1"),
    ("__GNUC__", "13"),
    ("__GNUC_MINOR__", "2"),
    ("__GNUC_PATCHLEVEL__", "0"),
    ("__GLIBC__", "2"),
    ("__SIZEOF_POINTER__", "8"),
    ("__SIZEOF_INT128__", "16"),
    ("__EXCEPTIONS", "1"),
    ("__COUNTER__", "0"),
    ("__LINE__", "1"),
    // Versions of libraries that come with a toolkit of that age.
    ("NCCL_MAJOR", "2"),
    ("NCCL_VERSION_CODE", "22700"),
    ("CUDNN_MAJOR", "9"),
    ("CUDNN_VERSION", "90000"),
    ("CUB_VERSION", "300000"),
    ("THRUST_VERSION", "300000"),
    ("CCCL_VERSION", "3000000"),
];

/// Other compilers, systems and platforms: known, so that no finding says "when `_WIN32` is defined".
const UNDEFINED: &[&str] = &[
    "_WIN32",
    "_WIN64",
    "WIN32",
    "WIN64",
    "_MSC_VER",
    "_MSVC_LANG",
    "__MINGW32__",
    "__MINGW64__",
    "__CYGWIN__",
    "__APPLE__",
    "__MACOSX",
    "__MACH__",
    "TARGET_OS_MAC",
    "__ANDROID__",
    "__QNX__",
    "__QNXNTO__",
    "__FreeBSD__",
    "__INTEL_COMPILER",
    "__INTEL_LLVM_COMPILER",
    "__SYCL_COMPILER_VERSION",
    "SYCL_LANGUAGE_VERSION",
    "__PGI",
    "__NVCOMPILER",
    "_NVHPC_CUDA",
    "__clang__",
    "__clang_major__",
    "__CUDACC_RTC__",
    "__CUDACC_DEBUG__",
    "__DOXYGEN__",
    "DOXYGEN",
    "DOXYGEN_SHOULD_SKIP_THIS",
    "_DOXYGEN_",
    "__HIP__",
    "__HIPCC__",
    "__HIPCC_RTC__",
    "__HIP_DEVICE_COMPILE__",
    "__HIP_PLATFORM_AMD__",
    "__HIP_PLATFORM_HCC__",
    "__MUSACC__",
    "__aarch64__",
    "__arm__",
    "__ARM_NEON",
    "__i386__",
    "__powerpc64__",
    "__ppc64__",
    "__STRICT_ANSI__",
];
