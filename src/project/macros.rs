//! The macros a file starts with: the compiler's, the compile database's, then the user's.

use std::path::Path;

use super::compile_commands::FileFlags;
use crate::config::{CudaVersion, DefaultStream, FileSettings};
use crate::syntax::Defines;

/// Extensions that are compiled by the host compiler alone, unless flags say otherwise.
const HOST_ONLY: [&str; 5] = ["c", "cc", "cpp", "cxx", "c++"];

/// Defined by nvcc, and not by the host compiler.
const CUDA_COMPILER: [&str; 3] = ["__CUDACC__", "__NVCC__", "__CUDA__"];

/// The macro that makes stream 0 the per-thread stream.
const PER_THREAD: &str = "CUDA_API_PER_THREAD_DEFAULT_STREAM";

/// Macros of one file, and whether its stream 0 is the per-thread stream.
pub fn for_file(
    path: &Path,
    bytes: &[u8],
    version: CudaVersion,
    flags: Option<&FileFlags>,
    settings: &FileSettings,
) -> (Defines, bool) {
    let mut defines = Defines::for_cuda(version.0);
    let extension = path
        .extension()
        .and_then(|it| it.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    let language = flags.and_then(|it| it.language.as_deref());
    // A source that asks for the compiler is handed to both of them.
    let asks = || flags.is_none() && memchr::memmem::find(bytes, CUDA_COMPILER[0].as_bytes()).is_some();
    let cuda = language.map_or_else(
        || !HOST_ONLY.contains(&extension.as_str()) || asks(),
        |it| it == "cu" || it == "cuda",
    );
    if !cuda {
        defines
            .values
            .retain(|name, _| !CUDA_COMPILER.contains(&name.as_str()));
    }
    if extension == "c" && !cuda {
        defines.values.remove("__cplusplus");
    }
    for (text, defined) in flags.map_or(&[][..], |it| &it.macros) {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        defines
            .values
            .insert(name.to_owned(), defined.then(|| value.to_owned()));
    }
    defines.values.extend(settings.defines.values.clone());

    let asked = settings.default_stream == DefaultStream::PerThread;
    let compiled = flags.is_some_and(|it| it.per_thread_default_stream);
    let per_thread = asked || compiled || defines.is_on(PER_THREAD) || defines_per_thread(bytes);
    if per_thread {
        defines.values.insert(PER_THREAD.to_owned(), Some("1".to_owned()));
    }
    (defines, per_thread)
}

impl Defines {
    /// Defined, and not as 0.
    fn is_on(&self, name: &str) -> bool {
        self.values
            .get(name)
            .is_some_and(|value| value.as_ref().is_some_and(|it| it != "0"))
    }
}

/// Whether the file itself has `#define CUDA_API_PER_THREAD_DEFAULT_STREAM`.
fn defines_per_thread(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, PER_THREAD).any(|at| {
        let line_start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
        let line = bytes[line_start..at].trim_ascii_start();
        line.strip_prefix(b"#")
            .is_some_and(|rest| rest.trim_ascii() == b"define")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{FileConfig, Layer, Merged, Settings};

    fn defines(path: &str, text: &str, flags: Option<&FileFlags>, config: &str) -> (Defines, bool) {
        let mut merged = Merged::default();
        let config = FileConfig::parse(Path::new("cudalint.toml"), config).expect("a valid configuration");
        merged.push(Layer {
            base: "/".into(),
            config,
        });
        let settings = Settings::resolve(merged).expect("a valid configuration");
        for_file(
            Path::new(path),
            text.as_bytes(),
            settings.cuda_version,
            flags,
            &settings.base,
        )
    }

    #[test]
    fn the_version_and_the_compiler_are_known() {
        let (cuda, _) = defines("a.cu", "", None, "cuda-version = \"12.4\"");
        assert_eq!(cuda.values["CUDART_VERSION"].as_deref(), Some("12040"));
        assert!(cuda.is_on("__CUDACC__"));
        assert_eq!(cuda.values["_WIN32"], None);
        let (host, _) = defines("a.cpp", "", None, "");
        assert!(!host.values.contains_key("__CUDACC__"));
        assert!(
            defines("a.cpp", "#ifdef __CUDACC__\n#endif\n", None, "")
                .0
                .is_on("__CUDACC__")
        );
        let flags = FileFlags {
            language: Some("cu".to_owned()),
            ..FileFlags::default()
        };
        assert!(defines("a.cpp", "", Some(&flags), "").0.is_on("__CUDACC__"));
    }

    #[test]
    fn every_way_to_a_per_thread_default_stream_counts() {
        assert!(!defines("a.cu", "", None, "").1);
        assert!(defines("a.cu", "", None, "default-stream = \"per-thread\"").1);
        assert!(defines("a.cu", "#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n", None, "").1);
        assert!(
            defines(
                "a.cu",
                "",
                None,
                "define = [\"CUDA_API_PER_THREAD_DEFAULT_STREAM\"]"
            )
            .1
        );
        assert!(!defines("a.cu", "// CUDA_API_PER_THREAD_DEFAULT_STREAM\n", None, "").1);
        let flags = FileFlags {
            per_thread_default_stream: true,
            ..FileFlags::default()
        };
        assert!(defines("a.cu", "", Some(&flags), "").1);
    }

    #[test]
    fn the_user_overrules_the_compile_database() {
        let flags = FileFlags {
            macros: vec![("N=2".to_owned(), true), ("M".to_owned(), true)],
            ..FileFlags::default()
        };
        let (defines, _) = defines("a.cu", "", Some(&flags), "define = [\"N=3\"]\nundefine = [\"M\"]");
        assert_eq!(defines.values["N"].as_deref(), Some("3"));
        assert_eq!(defines.values["M"], None);
    }
}
