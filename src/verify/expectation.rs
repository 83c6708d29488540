//! The words of a fixture's `// verify:` line: what it does under each loading mode; `build.rs` reads them too.

use std::fmt;

/// How CUDA loads kernels: `CUDA_MODULE_LOADING`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// At first use; the default.
    Lazy,
    /// At start.
    Eager,
}

impl Mode {
    /// Both, in the order of every report.
    pub const ALL: [Mode; 2] = [Mode::Lazy, Mode::Eager];

    /// The value of the environment variable.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Lazy => "LAZY",
            Mode::Eager => "EAGER",
        }
    }
}

/// What one run of a program may end in: the outcomes that are as predicted.
///
/// Outcomes are the words of [`Outcome`](super::Outcome): `hang`, `done`, `WRONG 12`, `ERROR cudaErrorX`, `SLOW 3.5`,
/// `crash SIGSEGV`, `exit 3`. A prediction may leave out what follows the first word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected(Vec<String>);

impl Expected {
    /// Reads `hang`, `WRONG n`, `ERROR cudaErrorX`, `SLOW or done`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let choices = text.split(" or ").map(choice).collect::<Option<Vec<_>>>()?;
        (!choices.is_empty()).then_some(Expected(choices))
    }

    /// Whether a run that ended so was predicted.
    pub fn allows(&self, outcome: &str) -> bool {
        self.0.iter().any(|choice| {
            let rest = outcome.strip_prefix(choice.as_str());
            rest.is_some_and(|it| it.is_empty() || it.starts_with(' '))
        })
    }

    /// Whether a run is predicted to end in this and nothing else.
    pub fn is(&self, outcome: &str) -> bool {
        self.0.len() == 1 && self.0[0] == outcome
    }

    /// Whether only how long things take, or how they interleave, tells the outcome.
    pub fn is_delicate(&self) -> bool {
        self.0.iter().any(|choice| choice != "hang" && choice != "done")
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join(" or "))
    }
}

/// One outcome in the spelling of reports.
fn choice(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let first = words.next()?.to_ascii_lowercase();
    let rest = words.next();
    // `WRONG n`, `ERROR cudaErrorX` and `SLOW ratio` may stand for any number and any name.
    let is_placeholder = |it: &str| matches!(it, "n" | "N" | "ratio" | "name" | "cudaErrorX");
    Some(match (first.as_str(), rest) {
        ("hang" | "done", None) => first,
        ("wrong", _) => "WRONG".to_owned(),
        ("slow", _) => "SLOW".to_owned(),
        ("error", Some(name)) if !is_placeholder(name) => format!("ERROR {name}"),
        ("error", _) => "ERROR".to_owned(),
        ("crash", Some(signal)) => format!("crash {signal}"),
        ("crash", None) => first,
        ("exit", Some(code)) => format!("exit {}", code.parse::<i32>().ok()?),
        ("exit", None) => first,
        _ => return None,
    })
}

/// What a program is predicted to do, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Under `CUDA_MODULE_LOADING=LAZY`.
    pub lazy: Expected,
    /// Under `CUDA_MODULE_LOADING=EAGER`.
    pub eager: Expected,
    /// How many GPUs it needs.
    pub gpus: usize,
}

impl Expectation {
    /// Reads what follows `// verify:`: `LAZY hang, EAGER done`, `WRONG n` (in both modes), `hang, gpus 2`.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut lazy, mut eager, mut gpus) = (None, None, 1);
        for part in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (word, rest) = part.split_once([' ', ':']).unwrap_or((part, ""));
            let rest = rest.trim_start_matches(':').trim();
            match word.to_ascii_lowercase().as_str() {
                "lazy" => lazy = Some(Expected::parse(rest)?),
                "eager" => eager = Some(Expected::parse(rest)?),
                "gpus" => gpus = rest.parse().ok()?,
                _ => {
                    let both = Expected::parse(part)?;
                    (lazy, eager) = (Some(both.clone()), Some(both));
                }
            }
        }
        Some(Expectation {
            lazy: lazy?,
            eager: eager?,
            gpus,
        })
    }

    /// What the source of a fixture says in its header; `None` without one, `Some(Err)` with one that cannot be read.
    pub fn of_source(text: &str) -> Option<Result<Self, String>> {
        let written = header(text, "verify")?;
        let Some(mut expectation) = Self::parse(written) else {
            return Some(Err(format!("cannot read `// verify: {written}`")));
        };
        if let Some(gpus) = header(text, "gpus").and_then(|it| it.parse().ok()) {
            expectation.gpus = gpus;
        }
        Some(Ok(expectation))
    }

    /// What is predicted under a mode.
    pub fn under(&self, mode: Mode) -> &Expected {
        match mode {
            Mode::Lazy => &self.lazy,
            Mode::Eager => &self.eager,
        }
    }

    /// Whether it hangs only because kernels are loaded late.
    pub fn is_lazy_loading_hang(&self) -> bool {
        self.lazy.is("hang") && self.eager.is("done")
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LAZY {}, EAGER {}", self.lazy, self.eager)?;
        match self.gpus {
            1 => Ok(()),
            gpus => write!(formatter, ", gpus {gpus}"),
        }
    }
}

/// The value of a header line `// key: value`.
pub fn header<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let value = |line: &'a str| {
        let line = line
            .trim_start_matches('\u{feff}')
            .strip_prefix("//")?
            .trim_start();
        Some(line.strip_prefix(key)?.trim_start().strip_prefix(':')?.trim())
    };
    text.lines().take(40).find_map(value)
}

#[cfg(test)]
mod tests {
    use super::Expectation;

    fn read(text: &str) -> Option<String> {
        Expectation::parse(text).map(|it| it.to_string())
    }

    #[test]
    fn headers_are_read_and_written_back() {
        for text in [
            "LAZY hang, EAGER done",
            "LAZY WRONG, EAGER WRONG or done",
            "LAZY ERROR cudaErrorNotPermitted, EAGER ERROR",
            "LAZY hang, EAGER hang, gpus 2",
        ] {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        assert_eq!(read("WRONG n").as_deref(), Some("LAZY WRONG, EAGER WRONG"));
        assert_eq!(
            read("LAZY slow ratio, EAGER slow").as_deref(),
            Some("LAZY SLOW, EAGER SLOW")
        );
        assert_eq!(
            read("LAZY hang, EAGER done, gpus: 2").as_deref(),
            Some("LAZY hang, EAGER done, gpus 2")
        );
        for text in ["", "LAZY hang", "LAZY sings, EAGER done", "gpus 2"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn an_outcome_is_as_predicted_when_its_first_words_are() {
        let expectation =
            Expectation::parse("LAZY ERROR, EAGER ERROR cudaErrorNotPermitted").expect("it is valid");
        assert!(expectation.lazy.allows("ERROR cudaErrorUnknown"));
        assert!(!expectation.eager.allows("ERROR cudaErrorUnknown"));
        assert!(!expectation.eager.allows("ERROR cudaErrorNotPermittedEither"));
        assert!(!expectation.lazy.allows("done"));
    }
}
