//! One `cudalint.toml` as written: keys, types, and errors that name the line.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use super::Error;
use super::select::Selector;
use super::settings::{CudaVersion, Globs};
use crate::diagnostics::similar::closest;
use crate::diagnostics::{Confidence, Severity};
use crate::report::{Format, UnknownFormat};

/// What one configuration file may say; most keys mirror a flag of `check`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FileConfig {
    /// Another configuration file this one builds on, relative to this one.
    pub extend: Option<PathBuf>,
    /// Rules to run: names, codes, code prefixes, groups or `all`. Starts afresh from what lower layers say.
    pub select: Option<Vec<String>>,
    /// Rules to leave out, in the same words.
    pub ignore: Vec<String>,
    /// Run rules that are in preview too.
    pub preview: Option<bool>,
    /// Report what documents only allow to happen, too.
    pub pedantic: Option<bool>,
    /// Least confidence to report.
    pub min_confidence: Option<MinConfidence>,
    /// Least severity that makes the exit code 1.
    pub fail_on: Option<FailOn>,
    /// Severities to give to rules, by the words `select` takes; the narrower word wins.
    pub severity: BTreeMap<String, SeverityWord>,
    /// Report format on standard output.
    pub format: Option<String>,
    /// Macros to define: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Macros that are known to be undefined.
    pub undefine: Vec<String>,
    /// Directory that holds `compile_commands.json`, or the file itself, relative to this file.
    pub compile_commands: Option<PathBuf>,
    /// CUDA version the code is compiled with, e.g. `12.4`.
    pub cuda_version: Option<String>,
    /// What stream 0 means.
    pub default_stream: Option<DefaultStream>,
    /// What `CUDA_MODULE_LOADING` is at run time.
    pub module_loading: Option<ModuleLoading>,
    /// Globs of files the walk leaves out, as in `.gitignore`.
    pub exclude: Vec<String>,
    /// File that lists findings to leave out, relative to this file.
    pub baseline: Option<PathBuf>,
    /// Folders and files with stand-ins for libraries whose source is not there, relative to this file.
    pub models: Vec<PathBuf>,
    /// Settings for some files only; later ones win.
    pub overrides: Vec<FileOverride>,
}

/// `[[overrides]]`: settings for the files some globs match.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FileOverride {
    /// Globs as in `.gitignore`, relative to the configuration file.
    pub files: Vec<String>,
    /// Rules to run on these files.
    pub select: Option<Vec<String>>,
    /// Rules to leave out on these files.
    pub ignore: Vec<String>,
    /// Least confidence to report in these files.
    pub min_confidence: Option<MinConfidence>,
    /// Macros to define in these files.
    pub define: Vec<String>,
    /// Macros that are known to be undefined in these files.
    pub undefine: Vec<String>,
    /// What stream 0 means in these files.
    pub default_stream: Option<DefaultStream>,
}

/// What stream 0 means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum DefaultStream {
    /// The stream that synchronises with every blocking stream.
    #[default]
    Legacy,
    /// An ordinary stream of each host thread.
    PerThread,
}

/// What `CUDA_MODULE_LOADING` is at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ModuleLoading {
    /// A kernel is loaded at its first launch (the default since CUDA 12.2).
    #[default]
    Lazy,
    /// Everything is loaded when the context is created.
    Eager,
}

/// Least severity that makes the exit code 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// Only errors.
    Error,
    /// Errors and warnings.
    #[default]
    Warning,
    /// Any finding.
    Info,
    /// No finding.
    Never,
}

impl FailOn {
    /// Whether a finding of this severity makes the run fail.
    pub fn fails(self, severity: Severity) -> bool {
        match self {
            FailOn::Error => severity >= Severity::Error,
            FailOn::Warning => severity >= Severity::Warning,
            FailOn::Info => true,
            FailOn::Never => false,
        }
    }
}

/// A severity as the configuration writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of `Severity`")]
pub enum SeverityWord {
    Error,
    Warning,
    Info,
}

