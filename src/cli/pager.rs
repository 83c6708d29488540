//! Long text on a terminal: through the pager of the user, a page at a time.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use super::output::{Failure, Stdout};
use crate::project::words;

/// Shows text: through `$CUDALINT_PAGER`, `$PAGER` or `less` where a terminal has fewer lines, else as it is.
pub(super) fn show(text: &str) -> Result<(), Failure> {
    match is_long(text) && through_pager(text).is_some() {
        true => Ok(()),
        false => Stdout::new().write_all(text.as_bytes()),
    }
}

fn is_long(text: &str) -> bool {
    let stdout = io::stdout();
    let height = terminal_size::terminal_size_of(&stdout).map(|(_, height)| usize::from(height.0));
    stdout.is_terminal() && height.is_some_and(|it| text.lines().count() >= it)
}

/// `None` where there is no pager, or none is wanted.
fn through_pager(text: &str) -> Option<()> {
    let named = ["CUDALINT_PAGER", "PAGER"]
        .iter()
        .find_map(|it| std::env::var(it).ok());
    let words = words::split(&named.unwrap_or_else(|| "less".to_owned()));
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Colours as they are, and no page for what fits on one.
        command.env("LESS", "FRX");
    }
    let mut child = command.spawn().ok()?;
    if let Some(mut stdin) = child.stdin.take() {
        // Whoever leaves the pager early has read enough.
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait().ok()?;
    Some(())
}
