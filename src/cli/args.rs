//! Arguments: one struct per heading of `--help`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::output::{Format, ReportFile};
use crate::config::{DefaultStream, FailOn, FileConfig, MinConfidence, ModuleLoading, SeverityWord};
use crate::diagnostics::rule::{GROUPS, RULES, Status};
use crate::project::changed::Since;

/// Finds GPU hangs, races and wrong timings in CUDA host code before they happen.
#[derive(Debug, Parser)]
#[command(name = "cudalint", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  cudalint check                         the project around the working directory
  cudalint check src/a.cu -p build       one file, with the flags of build/compile_commands.json
  cudalint check --staged                what the next commit changes
  cudalint check --report html=hang.html every finding as a picture, on one page
  cudalint check --diff --unsafe-fixes   what fixes would change
  cudalint explain CL102                 what a rule finds, why it matters, what to do";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Look for mistakes in files and directories
    Check(Box<CheckArgs>),
    /// Compile and run the rules' own sample programs on the GPU, and see whether they do what is predicted
    #[cfg(all(feature = "verify", unix))]
    Verify(VerifyArgs),
    /// Measure on the GPU which calls wait behind a kernel or a wait that cannot end; needs no nvcc
    #[cfg(all(feature = "verify", unix))]
    Probe(ProbeArgs),
    /// Print what functions do with the streams they are handed
    Contracts(Box<ContractsArgs>),
    /// List the rules
    Rules(RulesArgs),
    /// Print what a rule finds, why it matters and what to do
    Explain(ExplainArgs),
    /// Draw findings of a JSON report as a picture or a page
    Draw(DrawArgs),
    /// Write a configuration file to start with
    Init(InitArgs),
    /// Talk with an editor over standard input and output (language server protocol)
    Server(ServerArgs),
    /// Print the version
    Version {
        /// As one JSON object, with what this build can do
        #[arg(long)]
        json: bool,
    },
    /// Write manual pages
    Man(ManArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 the editor said good-bye, 1 it went without, 2 what it said were no messages."
)]
pub(super) struct ServerArgs {
    /// Accepted because editors give it: there is no other way to talk
    #[arg(long, hide = true)]
    pub stdio: bool,
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
    pub fixes: FixArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[cfg(all(feature = "verify", unix))]
    #[command(flatten)]
    pub verification: VerificationArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub(super) struct FileArgs {
    /// Files and directories to report on; the project around them is read too [default: .]
    pub paths: Vec<PathBuf>,
    /// Report only on files that changed since the last commit
    #[arg(long, conflicts_with_all = ["staged", "since"])]
    pub changed: bool,
    /// Report only on files that the next commit changes
    #[arg(long, conflicts_with = "since")]
    pub staged: bool,
    /// Report only on files that changed since the work left REV
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Check the content of standard input under this name
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<PathBuf>,
    /// Leave files and directories out, as .gitignore would
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Read files that .gitignore and .ignore files leave out
    #[arg(long)]
    pub no_gitignore: bool,
    /// List the files that would be checked, and stop
    #[arg(long)]
    pub show_files: bool,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = at_once)]
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
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = RuleWord::Several, hide_possible_values = true)]
    pub select: Vec<String>,
    /// Leave these out
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = RuleWord::Several, hide_possible_values = true)]
    pub ignore: Vec<String>,
    /// Make findings of these rules errors
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = RuleWord::Several, hide_possible_values = true)]
    pub deny: Vec<String>,
    /// Make findings of these rules warnings
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = RuleWord::Several, hide_possible_values = true)]
    pub warn: Vec<String>,
    /// Make findings of these rules infos
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = RuleWord::Several, hide_possible_values = true)]
    pub info: Vec<String>,
    /// Run rules that are in preview too
    #[arg(long)]
    pub preview: bool,
    /// Report what documents allow to happen but no GPU was seen to do, too
    #[arg(long)]
    pub pedantic: bool,
    /// Least confidence to report [default: medium, with --pedantic low]
    #[arg(long, value_name = "LEVEL")]
    pub min_confidence: Option<MinConfidence>,
    /// Report what comments in the source keep quiet, too
    #[arg(long)]
    pub no_ignores: bool,
    /// Leave out the findings this file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is found to the baseline, and report nothing
    #[arg(long, conflicts_with_all = ["fix", "diff"])]
    pub update_baseline: bool,
    /// Write a comment above each finding that keeps it quiet
    #[arg(long, conflicts_with_all = ["fix", "diff", "update_baseline", "stdin_filename"])]
    pub add_suppressions: bool,
    /// With --add-suppressions: why, to stand in each comment
    #[arg(
        long,
        value_name = "TEXT",
        requires = "add_suppressions",
        hide_short_help = true
    )]
    pub reason: Option<String>,
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
#[command(next_help_heading = "Fixes")]
pub(super) struct FixArgs {
    /// Apply fixes that change nothing about what the program means
    #[arg(long)]
    pub fix: bool,
    /// With --fix or --diff: also fixes that are probably what was meant
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Print what --fix would change, and write nothing; the exit code is 1 when there is anything
    #[arg(long)]
    pub diff: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Format of the findings on standard output [default: full]
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser())]
    pub format: Option<Format>,
    /// Write the findings to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
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
    /// Print the launches and CUDA calls that no path reached, and why
    #[arg(long)]
    pub show_unreached: bool,
    /// Print how long each stage took
    #[arg(long)]
    pub timings: bool,
    /// When to colour [default: auto]
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: Colour,
    /// Print findings and errors only
    #[arg(short, long)]
    pub quiet: bool,
    /// Say what is read and what holds, too
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

