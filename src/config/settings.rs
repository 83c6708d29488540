//! Resolved settings: what the rest of the program uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::select::{Selector, enabled};
use super::{DefaultStream, Error, FailOn, FileOverride, Merged, ModuleLoading};
use crate::diagnostics::rule::RULES;
use crate::diagnostics::{Confidence, Severity};
use crate::syntax::Defines;

/// Settings of a run, or of the directories below one `cudalint.toml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Configuration files that took part, the nearest last.
    pub files: Vec<PathBuf>,
    /// What holds for a file no override matches.
    pub base: Arc<FileSettings>,
    /// Least severity that fails the run.
    pub fail_on: FailOn,
    /// Report format on standard output.
    pub format: Option<String>,
    /// Compile database: a directory or the file itself.
    pub compile_commands: Option<PathBuf>,
    /// CUDA version the code is compiled with.
    pub cuda_version: CudaVersion,
    /// Module loading at run time.
    pub module_loading: ModuleLoading,
    /// Run preview rules.
    pub preview: bool,
    /// Report "may" claims too.
    pub pedantic: bool,
    /// File that lists findings to leave out, absolute.
    pub baseline: Option<PathBuf>,
    /// Folders and files with models, absolute.
    pub models: Vec<PathBuf>,
    /// Files the walk leaves out.
    pub exclude: Vec<Globs>,
    select: Option<Vec<Selector>>,
    ignore: Vec<Selector>,
    overrides: Vec<Override>,
}

/// What holds for one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileSettings {
    /// Names of the rules that run.
    pub rules: BTreeSet<&'static str>,
    /// Least confidence to report.
    pub min_confidence: Confidence,
    /// Severities that are not what the rules say, by rule.
    pub severity: BTreeMap<&'static str, Severity>,
    /// Macros from `-D`, `-U` and the configuration.
    pub defines: Defines,
    /// What stream 0 means.
    pub default_stream: DefaultStream,
}

/// A CUDA version as `CUDART_VERSION` counts it: 12040 for 12.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CudaVersion(pub u32);

/// Patterns as in `.gitignore`, relative to a directory.
#[derive(Clone, Debug)]
pub struct Globs {
    written: Vec<String>,
    compiled: Gitignore,
}

#[derive(Clone, Debug)]
struct Override {
    files: Globs,
    select: Option<Vec<Selector>>,
    ignore: Vec<Selector>,
    written: FileOverride,
}

impl Settings {
    /// Turns words into rules, globs into matchers, versions into numbers.
    pub fn resolve(merged: Merged) -> Result<Self, Error> {
        let select = merged.select.as_deref().map(parse_selectors).transpose()?;
        let ignore = parse_selectors(&merged.ignore)?;
        let cuda_version = match &merged.cuda_version {
            Some(text) => CudaVersion::parse(text).map_err(|message| Error::Value { message, hint: None })?,
            None => CudaVersion::default(),
        };
        let mut defines = Defines::default();
        for (text, defined) in &merged.macros {
            apply_macro(&mut defines, text, *defined)?;
        }
        let base = FileSettings {
            rules: enabled(select.as_deref(), &ignore, merged.preview),
            // What documents allow and nobody saw is never sure.
            min_confidence: match (merged.min_confidence, merged.pedantic) {
                (Some(least), _) => least.into(),
                (None, true) => Confidence::Low,
                (None, false) => Confidence::Medium,
            },
            severity: severities(&merged.severity)?,
            defines,
            default_stream: merged.default_stream,
        };
        let exclude = merged
            .exclude
            .iter()
            .map(|(base, globs)| Globs::new(base, globs))
            .collect::<Result<_, _>>()?;
        let overrides = merged
            .overrides
            .into_iter()
            .map(Override::resolve)
            .collect::<Result<_, _>>()?;
        Ok(Settings {
            files: merged.files,
            base: Arc::new(base),
            fail_on: merged.fail_on,
            format: merged.format,
            compile_commands: merged.compile_commands,
            cuda_version,
            module_loading: merged.module_loading,
            preview: merged.preview,
            pedantic: merged.pedantic,
            baseline: merged.baseline,
            models: merged.models,
            exclude,
            select,
            ignore,
            overrides,
        })
    }

    /// What holds for the file at this absolute path: the base, then every override that matches, the last one winning.
    pub fn for_file(&self, path: &Path) -> Arc<FileSettings> {
        let matching: Vec<&Override> = self
            .overrides
            .iter()
            .filter(|it| it.files.matches(path, false))
            .collect();
        if matching.is_empty() {
            return Arc::clone(&self.base);
        }
        let mut settings = FileSettings::clone(&self.base);
        let mut select = self.select.as_deref();
        let mut ignore = self.ignore.clone();
        for it in matching {
            if it.select.is_some() {
                select = it.select.as_deref();
                ignore.clear();
            }
            ignore.extend(it.ignore.iter().cloned());
            settings.min_confidence = it
                .written
                .min_confidence
                .map_or(settings.min_confidence, Confidence::from);
            settings.default_stream = it.written.default_stream.unwrap_or(settings.default_stream);
            it.written.apply_macros(&mut settings.defines);
        }
        settings.rules = enabled(select, &ignore, self.preview);
        Arc::new(settings)
    }

