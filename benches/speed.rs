//! How fast whole runs are, next to a bare parse and to other tools: `cargo bench --bench speed -- [OPTION…] [DIR…]`.
//!
//! Every contender is a process of its own; they take turns, so that a busy machine is busy for all. Times depend on
//! the machine; what can be compared are the ratios, each the median over the rounds of one process against another
//! of the same round.
//!
//! `--rounds N` sets how often (default 7), `--with-cppcheck` adds cppcheck, which is slow. ast-grep is used when
//! `AST_GREP`, the `PATH` or Python's scripts have it (`pip install ast-grep-cli`).

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use cudalint::syntax::{is_relevant, parse};
use ignore::{WalkBuilder, WalkState};
use rayon::prelude::*;

fn main() -> io::Result<ExitCode> {
    let mut arguments = std::env::args_os().skip(1).filter(|it| it != "--bench");
    let mut directories = Vec::new();
    let mut rounds = 7;
    let mut with_cppcheck = false;
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some(MEASURE) => return measure_one(arguments),
            Some(BARE_PARSE) => return Ok(bare_parse(arguments)),
            Some("--rounds") => {
                let count = arguments.next().and_then(|it| it.to_str()?.parse().ok());
                rounds = count.filter(|&it| it > 0).unwrap_or(rounds);
            }
            Some("--with-cppcheck") => with_cppcheck = true,
            _ => directories.push(PathBuf::from(argument)),
        }
    }
    if directories.is_empty() {
        directories.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    }

    let mut out = io::stdout().lock();
    let (mut measured, mut ratios) = (Vec::new(), Vec::new());
    for directory in &directories {
        let project = Project::around(directory)?;
        writeln!(
            out,
            "{}: {} files, {:.2} MB; {} relevant, {:.2} MB",
            project.root.display(),
            project.files,
            megabytes(project.bytes),
            project.relevant_files,
            megabytes(project.relevant_bytes),
        )?;
        let contenders = contenders(&project, with_cppcheck)?;
        let samples = race(&contenders, rounds)?;
        print_times(&mut out, &project, &contenders, &samples)?;
        print_ratios(&mut out, &contenders, &samples)?;
        ratios.push(Ratios::of(&project, &contenders, &samples));
        measured.push((project, samples));
    }
    print_growth(&mut out, &measured)?;
    print_table(&mut out, &ratios)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the rest of the command line and prints what it used; the resources of a process are known to its parent only.
const MEASURE: &str = "--measure";

/// Parses the relevant files of a directory and does nothing else.
const BARE_PARSE: &str = "--bare-parse";

/// What one process took.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    wall: Duration,
    user: Duration,
    peak_kilobytes: u64,
}

/// A command to race.
struct Contender {
    name: &'static str,
    command: Vec<OsString>,
}

/// Place of cudalint among the contenders.
const OURS: usize = 0;

/// Place of the bare parse among the contenders.
const BARE: usize = 1;

/// ast-grep looking for one pattern.
const ONE_CALL: &str = "ast-grep, one call";

/// What cudalint reads when it is asked for a directory.
struct Project {
    root: PathBuf,
    files: usize,
    bytes: u64,
    relevant_files: usize,
    relevant_bytes: u64,
}

impl Project {
    /// cudalint reads the project around the directory, so the others get it too.
    fn around(directory: &Path) -> io::Result<Self> {
        let directory = directory.canonicalize()?;
        let markers = ["cudalint.toml", ".git", "compile_commands.json"];
        let root = directory
            .ancestors()
            .find(|it| markers.iter().any(|marker| it.join(marker).exists()))
            .unwrap_or(&directory)
            .to_owned();
        let mut project = Project {
            files: 0,
            bytes: 0,
            relevant_files: 0,
            relevant_bytes: 0,
            root,
        };
        for file in source_files(&project.root) {
            let bytes = std::fs::read(file)?;
            project.files += 1;
            project.bytes += bytes.len() as u64;
            if is_relevant(&bytes) {
                project.relevant_files += 1;
                project.relevant_bytes += bytes.len() as u64;
            }
        }
        Ok(project)
    }
}

const EXTENSIONS: [&str; 14] = [
    "cu", "cuh", "cpp", "cc", "cxx", "c", "h", "hpp", "hh", "hxx", "inl", "ipp", "c++", "h++",
];