#[cfg(all(feature = "verify", unix))]
#[derive(Debug, Args)]
#[command(next_help_heading = "Verification on a GPU")]
pub(super) struct VerificationArgs {
    /// Run the programs that were checked, and say which findings are confirmed
    #[arg(long, conflicts_with_all = ["fix", "diff"])]
    pub verify: bool,
    /// Let a debugger look at hangs; show what it saw beside the steps
    #[arg(long, requires = "verify")]
    pub explain: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// How programs are compiled and run.
#[cfg(all(feature = "verify", unix))]
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Yes, run these programs, whatever they do
    #[arg(long)]
    pub run_user_code: bool,
    /// The compiler [default: nvcc on PATH, in CUDA_HOME, or in Python]
    #[arg(long, value_name = "PATH")]
    pub nvcc: Option<PathBuf>,
    /// What to compile for, e.g. sm_90 [default: the GPU at hand]
    #[arg(long, value_name = "ARCH")]
    pub arch: Option<String>,
    /// Runs of each program in each loading mode
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub trials: u32,
    /// Seconds after which a run counts as a hang
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub timeout: f64,
    /// Seconds one compilation may take
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub compile_timeout: u64,
    /// Programs to run at once; what is not as predicted then is repeated alone
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1, value_parser = at_once)]
    pub gpu_jobs: usize,
    /// Arguments for the programs, quoted as in a shell
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    pub args: Vec<String>,
    /// Environment of the programs
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE", value_parser = assignment)]
    pub env: Vec<(String, String)>,
    /// Arguments for the compiler, quoted as in a shell
    #[arg(long, hide_short_help = true, value_name = "ARGS", allow_hyphen_values = true)]
    pub build_args: Vec<String>,
    /// Keep sources, programs and objects
    #[arg(long, hide_short_help = true)]
    pub keep: bool,
    /// Do not ask the GPU what it is and how it is
    #[arg(long, hide = true)]
    pub no_gpu_check: bool,
}

/// How many things are done at once; more than this only takes memory.
fn at_once(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|it| *it <= 1024);
    number.ok_or_else(|| "write a number, at most 1024".to_owned())
}

