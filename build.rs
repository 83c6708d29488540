//! Turns the rule cards and the API table under `rules/` into constants.

use std::path::Path;
use std::{env, fs};

#[path = "src/api/call.rs"]
#[expect(dead_code, reason = "the crate uses it, the build only reads its words")]
mod call;
#[path = "src/api/table.rs"]
mod table;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(problem) = generate_all() {
        panic!("{problem}");
    }
}

/// Writes every generated file.
fn generate_all() -> Result<(), String> {
    let out = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    generate("rules/api.toml", &Path::new(&out).join("api.rs"), table::compile)
}

/// Writes what `compile` makes of the file at `source`.
fn generate(source: &str, target: &Path, compile: fn(&str) -> Result<String, String>) -> Result<(), String> {
    println!("cargo::rerun-if-changed={source}");
    let text = fs::read_to_string(source).map_err(|error| format!("{source}: {error}"))?;
    let generated = compile(&text).map_err(|error| format!("{source}: {error}"))?;
    fs::write(target, generated).map_err(|error| format!("{}: {error}", target.display()))
}
