//! `cudalint explain`: the card of a rule, or what is found at a line; as text, or as a page in the browser.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Ending;
use super::args::ExplainArgs;
use super::browser;
use super::output::{self, Failure, Stdout};
use super::pager;
use crate::config::{ConfigSource, FileConfig, Layer, Selector, Store};
use crate::diagnostics::rule::{Rule, Status, rule, suggestion};
use crate::diagnostics::source::Sources;
use crate::diagnostics::{Finding, Safety};
use crate::project::{self, Analysis, Discovered, Request, SourceFile};
use crate::report::text::wrap;
use crate::report::{self, Format, Report, RunInfo, Statistics, html};

/// Explains a rule, or what is found at a place.
pub(super) fn run(args: &ExplainArgs) -> Result<Ending, Failure> {
    if let Some(rule) = rule(&args.what) {
        match args.open {
            true => {
                let example = checked_example(rule)?;
                browser::show(rule.code, &page(&example, &[rule]))?;
            }
            false => show(args, &told(rule, output::colour(args.color)))?,
        }
        return Ok(Ending::Clean);
    }
    let Some((path, line)) = place(&args.what) else {
        return Err(unknown(&args.what));
    };
    let analysis = found_at(&path, line)?;
    let mut rules: Vec<&Rule> = analysis.findings.iter().filter_map(|it| rule(it.code)).collect();
    rules.sort_by_key(|it| it.code);
    rules.dedup_by_key(|it| it.code);
    if rules.is_empty() {
        return Err(Failure::Usage {
            message: format!("nothing is found at {}:{line}", path.display()),
            hint: Some(format!("`cudalint check {}` says what is found", path.display())),
        });
    }
    if args.open {
        let name = format!("finding-{line}");
        browser::show(&name, &page(&analysis, &rules))?;
        return Ok(Ending::Clean);
    }
    let colour = output::colour(args.color);
    let mut text = Vec::new();
    let rendered = with_report(&analysis, |report| {
        report::render(Format::Full, report, colour, output::width(), &mut text)
    });
    rendered.map_err(|reason| Failure::Write {
        to: "standard output".to_owned(),
        reason,
    })?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    for rule in rules {
        text.push('\n');
        text.push_str(&told(rule, colour));
    }
    show(args, &text)?;
    Ok(Ending::Clean)
}

fn unknown(name: &str) -> Failure {
    let several = Selector::parse(name).is_ok();
    let hint = match suggestion(name) {
        _ if several => format!("`cudalint rules {name}` lists them"),
        Some(it) => format!("did you mean `{it}`?"),
        None => "`cudalint rules` lists them".to_owned(),
    };
    let message = match several {
        true => format!("`{name}` is more than one rule"),
        false => format!("unknown rule `{name}`"),
    };
    Failure::Usage {
        message,
        hint: Some(hint),
    }
}

/// A file that is there and a line of it: `PATH:LINE`, or `PATH:LINE:COLUMN` as reports name places.
fn place(words: &str) -> Option<(PathBuf, u32)> {
    let (path, line) = words.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    let is_file = |it: &str| Path::new(it).is_file();
    match path.rsplit_once(':').map(|(path, line)| (path, line.parse())) {
        Some((path, Ok(line))) if is_file(path) => Some((path.into(), line)),
        _ if is_file(path) => Some((path.into(), line)),
        _ => None,
    }
}

/// What is found where one of its steps, or the finding itself, begins in a line.
fn found_at(path: &Path, line: u32) -> Result<Analysis, Failure> {
    let here = std::env::current_dir().and_then(|it| it.canonicalize());
    let here = here.map_err(|error| Failure::Usage {
        message: format!("cannot find the working directory: {error}"),
        hint: None,
    })?;
    let request = Request {
        paths: vec![path.to_owned()],
        working_directory: here.clone(),
        respect_gitignore: true,
        contents: Default::default(),
        only: None,
    };
    let layer = Layer {
        base: here,
        config: FileConfig::default(),
    };
    let project = project::discover(&request, &mut Store::new(ConfigSource::Closest, layer))?;
    let named: Vec<Arc<str>> = project
        .files
        .iter()
        .filter(|it| it.reported)
        .map(|it| Arc::clone(&it.shown))
        .collect();
    let mut analysis = project::analyse(project, 0, false)?;
    let sources = Sources::new(&analysis.findings, &analysis.sources);
    let begins_here = |finding: &Finding| {
        let mut places = finding.locations();
        places.any(|it| named.contains(&it.path) && sources.range(it).0.line == line)
    };
    let wanted: Vec<Finding> = analysis
        .findings
        .iter()
        .filter(|it| begins_here(it))
        .cloned()
        .collect();
    analysis.findings = wanted;
    Ok(analysis)
}

