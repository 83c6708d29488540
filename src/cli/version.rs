//! `cudalint version`: which build this is.

use super::Ending;
use super::output::{Failure, Stdout};
use crate::diagnostics::rule::{RULES, Status};

/// Prints the version, or all that is known of the build.
pub(super) fn run(json: bool) -> Result<Ending, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let text = match json {
        false => format!("cudalint {version}\n"),
        true => format!("{:#}\n", build(version)),
    };
    Stdout::new().write_all(text.as_bytes())?;
    Ok(Ending::Clean)
}

fn build(version: &str) -> serde_json::Value {
    let rules = RULES.iter().filter(|it| it.status != Status::Removed);
    serde_json::json!({
        "name": "cudalint",
        "version": version,
        "os": std::env::consts::OS,
        "arch": std::env::consts::ARCH,
        "verify": cfg!(all(feature = "verify", unix)),
        "rules": rules.count(),
        "formats": crate::report::Format::ALL.map(crate::report::Format::as_str),
    })
}
