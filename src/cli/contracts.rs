//! `cudalint contracts`: what functions do with the streams they are handed, for their documentation.

use std::path::PathBuf;

use super::Ending;
use super::args::{ContractsArgs, ListFormat};
use super::output::{self, Failure, Stdout};
use crate::config::{ConfigSource, Layer, Store};
use crate::project::{self, Request};
use crate::report::contracts;

/// Prints the contracts of what is declared in the paths.
pub(super) fn run(args: &ContractsArgs) -> Result<Ending, Failure> {
    let working_directory = super::check::working_directory()?;
    let request = Request {
        paths: match args.paths.is_empty() {
            true => vec![PathBuf::from(".")],
            false => args.paths.clone(),
        },
        respect_gitignore: true,
        contents: Default::default(),
        only: None,
        working_directory: working_directory.clone(),
    };
    let layer = Layer {
        base: working_directory,
        config: args.compilation.layer(),
    };
    let mut store = Store::new(ConfigSource::Closest, layer);
    let project = project::discover(&request, &mut store)?;
    let analysis = project::contracts(project, args.jobs)?;
    for warning in analysis.warnings.iter().chain(&analysis.internal_errors) {
        output::say("warning", warning);
    }
    let (found, sources) = (&analysis.contracts, &analysis.sources);
    let text = match args.format {
        ListFormat::Table => contracts::text(found, sources),
        ListFormat::Json => contracts::json(found, sources),
        ListFormat::Markdown => contracts::markdown(found, sources),
    };
    Stdout::new().write_text(&text)?;
    if found.is_empty() && args.format == ListFormat::Table {
        output::say(
            "note",
            "no function there is handed a stream that its body works in",
        );
    }
    let is_trouble = !(analysis.internal_errors.is_empty() && analysis.unread.is_empty());
    Ok(if is_trouble {
        Ending::Trouble
    } else {
        Ending::Clean
    })
}
