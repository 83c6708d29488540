//! Every name of the project replaced by one that says nothing.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::super::change::Change;
use super::super::code::{Code, Unit, declared_name, descendants};
use super::super::dice::Dice;
use super::wrap::{is_cuda, words};

/// Names of members that libraries look for or have themselves: a member of the project with such a name keeps it.
const FOREIGN: &str = "x y z w size data begin end cbegin cend rbegin rend push_back emplace_back pop_back push pop emplace insert erase resize reserve \
    capacity clear empty front back top at find count contains assign swap get reset release get_deleter join joinable detach get_id lock unlock try_lock \
    owns_lock wait wait_for wait_until notify_one notify_all arrive arrive_and_wait arrive_and_drop count_down try_acquire acquire set_value \
    set_exception get_future valid load store exchange fetch_add fetch_sub fetch_or fetch_and compare_exchange_strong compare_exchange_weak first \
    second c_str str length substr append what value has_value value_or type value_type iterator const_iterator iterator_category difference_type \
    pointer reference const_reference size_type allocate deallocate construct destroy rebind other max_size element_type deleter_type result_type \
    argument_type promise_type initial_suspend final_suspend return_void unhandled_exception get_return_object await_ready await_suspend \
    await_resume sync thread_rank num_threads is_valid thread_index group_index group_dim dim_threads call function operator open close read write \
    good fail eof is_open push_front pop_front emplace_front key_type mapped_type time_since_epoch now period rep duration clock request_stop \
    stop_requested get_stop_token stop_requested use_count expired owner_before test test_and_set notify min max fill rank name";

/// Beginnings of names that belong to libraries, also where a program declares what it uses of them, and of macros that they read.
const LIBRARIES: [&str; 18] = [
    "cublas", "cudnn", "cufft", "cusolver", "cusparse", "curand", "nccl", "NCCL_", "nvtx", "nvrtc",
    "nvshmem", "MPI_", "omp_", "CUDA_", "CUB_", "THRUST_", "NDEBUG", "_",
];

/// The same for fields of CUDA's structures, where a program uses such structures.
const FIELDS: &str = "gridDim blockDim dynamicSmemBytes stream attrs numAttrs func kernelParams extra sharedMemBytes dst src count kind elementSize \
    height width pitch value id val ptr extent devPtr fn userData address bytesize dptr params location flags reserved depth srcPtr dstPtr operation \
    memSync waitValue writeValue localSizeBytes numRegs maxThreadsPerBlock binaryVersion res resType linear desc sizeInBytes format Depth Height Width \
    props type handleTypes win32SecurityAttributes maxSize cooperative programmaticStreamSerializationAllowed priority multiProcessorCount \
    asyncEngineCount major minor totalGlobalMem warpSize clockRate kernel memcpy memset host conditional handle ctx size phGraph_out paramArray";

/// Everything, consistently: locals, functions, kernels, types, members, macros. `main` stays.
pub fn everything(code: &Code, dice: &mut Dice) -> Option<Change> {
    let names = new_names(code, dice);
    let mut change = Change::default();
    let fields = fields(code);
    for (number, unit) in code.units.iter().enumerate() {
        let mut before: Vec<&str> = Vec::new();
        for (range, is_word) in tokens(&unit.bytes) {
            let text = unit.slice(range.clone());
            if is_word
                && let Some(new) = names.get(text)
                && may_be_renamed(&before, text, &fields, &names)
            {
                change.rename(number, range, new.as_str());
            }
            before.push(text);
        }
    }
    (!change.is_empty()).then_some(change)
}

/// What stands before a word says whose it is.
fn may_be_renamed(
    before: &[&str],
    text: &str,
    fields: &BTreeSet<&str>,
    names: &BTreeMap<&str, String>,
) -> bool {
    match before {
        [.., "."] | [.., "-", ">"] | [.., ".", "template"] | [.., "-", ">", "template"] => {
            fields.contains(text)
        }
        [.., root, ":", ":"] => {
            let is_word = root.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
            !is_word || names.contains_key(root) || *root == "return" || *root == "template"
        }
        [.., "#", "pragma"] => false,
        _ => true,
    }
}

fn new_names<'a>(code: &'a Code, dice: &mut Dice) -> BTreeMap<&'a str, String> {
    let foreign: BTreeSet<&str> = FOREIGN.split_whitespace().collect();
    let structures = [
        "LaunchConfig",
        "Params",
        "Desc",
        "Extent",
        "Prop",
        "Attribute",
        "cudaPos",
    ];
    let cuda_fields: BTreeSet<&str> = if structures.iter().any(|it| code.mentions(it)) {
        FIELDS.split_whitespace().collect()
    } else {
        BTreeSet::new()
    };
    let fields = fields(code);
    let looked_up = ["ModuleGet", "LibraryGet", "nvrtc", "dlsym", "extern \"C\""];
    let in_strings = if looked_up.iter().any(|it| code.mentions(it)) {
        words_in_strings(code)
    } else {
        BTreeSet::new()
    };
    let mut declared: Vec<&str> = declared(code)
        .into_iter()
        .filter(|it| {
            let is_taken = fields.contains(it) && (foreign.contains(it) || cuda_fields.contains(it));
            let is_foreign =
                *it == "main" || is_cuda(it) || LIBRARIES.iter().any(|library| it.starts_with(library));
            !is_foreign && !is_taken && !in_strings.contains(it) && !it.is_empty() && !it.starts_with('~')
        })
        .collect();
    // Which name becomes which number is a choice.
    let shift = dice.below(declared.len().max(1));
    declared.rotate_left(shift);
    let mut prefix = "v".to_owned();
    while code.mentions(&format!("{prefix}1")) {
        prefix.push('v');
    }
    declared
        .into_iter()
        .enumerate()
        .map(|(index, name)| (name, format!("{prefix}{index}")))
        .collect()
}

