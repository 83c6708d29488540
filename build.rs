//! Turns the rule cards, the tables of functions, the models and the evidence under `rules/` into constants.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

#[path = "src/api/call.rs"]
#[expect(dead_code, reason = "the crate uses it, the build only reads its words")]
mod call;
#[path = "src/diagnostics/card.rs"]
mod card;
#[path = "src/verify/expectation.rs"]
#[expect(dead_code, reason = "the crate uses it, the build only compares outcomes")]
mod expectation;
#[path = "src/verify/record.rs"]
#[expect(dead_code, reason = "the crate writes records, the build only reads them")]
mod record;
#[path = "src/api/table.rs"]
mod table;

use expectation::Expectation;
use record::Record;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=rules");
    if let Err(problem) = generate() {
        panic!("{problem}");
    }
}

/// Writes every generated file.
fn generate() -> Result<(), String> {
    let out = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    let calls =
        table::compile(&read("rules/api.toml")?).map_err(|problem| format!("rules/api.toml: {problem}"))?;
    write(&Path::new(&out).join("api.rs"), &calls)?;
    let library = table::library(&read("rules/library.toml")?)
        .map_err(|problem| format!("rules/library.toml: {problem}"))?;
    write(&Path::new(&out).join("library.rs"), &library)?;
    let records = records()?;
    write(&Path::new(&out).join("evidence.rs"), &measured(&records))?;
    write(&Path::new(&out).join("models.rs"), &models()?)?;
    let measurements: BTreeMap<String, Measurement> = toml::from_str(&read("rules/measurements.toml")?)
        .map_err(|error| format!("rules/measurements.toml: {error}"))?;
    let mut cards = cards()?;
    for (rule, text) in &mut cards {
        let numbered = with_measurements(text, &measurements);
        *text = with_evidence(
            rule,
            &numbered.map_err(|error| format!("rules/{rule}.md: {error}"))?,
            &records,
        );
    }
    write(&Path::new(&out).join("rules.rs"), &card::compile(&cards)?)?;
    write(&Path::new(&out).join("fixtures.rs"), &fixtures()?)
}

/// The table of models: path below `rules/models/` and text.
fn models() -> Result<String, String> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?;
    let mut paths = Vec::new();
    list(Path::new("rules/models"), &mut paths)?;
    paths.retain(|path| path.ends_with(".h"));
    paths.sort();
    let rows = paths.iter().map(|path| {
        let name = path.strip_prefix("rules/models/").unwrap_or(path);
        format!("    ({name:?}, include_str!({:?})),\n", format!("{root}/{path}"))
    });
    let rows: String = rows.collect();
    Ok(format!(
        "/// Path below `rules/models/` and text of every model.\nstatic MODELS: &[(&str, &str)] = &[\n{rows}];\n"
    ))
}

/// Everything below `rules/evidence/`, by file name.
fn records() -> Result<Vec<Record>, String> {
    let mut paths = Vec::new();
    if Path::new("rules/evidence").is_dir() {
        list(Path::new("rules/evidence"), &mut paths)?;
    }
    paths.retain(|path| path.ends_with(".json"));
    paths.sort();
    let parse =
        |path: &String| serde_json::from_str(&read(path)?).map_err(|error| format!("{path}: {error}"));
    paths.iter().map(parse).collect()
}

/// How many of the fixtures that a name begins with did what was predicted, and of how many.
fn count(record: &Record, prefix: &str) -> (usize, usize) {
    let of_rule = record
        .fixtures
        .iter()
        .filter(|(name, fixture)| name.starts_with(prefix) && !fixture.lazy.is_empty());
    of_rule.fold((0, 0), |(some, all), (_, fixture)| {
        let as_predicted = Expectation::parse(&fixture.expected).is_some_and(|expectation| {
            let lazy = fixture.lazy.iter().all(|it| expectation.lazy.allows(it));
            lazy && fixture.eager.iter().all(|it| expectation.eager.allows(it))
        });
        (some + usize::from(as_predicted), all + 1)
    })
}

/// How many of the fixed fixtures that a name begins with completed, and of how many.
fn fixed(record: &Record, prefix: &str) -> (usize, usize) {
    let of_rule = record
        .fixtures
        .iter()
        .filter(|(name, _)| name.starts_with(prefix));
    let fixed = of_rule.filter_map(|(_, fixture)| fixture.fixed.as_ref());
    fixed.fold((0, 0), |(some, all), it| {
        (some + usize::from(it.completes()), all + 1)
    })
}

/// Fewest trials of a rule's fixtures.
fn trials(record: &Record, rule: &str) -> usize {
    let of_rule = record
        .fixtures
        .iter()
        .filter(|(name, fixture)| name.split('/').next() == Some(rule) && !fixture.lazy.is_empty());
    of_rule.map(|(_, fixture)| fixture.lazy.len()).min().unwrap_or(0)
}

