//! Local variables that a place in a function sees, with their types as written.

use tree_sitter::Node;

use super::code::{Unit, ancestors, children, declarators, declared_name, descendants};

/// A variable of a function.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The declaration of a reference to it, when its type can be read off: `int *&words`.
    pub reference: Option<String>,
    /// Whether its type says that it is constant.
    pub is_constant: bool,
    /// Whether it is a structured binding, which older lambdas do not capture.
    pub is_binding: bool,
}

/// What a statement sees, innermost first; a name is listed once.
pub fn visible(unit: &Unit, statement: Node<'_>) -> Vec<Variable> {
    let mut found = Vec::new();
    let mut copied_from = None;
    let start = statement.start_byte();
    for scope in ancestors(statement) {
        match scope.kind() {
            "compound_statement" | "case_statement" => {
                let before: Vec<_> = children(scope)
                    .into_iter()
                    .filter(|it| it.end_byte() <= start && it.kind() == "declaration")
                    .collect();
                before.iter().rev().for_each(|it| declared(unit, *it, &mut found));
            }
            "for_statement" => {
                if let Some(it) = scope.child_by_field_name("initializer") {
                    declared(unit, it, &mut found);
                }
            }
            "for_range_loop" | "catch_clause" | "if_statement" | "while_statement" | "switch_statement" => {
                head(unit, scope, start, &mut found);
            }
            "lambda_expression" => {
                parameters(unit, scope, &mut found);
                captures(unit, scope, &mut found);
                copied_from = copied_from.or(captures_by_copy(unit, scope).then_some(found.len()));
            }
            "function_definition" => {
                parameters(unit, scope, &mut found);
                break;
            }
            _ => {}
        }
    }
    // What a lambda copies is constant inside: no reference of the written type binds to it.
    for it in found.iter_mut().skip(copied_from.unwrap_or(usize::MAX)) {
        it.reference = None;
    }
    found
}

fn captures_by_copy(unit: &Unit, lambda: Node<'_>) -> bool {
    lambda.child_by_field_name("captures").is_some_and(|it| {
        unit.text(it)
            .trim_start_matches('[')
            .trim_start()
            .starts_with('=')
    })
}

/// Variables of a statement's head: conditions, range-for, catch.
fn head(unit: &Unit, scope: Node<'_>, before: usize, found: &mut Vec<Variable>) {
    if scope.kind() == "for_range_loop" {
        one(unit, scope, scope.child_by_field_name("declarator"), found);
        return;
    }
    for node in descendants(scope) {
        let is_head = matches!(
            node.kind(),
            "declaration" | "condition_declaration" | "init_statement" | "parameter_declaration"
        );
        if is_head && node.end_byte() <= before && outside_blocks(node, scope) {
            declared(unit, node, found);
        }
    }
}

fn outside_blocks(node: Node<'_>, scope: Node<'_>) -> bool {
    ancestors(node)
        .take_while(|it| it.id() != scope.id())
        .all(|it| it.kind() != "compound_statement")
}

fn captures(unit: &Unit, lambda: Node<'_>, found: &mut Vec<Variable>) {
    let Some(list) = lambda.child_by_field_name("captures") else {
        return;
    };
    for capture in children(list) {
        // By copy or with an initialiser: constant inside unless the lambda is mutable, and of a type that is not written here.
        if let Some(name) = first_identifier(capture) {
            add(found, unit.text(name), None, true, false);
        }
    }
}

fn parameters(unit: &Unit, function: Node<'_>, found: &mut Vec<Variable>) {
    let Some(list) = parameter_list(function) else {
        return;
    };
    for it in children(list) {
        one(unit, it, it.child_by_field_name("declarator"), found);
    }
}