/// The files cudalint reads under a directory.
fn source_files(root: &Path) -> Vec<PathBuf> {
    let (sender, found) = std::sync::mpsc::channel();
    let mut builder = WalkBuilder::new(root);
    builder.require_git(false).build_parallel().run(|| {
        let sender = sender.clone();
        Box::new(move |entry| {
            if let Ok(entry) = entry
                && entry.file_type().is_some_and(|it| it.is_file())
                && is_source(entry.path())
            {
                let _ = sender.send(entry.into_path());
            }
            WalkState::Continue
        })
    });
    drop(sender);
    found.into_iter().collect()
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    EXTENSIONS.iter().any(|it| it.eq_ignore_ascii_case(extension))
}

fn bare_parse(directories: impl Iterator<Item = OsString>) -> ExitCode {
    let files: Vec<PathBuf> = directories.flat_map(|it| source_files(Path::new(&it))).collect();
    let parsed = |file: &PathBuf| {
        std::fs::read(file)
            .ok()
            .filter(|bytes| is_relevant(bytes))
            .and_then(|bytes| parse(&bytes))
            .map_or(0, |tree| u32::from(tree.root_node().has_error()))
    };
    // The sum keeps the work from being optimised away.
    match files.par_iter().with_max_len(1).map(parsed).sum::<u32>() {
        u32::MAX => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

fn contenders(project: &Project, with_cppcheck: bool) -> io::Result<Vec<Contender>> {
    let root = project.root.as_os_str();
    let contender = |name, program: &OsStr, arguments: &[&OsStr]| Contender {
        name,
        command: std::iter::once(program)
            .chain(arguments.iter().copied())
            .map(OsStr::to_owned)
            .collect(),
    };
    let text = OsStr::new;
    let this = std::env::current_exe()?;
    let mut contenders = vec![
        contender(
            "cudalint",
            text(env!("CARGO_BIN_EXE_cudalint")),
            &[text("check"), root, text("--exit-zero"), text("-q")],
        ),
        contender("bare parse", this.as_os_str(), &[text(BARE_PARSE), root]),
    ];
    if let Some(ast_grep) = find_ast_grep() {
        let config = ast_grep_config()?;
        let config = config.as_os_str();
        let one_call = [
            text("run"),
            text("-c"),
            config,
            text("-l"),
            text("cpp"),
            text("-p"),
        ];
        contenders.push(contender(
            ONE_CALL,
            ast_grep.as_os_str(),
            &[&one_call[..], &[text("cudaMemcpyAsync($$$)"), root]].concat(),
        ));
        let all = [text("scan"), text("-c"), config, text("--inline-rules")];
        contenders.push(contender(
            "ast-grep, all files parsed",
            ast_grep.as_os_str(),
            &[&all[..], &[text(PARSE_EVERYTHING), root]].concat(),
        ));
    }
    if with_cppcheck && let Some(cppcheck) = on_path("cppcheck") {
        let arguments = ["-j", "0", "-q", "--language=c++"].map(text);
        contenders.push(contender(
            "cppcheck",
            cppcheck.as_os_str(),
            &[&arguments[..], &[root]].concat(),
        ));
    }
    Ok(contenders)
}

/// The same search, said by the kind of the node: a pattern with a fixed word in it skips files without the word.
const PARSE_EVERYTHING: &str = "{id: x, language: cpp, rule: {kind: call_expression, \
     has: {field: function, regex: '^cudaMemcpyAsync$'}}}";

/// Without it ast-grep would not take `.cuh`, `.h` and `.inl` for C++: fewer files than cudalint reads.
fn ast_grep_config() -> io::Result<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("speed");
    std::fs::create_dir_all(&directory)?;
    let config = directory.join("sgconfig.yml");
    let globs = EXTENSIONS.map(|it| format!("\"*.{it}\"")).join(", ");
    std::fs::write(
        &config,
        format!("ruleDirs: []\nlanguageGlobs:\n  cpp: [{globs}]\n"),
    )?;
    Ok(config)
}

fn find_ast_grep() -> Option<PathBuf> {
    let scripts = || {
        let print = "import sysconfig; print(sysconfig.get_path('scripts'))";
        let output = Command::new("python3").args(["-c", print]).output().ok()?;
        let directory = String::from_utf8(output.stdout).ok()?;
        Some(Path::new(directory.trim_end()).join("ast-grep")).filter(|it| it.is_file())
    };
    std::env::var_os("AST_GREP")
        .map(PathBuf::from)
        .or_else(|| on_path("ast-grep"))
        .or_else(scripts)
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|it| it.join(program))
        .find(|it| it.is_file())
}

