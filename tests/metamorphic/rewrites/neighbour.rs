//! An unrelated program in the same project, with names that look the same.

use std::collections::BTreeSet;

use super::super::change::{Change, Piece};
use super::super::code::{Code, Function, Unit, children, descendants};
use super::super::dice::Dice;
use super::super::scope::parameter_list;
use super::wrap::words;

/// Types every CUDA source knows.
const KNOWN: [&str; 20] = [
    "void",
    "bool",
    "char",
    "short",
    "int",
    "unsigned",
    "long",
    "float",
    "double",
    "size_t",
    "signed",
    "const",
    "volatile",
    "std",
    "string",
    "uint32_t",
    "uint64_t",
    "int64_t",
    "__restrict__",
    "dim3",
];

/// A file with functions, kernels and classes of the same names, which do nothing, and an entry that uses them; all of it is static
/// or in a namespace of its own.
pub fn program(code: &Code, dice: &mut Dice) -> Option<Change> {
    let functions = code.functions();
    let mut seen = BTreeSet::new();
    let mut text = String::from(
        "// A program of its own: it shares names with the one beside it and nothing else.\n#include <cuda_runtime.h>\n#include <cstddef>\n#include <cstdint>\n#include <string>\n\n",
    );
    let is_static = dice.flip();
    text.push_str(if is_static {
        "namespace {\n\n"
    } else {
        "namespace other_program {\n\n"
    });
    let mut launches = String::new();
    for it in functions.iter().filter(|it| is_plain(it)) {
        let unit = &code.units[it.unit];
        let Some(twin) = twin(unit, it) else { continue };
        if seen.insert(it.name) {
            text.push_str(&twin.text);
            launches.push_str(&twin.launch);
        }
    }
    for (name, methods) in classes(code) {
        if !seen.insert(name) {
            continue;
        }
        let methods: String = methods
            .iter()
            .map(|it| format!("  void {it}() {{ ++turn_; }}\n"))
            .collect();
        text.push_str(&format!(
            "class {name} {{\npublic:\n{methods}private:\n  int turn_ = 0;\n}};\n\n"
        ));
        launches.push_str(&format!(
            "  {name} object_of_{name};\n  (void)object_of_{name};\n"
        ));
    }
    if seen.is_empty() {
        return None;
    }
    text.push_str("}\n\n");
    let using = if is_static {
        ""
    } else {
        "  using namespace other_program;\n"
    };
    text.push_str(&format!(
        "int other_entry(cudaStream_t stream) {{\n{using}{launches}  return cudaStreamSynchronize(stream) == cudaSuccess ? 0 : 1;\n}}\n"
    ));
    let mut change = Change::default();
    change.add("other.cu", vec![Piece::text(text)]);
    Some(change)
}

struct Twin {
    text: String,
    launch: String,
}

/// A function with the same head and nothing in it.
fn twin(unit: &Unit, function: &Function<'_>) -> Option<Twin> {
    let list = parameter_list(function.node)?;
    let parameters = unit.text(list);
    let is_known = |it: &&str| KNOWN.contains(it) || it.starts_with("cuda") && it.ends_with("_t");
    let types_known = children(list).iter().all(|it| {
        it.child_by_field_name("type")
            .is_some_and(|it| words(unit.text(it)).iter().all(is_known))
            && it.kind() == "parameter_declaration"
            && it
                .child_by_field_name("declarator")
                .is_none_or(|it| !unit.text(it).contains('('))
    });
    if !types_known || parameters.contains('#') {
        return None;
    }
    let name = function.name;
    if function.is_kernel {
        let zeros = vec!["{}"; children(list).len()].join(", ");
        return Some(Twin {
            text: format!("__global__ void {name}{parameters} {{}}\n\n"),
            launch: format!("  {name}<<<1, 1, 0, stream>>>({zeros});\n").replace("{}", "0"),
        });
    }
    let qualifier = if function.is_host { "" } else { "__device__ " };
    Some(Twin {
        text: format!("[[maybe_unused]] static {qualifier}inline void {name}{parameters} {{}}\n\n"),
        launch: String::new(),
    })
}

/// Functions whose twin needs nothing.
fn is_plain(function: &Function<'_>) -> bool {
    function.class.is_none()
        && !function.is_template()
        && function.name != "main"
        && function.is_at_top()
        && !function.name.starts_with("operator")
}

/// Classes with the names of their methods.
fn classes(code: &Code) -> Vec<(&str, Vec<&str>)> {
    let functions = code.functions();
    let mut found = Vec::new();
    for unit in &code.units {
        for node in descendants(unit.tree.root_node()) {
            if !matches!(node.kind(), "class_specifier" | "struct_specifier")
                || node.child_by_field_name("body").is_none()
            {
                continue;
            }
            let Some(name) = node
                .child_by_field_name("name")
                .filter(|it| it.kind() == "type_identifier")
            else {
                continue;
            };
            let name = unit.text(name);
            let mut methods: Vec<&str> = functions
                .iter()
                .filter(|it| it.class.is_some_and(|class| class.id() == node.id()))
                .map(|it| it.name)
                .filter(|it| {
                    *it != name && !it.contains('~') && !it.contains("operator") && !it.contains(' ')
                })
                .collect();
            methods.sort_unstable();
            methods.dedup();
            found.push((name, methods));
        }
    }
    found
}