#[cfg(all(feature = "verify", unix))]
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text
        .parse::<f64>()
        .ok()
        .filter(|it| (0.01..=86_400.0).contains(it));
    seconds.ok_or_else(|| "write seconds, from 0.01 to 86400".to_owned())
}

#[cfg(all(feature = "verify", unix))]
fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or("write `NAME=VALUE`")?;
    match name {
        "CUDA_MODULE_LOADING" => Err("programs run with both values of it".to_owned()),
        _ => Ok((name.to_owned(), value.to_owned())),
    }
}

#[cfg(all(feature = "verify", unix))]
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 everything is as predicted, 1 something is not, 2 it could not be found out."
)]
pub(super) struct VerifyArgs {
    /// Fixtures: paths, or names of shipped ones like `spin-without-preload` [default: all shipped ones]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    /// Programs to compile at once [default: one per core]
    #[arg(short, long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = at_once)]
    pub jobs: usize,
    /// Only compile, to objects; needs no GPU
    #[arg(long, conflicts_with = "record")]
    pub compile_only: bool,
    /// Apply the fixes of the bad ones to copies of them, and see whether the fixed programs complete
    #[arg(long)]
    pub fix: bool,
    /// Let a debugger look at the first hang of each program
    #[arg(long)]
    pub explain: bool,
    /// Record what the programs did in DIR/<gpu>_<driver>_<cuda>.json [default: rules/evidence]
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = "rules/evidence")]
    pub record: Option<PathBuf>,
    /// Leave out fixtures whose record there is about what they are now
    #[arg(long, requires = "record")]
    pub resume: bool,
    /// How to print what came out
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: VerifyFormat,
    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[cfg(all(feature = "verify", unix))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum VerifyFormat {
    /// For people
    Table,
    /// One JSON object
    Json,
}

#[cfg(all(feature = "verify", unix))]
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 this machine does what rules/api.toml says and what an H100 did, 1 it differs, 2 it could not be found out."
)]
pub(super) struct ProbeArgs {
    /// Only these: groups like M1, or beginnings of names of cases like M1/free/kernel
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Only these operations, e.g. free,launch-fresh
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub ops: Vec<String>,
    /// List the cases, and stop
    #[arg(long)]
    pub list: bool,
    /// Seconds after which no more cases are begun
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = seconds)]
    pub budget: f64,
    /// Seconds one case may take
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = seconds)]
    pub timeout: f64,
    /// Cases to run at once; what is not as expected is repeated with a quarter as many
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = at_once)]
    pub gpu_jobs: usize,
    /// Keep what is seen in FILE as it comes, and leave out what it holds already
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Run nothing: report what FILE, kept by an earlier run anywhere, holds
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub report: Option<PathBuf>,
    /// Take plain.cubin and heap.cubin from DIR instead of compiling with NVRTC
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub kernels: Option<PathBuf>,
    /// How to print what came out
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: VerifyFormat,
    /// Write the JSON object to FILE as well
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Run this in place of the cases
    #[arg(long, hide = true)]
    pub child: Option<PathBuf>,
    /// Do not ask the GPU what it is and how it is
    #[arg(long, hide = true)]
    pub no_gpu_check: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 printed, 2 wrong usage or configuration, a file that cannot be read, or an internal error."
)]
pub(super) struct ContractsArgs {
    /// Files and directories that declare the functions; the project around them is read too [default: .]
    pub paths: Vec<PathBuf>,
    /// How to print them
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
    #[command(flatten)]
    pub compilation: CompilationArgs,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = at_once)]
    pub jobs: usize,
}

