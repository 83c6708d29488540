//! Random `#if` conditionals: which branches are active, against the preprocessor of the compiler.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use arbitrary::Unstructured;
use cudalint::syntax::{self, Defines, MacroTable};

use super::compiler::Compiler;
use super::generate::bytes_of;

/// Conditionals in one file.
const CONDITIONALS: usize = 60;

/// Names the file may define, and one it never does.
const NAMES: [&str; 7] = ["ALPHA", "BETA", "GAMMA", "DELTA", "EMPTY", "NEVER", "CALL"];

/// A branch the two disagree about: the condition as written, and whether the compiler takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The seed of the file.
    pub seed: u64,
    /// The directive.
    pub directive: String,
    /// Whether the compiler takes the branch.
    pub taken: bool,
}

/// Compares all branches of the file of a seed.
pub fn check(compiler: &Compiler, seed: u64) -> Result<(usize, Vec<Disagreement>), String> {
    let bytes = bytes_of(seed);
    let text = file(&mut Unstructured::new(&bytes));
    let mut table = MacroTable::default();
    table.merge(syntax::collect_macros(text.as_bytes()));
    let prepared = syntax::prepare(text.as_bytes(), &Defines::default(), &table);
    let ours = marks(&String::from_utf8_lossy(&prepared.text));
    let real = marks(&compiler.preprocess(&text)?);
    let mut found = Vec::new();
    let mut directive = "";
    let all = marks(&text);
    for line in text.lines() {
        if line.starts_with("#if") || line.starts_with("#el") {
            directive = line;
        }
        for mark in marks(line)
            .iter()
            .filter(|it| ours.contains(*it) != real.contains(*it))
        {
            found.push(Disagreement {
                seed,
                directive: directive.to_owned(),
                taken: real.contains(mark),
            });
        }
    }
    Ok((all.len(), found))
}

/// The marks that stand in a text.
fn marks(text: &str) -> BTreeSet<u32> {
    let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    words
        .filter_map(|it| it.strip_prefix("mark_")?.parse().ok())
        .collect()
}

fn file(random: &mut Unstructured<'_>) -> String {
    let mut text = String::from(
        "#define ALPHA 3\n#define BETA (ALPHA + 1)\n#define GAMMA 0x10u\n#define EMPTY\n#define CALL(x, y) ((x) * 10 + (y))\n",
    );
    let mut mark = 0;
    let mut next = || {
        mark += 1;
        mark
    };
    for _ in 0..CONDITIONALS {
        match below(random, 8) {
            0 => {
                let value = ["1", "0", "ALPHA", "-7", "2u", "(BETA)"][below(random, 6)];
                let _ = writeln!(text, "#undef DELTA\n#define DELTA {value}");
            }
            1 => text.push_str("#undef DELTA\n"),
            2 => {
                let name = NAMES[below(random, NAMES.len())];
                let negated = ["#ifdef", "#ifndef"][below(random, 2)];
                let _ = writeln!(
                    text,
                    "{negated} {name}\nint mark_{};\n#else\nint mark_{};\n#endif",
                    next(),
                    next()
                );
            }
            _ => {
                let _ = writeln!(text, "#if {}\nint mark_{};", expression(random, 3), next());
                if below(random, 2) == 1 {
                    let _ = writeln!(text, "#elif {}\nint mark_{};", expression(random, 2), next());
                }
                let _ = writeln!(text, "#else\nint mark_{};\n#endif", next());
            }
        }
    }
    text
}

fn below(random: &mut Unstructured<'_>, count: usize) -> usize {
    random.int_in_range(0..=count - 1).unwrap_or(0)
}

fn expression(random: &mut Unstructured<'_>, depth: usize) -> String {
    if depth == 0 || below(random, 4) == 0 {
        return match below(random, 8) {
            0 => format!("defined({})", NAMES[below(random, NAMES.len())]),
            1 => format!("defined {}", NAMES[below(random, NAMES.len())]),
            2..=3 => ["ALPHA", "BETA", "GAMMA", "DELTA", "NEVER"][below(random, 5)].to_owned(),
            4 => format!(
                "CALL({}, {})",
                below(random, 5),
                ["ALPHA", "7", "NEVER"][below(random, 3)]
            ),
            5 => [
                "0x1F", "017", "0b11", "'a'", "true", "false", "1'000", "5L", "'\\n'", "'\\x41'",
            ][below(random, 10)]
            .to_owned(),
            6 => [
                "1u",
                "0u",
                "4294967295u",
                "18446744073709551615ull",
                "9223372036854775807",
            ][below(random, 5)]
            .to_owned(),
            _ => below(random, 30).to_string(),
        };
    }
    let deeper = depth - 1;
    let left = expression(random, deeper);
    match below(random, 12) {
        0 => format!("!{left}"),
        1 => format!("-({left})"),
        2 => format!("~{left}"),
        3 => format!("({left})"),
        4 => format!(
            "({left} ? {} : {})",
            expression(random, deeper),
            expression(random, deeper)
        ),
        5 => format!("{left} {} {}", ["/", "%"][below(random, 2)], 1 + below(random, 9)),
        6 => format!("{left} {} {}", ["<<", ">>"][below(random, 2)], below(random, 12)),
        7..=8 => {
            let operator = ["&&", "||", "and", "or"][below(random, 4)];
            format!("{left} {operator} {}", expression(random, deeper))
        }
        9 => {
            let operator = ["|", "&", "^"][below(random, 3)];
            format!("{left} {operator} {}", expression(random, deeper))
        }
        10 => {
            let operator = ["+", "-", "*"][below(random, 3)];
            format!("{left} {operator} {}", expression(random, deeper))
        }
        _ => {
            let operator = ["==", "!=", "<", ">", "<=", ">="][below(random, 6)];
            format!("{left} {operator} {}", expression(random, deeper))
        }
    }
}
