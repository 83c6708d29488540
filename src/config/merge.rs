//! A stack of configurations, the nearest last: what each of them said, with the directory it was said in.

use std::path::{Path, PathBuf};

use crate::diagnostics::Severity;

use super::{DefaultStream, Error, FailOn, FileConfig, FileOverride, MinConfidence, ModuleLoading, read};

/// One configuration and the directory its paths and globs are relative to.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Directory.
    pub base: PathBuf,
    /// What it says.
    pub config: FileConfig,
}

/// Several layers put together; nothing is resolved yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// Configuration files that took part, the nearest last.
    pub files: Vec<PathBuf>,
    /// Selectors to run, if any layer named some.
    pub select: Option<Vec<String>>,
    /// Selectors to leave out.
    pub ignore: Vec<String>,
    /// Run preview rules.
    pub preview: bool,
    /// Report "may" claims too.
    pub pedantic: bool,
    /// Least confidence, where some layer says it.
    pub min_confidence: Option<MinConfidence>,
    /// Least severity that fails.
    pub fail_on: FailOn,
    /// Rules and the severities they are given, one list for each layer that gives some.
    pub severity: Vec<Vec<(String, Severity)>>,
    /// Report format on standard output.
    pub format: Option<String>,
    /// `-D` (`true`) and `-U` (`false`) in order; the later wins.
    pub macros: Vec<(String, bool)>,
    /// Compile database, absolute.
    pub compile_commands: Option<PathBuf>,
    /// CUDA version as written.
    pub cuda_version: Option<String>,
    /// What stream 0 means.
    pub default_stream: DefaultStream,
    /// Module loading at run time.
    pub module_loading: ModuleLoading,
    /// Globs the walk leaves out, each list with its directory.
    pub exclude: Vec<(PathBuf, Vec<String>)>,
    /// Baseline, absolute.
    pub baseline: Option<PathBuf>,
    /// Folders and files with models, absolute.
    pub models: Vec<PathBuf>,
    /// Overrides, each with its directory.
    pub overrides: Vec<(PathBuf, FileOverride)>,
}

impl Merged {
    /// Reads a configuration file and, below it, what it extends.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let mut merged = Merged::default();
        merged.add_file(path, &mut Vec::new())?;
        Ok(merged)
    }

    /// Puts a nearer layer on top: single values replace, `select` starts afresh, other lists grow.
    pub fn push(&mut self, layer: Layer) {
        let Layer { base, config } = layer;
        if config.select.is_some() {
            self.select = config.select;
            self.ignore.clear();
        }
        self.ignore.extend(config.ignore);
        self.preview = config.preview.unwrap_or(self.preview);
        self.pedantic = config.pedantic.unwrap_or(self.pedantic);
        self.min_confidence = config.min_confidence.or(self.min_confidence);
        self.fail_on = config.fail_on.unwrap_or(self.fail_on);
        if !config.severity.is_empty() {
            let given = config.severity.into_iter();
            self.severity
                .push(given.map(|(rule, it)| (rule, it.into())).collect());
        }
        self.format = config.format.or(self.format.take());
        self.macros.extend(config.define.into_iter().map(|it| (it, true)));
        self.macros
            .extend(config.undefine.into_iter().map(|it| (it, false)));
        self.compile_commands = config
            .compile_commands
            .map(|it| base.join(it))
            .or(self.compile_commands.take());
        self.cuda_version = config.cuda_version.or(self.cuda_version.take());
        self.default_stream = config.default_stream.unwrap_or(self.default_stream);
        self.module_loading = config.module_loading.unwrap_or(self.module_loading);
        self.baseline = config.baseline.map(|it| base.join(it)).or(self.baseline.take());
        self.models.extend(config.models.iter().map(|it| base.join(it)));
        if !config.exclude.is_empty() {
            self.exclude.push((base.clone(), config.exclude));
        }
        self.overrides
            .extend(config.overrides.into_iter().map(|it| (base.clone(), it)));
    }

    fn add_file(&mut self, path: &Path, open: &mut Vec<PathBuf>) -> Result<(), Error> {
        let read_error = |reason| Error::Read {
            path: path.to_owned(),
            reason,
        };
        let identity = path.canonicalize().map_err(read_error)?;
        if open.contains(&identity) {
            return Err(Error::ExtendCycle {
                path: path.to_owned(),
            });
        }
        let text = read::text(path, read::MOST_OF_CONFIGURATION).map_err(read_error)?;
        let config = FileConfig::parse(path, &text)?;
        let base = path.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(extended) = &config.extend {
            open.push(identity);
            let added = self.add_file(&base.join(extended), open);
            added.map_err(|error| match error {
                Error::Read { .. } | Error::ExtendCycle { .. } => {
                    FileConfig::mistake(path, &text, "extend", error.to_string())
                }
                error => error,
            })?;
            open.pop();
        }
        self.files.push(path.to_owned());
        self.push(Layer { base, config });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(text: &str) -> Layer {
        let config = FileConfig::parse(Path::new("cudalint.toml"), text).expect("a valid configuration");
        Layer {
            base: PathBuf::from("/base"),
            config,
        }
    }

    #[test]
    fn single_values_replace_and_lists_grow() {
        let mut merged = Merged::default();
        merged.push(layer(
            "ignore = [\"CL101\"]\nfail-on = \"error\"\ndefine = [\"A\"]\ncompile-commands = \"build\"",
        ));
        merged.push(layer(
            "ignore = [\"CL102\"]\nfail-on = \"info\"\nundefine = [\"A\"]",
        ));
        assert_eq!(merged.ignore, ["CL101", "CL102"]);
        assert_eq!(merged.fail_on, FailOn::Info);
        assert_eq!(merged.macros, [("A".to_owned(), true), ("A".to_owned(), false)]);
        assert_eq!(merged.compile_commands.as_deref(), Some(Path::new("/base/build")));
    }

    #[test]
    fn select_starts_afresh() {
        let mut merged = Merged::default();
        merged.push(layer("ignore = [\"CL101\"]"));
        merged.push(layer("select = [\"CL101\"]"));
        assert_eq!(merged.ignore, [""; 0]);
        assert_eq!(merged.select.as_deref(), Some(&["CL101".to_owned()][..]));
    }
}
