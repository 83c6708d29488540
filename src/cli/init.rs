//! `cudalint init`: a configuration to start with, and what runs it on every commit.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::Ending;
use super::args::InitArgs;
use super::output::{self, Failure};
use crate::config::FILE_NAME;

/// What stands in a new `cudalint.toml`: every key as it is without the file, each with what it is for.
const CONFIGURATION: &str = include_str!("init/cudalint.toml");
const HOOK: &str = include_str!("init/pre-commit-config.yaml");
const WORKFLOW: &str = include_str!("init/workflow.yml");

/// Writes files that are not there yet; none that is there is touched.
pub(super) fn run(args: &InitArgs) -> Result<Ending, Failure> {
    let directory = args.directory.clone().unwrap_or_default();
    let mut files = vec![(FILE_NAME, CONFIGURATION)];
    files.extend(args.hook.then_some((".pre-commit-config.yaml", HOOK)));
    files.extend(
        args.workflow
            .then_some((".github/workflows/cudalint.yml", WORKFLOW)),
    );
    let wanted: Vec<(PathBuf, &str)> = files
        .into_iter()
        .map(|(name, text)| (directory.join(name), text))
        .collect();
    if let Some((path, _)) = wanted.iter().find(|(path, _)| path.exists()) {
        return Err(Failure::Usage {
            message: format!("`{}` is there already", path.display()),
            hint: Some("`cudalint init` writes new files only; nothing was written".to_owned()),
        });
    }
    for (path, text) in &wanted {
        create(path, &text.replace("VERSION", env!("CARGO_PKG_VERSION")))?;
        output::tell(&format!("wrote `{}`\n", path.display()));
    }
    if !(args.hook && args.workflow) {
        output::tell("`--hook` writes a hook for pre-commit, `--workflow` a job for GitHub Actions\n");
    }
    output::tell("next: cudalint check\n");
    Ok(Ending::Clean)
}

fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let write = || {
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(text.as_bytes())
    };
    write().map_err(|reason: std::io::Error| Failure::Write {
        to: path.display().to_string(),
        reason: match reason.kind() {
            ErrorKind::AlreadyExists => std::io::Error::other("it is there already"),
            _ => reason,
        },
    })
}
