//! Random CUDA programs, analyser against GPU and reference: `cargo bench --bench device_order -- [SEED]`.
//!
//! Without an argument every recorded program is analysed and the tables are printed. With the seed of a program, its
//! source, the line for the runner and what is said of it are.
//! `-- --write FOLDER FIRST LAST` writes the lines of these seeds for the runner to `cases.txt`, and to `expect.txt` what the
//! analyser says of them; `-- --record RESULTS...` reads what the runner's driver wrote and prints the lines of the data
//! file: see `tests/device_order/README.md`.

#[path = "../tests/device_order/analysis.rs"]
mod analysis;
#[path = "../tests/device_order/compare.rs"]
mod compare;
#[path = "../tests/device_order/encode.rs"]
mod encode;
#[path = "../tests/device_order/generate.rs"]
mod generate;
#[path = "../tests/device_order/outcomes.rs"]
mod outcomes;
#[path = "../tests/device_order/program.rs"]
mod program;
#[path = "../tests/device_order/random.rs"]
mod random;
#[path = "../tests/device_order/reference.rs"]
mod reference;
#[path = "../tests/device_order/render.rs"]
mod render;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use outcomes::Loading;

const LOADING: [Loading; 2] = [Loading::Lazy, Loading::Eager];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut out = io::stdout().lock();
    match words.as_slice() {
        [] => compare_all(&mut out),
        ["--write", folder, first, last] => write(Path::new(folder), number(first)?..number(last)?),
        ["--record", results @ ..] => record(&mut out, results),
        [seed] => show(&mut out, number(seed)?),
        _ => Err(io::Error::other("see the head of benches/device_order.rs")),
    }
}

fn number(word: &str) -> io::Result<u64> {
    word.parse().map_err(io::Error::other)
}

fn compare_all(out: &mut impl Write) -> io::Result<()> {
    let mut comparison = compare::Comparison::default();
    for record in outcomes::recorded() {
        comparison.add(&record);
    }
    write!(out, "{comparison}")
}

fn show(out: &mut impl Write, seed: u64) -> io::Result<()> {
    let program = generate::generate(seed);
    let source = render::render(&program);
    for (name, text) in &source.files {
        writeln!(out, "// {name}\n{text}")?;
    }
    writeln!(out, "{}", encode::encode(&program))?;
    let analysis = analysis::Analysis::new(&source);
    for loading in LOADING {
        writeln!(out, "{loading:?}: hangs {:?}", analysis.hangs(loading))?;
    }
    for race in analysis.races(Loading::Lazy) {
        writeln!(out, "{} at {:?}", race.code, race.places)?;
    }
    for race in reference::Reference::new(&program, reference::Trust::DOCUMENTED).unordered() {
        writeln!(out, "not ordered: {race:?}")?;
    }
    Ok(())
}

fn write(folder: &Path, seeds: std::ops::Range<u64>) -> io::Result<()> {
    let (mut cases, mut expected) = (String::new(), String::new());
    for seed in seeds {
        let program = generate::generate(seed);
        let source = render::render(&program);
        cases += &format!("{seed} {}\n", encode::encode(&program));
        let analysis = analysis::Analysis::new(&source);
        for loading in LOADING {
            let outcome = if analysis.hangs(loading).is_empty() {
                "done"
            } else {
                "hang"
            };
            expected += &format!("{seed} {} {outcome}\n", mode(loading));
        }
    }
    std::fs::write(folder.join("cases.txt"), cases)?;
    std::fs::write(folder.join("expect.txt"), expected)
}

fn mode(loading: Loading) -> &'static str {
    match loading {
        Loading::Lazy => "LAZY",
        Loading::Eager => "EAGER",
    }
}

/// Later files count where several name a run.
fn record(out: &mut impl Write, results: &[&str]) -> io::Result<()> {
    let mut runs: BTreeMap<(u64, String), String> = BTreeMap::new();
    for path in results {
        for line in std::fs::read_to_string(path)?.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let short = match words.get(2) {
                Some(&"done") => format!("d{}", words[3..].join(",")),
                Some(&"hang") => "h".to_owned(),
                _ => return Err(io::Error::other(format!("{path}: {line}"))),
            };
            runs.insert((number(words[0])?, words[1].to_owned()), short);
        }
    }
    let mut seeds: Vec<u64> = runs.keys().map(|it| it.0).collect();
    seeds.dedup();
    for seed in seeds {
        let program = generate::generate(seed);
        let fingerprint = encode::fingerprint(&program, &render::render(&program));
        let run = |loading| {
            let run = runs.get(&(seed, mode(loading).to_owned()));
            run.map_or("-", String::as_str)
        };
        writeln!(
            out,
            "{seed} {fingerprint:08x} {} {}",
            run(Loading::Lazy),
            run(Loading::Eager)
        )?;
    }
    Ok(())
}