impl From<SeverityWord> for Severity {
    fn from(word: SeverityWord) -> Self {
        match word {
            SeverityWord::Error => Severity::Error,
            SeverityWord::Warning => Severity::Warning,
            SeverityWord::Info => Severity::Info,
        }
    }
}

/// Least confidence to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of `Confidence`")]
pub enum MinConfidence {
    Low,
    Medium,
    High,
}

impl From<MinConfidence> for Confidence {
    fn from(least: MinConfidence) -> Self {
        match least {
            MinConfidence::Low => Confidence::Low,
            MinConfidence::Medium => Confidence::Medium,
            MinConfidence::High => Confidence::High,
        }
    }
}

impl FileConfig {
    /// Keys of the file, as the schema lists them.
    pub const KEYS: &'static [&'static str] = &[
        "extend",
        "select",
        "ignore",
        "preview",
        "pedantic",
        "min-confidence",
        "fail-on",
        "severity",
        "format",
        "define",
        "undefine",
        "compile-commands",
        "cuda-version",
        "default-stream",
        "module-loading",
        "exclude",
        "baseline",
        "models",
        "overrides",
    ];

    /// Reads the text of a configuration file; `path` is for messages only.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let report = |span: Option<Range<usize>>, message: String, hint: Option<String>| {
            let (line, column) = line_and_column(text, span.map_or(0, |span| span.start));
            Error::Invalid {
                path: path.to_owned(),
                line,
                column,
                message,
                hint,
            }
        };
        let from_toml =
            |error: toml::de::Error| report(error.span(), error.message().trim().replace('\n', ", "), None);
        let table = DeTable::parse(text).map_err(from_toml)?;
        check_table(table.get_ref(), Self::KEYS)
            .map_err(|(span, message, hint)| report(Some(span), message, hint))?;
        toml::from_str(text).map_err(from_toml)
    }

    /// What is wrong with what a key of such a text names.
    pub fn mistake(path: &Path, text: &str, key: &str, message: String) -> Error {
        let table = DeTable::parse(text).ok();
        let start = table.and_then(|it| {
            let mut entries = it.get_ref().iter();
            let named = entries.find(|(name, _)| name.get_ref() == key)?;
            Some(named.1.span().start)
        });
        let (line, column) = line_and_column(text, start.unwrap_or(0));
        Error::Invalid {
            path: path.to_owned(),
            line,
            column,
            message,
            hint: None,
        }
    }
}

impl FileOverride {
    /// Keys of an override, as the schema lists them.
    pub const KEYS: &'static [&'static str] = &[
        "files",
        "select",
        "ignore",
        "min-confidence",
        "define",
        "undefine",
        "default-stream",
    ];
}

/// A mistake: where, what, and what was probably meant.
type Mistake = (Range<usize>, String, Option<String>);

/// Keys whose value is a list of words.
const LISTS: [&str; 7] = [
    "select", "ignore", "define", "undefine", "exclude", "models", "files",
];

