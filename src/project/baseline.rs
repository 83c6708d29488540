//! The baseline of a project: where it is, how it names files, and what it keeps quiet.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::discover::{SourceFile, normalise};
use super::{Analysis, Error};
use crate::config::read;
use crate::diagnostics::baseline::Baseline;

/// A baseline and where it is.
#[derive(Clone, Debug)]
pub struct ProjectBaseline {
    /// The file.
    pub path: PathBuf,
    /// The folder its paths are relative to.
    folder: PathBuf,
    /// What it lists.
    pub known: Baseline,
}

impl ProjectBaseline {
    /// Reads the file at this absolute path.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let wrong = |reason: String| Error::Baseline {
            path: path.to_owned(),
            reason,
        };
        let text = read::text(path, read::MOST_OF_DATA).map_err(|error| wrong(error.to_string()))?;
        let known = Baseline::parse(&text).map_err(|reason| wrong(format!("it is no baseline: {reason}")))?;
        Ok(ProjectBaseline {
            known,
            ..ProjectBaseline::empty(path)
        })
    }

    /// One that is not written yet.
    pub fn empty(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new("/"));
        ProjectBaseline {
            path: path.to_owned(),
            folder: folder.canonicalize().unwrap_or_else(|_| normalise(folder)),
            known: Baseline::default(),
        }
    }

    /// Takes what it lists out of what was found.
    pub fn apply(&self, files: &[SourceFile], analysis: &mut Analysis) {
        let names = self.names(files);
        let findings = std::mem::take(&mut analysis.findings);
        let looked_for = self.looked_for(files);
        let covered = self.known.cover(
            findings,
            &analysis.sources,
            &|shown| names.get(shown).cloned().unwrap_or_default(),
            &looked_for,
            &|path| self.folder.join(path).exists(),
        );
        analysis.findings = covered.new;
        analysis.known = covered.known;
        analysis.gone = covered.gone;
    }

    /// Takes over what was found.
    pub fn update(&mut self, files: &[SourceFile], analysis: &Analysis) {
        let names = self.names(files);
        let relative = |shown: &str| names.get(shown).cloned().unwrap_or_default();
        let newer = Baseline::of(&analysis.findings, &analysis.sources, &relative);
        let looked_for = self.looked_for(files);
        let mut known = self.known.clone();
        // What is said of a file that is gone holds no longer.
        let is_there = |path: &str| self.folder.join(path).exists();
        known.update(newer, &|path, rule| looked_for(path, rule) || !is_there(path));
        self.known = known;
    }

    /// How the baseline names each file, by shown path.
    fn names(&self, files: &[SourceFile]) -> BTreeMap<Arc<str>, String> {
        let name = |file: &SourceFile| (Arc::clone(&file.shown), relative(&file.path, &self.folder));
        files.iter().map(name).collect()
    }

    /// Whether a rule is looked for in a file of this run, as the baseline names it.
    fn looked_for<'a>(&self, files: &'a [SourceFile]) -> impl Fn(&str, &str) -> bool + use<'a> {
        let reported = files.iter().filter(|it| it.reported);
        let by_name: BTreeMap<String, &SourceFile> = reported
            .map(|file| (relative(&file.path, &self.folder), file))
            .collect();
        move |path, rule| {
            by_name
                .get(path)
                .is_some_and(|it| it.settings.rules.contains(rule))
        }
    }
}

/// A path seen from a folder, `/`-separated; both are absolute.
fn relative(path: &Path, folder: &Path) -> String {
    let shared = path
        .components()
        .zip(folder.components())
        .take_while(|(left, right)| left == right)
        .count();
    let up = folder.components().skip(shared).map(|_| "..".into());
    let down = path.components().skip(shared).map(|it| match it {
        Component::Normal(name) => name.to_string_lossy(),
        other => other.as_os_str().to_string_lossy(),
    });
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::relative;
    use std::path::Path;

    #[test]
    fn files_are_named_from_the_folder_of_the_baseline() {
        let from = |path: &str, folder: &str| relative(Path::new(path), Path::new(folder));
        assert_eq!(from("/p/src/a.cu", "/p"), "src/a.cu");
        assert_eq!(from("/p/src/a.cu", "/p/ci"), "../src/a.cu");
    }
}