    /// The globs of the overrides.
    pub fn override_globs(&self) -> impl Iterator<Item = &Globs> {
        self.overrides.iter().map(|it| &it.files)
    }

    /// The settings in the words of the configuration file, for `--show-settings`.
    pub fn describe(&self) -> BTreeMap<&'static str, String> {
        let list = |items: Vec<String>| {
            if items.is_empty() {
                "none".to_owned()
            } else {
                items.join(", ")
            }
        };
        let macros = |defined: bool| {
            let values = self
                .base
                .defines
                .values
                .iter()
                .filter(|(_, value)| value.is_some() == defined);
            list(
                values
                    .map(|(name, value)| value.as_ref().map_or(name.clone(), |it| format!("{name}={it}")))
                    .collect(),
            )
        };
        BTreeMap::from([
            (
                "configuration",
                list(self.files.iter().map(|it| it.display().to_string()).collect()),
            ),
            ("format", self.format.clone().unwrap_or_else(|| "full".to_owned())),
            (
                "exclude",
                list(self.exclude.iter().flat_map(|it| it.written.clone()).collect()),
            ),
            (
                "baseline",
                self.baseline
                    .as_ref()
                    .map_or("none".to_owned(), |it| it.display().to_string()),
            ),
            (
                "models",
                list(self.models.iter().map(|it| it.display().to_string()).collect()),
            ),
            ("preview", self.preview.to_string()),
            ("pedantic", self.pedantic.to_string()),
            (
                "min-confidence",
                format!("{:?}", self.base.min_confidence).to_lowercase(),
            ),
            ("fail-on", format!("{:?}", self.fail_on).to_lowercase()),
            ("define", macros(true)),
            ("undefine", macros(false)),
            (
                "compile-commands",
                self.compile_commands
                    .as_ref()
                    .map_or("none".to_owned(), |it| it.display().to_string()),
            ),
            ("cuda-version", self.cuda_version.to_string()),
            (
                "default-stream",
                match self.base.default_stream {
                    DefaultStream::Legacy => "legacy".to_owned(),
                    DefaultStream::PerThread => "per-thread".to_owned(),
                },
            ),
            (
                "module-loading",
                format!("{:?}", self.module_loading).to_lowercase(),
            ),
            (
                "severity",
                list(
                    self.base
                        .severity
                        .iter()
                        .map(|(rule, it)| format!("{rule} = {}", it.as_str()))
                        .collect(),
                ),
            ),
            ("overrides", self.overrides.len().to_string()),
        ])
    }
}

impl CudaVersion {
    /// Reads `12`, `12.4` or `12.4.1`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a CUDA version such as `12.4`");
        let mut parts = text.split('.').map(str::parse::<u32>);
        let major = parts.next().and_then(Result::ok).ok_or_else(wrong)?;
        let minor = parts.next().unwrap_or(Ok(0)).map_err(|_| wrong())?;
        if !(1..100).contains(&major) || minor >= 100 || parts.any(|part| part.is_err()) {
            return Err(wrong());
        }
        Ok(CudaVersion(major * 1000 + minor * 10))
    }
}

impl Default for CudaVersion {
    fn default() -> Self {
        CudaVersion(13000)
    }
}

impl std::fmt::Display for CudaVersion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.0 / 1000, self.0 % 1000 / 10)
    }
}

impl Globs {
    /// Compiles patterns that are relative to `base`.
    pub fn new(base: &Path, patterns: &[String]) -> Result<Self, Error> {
        let invalid = |pattern: &str, error: ignore::Error| Error::Value {
            message: format!("invalid glob `{pattern}`: {error}"),
            hint: None,
        };
        let mut builder = GitignoreBuilder::new(base);
        for pattern in patterns {
            builder
                .add_line(None, pattern)
                .map_err(|error| invalid(pattern, error))?;
        }
        builder
            .build()
            .map(|compiled| Globs {
                written: patterns.to_vec(),
                compiled,
            })
            .map_err(|error| invalid(&patterns.join(" "), error))
    }

    /// The directory they are relative to.
    pub fn base(&self) -> &Path {
        self.compiled.path()
    }

    /// The patterns as they were written.
    pub fn written(&self) -> &[String] {
        &self.written
    }

    /// The pattern that decides that the file at an absolute path is meant.
    pub fn matching(&self, path: &Path) -> Option<&str> {
        if !path.starts_with(self.compiled.path()) {
            return None;
        }
        match self.compiled.matched_path_or_any_parents(path, false) {
            ignore::Match::Ignore(glob) => Some(glob.original()),
            _ => None,
        }
    }

