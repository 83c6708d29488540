//! The command line: arguments, what goes to standard output and what to standard error, exit codes.

mod args;
mod baseline;
mod browser;
mod check;
mod contracts;
mod draw;
mod explain;
mod fix;
mod init;
mod output;
mod pager;
#[cfg(all(feature = "verify", unix))]
mod probe;
mod progress;
mod rules;
mod server;
mod suppress;
#[cfg(all(feature = "verify", unix))]
mod verify;
mod version;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

pub use args::Cli;
use args::Command;
use output::{Failure, Stdout};

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Nothing found, or nothing that was asked to fail.
    Clean,
    /// Findings at or above `--fail-on`.
    Findings,
    /// An editor left the language server without a word.
    Abrupt,
    /// Wrong usage or configuration, or a bug of the tool.
    Trouble,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Clean => ExitCode::SUCCESS,
            Ending::Findings | Ending::Abrupt => ExitCode::from(1),
            Ending::Trouble => ExitCode::from(2),
        }
    }
}

/// Runs the command.
pub fn main() -> ExitCode {
    #[cfg(all(feature = "verify", unix))]
    if let Some(code) = crate::verify::launcher::intercept() {
        return code;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe behind `--help` is no reason to fail.
            let _ = error.print();
            if error.kind() == clap::error::ErrorKind::InvalidSubcommand {
                output::say("hint", "`cudalint check PATHS` looks for mistakes in files");
            }
            return if error.use_stderr() {
                Ending::Trouble.into()
            } else {
                Ending::Clean.into()
            };
        }
    };
    crate::project::guard::quiet_guarded_panics();
    let ending = match cli.command {
        Command::Check(args) => check::run(&args),
        #[cfg(all(feature = "verify", unix))]
        Command::Verify(args) => verify::run(&args),
        #[cfg(all(feature = "verify", unix))]
        Command::Probe(args) => probe::run(&args),
        Command::Contracts(args) => contracts::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Draw(args) => draw::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Server(_) => server::run(),
        Command::Version { json } => version::run(json),
        Command::Man(args) => man(&args),
        Command::Completions { shell } => completions(shell),
    };
    ending
        .unwrap_or_else(|failure| {
            output::error(&failure);
            Ending::Trouble
        })
        .into()
}

/// Writes one page for the command and one for each of its commands.
fn man(args: &args::ManArgs) -> Result<Ending, Failure> {
    let failed = |reason| Failure::Write {
        to: args.out.display().to_string(),
        reason,
    };
    std::fs::create_dir_all(&args.out).map_err(failed)?;
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, &args.out).map_err(failed)?;
    Ok(Ending::Clean)
}

fn completions(shell: clap_complete::Shell) -> Result<Ending, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "cudalint", &mut script);
    Stdout::new().write_all(&script)?;
    Ok(Ending::Clean)
}
