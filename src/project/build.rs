//! What a compiler has to be told to read files as the analysis does.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::analyse::compile_commands;
use super::{Discovered, Error, SourceFile};
use crate::config::DefaultStream;

/// A file that is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildFile {
    /// As it is shown.
    pub shown: String,
    /// Where it is.
    pub path: PathBuf,
    /// Arguments of the compiler: macros, folders of headers, default stream.
    pub arguments: Vec<String>,
}

/// The files on disk that a project reports on.
pub fn files(project: &Discovered) -> Result<Vec<BuildFile>, Error> {
    // The analysis says what is wrong with the database.
    let commands = compile_commands(project.root.as_deref(), &project.settings, &mut Vec::new())?;
    let reported = project
        .files
        .iter()
        .filter(|it| it.reported && it.content.is_none());
    let file = |file: &SourceFile| {
        let mut arguments = Vec::new();
        let mut per_thread = file.settings.default_stream == DefaultStream::PerThread;
        if let Some(flags) = commands.flags(&file.path) {
            let macros = flags.macros.iter();
            arguments
                .extend(macros.map(|(text, defined)| format!("-{}{text}", if *defined { 'D' } else { 'U' })));
            let folders = flags.include_directories.iter();
            arguments.extend(folders.map(|it| format!("-I{}", it.display())));
            per_thread |= flags.per_thread_default_stream;
        }
        arguments.extend(macros(&file.settings.defines.values));
        if per_thread {
            arguments.push("--default-stream=per-thread".to_owned());
        }
        BuildFile {
            shown: file.shown.to_string(),
            path: file.path.clone(),
            arguments,
        }
    };
    Ok(reported.map(file).collect())
}

/// Macros that are set, and those that are not to be.
fn macros(values: &BTreeMap<String, Option<String>>) -> impl Iterator<Item = String> {
    values.iter().map(|(name, value)| match value {
        Some(value) => format!("-D{name}={value}"),
        None => format!("-U{name}"),
    })
}
