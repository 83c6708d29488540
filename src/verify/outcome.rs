//! What one run of a program came to, from how its process ended and what it printed.

use std::fmt;

use super::process::{Ended, Finished};

/// What one run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was still running when its time was over.
    Hang,
    /// It ended, and found nothing wrong.
    Done,
    /// It counted wrong results, so many.
    Wrong(String),
    /// It reported a CUDA error.
    Error(String),
    /// It measured that something took longer than it should, by this ratio.
    Slow(String),
    /// A signal ended it.
    Crash(String),
    /// It ended with an exit code other than 0 and said nothing.
    Exit(i32),
    /// It said something of what it saw that means nothing: the line.
    Unreadable(String),
}

/// The word for [`Outcome::Unreadable`].
pub const UNREADABLE: &str = "unreadable";

/// From here on a ratio that a program prints is slow.
const SLOW_RATIO: f64 = 1.5;

impl Outcome {
    /// Reads the outcome of a run; `Err` when there was none.
    ///
    /// A program says what it saw in lines of its own on standard output: `WRONG n`, `ERROR name`, `SLOW ratio`.
    pub fn of(run: &Finished) -> Result<Self, String> {
        match &run.ended {
            Ended::Timeout => Ok(Outcome::Hang),
            Ended::Signal(signal) => Ok(Outcome::Crash(signal.clone())),
            Ended::Exit(code) => Ok(said(&run.stdout).unwrap_or(match code {
                0 => Outcome::Done,
                code => Outcome::Exit(*code),
            })),
            Ended::NotStarted(reason) => Err(reason.clone()),
            Ended::Interrupted => Err("interrupted".to_owned()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Hang => write!(formatter, "hang"),
            Outcome::Done => write!(formatter, "done"),
            Outcome::Wrong(count) => write!(formatter, "WRONG {count}"),
            Outcome::Error(name) => write!(formatter, "ERROR {name}"),
            Outcome::Slow(ratio) => write!(formatter, "SLOW {ratio}"),
            Outcome::Crash(signal) => write!(formatter, "crash {signal}"),
            Outcome::Exit(code) => write!(formatter, "exit {code}"),
            Outcome::Unreadable(line) => write!(formatter, "{UNREADABLE} `{line}`"),
        }
    }
}

/// The first line that says something went wrong, or cannot be read.
fn said(output: &str) -> Option<Outcome> {
    output.lines().map(str::trim).find_map(|line| {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let value = rest.split_whitespace().next().unwrap_or_default();
        let read = match word.trim_end_matches(':') {
            "WRONG" => count(value),
            "ERROR" => error(value),
            "SLOW" => slowness(value),
            _ => return None,
        };
        read.unwrap_or_else(|Unreadable| Some(Outcome::Unreadable(line.chars().take(80).collect())))
    })
}

/// What follows a word of the protocol means nothing.
struct Unreadable;

/// `WRONG 0` says that nothing was.
fn count(value: &str) -> Result<Option<Outcome>, Unreadable> {
    let (text, number) = number(value)?;
    Ok((number != 0.0).then(|| Outcome::Wrong(text.to_owned())))
}

fn error(value: &str) -> Result<Option<Outcome>, Unreadable> {
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    match value.split(|it| !is_name(it)).next().unwrap_or_default() {
        "" => Err(Unreadable),
        "cudaSuccess" | "CUDA_SUCCESS" | "0" => Ok(None),
        name => Ok(Some(Outcome::Error(name.to_owned()))),
    }
}

fn slowness(value: &str) -> Result<Option<Outcome>, Unreadable> {
    let (_, ratio) = number(value)?;
    match ratio {
        ..0.0 => Err(Unreadable),
        0.0..SLOW_RATIO => Ok(None),
        _ => Ok(Some(Outcome::Slow(format!("{ratio:.1}")))),
    }
}

/// A number before punctuation and the `x` of a ratio, as written and as it is.
fn number(value: &str) -> Result<(&str, f64), Unreadable> {
    let text = value.trim_end_matches([',', ';', '.', ':', 'x']);
    let number = text.parse::<f64>().map_err(|_| Unreadable)?;
    match number.is_finite() {
        true => Ok((text, number)),
        false => Err(Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, said};

    /// What a program said, in the words of reports; a question mark for what cannot be read.
    fn outcome(output: &str) -> String {
        match said(output) {
            Some(Outcome::Unreadable(_)) => "?".to_owned(),
            Some(outcome) => outcome.to_string(),
            None => "-".to_owned(),
        }
    }

    #[test]
    fn only_what_clearly_says_so_means_that_nothing_is_wrong() {
        for (output, expected) in [
            ("", "-"),
            ("WRONGLY 3", "-"),
            ("it is WRONG 3", "-"),
            ("WRONG 0", "-"),
            ("WRONG 0.0", "-"),
            ("WRONG 12", "WRONG 12"),
            ("noise\r\n  WRONG 12\r\n", "WRONG 12"),
            ("WRONG: 3", "WRONG 3"),
            ("WRONG\t3", "WRONG 3"),
            ("WRONG 12, of 30", "WRONG 12"),
            ("WRONG -1", "WRONG -1"),
            ("WRONG 99999999999999999999", "WRONG 99999999999999999999"),
            ("WRONG", "?"),
            ("WRONG nan", "?"),
            ("WRONG inf", "?"),
            ("WRONG result", "?"),
            ("ERROR cudaSuccess", "-"),
            ("ERROR 0", "-"),
            ("ERROR cudaErrorUnknown", "ERROR cudaErrorUnknown"),
            ("ERROR cudaErrorUnknown: unknown error", "ERROR cudaErrorUnknown"),
            ("ERROR: 700", "ERROR 700"),
            ("ERROR", "?"),
            ("ERROR (none)", "?"),
            ("SLOW 1.1", "-"),
            ("SLOW 3x", "SLOW 3.0"),
            ("SLOW nan", "?"),
            ("SLOW -3", "?"),
            ("SLOW very", "?"),
            (
                "WRONG 0\nSLOW 1.0\nERROR cudaErrorUnknown",
                "ERROR cudaErrorUnknown",
            ),
        ] {
            assert_eq!(outcome(output), expected, "{output:?}");
        }
    }
}