/// Everything the types cannot check: unknown keys (with a suggestion), selectors, formats, versions, globs.
fn check_table(table: &DeTable<'_>, known: &[&str]) -> Result<(), Mistake> {
    for (key, value) in table.iter() {
        let name = key.get_ref().as_ref();
        if !known.contains(&name) {
            let hint = match closest(name, known.iter().copied()) {
                Some(it) => format!("did you mean `{it}`?"),
                None => format!("known are {}", known.join(", ")),
            };
            return Err((key.span(), format!("unknown key `{name}`"), Some(hint)));
        }
        match (name, value.get_ref()) {
            (_, DeValue::String(text)) if LISTS.contains(&name) => {
                let hint = format!("write `{name} = [\"{text}\"]`");
                return Err((value.span(), format!("`{name}` must be a list"), Some(hint)));
            }
            ("format", DeValue::String(text)) => {
                let unknown = |error: UnknownFormat| (value.span(), error.to_string(), None);
                text.parse::<Format>().map_err(unknown)?;
            }
            ("exclude" | "files", DeValue::Array(globs)) => {
                for glob in globs.iter() {
                    let Some(text) = glob.get_ref().as_str() else {
                        continue;
                    };
                    Globs::new(Path::new("/"), &[text.to_owned()])
                        .map_err(|error| (glob.span(), error.to_string(), None))?;
                }
            }
            ("select" | "ignore", DeValue::Array(selectors)) => {
                for selector in selectors.iter() {
                    let Some(text) = selector.get_ref().as_str() else {
                        continue;
                    };
                    Selector::parse(text).map_err(|(message, hint)| (selector.span(), message, hint))?;
                }
            }
            ("severity", DeValue::Table(given)) => {
                for (selector, _) in given.iter() {
                    Selector::parse(selector.get_ref())
                        .map_err(|(message, hint)| (selector.span(), message, hint))?;
                }
            }
            ("cuda-version", DeValue::String(text)) => {
                CudaVersion::parse(text).map_err(|message| (value.span(), message, None))?;
            }
            ("cuda-version", DeValue::Float(_)) => {
                let message = "`cuda-version` must be a string".to_owned();
                return Err((
                    value.span(),
                    message,
                    Some("write `cuda-version = \"12.4\"`".to_owned()),
                ));
            }
            ("overrides", DeValue::Array(entries)) => {
                for entry in entries.iter() {
                    let Some(table) = entry.get_ref().as_table() else {
                        continue;
                    };
                    check_table(table, FileOverride::KEYS)?;
                    if table.get("files").is_none() {
                        return Err((entry.span(), "an override needs `files`".to_owned(), None));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Line and column, from 1, of a byte offset.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const EVERY_KEY: &str = r#"
            extend = "../base.toml"
            select = ["hang"]
            ignore = ["CL104"]
            preview = true
            pedantic = false
            min-confidence = "medium"
            fail-on = "error"
            format = "concise"
            define = ["USE_GRAPH", "N=4"]
            undefine = ["X"]
            compile-commands = "build"
            cuda-version = "12.4"
            default-stream = "per-thread"
            module-loading = "eager"
            exclude = ["third_party/"]
            baseline = "known.json"
            models = ["cuda-models/"]
            [severity]
            timing = "info"
            CL501 = "warning"
            [[overrides]]
            files = ["tests/**"]
            select = ["all"]
            ignore = ["CL101"]
            min-confidence = "high"
            define = ["TEST"]
            undefine = ["Y"]
            default-stream = "legacy"
        "#;

    fn error(text: &str) -> (String, Option<String>) {
        let error = FileConfig::parse(Path::new("cudalint.toml"), text).expect_err("the text is wrong");
        (error.to_string(), error.hint().map(str::to_owned))
    }

    #[test]
    fn every_key_is_accepted() {
        let config = FileConfig::parse(Path::new("cudalint.toml"), EVERY_KEY).expect("every key is known");
        assert_eq!(config.default_stream, Some(DefaultStream::PerThread));
        assert_eq!(config.overrides[0].files, ["tests/**"]);
    }

    #[test]
    fn the_schema_lists_the_same_keys() {
        let schema: serde_json::Value =
            serde_json::from_str(crate::config::SCHEMA).expect("the schema is JSON");
        let keys = |table: &serde_json::Value| -> BTreeSet<String> {
            table["properties"]
                .as_object()
                .expect("it has properties")
                .keys()
                .cloned()
                .collect()
        };
        let known = |keys: &[&str]| keys.iter().map(|&it| it.to_owned()).collect::<BTreeSet<String>>();
        assert_eq!(keys(&schema), known(FileConfig::KEYS));
        assert_eq!(
            keys(&schema["properties"]["overrides"]["items"]),
            known(FileOverride::KEYS)
        );
        let formats = schema["properties"]["format"]["enum"]
            .as_array()
            .expect("a list")
            .iter();
        let formats: Vec<&str> = formats.filter_map(serde_json::Value::as_str).collect();
        assert_eq!(
            formats,
            crate::report::Format::ALL.map(crate::report::Format::as_str)
        );
    }

    #[test]
    fn the_schema_accepts_what_the_reader_accepts() {
        let schema = serde_json::from_str(crate::config::SCHEMA).expect("the schema is JSON");
        let validator = jsonschema::validator_for(&schema).expect("the schema is one");
        let texts = [
            EVERY_KEY,
            "",
            "ingore = []",
            "preview = \"yes\"",
            "default-stream = \"legcy\"",
            "fail-on = \"never\"",
            "fail-on = \"always\"",
            "min-confidence = 3",
            "cuda-version = 12.4",
            "cuda-version = \"12\"",
            "cuda-version = \"new\"",
            "select = \"hang\"",
            "format = \"gitlab\"",
            "format = \"yaml\"",
            "[[overrides]]\nignore = [\"all\"]",
            "[[overrides]]\nfiles = []\npreview = true",
            "overrides = []",
            "models = \"cuda-models\"",
            "models = [1]",
            "severity = \"info\"",
            "severity = { CL501 = \"loud\" }",
            "severity = { hang = \"info\" }",
        ];
        for text in texts {
            let read = FileConfig::parse(Path::new("cudalint.toml"), text).is_ok();
            let value: serde_json::Value = toml::from_str(text).expect("the text is TOML");
            assert_eq!(validator.is_valid(&value), read, "{text}");
        }
    }

    #[test]
    fn unknown_key_names_the_line_and_the_likely_key() {
        let (message, hint) = error("preview = true\ningore = []\n");
        assert_eq!(message, "cudalint.toml:2:1: unknown key `ingore`");
        assert_eq!(hint.as_deref(), Some("did you mean `ignore`?"));
    }

    #[test]
    fn wrong_type_names_the_line() {
        let (message, _) = error("\npreview = \"yes\"\n");
        assert!(message.starts_with("cudalint.toml:2:11: "), "{message}");
        let (message, _) = error("default-stream = \"legcy\"");
        assert!(message.contains("expected `legacy` or `per-thread`"), "{message}");
    }

    #[test]
    fn unknown_selector_names_the_line_and_the_likely_rule() {
        let (message, hint) = error("ignore = [\n  \"spin-without-prelaod\",\n]");
        assert!(
            message.starts_with("cudalint.toml:2:3: unknown rule"),
            "{message}"
        );
        assert_eq!(hint.as_deref(), Some("did you mean `spin-without-preload`?"));
    }

    #[test]
    fn formats_lists_and_globs_are_checked_where_they_are_written() {
        let (message, _) = error("format = \"yaml\"");
        assert!(
            message.starts_with("cudalint.toml:1:10: unknown format `yaml`; formats are full, "),
            "{message}"
        );
        let (message, hint) = error("select = \"hang\"");
        assert_eq!(message, "cudalint.toml:1:10: `select` must be a list");
        assert_eq!(hint.as_deref(), Some("write `select = [\"hang\"]`"));
        let (message, _) = error("exclude = [\"ok\", \"a{b\"]");
        assert!(
            message.starts_with("cudalint.toml:1:18: invalid glob `a{b`"),
            "{message}"
        );
        let (_, hint) = error("[lint]\nselect = []");
        assert!(hint.is_some_and(|it| it.starts_with("known are extend, select, ")));
    }

    #[test]
    fn broken_toml_names_the_line() {
        let (message, _) = error("select = [\n");
        assert!(message.starts_with("cudalint.toml:"), "{message}");
    }

    #[test]
    fn an_override_without_files_is_an_error() {
        let (message, _) = error("[[overrides]]\nignore = [\"all\"]\n");
        assert!(message.ends_with("an override needs `files`"), "{message}");
    }
}
