//! Whether the rules say the same of programs that are written differently and do the same:
//! `cargo bench --bench metamorphic -- [--seed N] [--per-fixture K] [--rewrite NAME] [--program TEXT] [--list] [--write DIR]`.
//!
//! `--list` names what was lost, new or changed; `--write` writes the variants as folders, for `tests/metamorphic_compile.sh`;
//! `--write-budget` writes anew what of the sample that `cargo test` looks at is known not to stay.

#[expect(
    dead_code,
    reason = "what compares fixtures with their marks is for the fixtures' own test"
)]
#[path = "../tests/harness/mod.rs"]
mod harness;
#[path = "../tests/metamorphic/mod.rs"]
mod metamorphic;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;

use metamorphic::measure::{Subject, Verdict};
use metamorphic::programs::programs;
use metamorphic::rewrites::{REWRITES, Rewrite};
use metamorphic::sample;
use rayon::prelude::*;

/// What the command line says.
struct Arguments {
    seed: u64,
    per_fixture: u32,
    rewrite: Option<String>,
    program: Option<String>,
    further: Option<PathBuf>,
    write: Option<PathBuf>,
    list: bool,
    write_budget: bool,
}

/// One variant and what became of it.
struct Row<'a> {
    rewrite: &'static Rewrite,
    subject: &'a Subject,
    number: u32,
    /// `None` where the rewrite does not apply.
    verdict: Option<Verdict>,
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let Some(arguments) = arguments() else {
        return writeln!(
            out,
            "usage: metamorphic [--seed N] [--per-fixture K] [--rewrite NAME] [--program TEXT] [--programs DIR] [--list] [--write DIR] [--write-budget]\n\n\
             rewrites, and where each applies:\n{}",
            REWRITES
                .iter()
                .map(|it| format!("  {:26} {}\n", it.name, it.applies))
                .collect::<String>()
        );
    };
    if arguments.write_budget {
        let text = budget();
        std::fs::write(sample::budget_path(), &text)?;
        let entries = text.lines().filter(|it| !it.starts_with('#')).count();
        return writeln!(out, "{}: {entries} entries", sample::budget_path().display());
    }
    let mut chosen = programs(arguments.further.as_deref());
    chosen.retain(|it| {
        arguments
            .program
            .as_ref()
            .is_none_or(|text| it.name.contains(text.as_str()))
    });
    let subjects: Vec<Subject> = chosen.into_par_iter().filter_map(Subject::new).collect();
    let rewrites: Vec<&'static Rewrite> = REWRITES
        .iter()
        .filter(|it| arguments.rewrite.as_ref().is_none_or(|name| it.name == name))
        .collect();
    let jobs: Vec<(&'static Rewrite, &Subject)> = rewrites
        .iter()
        .flat_map(|rewrite| subjects.iter().map(move |subject| (*rewrite, subject)))
        .collect();
    let rows: Vec<io::Result<Vec<Row<'_>>>> = jobs
        .par_iter()
        .map(|(rewrite, subject)| rows(&arguments, rewrite, subject))
        .collect();
    let mut all = Vec::new();
    for it in rows {
        all.extend(it?);
    }
    if arguments.write.is_some() {
        let written = all.iter().filter(|it| it.verdict.is_some()).count();
        return writeln!(out, "{written} variants written");
    }
    if arguments.list {
        list(&mut out, &all)?;
    }
    writeln!(
        out,
        "seed {}, up to {} variants of each of {} programs by each rewrite\n",
        arguments.seed,
        arguments.per_fixture,
        subjects.len()
    )?;
    by_rewrite(&mut out, &rewrites, &all)?;
    by_rule(&mut out, &all)
}

/// The budget as a file.
fn budget() -> String {
    let mut text = String::from(
        "# Variants of the sample in `cargo test --test metamorphic` whose findings are known not to stay: rewrite and program.\n\
         # Written by `cargo bench --bench metamorphic -- --write-budget`.\n",
    );
    for (rewrite, program) in sample::broken().0.keys() {
        text.push_str(&format!("{rewrite} {program}\n"));
    }
    text
}

/// The variants of one program by one rewrite; equal ones count once.
fn rows<'a>(
    arguments: &Arguments,
    rewrite: &'static Rewrite,
    subject: &'a Subject,
) -> io::Result<Vec<Row<'a>>> {
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for number in 0..arguments.per_fixture {
        let variant = subject.variant(rewrite, arguments.seed, number);
        let verdict = match &variant {
            Some(it) if !seen.insert(it.files.clone()) => continue,
            Some(it) => match &arguments.write {
                Some(folder) => {
                    it.write(&folder.join(rewrite.name).join(folder_name(subject, number)))?;
                    Some(Verdict::default())
                }
                None => Some(subject.judge(it)),
            },
            None if number > 0 => continue,
            None => None,
        };
        rows.push(Row {
            rewrite,
            subject,
            number,
            verdict,
        });
    }
    Ok(rows)
}

fn folder_name(subject: &Subject, number: u32) -> String {
    format!("{}-{number}", subject.program.name.replace(['/', '.'], "_"))
}

