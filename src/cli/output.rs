//! Where words go: results to standard output, talk to standard error, reports to files.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::args::Colour;
use crate::{config, project};

pub(super) use crate::report::Format;
use crate::report::text::printable;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Config(#[from] config::Error),
    #[error(transparent)]
    Project(#[from] project::Error),
    #[cfg(all(feature = "verify", unix))]
    #[error(transparent)]
    Verify(#[from] crate::verify::Failure),
    #[error("{message}")]
    Usage { message: String, hint: Option<String> },
    #[error("cannot fix `{to}`: {reason}")]
    Fix {
        to: String,
        reason: project::write::WriteError,
    },
    #[error("cannot write `{to}`: {reason}")]
    Write { to: String, reason: io::Error },
}

impl Failure {
    fn hint(&self) -> Option<&str> {
        match self {
            Failure::Config(error) => error.hint(),
            Failure::Project(error) => error.hint(),
            Failure::Usage { hint, .. } => hint.as_deref(),
            #[cfg(all(feature = "verify", unix))]
            Failure::Verify(failure) => failure.hint(),
            Failure::Fix { .. } | Failure::Write { .. } => None,
        }
    }
}

/// Prints why the command ends early.
pub(super) fn error(failure: &Failure) {
    say("error", &failure.to_string());
    if let Some(hint) = failure.hint() {
        say("hint", hint);
    }
}

/// One line of talk on standard error; nobody is owed it, so a closed standard error is no failure.
pub(super) fn say(kind: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{kind}: {}", plain(text));
}

/// A block of talk on standard error.
pub(super) fn tell(text: &str) {
    let _ = io::stderr().write_all(plain(text).as_bytes());
}

/// A report on standard error, colours and all.
pub(super) fn tell_report(bytes: &[u8]) {
    let _ = io::stderr().write_all(bytes);
}

/// A word as a shell reads it.
pub(super) fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    match text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Text without what a terminal would obey; its lines stay.
pub(super) fn plain(text: &str) -> String {
    let plain = |c: char| match c {
        '\n' | '\t' => c,
        other => printable(other),
    };
    text.chars().map(plain).collect()
}

/// Results in a file of the user's; one that cannot be written is named.
pub(super) fn write_file(path: &std::path::Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|reason| Failure::Write {
        to: path.display().to_string(),
        reason,
    })
}

/// Standard output; whoever reads it may stop reading at any time.
pub(super) struct Stdout(BufWriter<io::StdoutLock<'static>>);

impl Stdout {
    pub fn new() -> Self {
        Stdout(BufWriter::new(io::stdout().lock()))
    }

    /// Writes text that holds words of the user's files: to a terminal without what it would obey, elsewhere as it is.
    pub fn write_text(self, text: &str) -> Result<(), Failure> {
        match io::stdout().is_terminal() {
            true => self.write_all(plain(text).as_bytes()),
            false => self.write_all(text.as_bytes()),
        }
    }

    /// Writes results; a reader that went away is no failure.
    pub fn write_all(mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self.0.write_all(bytes).and_then(|()| self.0.flush()) {
            Err(reason) if reason.kind() != ErrorKind::BrokenPipe => Err(Failure::Write {
                to: "standard output".to_owned(),
                reason,
            }),
            _ => Ok(()),
        }
    }
}

/// Whether to colour what goes to standard output.
///
/// The flag decides, then `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`, then whether it is a terminal that knows colours.
pub(super) fn colour(flag: Colour) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_on = |name: &str| std::env::var_os(name).is_some_and(|it| it != "0" && it != "false");
    match flag {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR") => false,
        Colour::Auto if is_set("FORCE_COLOR") => is_on("FORCE_COLOR"),
        Colour::Auto if is_set("CLICOLOR_FORCE") => is_on("CLICOLOR_FORCE"),
        Colour::Auto => io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|it| it != "dumb"),
    }
}

/// Columns to fill: those of the terminal, unless `COLUMNS` says otherwise.
pub(super) fn width() -> usize {
    let named = std::env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
    let terminal = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let columns = named.or_else(terminal);
    columns.filter(|it| (40..=1000).contains(it)).unwrap_or(100)
}

/// `--report FORMAT=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReportFile {
    pub format: Format,
    pub path: PathBuf,
}

impl ReportFile {
    pub fn parse(text: &str) -> Result<Self, String> {
        let (format, path) = text
            .split_once('=')
            .filter(|(_, path)| !path.is_empty())
            .ok_or("write `FORMAT=FILE`")?;
        let format = format
            .parse()
            .map_err(|error: crate::report::UnknownFormat| error.to_string())?;
        Ok(ReportFile {
            format,
            path: PathBuf::from(path),
        })
    }
}

impl Format {
    /// Lets help list the formats and clap suggest one.
    pub(super) fn parser() -> impl TypedValueParser<Value = Format> {
        PossibleValuesParser::new(Format::ALL.map(Format::as_str)).try_map(|name| name.parse::<Format>())
    }
}

/// Columns of text, padded; the last one is not.
pub(super) struct Table(Vec<Vec<String>>);

impl Table {
    pub fn new() -> Self {
        Table(Vec::new())
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.0.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let length =
            |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        let widths: Vec<usize> = (0..columns)
            .map(|column| self.0.iter().map(|row| length(row, column)).max().unwrap_or(0))
            .collect();
        for row in &self.0 {
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:width$}"));
            writeln!(formatter, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}
