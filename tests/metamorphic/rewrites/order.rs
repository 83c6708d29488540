//! Sides of comparisons flipped, and declarations that do not need each other exchanged.

use tree_sitter::Node;

use super::super::change::{Change, Piece};
use super::super::code::{Code, Unit, ancestors, children, declarators, descendants, is_inside};
use super::super::dice::Dice;
use super::wrap::words;

/// `a < b` becomes `b > a`, everywhere.
pub fn flip_comparisons(code: &Code, _: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    for (number, unit) in code.units.iter().enumerate() {
        let mut end = 0;
        for node in descendants(unit.tree.root_node()) {
            if node.kind() != "binary_expression" || node.start_byte() < end || node.has_error() {
                continue;
            }
            let (Some(left), Some(right), Some(operator)) = (
                node.child_by_field_name("left"),
                node.child_by_field_name("right"),
                node.child_by_field_name("operator"),
            ) else {
                continue;
            };
            let Some(other) = other_side(operator.kind()) else {
                continue;
            };
            let in_template = ancestors(node).any(|it| it.kind().starts_with("template_"));
            let in_template = in_template
                && ancestors(node)
                    .any(|it| it.kind().ends_with("argument_list") && it.kind().starts_with("template"));
            if in_template || unit.slice(node.byte_range()).contains("\n#") {
                continue;
            }
            end = node.end_byte();
            let kept = |it: Node<'_>| {
                let kept = Piece::Kept(number, it.byte_range());
                if it.kind() == "binary_expression" || it.kind() == "assignment_expression" {
                    vec![Piece::text("("), kept, Piece::text(")")]
                } else {
                    vec![kept]
                }
            };
            change.replace(number, left.byte_range(), kept(right));
            change.rename(number, operator.byte_range(), other);
            change.replace(number, right.byte_range(), kept(left));
        }
    }
    (!change.is_empty()).then_some(change)
}

fn other_side(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        "==" => "==",
        "!=" => "!=",
        _ => return None,
    })
}

/// Neighbours that do not need each other change places: functions, local declarations without effects, names of one declaration.
pub fn reorder_declarations(code: &Code, dice: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    let functions = dice.flip();
    for (number, unit) in code.units.iter().enumerate() {
        let root = unit.tree.root_node();
        let moved = if functions {
            exchange(number, unit, &children(root), are_functions, &mut change)
        } else {
            Vec::new()
        };
        for compound in descendants(root) {
            // A lambda or a class in a declaration has a block too: declarations that change places hold none.
            let is_moved = moved.iter().any(|it| is_inside(&compound.byte_range(), it));
            if compound.kind() == "compound_statement" && !compound.has_error() && !is_moved {
                exchange(number, unit, &children(compound), are_declarations, &mut change);
            }
        }
    }
    (!change.is_empty()).then_some(change)
}

type Independent = fn(&Unit, Node<'_>, Node<'_>) -> bool;

/// Exchanges disjoint pairs of neighbours, and names inside a declaration that stays; returns what was moved as a whole.
fn exchange(
    number: usize,
    unit: &Unit,
    nodes: &[Node<'_>],
    independent: Independent,
    change: &mut Change,
) -> Vec<std::ops::Range<usize>> {
    let mut moved = Vec::new();
    let mut at = 0;
    while at < nodes.len() {
        let first = nodes[at];
        if let Some(second) = nodes.get(at + 1).filter(|it| independent(unit, first, **it)) {
            let (one, two) = (with_qualifiers(unit, first), with_qualifiers(unit, *second));
            change.replace(number, one.clone(), vec![Piece::Kept(number, two.clone())]);
            change.replace(number, two.clone(), vec![Piece::Kept(number, one.clone())]);
            moved.extend([one, two]);
            at += 2;
            continue;
        }
        if is_plain_declaration(unit, first) {
            let names = declarators(first);
            if let [.., one, two] = names.as_slice() {
                let (one, two) = (one.byte_range(), two.byte_range());
                change.replace(number, one.clone(), vec![Piece::Kept(number, two.clone())]);
                change.replace(number, two, vec![Piece::Kept(number, one)]);
            }
        }
        at += 1;
    }
    moved
}

fn with_qualifiers(unit: &Unit, node: Node<'_>) -> std::ops::Range<usize> {
    unit.start_with_qualifiers(node)..node.end_byte()
}

fn are_functions(unit: &Unit, first: Node<'_>, second: Node<'_>) -> bool {
    let is_function = |node: Node<'_>| {
        let definition = if node.kind() == "template_declaration" {
            children(node).into_iter().last()
        } else {
            Some(node)
        };
        let definition = definition.filter(|it| it.kind() == "function_definition" && !node.has_error())?;
        super::super::code::declared_name(definition.child_by_field_name("declarator")?)
            .map(|it| unit.text(it))
    };
    let (Some(one), Some(two)) = (is_function(first), is_function(second)) else {
        return false;
    };
    let (first, second) = (with_qualifiers(unit, first), with_qualifiers(unit, second));
    let between = unit.slice(first.end..second.start);
    one != two
        && !between.contains('#')
        && !unit.slice(first.clone()).contains("\n#")
        && !unit.slice(second.clone()).contains("\n#")
        && !words(unit.slice(first)).contains(&two)
        && !words(unit.slice(second)).contains(&one)
}

fn are_declarations(unit: &Unit, first: Node<'_>, second: Node<'_>) -> bool {
    let between = unit.slice(first.end_byte()..second.start_byte());
    let mentions = |one: Node<'_>, two: Node<'_>| {
        let used = words(unit.text(two));
        declarators(one)
            .into_iter()
            .filter_map(super::super::code::declared_name)
            .any(|it| used.contains(&unit.text(it)))
    };
    is_plain_declaration(unit, first)
        && is_plain_declaration(unit, second)
        && !between.contains('#')
        && !mentions(first, second)
        && !mentions(second, first)
}

/// A declaration of pointers, numbers or handles, without an initialiser or with one that has no effect.
fn is_plain_declaration(unit: &Unit, node: Node<'_>) -> bool {
    if node.kind() != "declaration" || node.has_error() {
        return false;
    }
    let names = declarators(node);
    let text = unit.text(node);
    let Some(kind) = node.child_by_field_name("type") else {
        return false;
    };
    let kind_text = unit.text(kind);
    let is_handle = kind.kind() == "primitive_type"
        || kind.kind() == "sized_type_specifier"
        || kind_text.starts_with("cuda") && kind_text.ends_with("_t")
        || matches!(
            kind_text,
            "size_t" | "std::size_t" | "CUstream" | "CUevent" | "CUdeviceptr" | "cudaGraphNode_t"
        );
    let is_harmless = |it: &Node<'_>| {
        let value = if it.kind() == "init_declarator" {
            it.child_by_field_name("value")
        } else {
            None
        };
        let kinds = ["identifier", "pointer_declarator", "init_declarator"];
        kinds.contains(&it.kind())
            && value.is_none_or(|it| {
                matches!(
                    it.kind(),
                    "number_literal" | "null" | "true" | "false" | "char_literal"
                ) || unit.text(it) == "nullptr"
            })
    };
    is_handle
        && !names.is_empty()
        && names.iter().all(is_harmless)
        && !text.contains('#')
        && !text.contains("static")
}
