//! Arguments: one struct per heading of `--help`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::output::{Format, ReportFile};
use crate::config::{DefaultStream, FailOn, FileConfig, MinConfidence, ModuleLoading};

/// Finds GPU hangs, races and wrong timings in CUDA host code before they happen.
#[derive(Debug, Parser)]
#[command(name = "cudalint", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Look for mistakes in files and directories
    Check(Box<CheckArgs>),
    /// List the rules
    Rules(RulesArgs),
    /// Print what a rule finds, why it matters and what to do
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing found, 1 findings at or above --fail-on, 2 wrong usage or configuration, or an internal error."
)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub files: FileArgs,
    #[command(flatten)]
    pub compilation: CompilationArgs,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub(super) struct FileArgs {
    /// Files and directories to report on; the project around them is read too [default: .]
    pub paths: Vec<PathBuf>,
    /// Check the content of standard input under this name
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<PathBuf>,
    /// Read files that .gitignore and .ignore files leave out
    #[arg(long)]
    pub no_gitignore: bool,
    /// List the files that would be checked, and stop
    #[arg(long)]
    pub show_files: bool,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub jobs: usize,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Compilation")]
pub(super) struct CompilationArgs {
    /// Define a macro
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Treat a macro as undefined
    #[arg(short = 'U', long = "undefine", value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Take macros, language and default stream of each file from DIR/compile_commands.json
    #[arg(short = 'p', long = "compile-commands", value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// CUDA version the code is compiled with [default: 13.0]
    #[arg(long, value_name = "VERSION")]
    pub cuda_version: Option<String>,
    /// What stream 0 means [default: legacy]
    #[arg(long, value_name = "WHICH")]
    pub default_stream: Option<DefaultStream>,
    /// CUDA_MODULE_LOADING at run time [default: lazy]
    #[arg(long, value_name = "WHEN")]
    pub module_loading: Option<ModuleLoading>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct RuleArgs {
    /// Run only these: names, codes, code prefixes (CL1), groups (hang) or all
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Leave these out
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Run rules that are in preview too
    #[arg(long)]
    pub preview: bool,
    /// Report what documents allow to happen but no GPU was seen to do, too
    #[arg(long)]
    pub pedantic: bool,
    /// Least confidence to report [default: low]
    #[arg(long, value_name = "LEVEL")]
    pub min_confidence: Option<MinConfidence>,
    /// Report what comments in the source keep quiet, too
    #[arg(long)]
    pub no_ignores: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Configuration")]
pub(super) struct ConfigArgs {
    /// Use this file instead of the closest cudalint.toml
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Use no configuration file
    #[arg(long)]
    pub isolated: bool,
    /// Print the settings that hold, and stop
    #[arg(long)]
    pub show_settings: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Format of the findings on standard output [default: full]
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser())]
    pub format: Option<Format>,
    /// Write a report to a file as well; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = ReportFile::parse)]
    pub report: Vec<ReportFile>,
    /// Least severity that makes the exit code 1 [default: warning]
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Exit with 0 even when there are findings
    #[arg(long)]
    pub exit_zero: bool,
    /// Print counts per rule and of the analysis
    #[arg(long)]
    pub statistics: bool,
    /// Print how long each stage took
    #[arg(long)]
    pub timings: bool,
    /// When to colour [default: auto]
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: Colour,
    /// Print findings and errors only
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// Name, code or former name of a rule
    pub rule: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// For people
    Table,
    /// One JSON array
    Json,
    /// The table of the README
    Markdown,
}

impl CheckArgs {
    /// The flags that mirror configuration keys, as the nearest layer.
    pub fn layer(&self) -> FileConfig {
        let flag = |given: bool| given.then_some(true);
        FileConfig {
            select: (!self.rules.select.is_empty()).then(|| self.rules.select.clone()),
            ignore: self.rules.ignore.clone(),
            preview: flag(self.rules.preview),
            pedantic: flag(self.rules.pedantic),
            min_confidence: self.rules.min_confidence,
            fail_on: self.output.fail_on,
            format: self.output.format.map(|it| it.to_string()),
            define: self.compilation.define.clone(),
            undefine: self.compilation.undefine.clone(),
            compile_commands: self.compilation.compile_commands.clone(),
            cuda_version: self.compilation.cuda_version.clone(),
            default_stream: self.compilation.default_stream,
            module_loading: self.compilation.module_loading,
            ..FileConfig::default()
        }
    }
}