/// Samples by round, then by contender; a round before the first warms the caches.
fn race(contenders: &[Contender], rounds: usize) -> io::Result<Vec<Vec<Sample>>> {
    let round = |_| contenders.iter().map(sample).collect();
    let samples: io::Result<Vec<_>> = (0..=rounds).map(round).collect();
    samples.map(|mut samples| samples.split_off(1))
}

fn sample(contender: &Contender) -> io::Result<Sample> {
    let output = Command::new(std::env::current_exe()?)
        .arg(MEASURE)
        .args(&contender.command)
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u64> = text.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    match numbers.as_slice() {
        &[wall, user, peak_kilobytes] => Ok(Sample {
            wall: Duration::from_micros(wall),
            user: Duration::from_micros(user),
            peak_kilobytes,
        }),
        _ => Err(io::Error::other(format!(
            "{} did not run to its end",
            contender.name
        ))),
    }
}

fn measure_one(mut command: impl Iterator<Item = OsString>) -> io::Result<ExitCode> {
    let program = command.next().unwrap_or_default();
    let started = Instant::now();
    let status = Command::new(program)
        .args(command)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    let wall = started.elapsed().as_micros();
    if status.code().is_none() {
        return Ok(ExitCode::FAILURE);
    }
    let (user, kilobytes) = used_by_children()?;
    writeln!(io::stdout(), "{wall} {user} {kilobytes}")?;
    Ok(ExitCode::SUCCESS)
}

/// User time in microseconds and peak memory in kilobytes of the processes this one waited for.
#[cfg(unix)]
fn used_by_children() -> io::Result<(i64, i64)> {
    use nix::sys::resource::{UsageWho, getrusage};

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = usage.user_time();
    let peak = usage.max_rss();
    let kilobytes = if cfg!(target_os = "macos") {
        peak >> 10
    } else {
        peak
    };
    Ok((time.tv_sec() * 1_000_000 + time.tv_usec(), kilobytes))
}

/// Not known here: the columns stay empty.
#[cfg(not(unix))]
fn used_by_children() -> io::Result<(i64, i64)> {
    Ok((0, 0))
}

fn print_times(
    out: &mut impl Write,
    project: &Project,
    contenders: &[Contender],
    samples: &[Vec<Sample>],
) -> io::Result<()> {
    writeln!(
        out,
        "  {:<28} {:>25}  {:>25}  {:>8}  {:>6}",
        "", "wall ms min/median/max", "user ms min/median/max", "peak MB", "MB/s"
    )?;
    for (index, contender) in contenders.iter().enumerate() {
        let of = |value: fn(&Sample) -> f64| Spread::of(samples.iter().map(|round| value(&round[index])));
        let wall = of(|it| it.wall.as_secs_f64() * 1e3);
        let user = of(|it| it.user.as_secs_f64() * 1e3);
        let peak = of(|it| it.peak_kilobytes as f64 / 1e3);
        let rate = megabytes(project.relevant_bytes) / (wall.median / 1e3);
        writeln!(
            out,
            "  {:<28} {:>25}  {:>25}  {:>8.1}  {rate:>6.1}",
            contender.name,
            wall.to_string(),
            user.to_string(),
            peak.max
        )?;
    }
    Ok(())
}

fn print_ratios(out: &mut impl Write, contenders: &[Contender], samples: &[Vec<Sample>]) -> io::Result<()> {
    for (index, contender) in contenders.iter().enumerate() {
        if index == OURS {
            continue;
        }
        let of = |value: fn(&Sample) -> f64| {
            let ratio =
                |round: &Vec<Sample>| value(&round[OURS]) / value(&round[index]).max(f64::MIN_POSITIVE);
            Spread::of(samples.iter().map(ratio))
        };
        let wall = of(|it| it.wall.as_secs_f64());
        let user = of(|it| it.user.as_secs_f64());
        let peak = of(|it| it.peak_kilobytes as f64);
        let (wall_target, user_target) = match index {
            BARE => (String::new(), verdict(user.median, 1.5)),
            _ if contender.name.starts_with("ast-grep") => (verdict(wall.median, 1.0), String::new()),
            _ => (String::new(), String::new()),
        };
        writeln!(
            out,
            "  cudalint / {:<26} wall {:>5.2} {wall_target:<23} user {:>5.2} {user_target:<23} peak memory {:>5.2}",
            contender.name, wall.median, user.median, peak.median
        )?;
    }
    let peak = samples.iter().map(|round| round[OURS].peak_kilobytes).max();
    let peak = peak.unwrap_or_default() as f64 / 1e3;
    writeln!(
        out,
        "  cudalint peak memory {peak:.1} MB {}\n",
        verdict(peak, 300.0)
    )
}

