//! `cudalint server`: the language server over standard input and output.

use std::io::{BufReader, stdin, stdout};

use super::Ending;
use super::output::Failure;
use crate::server;

/// Talks with an editor until it leaves.
pub(super) fn run() -> Result<Ending, Failure> {
    let ending = server::run(BufReader::new(stdin()), stdout());
    let broken = |message: String| Failure::Usage {
        message,
        hint: Some("an editor starts this command: see docs/editors.md".to_owned()),
    };
    match ending.map_err(|error| broken(format!("cannot start a thread: {error}")))? {
        server::Ending::Clean => Ok(Ending::Clean),
        server::Ending::Abrupt => Ok(Ending::Abrupt),
        server::Ending::Broken(problem) => Err(broken(problem)),
    }
}