/// Names the project declares.
fn declared(code: &Code) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for unit in &code.units {
        for it in &unit.prepared.macros {
            found.insert(it.name.as_str());
            found.extend(
                it.params
                    .iter()
                    .flatten()
                    .map(String::as_str)
                    .filter(|it| *it != "..."),
            );
        }
        for node in descendants(unit.tree.root_node()) {
            declared_by(unit, node, &mut found);
        }
    }
    found.remove("...");
    found
}

fn declared_by<'a>(unit: &'a Unit, node: Node<'a>, found: &mut BTreeSet<&'a str>) {
    match node.kind() {
        "declaration"
        | "parameter_declaration"
        | "optional_parameter_declaration"
        | "field_declaration"
        | "function_definition"
        | "for_range_loop"
        | "type_definition"
        | "condition_declaration"
        | "variadic_parameter_declaration" => {
            let mut cursor = node.walk();
            let names: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
            for it in names {
                // `Class::method` declares what the class does; friends of libraries do not count.
                if let Some(name) = declared_name(it).filter(|it| it.kind().ends_with("identifier")) {
                    found.insert(unit.text(name));
                }
            }
        }
        "structured_binding_declarator" => found.extend(
            super::super::code::children(node)
                .into_iter()
                .map(|it| unit.text(it)),
        ),
        "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
            let name = node
                .child_by_field_name("name")
                .filter(|it| it.kind() == "type_identifier");
            let body = node.child_by_field_name("body");
            found.extend(name.filter(|_| body.is_some()).map(|it| unit.text(it)));
        }
        "enumerator" | "alias_declaration" | "concept_definition" | "namespace_alias_definition" => {
            found.extend(node.child_by_field_name("name").map(|it| unit.text(it)));
        }
        "namespace_definition" => {
            let name = node
                .child_by_field_name("name")
                .filter(|it| it.kind() == "namespace_identifier");
            found.extend(name.map(|it| unit.text(it)));
        }
        "type_parameter_declaration"
        | "variadic_type_parameter_declaration"
        | "optional_type_parameter_declaration" => {
            let name = descendants(node)
                .into_iter()
                .find(|it| it.kind() == "type_identifier");
            found.extend(name.map(|it| unit.text(it)));
        }
        "lambda_capture_initializer" => {
            found.extend(node.child_by_field_name("left").map(|it| unit.text(it)));
        }
        "labeled_statement" => found.extend(node.child_by_field_name("label").map(|it| unit.text(it))),
        _ => {}
    }
}

/// Names of members the project declares.
fn fields(code: &Code) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for unit in &code.units {
        for node in descendants(unit.tree.root_node()) {
            let in_class = node.parent().is_some_and(|it| {
                it.kind() == "field_declaration_list"
                    || it.kind() == "template_declaration"
                        && it
                            .parent()
                            .is_some_and(|it| it.kind() == "field_declaration_list")
            });
            if in_class {
                let mut cursor = node.walk();
                let names: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
                found.extend(
                    names
                        .into_iter()
                        .filter_map(declared_name)
                        .map(|it| unit.text(it)),
                );
            }
        }
    }
    found
}

fn words_in_strings(code: &Code) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for unit in &code.units {
        for node in descendants(unit.tree.root_node()) {
            if matches!(node.kind(), "string_literal" | "raw_string_literal") {
                found.extend(words(unit.text(node)));
            }
        }
    }
    found
}

/// Words and single characters outside comments, literals and `#include` lines; `true` for words.
fn tokens(bytes: &[u8]) -> Vec<(std::ops::Range<usize>, bool)> {
    let mut found = Vec::new();
    let mut at = 0;
    let find = |from: usize, what: &[u8]| {
        bytes[from.min(bytes.len())..]
            .windows(what.len())
            .position(|it| it == what)
            .map_or(bytes.len(), |it| from + it + what.len())
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let start = at;
        let byte = bytes[at];
        if rest.starts_with(b"//") {
            at = find(at, b"\n") - 1;
            at = at.max(start + 1);
        } else if rest.starts_with(b"/*") {
            at = find(at + 2, b"*/");
        } else if byte.is_ascii_alphabetic() || byte == b'_' {
            while bytes
                .get(at)
                .is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_')
            {
                at += 1;
            }
            let word = &bytes[start..at];
            if bytes.get(at) == Some(&b'"') && word.ends_with(b"R") && word.len() <= 3 {
                let open = at + 1;
                let length = bytes[open..].iter().position(|it| *it == b'(').unwrap_or(0);
                let close = [b")", &bytes[open..open + length], b"\""].concat();
                at = find(open + length, &close);
            } else if word == b"include"
                && found
                    .last()
                    .is_some_and(|it: &(std::ops::Range<usize>, bool)| bytes[it.0.start] == b'#')
            {
                at = find(at, b"\n");
            } else {
                found.push((start..at, true));
            }
        } else if byte.is_ascii_digit() {
            while bytes
                .get(at)
                .is_some_and(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'\''))
            {
                at += 1;
            }
        } else if byte == b'"' || byte == b'\'' {
            at += 1;
            while bytes.get(at).is_some_and(|it| *it != byte && *it != b'\n') {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
        } else {
            at += 1;
            if !byte.is_ascii_whitespace() {
                found.push((start..at, false));
            }
        }
    }
    found
}
