//! Reads `rules/api.toml` and writes the sorted table of calls as Rust source; used by `build.rs` and by tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Deserialize;

use super::call::{Blocking, Capture, Certainty, Direction, Loading, Lock, Operation, Preload, Role};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    call: Vec<Group>,
    spelling: Vec<Spelling>,
    respelled: BTreeMap<String, String>,
    suffixes: Vec<String>,
    namespaces: BTreeMap<String, String>,
    /// What calls return, by the beginnings of their names.
    results: BTreeMap<String, String>,
}

/// Calls that behave alike.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Group {
    /// Names; `{a,b}` stands for alternatives.
    names: Vec<String>,
    operation: Operation,
    /// Role names separated by spaces; a trailing `role...` is the role of all further arguments.
    #[serde(default)]
    args: String,
    #[serde(default)]
    overloads: Vec<String>,
    #[serde(default = "argument")]
    direction: Direction,
    #[serde(default = "nothing")]
    blocks: Blocking,
    #[serde(default = "nothing")]
    may_block: Blocking,
    lock: Option<Lock>,
    /// It makes, grows or ends a container that owns device memory.
    #[serde(default)]
    container: bool,
    #[serde(default = "loads_nothing")]
    loads: Loading,
    #[serde(default = "no")]
    preloads: Preload,
    #[serde(default = "legal")]
    capture: Capture,
    #[serde(default)]
    callback: bool,
    #[serde(default = "documented")]
    certainty: Certainty,
    reference: String,
    /// The name is gone from current headers, or never was in them (a macro of HIP).
    #[serde(default)]
    #[expect(dead_code, reason = "read by tests/api_headers.rs from the same file")]
    absent: bool,
}

/// Names beginning with `prefix` are tried with each of `to` instead.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spelling {
    prefix: String,
    to: Vec<String>,
}

/// The Rust source of the tables `api/mod.rs` includes, or what is wrong with `text`.
pub fn compile(text: &str) -> Result<String, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut calls = BTreeMap::new();
    for group in &file.call {
        let fields = fields(group)?;
        for name in group.names.iter().flat_map(|pattern| expand(pattern)) {
            let line = format!("    Call {{ name: {name:?}, {fields} }},\n");
            if calls.insert(name.clone(), line).is_some() {
                return Err(format!("`{name}` is listed twice"));
            }
        }
    }
    for (from, to) in &file.respelled {
        if !calls.contains_key(to) {
            return Err(format!("`{from}` is respelled `{to}`, which is not listed"));
        }
    }
    Ok(source(&file, &calls))
}

/// What functions of the C and C++ libraries do.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Library {
    asks: Vec<String>,
    counts: Vec<String>,
    containers: Vec<String>,
    ends_held: Vec<String>,
    asks_text: Vec<String>,
    hands_out: Vec<String>,
    computes: Vec<String>,
    depends_on_values: Vec<String>,
    hands_on: Vec<String>,
    lowest_bit: Vec<String>,
    first_bit: Vec<String>,
    bits_set: Vec<String>,
    owners: Vec<String>,
    smart_pointers: Vec<String>,
    sole_owners: Vec<String>,
    leaves_handles: Vec<String>,
    keeps: Vec<String>,
    adds_one: Vec<String>,
    only_asks: Vec<String>,
    makes_owned: Vec<String>,
    asserts: Vec<String>,
    test_frameworks: Vec<String>,
    hands_out_element: Vec<String>,
    waits_for_work: Vec<String>,
    waits_some_time: Vec<String>,
    only_reads: Vec<String>,
    annotates: Vec<String>,
    allocates_for_containers: Vec<String>,
    exits: Vec<String>,
    fails: Vec<String>,
    becomes_another: Vec<String>,
    throws: Vec<String>,
    environment: Vec<String>,
    takes_options: Vec<String>,
    allocates: Vec<String>,
    stores_atomically: Vec<String>,
    adds_atomically: Vec<String>,
    compares_atomically: Vec<String>,
    counts_atomically: Vec<String>,
    loads_atomically: Vec<String>,
    prints: Vec<String>,
    orders: Vec<String>,
    tells: Vec<String>,
    futures: Family,
    atomics: Family,
}

/// Methods that count only where a text shows that they can be meant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    methods: Vec<String>,
    signs: Vec<String>,
}