    /// One of the patterns as if it stood alone.
    pub fn alone(&self, pattern: &str) -> Option<Globs> {
        let pattern = pattern.trim_start_matches('!').to_owned();
        Globs::new(self.base(), &[pattern]).ok()
    }

    /// Whether a pattern matches the absolute `path` or a directory it is in.
    pub fn matches(&self, path: &Path, is_directory: bool) -> bool {
        path.starts_with(self.compiled.path())
            && self
                .compiled
                .matched_path_or_any_parents(path, is_directory)
                .is_ignore()
    }
}

impl Override {
    fn resolve((base, written): (PathBuf, FileOverride)) -> Result<Self, Error> {
        // Refused here, so that `for_file` cannot fail.
        let mut scratch = Defines::default();
        for (text, defined) in written.macros() {
            apply_macro(&mut scratch, text, defined)?;
        }
        Ok(Override {
            files: Globs::new(&base, &written.files)?,
            select: written.select.as_deref().map(parse_selectors).transpose()?,
            ignore: parse_selectors(&written.ignore)?,
            written,
        })
    }
}

impl FileOverride {
    fn macros(&self) -> impl Iterator<Item = (&str, bool)> {
        let define = self.define.iter().map(|it| (it.as_str(), true));
        define.chain(self.undefine.iter().map(|it| (it.as_str(), false)))
    }

    fn apply_macros(&self, defines: &mut Defines) {
        for (text, defined) in self.macros() {
            // Cannot fail: `Override::resolve` has tried each of them.
            let _ = apply_macro(defines, text, defined);
        }
    }
}

/// Adds one `-D` or `-U` to the known macros.
fn apply_macro(defines: &mut Defines, text: &str, defined: bool) -> Result<(), Error> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) if defined => (name, value),
        _ => (text, "1"),
    };
    // `-D 'F(x)=x'` defines a function-like macro; its name is what conditionals test.
    let name = name.split('(').next().unwrap_or(name).trim();
    let valid = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if name.is_empty() || !valid {
        return Err(Error::Value {
            message: format!("`{text}` is not a macro definition such as `NAME=1`"),
            hint: None,
        });
    }
    defines
        .values
        .insert(name.to_owned(), defined.then(|| value.to_owned()));
    Ok(())
}

/// What severity which rule has, of layers of which the last wins; in one layer the narrowest selector does.
fn severities(layers: &[Vec<(String, Severity)>]) -> Result<BTreeMap<&'static str, Severity>, Error> {
    let mut severities = BTreeMap::new();
    for layer in layers {
        let selectors = parse_selectors(&layer.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>())?;
        for rule in RULES {
            let meant = selectors.iter().zip(layer).filter(|(it, _)| it.matches(rule));
            if let Some((_, (_, severity))) = meant.max_by_key(|(it, _)| it.narrowness()) {
                severities.insert(rule.name, *severity);
            }
        }
    }
    Ok(severities)
}

fn parse_selectors(words: &[String]) -> Result<Vec<Selector>, Error> {
    let parse =
        |word: &String| Selector::parse(word).map_err(|(message, hint)| Error::Value { message, hint });
    words.iter().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{FileConfig, Layer};

    fn settings(text: &str) -> Settings {
        let config = FileConfig::parse(Path::new("cudalint.toml"), text).expect("a valid configuration");
        let mut merged = Merged::default();
        merged.push(Layer {
            base: PathBuf::from("/project"),
            config,
        });
        Settings::resolve(merged).expect("a valid configuration")
    }

    #[test]
    fn versions_count_as_the_runtime_does() {
        assert_eq!(CudaVersion::parse("12.4"), Ok(CudaVersion(12040)));
        assert_eq!(CudaVersion::parse("13"), Ok(CudaVersion(13000)));
        assert_eq!(CudaVersion::parse("11.8.0"), Ok(CudaVersion(11080)));
        assert!(CudaVersion::parse("new").is_err());
        assert_eq!(CudaVersion(12040).to_string(), "12.4");
    }

    #[test]
    fn overrides_apply_to_matching_files_only() {
        let settings = settings(
            "define = [\"N=4\"]\n[[overrides]]\nfiles = [\"tests/**\"]\nignore = [\"CL102\"]\nundefine = [\"N\"]\ndefault-stream = \"per-thread\"",
        );
        let inside = settings.for_file(Path::new("/project/tests/a.cu"));
        assert!(!inside.rules.contains("spin-without-preload"));
        assert_eq!(inside.defines.values.get("N"), Some(&None));
        assert_eq!(inside.default_stream, DefaultStream::PerThread);
        let outside = settings.for_file(Path::new("/project/src/a.cu"));
        assert!(outside.rules.contains("spin-without-preload"));
        assert_eq!(outside.defines.values.get("N"), Some(&Some("4".to_owned())));
        assert_eq!(
            *settings.for_file(Path::new("/elsewhere/tests/a.cu")),
            *settings.base
        );
    }
}
