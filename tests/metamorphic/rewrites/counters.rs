//! Counters turned unsigned.

use tree_sitter::Node;

use super::super::change::Change;
use super::super::code::{Code, Unit, ancestors, children, declarators, declared_name, descendants};
use super::super::dice::Dice;

/// `int` counters that start at a number, only grow and are only compared with what cannot be negative become `unsigned`.
pub fn unsigned(code: &Code, _: &mut Dice) -> Option<Change> {
    let mut change = Change::default();
    for (number, unit) in code.units.iter().enumerate() {
        let mut scopes: Vec<(Node<'_>, Node<'_>)> = Vec::new();
        for node in descendants(unit.tree.root_node()) {
            if matches!(node.kind(), "declaration" | "field_declaration") {
                let scope = ancestors(node).find(|it| {
                    matches!(
                        it.kind(),
                        "for_statement" | "compound_statement" | "field_declaration_list"
                    )
                });
                scopes.extend(scope.map(|it| (node, it)));
            }
        }
        for (declaration, scope) in scopes {
            if counts(code, unit, declaration, scope)
                && let Some(kind) = declaration.child_by_field_name("type")
            {
                change.rename(number, kind.byte_range(), "unsigned");
            }
        }
    }
    (!change.is_empty()).then_some(change)
}

/// Whether a declaration is one `int` that starts at a number and is used as a counter only.
fn counts(code: &Code, unit: &Unit, declaration: Node<'_>, scope: Node<'_>) -> bool {
    let names = declarators(declaration);
    let head = unit.text(declaration);
    let is_int = declaration
        .child_by_field_name("type")
        .is_some_and(|it| unit.text(it) == "int");
    let (true, [declarator]) = (is_int, names.as_slice()) else {
        return false;
    };
    let Some(name) = declared_name(*declarator).filter(|it| it.kind().ends_with("identifier")) else {
        return false;
    };
    let value = declarator
        .child_by_field_name("value")
        .or_else(|| declaration.child_by_field_name("default_value"));
    let starts = value.is_some_and(|it| it.kind() == "number_literal" && !unit.text(it).contains('.'));
    let plain = matches!(declarator.kind(), "init_declarator" | "field_identifier")
        && declarator
            .child_by_field_name("declarator")
            .is_none_or(|it| it.kind() == "identifier");
    if !starts || !plain || head.contains("const") || head.contains("volatile") || head.contains("static") {
        return false;
    }
    let name = unit.text(name);
    let is_field = scope.kind() == "field_declaration_list";
    // A field may be used in other files, and one name may stand for two fields.
    let units: Vec<(&Unit, Node<'_>)> = if is_field {
        code.units.iter().map(|it| (it, it.tree.root_node())).collect()
    } else {
        vec![(unit, scope)]
    };
    let mut grows = false;
    let mut declared = 0;
    for (unit, root) in units {
        for it in descendants(root) {
            if !matches!(it.kind(), "identifier" | "field_identifier") || unit.text(it) != name {
                continue;
            }
            if declares(it) {
                declared += 1;
                continue;
            }
            match use_of(code, unit, it) {
                Some(grown) => grows |= grown,
                None => return false,
            }
        }
        let in_macro = unit.prepared.macros.iter().any(|it| {
            super::wrap::words(unit.slice(it.body.start as usize..it.body.end as usize)).contains(&name)
        });
        if in_macro {
            return false;
        }
    }
    grows && declared == 1
}

fn declares(name: Node<'_>) -> bool {
    name.parent().is_some_and(|it| {
        it.kind() == "init_declarator"
            && it
                .child_by_field_name("declarator")
                .is_some_and(|it| it.id() == name.id())
            || it.kind().ends_with("declaration")
            || it.kind().ends_with("_declarator")
    })
}

/// Whether a use lets a counter grow; `None` where it may matter that the counter has a sign.
fn use_of(code: &Code, unit: &Unit, name: Node<'_>) -> Option<bool> {
    let mut node = name;
    // `this->turn`, `state.turn`.
    if let Some(parent) = node.parent().filter(|it| it.kind() == "field_expression") {
        if parent
            .child_by_field_name("field")
            .is_none_or(|it| it.id() != name.id())
        {
            return None;
        }
        node = parent;
    }
    let parent = node.parent()?;
    match parent.kind() {
        "update_expression" => unit.text(parent).contains("++").then_some(true),
        "assignment_expression" => {
            let right = parent.child_by_field_name("right")?;
            let operator = parent.child_by_field_name("operator")?.kind();
            let is_target = parent.child_by_field_name("left")?.id() == node.id();
            (is_target && right.kind() == "number_literal" && matches!(operator, "=" | "+="))
                .then_some(operator == "+=")
        }
        "binary_expression" => {
            let operator = parent.child_by_field_name("operator")?.kind();
            let left = parent.child_by_field_name("left")?;
            let other = if left.id() == node.id() {
                parent.child_by_field_name("right")?
            } else {
                left
            };
            let ok = match operator {
                "<" | "<=" | ">" | ">=" | "==" | "!=" => is_never_negative(code, unit, other),
                "%" | "&" => {
                    left.id() == node.id()
                        && is_never_negative(code, unit, other)
                        && stays_small(unit, parent)
                }
                _ => false,
            };
            ok.then_some(false)
        }
        "subscript_expression" | "subscript_argument_list" => Some(false),
        _ => None,
    }
}

/// What is made of `turn % 2` must not become unsigned where that matters.
fn stays_small(unit: &Unit, node: Node<'_>) -> bool {
    node.parent().is_some_and(|it| {
        matches!(
            it.kind(),
            "subscript_argument_list"
                | "condition_clause"
                | "expression_statement"
                | "conditional_expression"
        ) || it.kind() == "parenthesized_expression"
            || it.kind() == "binary_expression"
                && matches!(
                    it.child_by_field_name("operator").map_or("", |it| it.kind()),
                    "==" | "!=" | "&&" | "||"
                )
                && unit.text(it).bytes().any(|it| it.is_ascii_digit())
    })
}

/// A number, or a name declared constant with one.
fn is_never_negative(code: &Code, unit: &Unit, node: Node<'_>) -> bool {
    let text = unit.text(node);
    if node.kind() == "number_literal" {
        return true;
    }
    if node.kind() != "identifier" {
        return text.ends_with(".size()");
    }
    let is_positive = |unit: &Unit, it: Node<'_>| {
        let text_is_constant = unit.text(it).contains("const");
        text_is_constant
            && declarators(it).into_iter().any(|declarator| {
                let value = declarator
                    .child_by_field_name("value")
                    .or_else(|| it.child_by_field_name("default_value"));
                declared_name(declarator).is_some_and(|it| unit.text(it) == text)
                    && value.is_some_and(|it| {
                        it.kind() == "number_literal"
                            || children(it).iter().all(|it| it.kind() == "number_literal")
                                && !unit.text(it).contains('-')
                    })
            })
    };
    let mut declared = 0;
    let mut positive = 0;
    for unit in &code.units {
        for it in descendants(unit.tree.root_node()) {
            if matches!(it.kind(), "declaration" | "field_declaration")
                && declarators(it)
                    .into_iter()
                    .filter_map(declared_name)
                    .any(|it| unit.text(it) == text)
            {
                declared += 1;
                positive += usize::from(is_positive(unit, it));
            } else if it.kind().ends_with("parameter_declaration")
                && it
                    .child_by_field_name("declarator")
                    .and_then(declared_name)
                    .is_some_and(|it| unit.text(it) == text)
            {
                declared += 1;
            }
        }
    }
    declared > 0 && declared == positive
}