/// The Rust source of the tables `api/library.rs` includes, or what is wrong with `text`.
pub fn library(text: &str) -> Result<String, String> {
    let file: Library = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut out = String::new();
    for (name, list) in [
        ("ASKS", &file.asks),
        ("COUNTS", &file.counts),
        ("CONTAINERS", &file.containers),
        ("ENDS_HELD", &file.ends_held),
        ("ASKS_TEXT", &file.asks_text),
        ("HANDS_OUT", &file.hands_out),
        ("COMPUTES", &file.computes),
        ("DEPENDS_ON_VALUES", &file.depends_on_values),
        ("HANDS_ON", &file.hands_on),
        ("LOWEST_BIT", &file.lowest_bit),
        ("FIRST_BIT", &file.first_bit),
        ("BITS_SET", &file.bits_set),
        ("OWNERS", &file.owners),
        ("SMART_POINTERS", &file.smart_pointers),
        ("SOLE_OWNERS", &file.sole_owners),
        ("LEAVES_HANDLES", &file.leaves_handles),
        ("KEEPS", &file.keeps),
        ("ADDS_ONE", &file.adds_one),
        ("ONLY_ASKS", &file.only_asks),
        ("MAKES_OWNED", &file.makes_owned),
        ("ASSERTS", &file.asserts),
        ("TEST_FRAMEWORKS", &file.test_frameworks),
        ("HANDS_OUT_ELEMENT", &file.hands_out_element),
        ("WAITS_FOR_WORK", &file.waits_for_work),
        ("WAITS_SOME_TIME", &file.waits_some_time),
        ("ONLY_READS", &file.only_reads),
        ("ANNOTATES", &file.annotates),
        ("ALLOCATES_FOR_CONTAINERS", &file.allocates_for_containers),
        ("EXITS", &file.exits),
        ("FAILS", &file.fails),
        ("BECOMES_ANOTHER", &file.becomes_another),
        ("THROWS", &file.throws),
        ("ENVIRONMENT", &file.environment),
        ("TAKES_OPTIONS", &file.takes_options),
        ("ALLOCATES", &file.allocates),
        ("STORES_ATOMICALLY", &file.stores_atomically),
        ("ADDS_ATOMICALLY", &file.adds_atomically),
        ("COMPARES_ATOMICALLY", &file.compares_atomically),
        ("COUNTS_ATOMICALLY", &file.counts_atomically),
        ("LOADS_ATOMICALLY", &file.loads_atomically),
        ("PRINTS", &file.prints),
        ("ORDERS", &file.orders),
        ("TELLS", &file.tells),
        ("OF_FUTURES", &file.futures.methods),
        ("SIGNS_OF_FUTURES", &file.futures.signs),
        ("OF_ATOMICS", &file.atomics.methods),
        ("SIGNS_OF_ATOMICS", &file.atomics.signs),
    ] {
        let mut all = BTreeSet::new();
        if let Some(twice) = list.iter().find(|it| !all.insert(it.as_str())) {
            return Err(format!("`{twice}` is listed twice"));
        }
        writeln!(out, "static {name}: &[&str] = &{list:?};").expect("writing to a string does not fail");
    }
    Ok(out)
}

/// The tables of a checked file.
fn source(file: &File, calls: &BTreeMap<String, String>) -> String {
    let mut out = String::from("static CALLS: &[Call] = &[\n");
    out.extend(calls.values().map(String::as_str));
    out.push_str("];\n");
    let mut spellings: Vec<_> = file.spelling.iter().map(|it| (&it.prefix, &it.to)).collect();
    spellings.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    let respelled: Vec<_> = file.respelled.iter().collect();
    let namespaces: Vec<_> = file.namespaces.iter().collect();
    let mut results: Vec<_> = file.results.iter().collect();
    results.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    let mut table = |name: &str, ty: &str, value: &dyn std::fmt::Debug| {
        writeln!(out, "static {name}: &[{ty}] = &{value:?};").expect("writing to a string does not fail");
    };
    let slices: Vec<_> = spellings.iter().map(|(prefix, to)| (prefix, Slice(to))).collect();
    table("SPELLINGS", "(&str, &[&str])", &slices);
    table("RESPELLED", "(&str, &str)", &respelled);
    table("NAMESPACES", "(&str, &str)", &namespaces);
    table("RESULTS", "(&str, &str)", &results);
    table("SUFFIXES", "&str", &file.suffixes);
    out
}

/// Everything of a `Call` but its name.
fn fields(group: &Group) -> Result<String, String> {
    let complain = |problem: String| format!("in the group of `{}`: {problem}", group.names.join("`, `"));
    if group.reference.is_empty() {
        return Err(complain("`reference` is empty".to_owned()));
    }
    let (args, rest) = roles(&group.args).map_err(complain)?;
    let mut overloads = String::new();
    for overload in &group.overloads {
        let (roles, _) = roles(overload).map_err(complain)?;
        write!(overloads, "&[{roles}], ").expect("writing to a string does not fail");
    }
    Ok(format!(
        "operation: Operation::{:?}, args: &[{args}], rest: Role::{rest:?}, overloads: &[{overloads}], \
         direction: Direction::{:?}, blocks: Blocking::{:?}, may_block: Blocking::{:?}, lock: Lock::{:?}, container: {}, \
         loads: Loading::{:?}, preloads: Preload::{:?}, capture: Capture::{:?}, in_callback: {}, \
         certainty: Certainty::{:?}, reference: {:?}",
        group.operation,
        group.direction,
        group.blocks,
        group.may_block,
        group.lock.unwrap_or(Lock::of(group.operation, group.blocks)),
        group.container,
        group.loads,
        group.preloads,
        group.capture,
        group.callback,
        group.certainty,
        group.reference,
    ))
}

