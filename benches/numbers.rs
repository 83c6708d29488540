//! How far the engine comes: `cargo bench --bench numbers -- [--write] [--list] [--reasons] [DIR…]`.
//!
//! For the programs of this repository, each analysed for itself, and for every directory given, analysed as one
//! project by the command: entry points whose paths were all followed to their ends, launches and CUDA calls that
//! stand on an executed path, calls of the project's own functions that were followed, findings and what they assume.
//!
//! `--write` writes `tests/data/numbers.toml`, `--list` names the programs of this repository that lose something,
//! and `--reasons` says what the losses come from.

#[expect(dead_code, reason = "marks of fixtures are compared elsewhere")]
#[path = "../tests/harness/mod.rs"]
mod harness;
#[path = "../tests/harness/numbers.rs"]
mod numbers;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use numbers::{Numbers, Row, measure, measure_one, sets, table, table_path, written};

fn main() -> io::Result<()> {
    let (mut write, mut list, mut reasons) = (false, false, false);
    let mut directories = Vec::new();
    for argument in std::env::args_os().skip(1) {
        match argument.to_str() {
            Some("--bench") => {}
            Some("--write") => write = true,
            Some("--list") => list = true,
            Some("--reasons") => reasons = true,
            _ => directories.push(PathBuf::from(argument)),
        }
    }
    let mut out = io::stdout().lock();
    print_head(&mut out)?;
    let mut measured = Vec::new();
    let mut table = BTreeMap::new();
    for (name, programs) in sets() {
        let numbers = measure(&programs);
        print_row(&mut out, &name, &numbers)?;
        table.insert(name.clone(), numbers.row());
        measured.push((name, numbers));
        if list {
            list_losses(&mut out, &programs)?;
        }
    }
    for directory in &directories {
        let name = directory.file_name().unwrap_or(directory.as_os_str());
        let name = name.to_string_lossy().into_owned();
        let numbers = measure_project(directory)?;
        print_row(&mut out, &name, &numbers)?;
        measured.push((name, numbers));
    }
    if reasons {
        print_reasons(&mut out, &measured)?;
    }
    if write {
        std::fs::write(table_path(), written(&table))
    } else {
        print_changes(&mut out, &table)
    }
}

/// How the programs of this repository stand to what is committed.
fn print_changes(out: &mut impl Write, now: &BTreeMap<String, Row>) -> io::Result<()> {
    let committed = table();
    for (name, row) in now {
        let Some(then) = committed.get(name) else {
            writeln!(out, "{name} is not in the table: `--write` adds it")?;
            continue;
        };
        let (worse, better) = row.against(then);
        for it in worse {
            writeln!(out, "{name}: worse: {it}")?;
        }
        for it in better {
            writeln!(out, "{name}: better: {it}; `--write` keeps it")?;
        }
    }
    Ok(())
}

/// What the command says of a project as a whole.
fn measure_project(directory: &Path) -> io::Result<Numbers> {
    let output = Command::new(env!("CARGO_BIN_EXE_cudalint"))
        .arg("check")
        .arg(directory)
        .args(["--isolated", "--format", "json", "--exit-zero", "--quiet"])
        .output()?;
    let document: Value = serde_json::from_slice(&output.stdout).map_err(io::Error::other)?;
    let counters = document["statistics"]["analysis"].as_object();
    let counters = counters.into_iter().flatten();
    let mut numbers = Numbers {
        programs: 1,
        counters: counters
            .map(|(name, count)| (name.clone(), count.as_u64().unwrap_or_default()))
            .collect(),
        ..Numbers::default()
    };
    for finding in document["findings"].as_array().into_iter().flatten() {
        let text = |name: &str| finding[name].as_str().unwrap_or_default();
        let assumptions = finding["assumptions"].as_array().map_or(0, Vec::len);
        numbers.add_finding(text("severity"), text("confidence"), assumptions);
    }
    Ok(numbers)
}

fn print_head(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "| {:<14} | programs | entry points | completed | CUDA calls | covered | own calls | followed | errors | warnings \
         | infos | assumptions per finding | findings that assume: high, medium, low |",
        "set"
    )?;
    writeln!(out, "|{}", "---|".repeat(13))
}

fn print_row(out: &mut impl Write, name: &str, it: &Numbers) -> io::Result<()> {
    let row = it.row();
    let [errors, warnings, infos] = it.findings;
    let assuming: Vec<String> = it
        .assuming
        .iter()
        .zip(it.confidence)
        .map(|(some, all)| format!("{some}/{all}"))
        .collect();
    writeln!(
        out,
        "| {name:<14} | {} | {} | {} | {} | {} | {} | {} | {errors} | {warnings} | {infos} | {:.2} | {} |",
        row.programs,
        row.entry_points,
        kept(row.cut, row.entry_points),
        row.cuda_calls,
        kept(row.unreached, row.cuda_calls),
        row.calls,
        kept(row.not_followed, row.calls),
        row.assumptions_per_100_findings as f64 / 100.0,
        assuming.join(", "),
    )?;
    out.flush()
}

/// The share that is not lost.
fn kept(lost: u64, all: u64) -> String {
    if all == 0 {
        "-".to_owned()
    } else {
        format!("{:.1} %", (all - lost) as f64 * 100.0 / all as f64)
    }
}

fn list_losses(out: &mut impl Write, programs: &[PathBuf]) -> io::Result<()> {
    for program in programs {
        let row = measure_one(program).row();
        let lost = [
            (row.cut, "entry points cut"),
            (row.unreached, "CUDA calls unreached"),
            (row.not_followed, "calls not followed"),
        ];
        let lost: Vec<String> = lost
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !lost.is_empty() {
            let path = program
                .strip_prefix(env!("CARGO_MANIFEST_DIR"))
                .unwrap_or(program);
            writeln!(out, "  {}: {}", path.display(), lost.join(", "))?;
        }
    }
    Ok(())
}

/// What losses begin with, in the names of counters.
const LOSSES: [(&str, &str); 4] = [
    ("entry points cut ", "entry points"),
    ("CUDA calls not executed: ", "launches and CUDA calls"),
    ("calls of own functions not followed: ", "calls of own functions"),
    ("loops cut", "loops executed"),
];

fn print_reasons(out: &mut impl Write, measured: &[(String, Numbers)]) -> io::Result<()> {
    for (name, numbers) in measured {
        writeln!(out, "\n{name}")?;
        for (prefix, whole) in LOSSES {
            // How many were truncated is part of what the others say.
            let losses = numbers.counters.iter();
            let losses =
                losses.filter(|(name, _)| name.starts_with(prefix) && *name != "entry points cut short");
            let mut losses: Vec<(u64, &String)> = losses.map(|(name, count)| (*count, name)).collect();
            losses.sort_by(|a, b| b.cmp(a));
            for (count, reason) in losses.into_iter().filter(|(count, _)| *count > 0) {
                let share = count as f64 * 100.0 / numbers.count(whole).max(1) as f64;
                writeln!(out, "  {count:>7} {share:>5.1} %  {reason}")?;
            }
        }
    }
    Ok(())
}