/// The table `diagnostics/evidence.rs` includes.
fn measured(records: &[Record]) -> String {
    let mut rows = BTreeMap::new();
    for record in records {
        let (gpu, driver) = (
            record.short_gpu(),
            record.driver.split('.').next().unwrap_or_default(),
        );
        for rule in record
            .fixtures
            .keys()
            .filter_map(|name| name.split_once('/'))
            .map(|(rule, _)| rule)
        {
            let (bad, good) = (
                count(record, &format!("{rule}/bad")),
                count(record, &format!("{rule}/good")),
            );
            let fixed = fixed(record, &format!("{rule}/"));
            let (cuda, trials) = (&record.cuda, trials(record, rule));
            let row = format!(
                "    Measured {{ rule: {rule:?}, gpu: {gpu:?}, driver: {driver:?}, cuda: {cuda:?}, trials: {trials}, bad: {bad:?}, good: {good:?}, fixed: {fixed:?} }},\n"
            );
            rows.insert((rule, &record.gpu, &record.driver, &record.cuda), row);
        }
    }
    let rows: String = rows.into_values().collect();
    format!("/// Every rule and machine.\npub static MEASURED: &[Measured] = &[\n{rows}];\n")
}

/// What a number like M1 in a card stands for.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    about: String,
    /// Whether `cudalint probe` measures it again.
    #[serde(default)]
    probe: bool,
}

/// A card whose section on evidence says what its numbers stand for, and how to ask again.
fn with_measurements(card: &str, measurements: &BTreeMap<String, Measurement>) -> Result<String, String> {
    let Some((head, tail)) = card.split_once("\n## References") else {
        return Ok(card.to_owned());
    };
    let words = card.split(|it: char| !it.is_ascii_alphanumeric());
    let is_number = |it: &&str| it.strip_prefix('M').is_some_and(|it| it.parse::<u8>().is_ok());
    let mut numbers: Vec<u8> = words
        .filter(is_number)
        .filter_map(|it| it[1..].parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut subjects = Vec::new();
    let mut probed = Vec::new();
    for number in numbers.iter().map(|it| format!("M{it}")) {
        let it = measurements
            .get(&number)
            .ok_or_else(|| format!("what is {number}?"))?;
        subjects.push(format!("{number}, {}", it.about));
        probed.extend(it.probe.then_some(number));
    }
    if subjects.is_empty() {
        return Ok(card.to_owned());
    }
    let again = match probed.is_empty() {
        true => String::new(),
        false => format!(
            " `cudalint probe --only {}` repeats {} on another machine.",
            probed.join(","),
            probed.join(" and ")
        ),
    };
    Ok(format!(
        "{head}\nWhat was measured: {}.{again}\n\n## References{tail}",
        subjects.join("; ")
    ))
}

/// A card whose section on evidence ends with what was recorded.
fn with_evidence(rule: &str, card: &str, records: &[Record]) -> String {
    let Some((head, tail)) = card.split_once("\n## References") else {
        return card.to_owned();
    };
    let mut text = head.to_owned();
    for record in records {
        let (bad, bad_all) = count(record, &format!("{rule}/bad"));
        let (good, good_all) = count(record, &format!("{rule}/good"));
        if bad_all + good_all > 0 {
            let trials = trials(record, rule);
            let bad = match bad_all {
                0 => String::new(),
                _ => format!("{bad} of {bad_all} bad fixtures do what is predicted, "),
            };
            let _ = write!(
                text,
                "\nRecorded by `cudalint verify {rule}` on {}, driver {}, CUDA {}, {trials} trials in each loading mode: {bad}{good} of {good_all} good \
                 ones complete.\n",
                record.gpu, record.driver, record.cuda
            );
        }
        let (completing, fixed) = fixed(record, &format!("{rule}/"));
        if fixed > 0 {
            let _ = writeln!(
                text,
                "\nRecorded by `cudalint verify --fix {rule}` on the same machine: {completing} of {fixed} bad fixtures that have a fix complete with it, \
                 under LAZY and EAGER."
            );
        }
    }
    format!("{text}\n## References{tail}")
}

/// The table of shipped fixtures: in an optimised build their contents, else where they are.
///
/// A build for development would otherwise start over whenever a fixture is edited.
fn fixtures() -> Result<String, String> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    let optimised = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if optimised {
        println!("cargo::rerun-if-changed=fixtures");
        list(Path::new("fixtures"), &mut files)?;
        files.sort();
    }
    let checkout = (!optimised).then_some(&root);
    let mut text = format!(
        "/// Where the fixtures are, when they are not in the binary.\nconst CHECKOUT: Option<&str> = {checkout:?};\n\
         /// Path below `fixtures/` and content.\nstatic FIXTURES: &[(&str, &[u8])] = &[\n"
    );
    for path in files {
        let name = path.strip_prefix("fixtures/").unwrap_or(&path);
        text.push_str(&format!(
            "    ({name:?}, include_bytes!({:?})),\n",
            format!("{root}/{path}")
        ));
    }
    text.push_str("];\n");
    Ok(text)
}

fn list(folder: &Path, files: &mut Vec<String>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

/// Stem and text of every card.
fn cards() -> Result<Vec<(String, String)>, String> {
    let mut cards = Vec::new();
    for entry in fs::read_dir("rules").map_err(|error| format!("rules: {error}"))? {
        let path = entry.map_err(|error| format!("rules: {error}"))?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if let (Some(stem), true) = (stem, path.extension().is_some_and(|it| it == "md")) {
            cards.push((stem.to_owned(), read(&path.to_string_lossy())?));
        }
    }
    cards.sort();
    Ok(cards)
}

fn read(path: &str) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(text.replace("\r\n", "\n"))
}

/// Writes only what changed, so that nothing is compiled again without need.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
