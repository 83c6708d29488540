//! `cudalint check --update-baseline`: what is found becomes what is known.

use std::sync::Arc;

use super::Ending;
use super::args::CheckArgs;
use super::check::analysed;
use super::output::{self, Failure};
use crate::project::Discovered;
use crate::project::baseline::ProjectBaseline;

/// Writes the baseline, and reports nothing.
pub(super) fn update(args: &CheckArgs, mut project: Discovered) -> Result<Ending, Failure> {
    let Some(path) = project.settings.baseline.clone() else {
        return Err(Failure::Usage {
            message: "`--update-baseline` writes a baseline, and none is named".to_owned(),
            hint: Some("write `--baseline FILE`, or `baseline = \"FILE\"` in cudalint.toml".to_owned()),
        });
    };
    let mut baseline = match path.exists() {
        true => ProjectBaseline::read(&path)?,
        false => ProjectBaseline::empty(&path),
    };
    let before = baseline.known.len();
    // Everything there is, also what is known already.
    Arc::make_mut(&mut project.settings).baseline = None;
    let files = project.files.clone();
    let analysis = analysed(args, project)?;
    super::check::talk(args, &analysis);
    if !analysis.internal_errors.is_empty() {
        return Ok(Ending::Trouble);
    }
    baseline.update(&files, &analysis);
    std::fs::write(&path, baseline.known.to_text()).map_err(|reason| Failure::Write {
        to: path.display().to_string(),
        reason,
    })?;
    if !args.output.quiet {
        let here = std::env::current_dir()
            .and_then(|it| it.canonicalize())
            .unwrap_or_default();
        let (after, shown) = (
            baseline.known.len(),
            path.strip_prefix(here).unwrap_or(&path).display(),
        );
        let noun = if after == 1 { "finding" } else { "findings" };
        output::tell(&format!("`{shown}` lists {after} {noun} now ({before} before)\n"));
    }
    Ok(Ending::Clean)
}
