//! `std::vector` and `std::unique_ptr` replaced by classes of the program with the same interface.

use super::super::change::{Change, Piece};
use super::super::code::{Code, descendants};
use super::super::dice::Dice;

/// What the classes need, and they themselves.
const VECTOR: &str = include_str!("../own_vector.hpp");
const UNIQUE: &str = include_str!("../own_unique.hpp");

/// `std::vector`, unless it has an allocator of its own.
pub fn own_vector(code: &Code, dice: &mut Dice) -> Option<Change> {
    let refused = |code: &Code| {
        code.units.iter().any(|unit| {
            descendants(unit.tree.root_node()).into_iter().any(|it| {
                it.kind() == "template_type"
                    && unit.text(it).starts_with("vector")
                    && it
                        .child_by_field_name("arguments")
                        .is_some_and(|it| it.named_child_count() > 1 || unit.text(it).starts_with("<bool"))
            })
        })
    };
    if refused(code) || code.mentions("std::erase") || code.mentions("std::pmr") {
        return None;
    }
    replaced(
        code,
        dice,
        &[("std::vector", "OwnVector")],
        VECTOR,
        "own_vector.hpp",
    )
}

/// `std::unique_ptr` and `std::make_unique`.
pub fn own_unique_ptr(code: &Code, dice: &mut Dice) -> Option<Change> {
    let names = [
        ("std::unique_ptr", "OwnUnique"),
        ("std::make_unique", "make_own_unique"),
    ];
    replaced(code, dice, &names, UNIQUE, "own_unique.hpp")
}

/// Replaces names; the class is written in a header, or in the file where it is the only one.
fn replaced(
    code: &Code,
    dice: &mut Dice,
    names: &[(&str, &str)],
    class: &str,
    header: &str,
) -> Option<Change> {
    let mut change = Change::default();
    let in_file = code.units.len() == 1 && dice.flip();
    for (number, unit) in code.units.iter().enumerate() {
        let text = unit.slice(0..unit.bytes.len());
        let mut used = false;
        for (name, own) in names {
            for (at, _) in text.match_indices(name) {
                let is_word =
                    !text[at + name.len()..].starts_with(|it: char| it.is_alphanumeric() || it == '_');
                let line = &text[unit.line_start(at)..at];
                if is_word && !line.contains("//") && !line.contains('"') {
                    change.rename(number, at..at + name.len(), *own);
                    used = true;
                }
            }
        }
        if used {
            let at = unit.after_includes()?;
            let text = if in_file {
                class.replace("#pragma once\n", "")
            } else {
                format!("#include \"{header}\"\n")
            };
            change.insert(number, at, text);
        }
    }
    if change.is_empty() {
        return None;
    }
    if !in_file {
        change.add(header, vec![Piece::text(class)]);
    }
    Some(change)
}