/// A list of role names as Rust source, and the role of the arguments after them.
fn roles(text: &str) -> Result<(String, Role), String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let rest = match words.pop_if(|it| it.ends_with("...")) {
        Some(word) => role(word.trim_end_matches('.'))?,
        None => Role::Other,
    };
    let roles: Result<Vec<Role>, String> = words.into_iter().map(role).collect();
    Ok((
        roles?
            .iter()
            .map(|it| format!("Role::{it:?}"))
            .collect::<Vec<_>>()
            .join(", "),
        rest,
    ))
}

/// The role called `word`; `-` is short for `other`.
fn role(word: &str) -> Result<Role, String> {
    let word = if word == "-" { "other" } else { word };
    let value = toml::Value::String(word.to_owned());
    Role::deserialize(value).map_err(|error| error.to_string().trim().to_owned())
}

/// `a{b,c}d` as `abd`, `acd`.
fn expand(pattern: &str) -> Vec<String> {
    let Some((head, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let (choices, tail) = rest.split_once('}').unwrap_or((rest, ""));
    let tails = expand(tail);
    choices
        .split(',')
        .flat_map(|choice| tails.iter().map(move |tail| format!("{head}{choice}{tail}")))
        .collect()
}

/// Prints as a slice expression.
struct Slice<'a>(&'a [String]);

impl std::fmt::Debug for Slice<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "&{:?}", self.0)
    }
}

fn argument() -> Direction {
    Direction::Argument
}

fn nothing() -> Blocking {
    Blocking::None
}

fn loads_nothing() -> Loading {
    Loading::None
}

fn no() -> Preload {
    Preload::No
}

fn legal() -> Capture {
    Capture::Legal
}

fn documented() -> Certainty {
    Certainty::Documented
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(call: &str) -> Result<String, String> {
        let frame = "suffixes = []\nspelling = []\n[respelled]\n[namespaces]\n[results]\n";
        compile(&format!(
            "{frame}[[call]]\nnames = [\"f{{A,B}}\"]\nreference = \"M1\"\n{call}"
        ))
    }

    #[test]
    fn alternatives_become_one_entry_each() {
        let source =
            compiled("operation = \"launch\"\nargs = \"kernel kernel-argument...\"").expect("it is valid");
        assert!(source.contains("name: \"fA\"") && source.contains("name: \"fB\""));
        assert!(source.contains("args: &[Role::Kernel], rest: Role::KernelArgument"));
    }

    #[test]
    fn a_role_of_a_library_function_is_a_list_without_repetition() {
        let text = include_str!("../../rules/library.toml");
        let source = library(text).expect("it is what the build reads");
        assert!(
            source.contains("static EXITS: &[&str] = &[\"exit\", \"_exit\", \"_Exit\", \"quick_exit\"];")
        );
        let twice = text.replace("\"_exit\"", "\"exit\"");
        assert_eq!(library(&twice), Err("`exit` is listed twice".to_owned()));
        let unknown = library(&format!("blinks = []\n{text}")).expect_err("there is no such role");
        assert!(unknown.contains("blinks"), "{unknown}");
    }

    #[test]
    fn unknown_words_are_named() {
        let problem = compiled("operation = \"lunch\"").expect_err("there is no such operation");
        assert!(
            problem.contains("lunch") && problem.contains("launch"),
            "{problem}"
        );
        let problem =
            compiled("operation = \"launch\"\nargs = \"kernel girdle\"").expect_err("there is no such role");
        assert!(problem.contains("fA") || problem.contains("f{A,B}"), "{problem}");
        assert!(problem.contains("girdle"), "{problem}");
        let problem =
            compiled("operation = \"launch\"\nblock = \"device\"").expect_err("there is no such key");
        assert!(problem.contains("block"), "{problem}");
    }

    #[test]
    fn a_name_listed_twice_is_refused() {
        let again =
            "operation = \"launch\"\n[[call]]\nnames = [\"fB\"]\nreference = \"x\"\noperation = \"other\"";
        assert!(
            compiled(again)
                .expect_err("fB is there twice")
                .contains("`fB` is listed twice")
        );
    }
}
