//! Turns the rule cards and the API table under `rules/` into constants.

use std::path::Path;
use std::{env, fs};

#[path = "src/api/call.rs"]
#[expect(dead_code, reason = "the crate uses it, the build only reads its words")]
mod call;
#[path = "src/diagnostics/card.rs"]
mod card;
#[path = "src/api/table.rs"]
mod table;

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
    let rules = card::compile(&cards()?)?;
    write(&Path::new(&out).join("rules.rs"), &rules)
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