/// What a rule finds in the example of its card.
fn checked_example(rule: &Rule) -> Result<Analysis, Failure> {
    let example = rule.card.split("```cuda\n").nth(1);
    let example = example
        .and_then(|it| it.split("\n```").next())
        .unwrap_or_default();
    let base = std::env::temp_dir();
    let layer = Layer {
        base: base.clone(),
        config: FileConfig {
            // A comment is only of no use where the rules it names run.
            select: Some(vec!["all".to_owned()]),
            preview: Some(true),
            pedantic: Some(true),
            ..FileConfig::default()
        },
    };
    let settings = Store::new(ConfigSource::Isolated, layer).for_directory(&base)?;
    let path = PathBuf::from(format!("{}.cu", rule.name));
    let file = SourceFile {
        shown: path.display().to_string().into(),
        reported: true,
        named: true,
        settings: settings.for_file(&base.join(&path)),
        content: Some(format!("{example}\n").into_bytes().into()),
        path,
    };
    let project = Discovered {
        progress: Arc::default(),
        root: None,
        settings,
        files: vec![file],
        warnings: Vec::new(),
    };
    let mut analysis = project::analyse(project, 0, false)?;
    analysis.findings.retain(|it| it.code == rule.code);
    Ok(analysis)
}

/// A page of findings and of the rules they are about.
fn page(analysis: &Analysis, rules: &[&Rule]) -> String {
    with_report(analysis, |report| {
        html::explained(&report::document(report), rules)
    })
}

fn with_report<T>(analysis: &Analysis, use_it: impl FnOnce(&Report<'_>) -> T) -> T {
    use_it(&Report {
        findings: &analysis.findings,
        sources: &analysis.sources,
        statistics: &Statistics {
            files: analysis.reported_files,
            ..Statistics::default()
        },
        rules: &[],
        version: env!("CARGO_PKG_VERSION"),
        run: RunInfo::default(),
    })
}

fn card(rule: &Rule) -> String {
    format!(
        "# {} ({})\n\n{}\n\n{}\n\n{}\n",
        rule.name,
        rule.code,
        rule.summary,
        standing(rule),
        rule.card.trim()
    )
}

/// The card of a rule: for a terminal in lines that fit, elsewhere as it is written.
fn told(rule: &Rule, colour: bool) -> String {
    let text = match std::io::stdout().is_terminal() {
        true => fitted(&card(rule), output::width().min(WIDEST)),
        false => card(rule),
    };
    match colour {
        true => painted(&text),
        false => text,
    }
}

/// Longer lines are hard to read.
const WIDEST: usize = 100;

/// Paragraphs and points in lines of this width; code, tables and headings stay.
fn fitted(text: &str, width: usize) -> String {
    let (mut lines, mut paragraph) = (String::new(), String::new());
    let mut is_code = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        let stands = is_code || is_fence || line.is_empty() || line.starts_with(['#', '|']);
        is_code ^= is_fence;
        if stands || marker(line) > 0 {
            lines.push_str(&broken(&std::mem::take(&mut paragraph), width));
        }
        match stands {
            true => lines.extend([line, "\n"]),
            false if paragraph.is_empty() => paragraph.push_str(line.trim_end()),
            false => paragraph.extend([" ", line.trim()]),
        }
    }
    lines.push_str(&broken(&paragraph, width));
    lines
}

fn broken(paragraph: &str, width: usize) -> String {
    if paragraph.is_empty() {
        return String::new();
    }
    let (mark, words) = paragraph.split_at(marker(paragraph));
    format!("{mark}{}\n", wrap(words, width, mark.len()))
}

/// Bytes of what begins a point of a list: `- ` or `1. `, and the blanks before it.
fn marker(line: &str) -> usize {
    let words = line.trim_start();
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let length = match &words[digits..] {
        rest if digits > 0 && rest.starts_with(". ") => digits + 2,
        rest if digits == 0 && rest.starts_with("- ") => 2,
        _ => return 0,
    };
    line.len() - words.len() + length
}

fn show(args: &ExplainArgs, text: &str) -> Result<(), Failure> {
    match args.no_pager {
        true => Stdout::new().write_all(text.as_bytes()),
        false => pager::show(text),
    }
}

/// Headings stand out, and so does what is marked in an example.
fn painted(text: &str) -> String {
    let mut is_code = false;
    let line = |line: &str| {
        if line.starts_with("```") {
            is_code = !is_code;
            return format!("\u{1b}[2m{line}\u{1b}[0m\n");
        }
        match line {
            _ if is_code && line.contains("// <--") => format!("\u{1b}[1;31m{line}\u{1b}[0m\n"),
            _ if !is_code && line.starts_with('#') => format!("\u{1b}[1;36m{line}\u{1b}[0m\n"),
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// Group, severity, confidence, maturity and fix in one line.
fn standing(rule: &Rule) -> String {
    let status = match rule.status {
        Status::Stable => "in the default set",
        Status::Preview => "with `--preview` only",
        Status::Deprecated => "deprecated",
        Status::Removed => "removed",
    };
    let fix = match rule.fix {
        Some(Safety::Safe) => "fixed by `--fix`",
        Some(Safety::Unsafe) => "fixed by `--fix --unsafe-fixes` where an edit fits",
        Some(Safety::DisplayOnly) => "shows a change and never makes it",
        None => "no fix",
    };
    let (severity, confidence) = (rule.severity.as_str(), rule.confidence.as_str());
    format!(
        "{}: {severity}, {confidence} confidence; {status}; {fix}",
        rule.group
    )
}
