//! `cudalint check --fix` and `--diff`: fixes found, shown or written.

use super::Ending;
use super::args::{CheckArgs, FixArgs};
use super::output::{self, Failure, Stdout};
use crate::diagnostics::{Finding, Safety};
use crate::project::fix::{Fixed, Permission, fix};
use crate::project::{Discovered, write};
use crate::report::diff;

/// What is to be done with fixes.
pub(super) fn is_wanted(args: &FixArgs) -> bool {
    args.fix || args.diff
}

/// Applies fixes in memory.
pub(super) fn find(args: &CheckArgs, project: &Discovered) -> Result<Fixed, Failure> {
    let permission = match args.fixes.unsafe_fixes {
        true => Permission::Unsafe,
        false => Permission::Safe,
    };
    Ok(fix(project, args.files.jobs, args.rules.no_ignores, permission)?)
}

/// Prints what would change.
pub(super) fn show(args: &CheckArgs, fixed: &Fixed) -> Result<Ending, Failure> {
    let mut text = String::new();
    for (path, change) in &fixed.files {
        text.push_str(&diff::unified(path, &change.before, &change.after));
    }
    Stdout::new().write_text(&text)?;
    tell(args, fixed, "would fix");
    Ok(match fixed.files.is_empty() {
        true => Ending::Clean,
        false => Ending::Findings,
    })
}

/// Puts the fixed files in the place of the old ones; what came from standard input goes to standard output.
pub(super) fn keep(args: &CheckArgs, project: &Discovered, fixed: &Fixed) -> Result<(), Failure> {
    let given = project.files.iter().find(|it| it.content.is_some());
    if let Some(file) = given {
        let content = fixed.files.get(&file.shown).map(|it| &it.after);
        let content = content.or(file.content.as_ref());
        Stdout::new().write_all(content.map_or(&[][..], |it| it))?;
    }
    let on_disk = |path: &str| given.is_none_or(|it| *it.shown != *path);
    let changes = fixed.files.iter().filter(|(path, _)| on_disk(path));
    write::write(changes).map_err(|(path, reason)| Failure::Fix {
        to: path.to_string(),
        reason,
    })?;
    tell(args, fixed, "fixed");
    Ok(())
}

/// How many findings could be fixed by asking for more than was asked for; empty when none.
pub(super) fn offer(args: &FixArgs, findings: &[Finding]) -> String {
    let count = |safety: Safety| {
        let was_tried = is_wanted(args) && (safety == Safety::Safe || args.unsafe_fixes);
        let fixes = findings.iter().filter_map(|it| it.fix.as_ref());
        fixes
            .filter(|it| it.safety == safety && !it.edits.is_empty() && !was_tried)
            .count()
    };
    match (count(Safety::Safe), count(Safety::Unsafe)) {
        (0, 0) => String::new(),
        (safe, 0) => format!("{safe} fixable with --fix\n"),
        (0, more) => format!("{more} fixable with --fix --unsafe-fixes\n"),
        (safe, more) => format!("{safe} fixable with --fix, {more} more with --fix --unsafe-fixes\n"),
    }
}

fn tell(args: &CheckArgs, fixed: &Fixed, verb: &str) {
    if args.output.quiet {
        return;
    }
    for it in &fixed.refused {
        output::say(
            "note",
            &format!("{}: not applied: {}: {}", it.path, it.title, it.reason),
        );
    }
    for it in &fixed.applied {
        let files: Vec<&str> = it.files.iter().map(|it| &**it).collect();
        output::say(verb, &format!("{}: {} ({})", files.join(", "), it.title, it.rule));
    }
    if fixed.applied.is_empty() {
        return;
    }
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    output::tell(&format!(
        "{verb} {} in {}\n",
        count(fixed.applied.len(), "finding"),
        count(fixed.files.len(), "file")
    ));
}