fn list(out: &mut impl Write, rows: &[Row<'_>]) -> io::Result<()> {
    for row in rows {
        let Some(verdict) = &row.verdict else { continue };
        let kinds = [
            ("lost", &verdict.lost),
            ("changed", &verdict.changed),
            ("new", &verdict.new),
        ];
        for (kind, findings) in kinds {
            for finding in findings {
                writeln!(
                    out,
                    "{kind:8}{} {} {}: {finding}",
                    row.rewrite.name, row.subject.program.name, row.number
                )?;
            }
        }
    }
    Ok(())
}

/// Variants and findings counted.
#[derive(Default)]
struct Count {
    variants: usize,
    skipped: usize,
    stay: usize,
    kept: usize,
    lost: usize,
    changed: usize,
    new: usize,
    silent: usize,
    still_silent: usize,
    marks: usize,
    met: usize,
}

fn by_rewrite(out: &mut impl Write, rewrites: &[&Rewrite], rows: &[Row<'_>]) -> io::Result<()> {
    writeln!(
        out,
        "{:28} {:>8} {:>8} {:>7}   {:>8} {:>6} {:>8} {:>6}   {:>13} {:>7}",
        "rewrite",
        "variants",
        "skipped",
        "stay",
        "findings",
        "lost",
        "changed",
        "new",
        "silent stay",
        "marks"
    )?;
    let mut total = Count::default();
    for rewrite in rewrites {
        let mut count = Count::default();
        for row in rows.iter().filter(|it| it.rewrite.name == rewrite.name) {
            add(&mut count, row);
            add(&mut total, row);
        }
        line(out, rewrite.name, &count)?;
    }
    line(out, "all", &total)
}

fn add(count: &mut Count, row: &Row<'_>) {
    let Some(verdict) = &row.verdict else {
        count.skipped += 1;
        return;
    };
    count.variants += 1;
    count.stay += usize::from(verdict.stays());
    count.kept += verdict.kept.len();
    count.lost += verdict.lost.len();
    count.changed += verdict.changed.len();
    count.new += verdict.new.len();
    if row.subject.answer.is_empty() {
        count.silent += 1;
        count.still_silent += usize::from(verdict.stays());
    }
    count.marks += verdict.marks;
    count.met += verdict.met;
}

fn line(out: &mut impl Write, name: &str, it: &Count) -> io::Result<()> {
    writeln!(
        out,
        "{name:28} {:>8} {:>8} {:>7}   {:>8} {:>6} {:>8} {:>6}   {:>13} {:>7}",
        it.variants,
        it.skipped,
        share(it.stay, it.variants),
        it.kept + it.lost + it.changed,
        it.lost,
        it.changed,
        it.new,
        share(it.still_silent, it.silent),
        share(it.met, it.marks)
    )
}

/// Findings of programs as they were written, and how many of them stay, by rule; the worst first.
fn by_rule(out: &mut impl Write, rows: &[Row<'_>]) -> io::Result<()> {
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for verdict in rows.iter().filter_map(|it| it.verdict.as_ref()) {
        let kinds = [&verdict.kept, &verdict.lost, &verdict.changed, &verdict.new];
        for (index, findings) in kinds.into_iter().enumerate() {
            for finding in findings {
                let rule = finding.split(' ').nth(2).unwrap_or_default();
                counts.entry(rule).or_default()[index] += 1;
            }
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    let ratio = |it: &[usize; 4]| it[0] as f64 / (it[0] + it[1] + it[2]).max(1) as f64;
    counts.sort_by(|left, right| ratio(&left.1).total_cmp(&ratio(&right.1)));
    writeln!(
        out,
        "\n{:40} {:>8} {:>7} {:>6} {:>8} {:>6}",
        "rule", "findings", "stay", "lost", "changed", "new"
    )?;
    for (rule, it) in counts {
        let whole = it[0] + it[1] + it[2];
        writeln!(
            out,
            "{rule:40} {whole:>8} {:>7} {:>6} {:>8} {:>6}",
            share(it[0], whole),
            it[1],
            it[2],
            it[3]
        )?;
    }
    Ok(())
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        "-".to_owned()
    } else {
        format!("{:.3}", part as f64 / whole as f64)
    }
}

/// `None` when the command line cannot be understood.
fn arguments() -> Option<Arguments> {
    let mut parsed = Arguments {
        seed: 1,
        per_fixture: 1,
        rewrite: None,
        program: None,
        further: None,
        write: None,
        list: false,
        write_budget: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            // What `cargo bench` itself passes on.
            "--bench" => {}
            "--list" => parsed.list = true,
            "--write-budget" => parsed.write_budget = true,
            "--seed" => parsed.seed = words.next()?.parse().ok()?,
            "--per-fixture" => parsed.per_fixture = words.next()?.parse().ok()?,
            "--rewrite" => parsed.rewrite = Some(words.next()?),
            "--program" => parsed.program = Some(words.next()?),
            "--programs" => parsed.further = Some(PathBuf::from(words.next()?)),
            "--write" => parsed.write = Some(PathBuf::from(words.next()?)),
            _ => return None,
        }
    }
    let known = |name: &String| REWRITES.iter().any(|it| it.name == *name);
    (parsed.rewrite.as_ref().is_none_or(known) && parsed.per_fixture > 0).then_some(parsed)
}
