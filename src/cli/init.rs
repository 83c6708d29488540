//! `cudalint init`: a configuration to start with, and what runs it on every commit.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::Ending;
use super::args::InitArgs;
use super::output::{self, Failure};
use crate::config::{FILE_NAME, read};

/// What stands in a new `cudalint.toml`: every key as it is without the file, each with what it is for.
const CONFIGURATION: &str = include_str!("init/cudalint.toml");
const HOOK: &str = include_str!("init/pre-commit-config.yaml");
const WORKFLOW: &str = include_str!("init/workflow.yml");

/// Where pre-commit looks for its hooks.
const HOOKS: &str = ".pre-commit-config.yaml";

/// Writes files that are not there yet; none that is there is touched, and what a hook needs in one is said.
pub(super) fn run(args: &InitArgs) -> Result<Ending, Failure> {
    let directory = args.directory.clone().unwrap_or_default();
    let mut files = vec![(FILE_NAME, CONFIGURATION)];
    files.extend(args.hook.then_some((HOOKS, HOOK)));
    files.extend(
        args.workflow
            .then_some((".github/workflows/cudalint.yml", WORKFLOW)),
    );
    let (there, missing): (Vec<_>, Vec<_>) = files
        .into_iter()
        .map(|(name, text)| {
            let text = text.replace("VERSION", env!("CARGO_PKG_VERSION"));
            (directory.join(name), text)
        })
        .partition(|(path, _)| path.exists());
    let names: Vec<String> = there
        .iter()
        .map(|(path, _)| format!("`{}`", path.display()))
        .collect();
    let names = names.join(" and ");
    let verb = if there.len() > 1 { "are" } else { "is" };
    if let Some((_, text)) = there.iter().find(|(path, _)| is_without(path)) {
        let hook: String = text.split_inclusive('\n').skip(1).collect();
        output::tell(&format!("to add below `repos:` in `{HOOKS}`:\n{hook}"));
    }
    if missing.is_empty() {
        return Err(Failure::Usage {
            message: format!("{names} {verb} there already"),
            hint: Some("`cudalint init` writes new files only; nothing was written".to_owned()),
        });
    }
    if !there.is_empty() {
        output::tell(&format!("{names} {verb} there already, and as before\n"));
    }
    for (path, text) in &missing {
        create(path, text)?;
        output::tell(&format!("wrote `{}`\n", path.display()));
    }
    if !(args.hook && args.workflow) {
        output::tell("`--hook` writes a hook for pre-commit, `--workflow` a job for GitHub Actions\n");
    }
    output::tell("next: cudalint check\n");
    Ok(Ending::Clean)
}

/// Hooks of somebody's, and not this one among them.
fn is_without(path: &Path) -> bool {
    let hooks = || read::bytes(path, MAX_HOOK_BYTES).ok();
    path.ends_with(HOOKS) && hooks().is_some_and(|it| memchr::memmem::find(&it, b"cudalint").is_none())
}

/// A longer file of hooks is none.
const MAX_HOOK_BYTES: u64 = 1 << 20;

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