#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// List only these: names, codes, code prefixes (CL1) or groups (hang) [default: all]
    #[arg(value_name = "RULES", value_parser = RuleWord::Several, hide_possible_values = true)]
    pub rules: Vec<String>,
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The folder for them, e.g. ~/.local/share/man/man1
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// Name, code or former name of a rule, or a place with a finding: PATH:LINE
    #[arg(value_parser = RuleWord::One, hide_possible_values = true, value_name = "RULE|PATH:LINE")]
    pub what: String,
    /// Show it in the browser, with the picture of the finding, or of the rule's example
    #[arg(long)]
    pub open: bool,
    /// Print it at once, whatever the terminal's height
    #[arg(long)]
    pub no_pager: bool,
    /// When to colour [default: auto]
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: Colour,
}

/// A word for rules: any text is taken, so that what is wrong with it is said in one place; shells complete what there is.
#[derive(Clone, Copy, Debug)]
enum RuleWord {
    /// One rule.
    One,
    /// Groups, too.
    Several,
}

impl TypedValueParser for RuleWord {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let groups = match self {
            RuleWord::One => &[][..],
            RuleWord::Several => GROUPS,
        };
        let rules = RULES.iter().filter(|it| it.status != Status::Removed);
        let names = rules
            .clone()
            .map(|it| PossibleValue::new(it.name).help(it.summary));
        let codes = rules.map(|it| PossibleValue::new(it.code).help(it.name));
        let groups = groups
            .iter()
            .map(|it| PossibleValue::new(*it).help("a group of rules"));
        Some(Box::new(names.chain(codes).chain(groups)))
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "cudalint check --format json | cudalint draw - --output-file hang.svg draws the first finding."
)]
pub(super) struct DrawArgs {
    /// What `cudalint check --format json` wrote, or - for standard input
    pub report: PathBuf,
    /// Which finding, by number (from 1), code, name of the rule or fingerprint [default: the first with a picture]
    #[arg(long, value_name = "WHICH")]
    pub finding: Option<String>,
    /// A picture of one finding, or a page with all of them
    #[arg(long, value_name = "FORMAT", default_value = "svg")]
    pub format: DrawFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DrawFormat {
    /// One finding
    Svg,
    /// All findings on one page
    Html,
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// Where [default: the working directory]
    pub directory: Option<PathBuf>,
    /// Write .pre-commit-config.yaml, too
    #[arg(long)]
    pub hook: bool,
    /// Write .github/workflows/cudalint.yml, too
    #[arg(long)]
    pub workflow: bool,
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
    /// For programs
    Json,
    /// A table for documentation
    Markdown,
}

impl CompilationArgs {
    /// What the options say, as a configuration file would.
    pub fn layer(&self) -> FileConfig {
        FileConfig {
            define: self.define.clone(),
            undefine: self.undefine.clone(),
            compile_commands: self.compile_commands.clone(),
            cuda_version: self.cuda_version.clone(),
            default_stream: self.default_stream,
            module_loading: self.module_loading,
            ..FileConfig::default()
        }
    }
}

impl CheckArgs {
    /// `--deny`, `--warn` and `--info`; of one word given twice, the milder one holds.
    fn severity(&self) -> BTreeMap<String, SeverityWord> {
        let given = [
            (&self.rules.deny, SeverityWord::Error),
            (&self.rules.warn, SeverityWord::Warning),
            (&self.rules.info, SeverityWord::Info),
        ];
        let pairs = given
            .into_iter()
            .flat_map(|(rules, word)| rules.iter().map(move |it| (it.clone(), word)));
        pairs.collect()
    }

    /// What git is asked, if anything.
    pub fn since(&self) -> Option<Since> {
        match &self.files {
            FileArgs { changed: true, .. } => Some(Since::LastCommit),
            FileArgs { staged: true, .. } => Some(Since::Staged),
            FileArgs { since, .. } => since.clone().map(Since::Revision),
        }
    }

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
            severity: self.severity(),
            format: self.output.format.map(|it| it.to_string()),
            baseline: self.rules.baseline.clone(),
            exclude: self.files.exclude.clone(),
            ..self.compilation.layer()
        }
    }
}