/// The parameter list of a function or a lambda.
pub fn parameter_list(function: Node<'_>) -> Option<Node<'_>> {
    let mut node = function.child_by_field_name("declarator")?;
    loop {
        if let Some(list) = node.child_by_field_name("parameters") {
            return Some(list);
        }
        node = node.child_by_field_name("declarator").or_else(|| {
            children(node)
                .into_iter()
                .find(|it| it.kind().ends_with("declarator"))
        })?;
    }
}

/// Adds what a declaration declares.
pub fn declared(unit: &Unit, declaration: Node<'_>, found: &mut Vec<Variable>) {
    for it in declarators(declaration) {
        one(unit, declaration, Some(it), found);
    }
}

fn one(unit: &Unit, declaration: Node<'_>, declarator: Option<Node<'_>>, found: &mut Vec<Variable>) {
    let Some(declarator) = declarator else { return };
    let inner = if declarator.kind() == "init_declarator" {
        declarator.child_by_field_name("declarator")
    } else {
        Some(declarator)
    };
    let Some(inner) = inner else { return };
    if let Some(bindings) = descendants(inner)
        .into_iter()
        .find(|it| it.kind() == "structured_binding_declarator")
    {
        for it in children(bindings) {
            add(found, unit.text(it), None, false, true);
        }
        return;
    }
    let Some(name) = declared_name(inner) else { return };
    let base = base_type(unit, declaration);
    let is_constant = base
        .as_deref()
        .is_none_or(|it| it.starts_with("const ") || it.contains(" const"));
    let is_parameter = declaration.kind().ends_with("parameter_declaration");
    let reference = base.and_then(|base| reference_to(unit, &base, inner, name, is_parameter));
    add(found, unit.text(name), reference, is_constant, false);
}

/// The type of a declaration as written, without what says how it is stored; `None` for a deduced one.
pub fn base_type(unit: &Unit, declaration: Node<'_>) -> Option<String> {
    let kind = declaration.child_by_field_name("type")?;
    if kind.kind() == "placeholder_type_specifier"
        || kind.has_error()
        || kind.kind().ends_with("_specifier") && kind.kind() != "sized_type_specifier"
    {
        return None;
    }
    let text = unit.text(kind);
    if text.contains("auto") || text.contains("decltype") {
        return None;
    }
    let end = declaration
        .child_by_field_name("declarator")
        .map_or(kind.end_byte(), |it| it.start_byte());
    let words = unit.slice(declaration.start_byte()..end);
    let is_constant = words
        .split(|it: char| !it.is_alphanumeric() && it != '_')
        .any(|it| it == "const" || it == "constexpr");
    let is_volatile = words.split_whitespace().any(|it| it == "volatile");
    Some(format!(
        "{}{}{text}",
        if is_constant && !text.starts_with("const ") {
            "const "
        } else {
            ""
        },
        if is_volatile { "volatile " } else { "" },
    ))
}

fn reference_to(
    unit: &Unit,
    base: &str,
    declarator: Node<'_>,
    name: Node<'_>,
    is_parameter: bool,
) -> Option<String> {
    let before = unit.slice(declarator.start_byte()..name.start_byte());
    let after = unit.slice(name.end_byte()..declarator.end_byte());
    let text = unit.text(name);
    match declarator.kind() {
        "identifier" => Some(format!("{base} &{text}")),
        "reference_declarator" if !before.contains("&&") => Some(format!("{base} {before}{text}{after}")),
        "pointer_declarator" if after.trim().is_empty() && !before.contains('(') => {
            Some(format!("{base} {before}&{text}"))
        }
        "array_declarator" if !is_parameter && !before.contains('(') => {
            let sizes: Vec<&str> = after
                .split(['[', ']'])
                .map(str::trim)
                .filter(|it| !it.is_empty())
                .collect();
            let is_literal = |it: &&str| it.bytes().all(|byte| byte.is_ascii_digit());
            (!sizes.is_empty() && sizes.iter().all(is_literal))
                .then(|| format!("{base} {before}(&{text}){after}"))
        }
        _ => None,
    }
}

fn first_identifier(node: Node<'_>) -> Option<Node<'_>> {
    descendants(node).into_iter().find(|it| it.kind() == "identifier")
}

fn add(
    found: &mut Vec<Variable>,
    name: &str,
    reference: Option<String>,
    is_constant: bool,
    is_binding: bool,
) {
    if !found.iter().any(|it| it.name == name) {
        found.push(Variable {
            name: name.to_owned(),
            reference,
            is_constant,
            is_binding,
        });
    }
}
