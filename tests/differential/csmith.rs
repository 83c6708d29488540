//! Programs of csmith, where it is installed: a generator whose authors had another tool in mind. What it would hash is observed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use super::compiler::DECLARATION;

/// Small programs that are C++ too, and that neither read their arguments nor depend on what a compiler may choose.
const OPTIONS: &str = "--lang-cpp --concise --no-argc --no-comma-operators --no-volatiles --no-volatile-pointers --no-packed-struct --max-funcs 4 \
    --max-expr-complexity 4 --max-block-depth 3 --max-array-dim 2 --max-array-len-per-dim 4";

/// Whether there is a csmith to ask.
pub fn is_installed() -> bool {
    let version = csmith().arg("--version").output();
    version.is_ok_and(|it| it.status.success())
}

/// The program of a seed; the message where csmith fails.
pub fn program(seed: u64) -> Result<String, String> {
    let mut command = csmith();
    command
        .args(["--seed", &seed.to_string()])
        .args(OPTIONS.split_whitespace());
    let output = command.output().map_err(|error| format!("csmith: {error}"))?;
    if !output.status.success() {
        return Err(format!("csmith ends with {}", output.status));
    }
    Ok(observing(&String::from_utf8_lossy(&output.stdout)))
}

fn csmith() -> Command {
    let mut command = Command::new("csmith");
    // It writes what it takes the platform for into the folder it runs in.
    command.current_dir(std::env::temp_dir());
    command
}

/// A program that hands to `observe` what csmith's would hash, and that needs none of its headers.
pub fn observing(program: &str) -> String {
    let mut text = format!("#include <cstdint>\n#include <cstring>\n{DECLARATION}\n");
    let helpers: BTreeSet<&str> = program
        .split(|it: char| !it.is_alphanumeric() && it != '_')
        .filter(|it| it.starts_with("safe_"))
        .collect();
    helpers
        .iter()
        .filter_map(|it| helper(it))
        .for_each(|it| text.push_str(&it));
    for line in program.lines() {
        let statement = line.trim();
        let hashed = statement.strip_prefix("transparent_crc(");
        let hashed = hashed.and_then(|it| it.split_once(", \"").map(|it| it.0));
        if let Some(hashed) = hashed {
            let _ = writeln!(text, "    observe({hashed});");
        } else if !IGNORED.iter().any(|it| statement.starts_with(it)) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// Lines about csmith's own headers, hash and output.
const IGNORED: [&str; 6] = [
    "#include \"csmith.h\"",
    "int print_hash_value",
    "platform_main_",
    "crc32_gentab",
    "if (print_hash_value)",
    "//",
];

/// The definition of `safe_<operation>_func_<type>_<signs>`: what is undefined in C++ gives the left operand back, what overflows wraps.
fn helper(name: &str) -> Option<String> {
    let (operation, rest) = name.strip_prefix("safe_")?.split_once("_func_")?;
    let (kind, signs) = rest.split_once("_t_")?;
    let (signed, bits) = match kind.strip_prefix('u') {
        Some(unsigned) => (false, unsigned.strip_prefix("int")?),
        None => (true, kind.strip_prefix("int")?),
    };
    let least = format!("(a == INT{bits}_MIN && b == -1)");
    let undefined = if signed {
        format!("b == 0 || {least}")
    } else {
        "b == 0".to_owned()
    };
    // Signed or not, the operands are brought to one type without a sign, wide enough that promotion adds none.
    let wrapping = |operator: &str| format!("({kind}_t)((uint64_t)a {operator} (uint64_t)b)");
    let count = if signs.ends_with('s') {
        "int b"
    } else {
        "unsigned int b"
    };
    let beyond = if signs.ends_with('s') {
        format!("b < 0 || b >= {bits}")
    } else {
        format!("b >= {bits}")
    };
    let shift = |operator: &str| match (operator, signed) {
        ("<<", true) => format!("{beyond} || a < 0 ? a : ({kind}_t)((uint64_t)a << b)"),
        (_, true) => format!("{beyond} || a < 0 ? a : ({kind}_t)(a {operator} b)"),
        _ => format!("{beyond} ? a : ({kind}_t)(a {operator} b)"),
    };
    let operand = format!("{kind}_t b");
    let (second, value) = match operation {
        "unary_minus" => (String::new(), format!("({kind}_t)(0 - (uint64_t)a)")),
        "add" => (operand, wrapping("+")),
        "sub" => (operand, wrapping("-")),
        "mul" => (operand, wrapping("*")),
        "div" => (operand, format!("{undefined} ? a : ({kind}_t)(a / b)")),
        "mod" => (operand, format!("{undefined} ? a : ({kind}_t)(a % b)")),
        "lshift" => (count.to_owned(), shift("<<")),
        "rshift" => (count.to_owned(), shift(">>")),
        _ => return None,
    };
    let comma = if second.is_empty() { "" } else { ", " };
    Some(format!(
        "static {kind}_t {name}({kind}_t a{comma}{second}) {{ return {value}; }}\n"
    ))
}