/// Time per byte must not grow with the project.
fn print_growth(out: &mut impl Write, measured: &[(Project, Vec<Vec<Sample>>)]) -> io::Result<()> {
    writeln!(
        out,
        "{:>11}  {:>9}  {:>22}  {:>24}",
        "relevant MB", "user ms", "cudalint user ms per MB", "bare parse user ms per MB"
    )?;
    let mut measured: Vec<_> = measured.iter().collect();
    measured.sort_by_key(|(project, _)| project.relevant_bytes);
    for (project, samples) in measured {
        let user = |index: usize| {
            Spread::of(samples.iter().map(|round| round[index].user.as_secs_f64() * 1e3)).median
        };
        let size = megabytes(project.relevant_bytes).max(f64::MIN_POSITIVE);
        writeln!(
            out,
            "{size:>11.2}  {:>9.1}  {:>23.1}  {:>25.1}  {}",
            user(OURS),
            user(OURS) / size,
            user(BARE) / size,
            project.root.display()
        )?;
    }
    Ok(())
}

/// What cudalint takes next to the others, on one project.
struct Ratios {
    project: String,
    relevant_bytes: u64,
    peak_kilobytes: u64,
    /// CPU time and peak memory against the bare parse, then against ast-grep's one call where it is there.
    against: Vec<Option<(f64, f64)>>,
}

impl Ratios {
    fn of(project: &Project, contenders: &[Contender], samples: &[Vec<Sample>]) -> Self {
        let one_call = contenders.iter().position(|it| it.name == ONE_CALL);
        let median = |value: &dyn Fn(&Vec<Sample>) -> f64| Spread::of(samples.iter().map(value)).median;
        let against = |other: usize| {
            let user = |it: &Sample| it.user.as_secs_f64();
            let peak = |it: &Sample| it.peak_kilobytes as f64;
            (
                median(&|round| user(&round[OURS]) / user(&round[other]).max(f64::MIN_POSITIVE)),
                median(&|round| peak(&round[OURS]) / peak(&round[other]).max(f64::MIN_POSITIVE)),
            )
        };
        let name = project.root.file_name().unwrap_or(project.root.as_os_str());
        Ratios {
            project: name.to_string_lossy().into_owned(),
            relevant_bytes: project.relevant_bytes,
            peak_kilobytes: samples
                .iter()
                .map(|round| round[OURS].peak_kilobytes)
                .max()
                .unwrap_or_default(),
            against: vec![Some(against(BARE)), one_call.map(against)],
        }
    }
}

/// CPU time and peak memory of all projects, to be read side by side.
fn print_table(out: &mut impl Write, ratios: &[Ratios]) -> io::Result<()> {
    writeln!(
        out,
        "\n| project | relevant MB | CPU / bare parse | CPU / ast-grep, one call | peak MB | peak / bare parse \
         | peak / ast-grep, one call |\n|---|---|---|---|---|---|---|"
    )?;
    for it in ratios {
        let cells = |value: fn((f64, f64)) -> f64| -> Vec<String> {
            let known = it.against.iter().map(|it| it.map(value));
            known
                .map(|it| it.map_or("-".to_owned(), |it| format!("{it:.2}")))
                .collect()
        };
        writeln!(
            out,
            "| {} | {:.2} | {} | {:.0} | {} |",
            it.project,
            megabytes(it.relevant_bytes),
            cells(|it| it.0).join(" | "),
            it.peak_kilobytes as f64 / 1e3,
            cells(|it| it.1).join(" | ")
        )?;
    }
    Ok(())
}

/// What a target says of a value.
fn verdict(value: f64, target: f64) -> String {
    let word = if value <= target { "met" } else { "MISSED" };
    format!("(at most {target}: {word})")
}

struct Spread {
    min: f64,
    median: f64,
    max: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Spread {
            min: values.first().copied().unwrap_or_default(),
            median: values.get(values.len() / 2).copied().unwrap_or_default(),
            max: values.last().copied().unwrap_or_default(),
        }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} / {:.1} / {:.1}", self.min, self.median, self.max)
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
