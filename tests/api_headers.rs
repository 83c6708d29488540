//! The API table against the headers: every name exists, and stream arguments stand where the headers put them.
//!
//! `tests/data/cuda-names.txt` holds the names; with `CUDALINT_CUDA_INCLUDE` set to an include folder of the CUDA
//! toolkit the real prototypes are read too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cudalint::api::{self, Call, Operation, Role};

/// Those that are there are read.
const HEADERS: &[&str] = &[
    "cuda.h",
    "cuda_runtime_api.h",
    "cuda_runtime.h",
    "cudaGL.h",
    "cuda_gl_interop.h",
    "nvrtc.h",
    "cublas_api.h",
    "cublasLt.h",
    "cufft.h",
    "cufftXt.h",
    "curand.h",
    "cusparse.h",
    "cusolverDn.h",
    "cusolverSp.h",
    "cudnn_graph.h",
    "cudnn_ops.h",
    "cudnn_cnn.h",
    "nccl.h",
];

#[test]
fn every_name_is_declared_by_a_header() {
    let text =
        std::fs::read_to_string(root().join("tests/data/cuda-names.txt")).expect("the list is committed");
    let names: BTreeSet<&str> = text.lines().collect();
    let unknown: Vec<&str> = checked_calls()
        .map(|call| call.name)
        .filter(|name| !names.contains(name))
        .collect();
    assert!(
        unknown.is_empty(),
        "not in any header (or mark the group `absent = true`): {unknown:?}"
    );
}

#[test]
fn the_list_of_names_is_sorted_and_free_of_repetition() {
    let text =
        std::fs::read_to_string(root().join("tests/data/cuda-names.txt")).expect("the list is committed");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.is_sorted_by(|left, right| left < right));
}

#[test]
fn stream_and_event_arguments_stand_where_the_toolkit_declares_them() {
    let Ok(include) = std::env::var("CUDALINT_CUDA_INCLUDE") else {
        return;
    };
    let prototypes = prototypes(Path::new(&include));
    assert!(prototypes.len() > 500, "{include} holds no CUDA headers");
    let mut wrong = Vec::new();
    for call in checked_calls().filter(|call| call.operation != Operation::Other) {
        let Some(declared) = prototypes.get(call.name) else {
            continue;
        };
        if !declared.iter().any(|parameters| fits(call, parameters)) {
            wrong.push(format!("{}{declared:?} is given as {:?}", call.name, call.args));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn core_names_are_declared_by_the_toolkit_at_hand() {
    let Ok(include) = std::env::var("CUDALINT_CUDA_INCLUDE") else {
        return;
    };
    let prototypes = prototypes(Path::new(&include));
    let is_core = |name: &str| {
        let lower = |rest: &str| rest.starts_with(|it: char| it.is_ascii_uppercase());
        name.strip_prefix("cuda").is_some_and(lower) || name.strip_prefix("cu").is_some_and(lower)
    };
    let missing: Vec<&str> = checked_calls()
        .map(|call| call.name)
        .filter(|name| is_core(name) && !prototypes.contains_key(*name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Every call but those whose names no current C header declares.
fn checked_calls() -> impl Iterator<Item = &'static Call> {
    let absent = absent_names();
    api::calls()
        .iter()
        .filter(move |call| !absent.contains(call.name))
}

/// Names of groups marked `absent`.
fn absent_names() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("rules/api.toml")).expect("the table is there");
    let file: toml::Table = text.parse().expect("the build has read it already");
    let groups = file["call"].as_array().expect("the build has read it already");
    let absent = groups
        .iter()
        .filter(|group| group.get("absent").is_some_and(|it| it.as_bool() == Some(true)));
    let patterns = absent.flat_map(|group| group["names"].as_array().into_iter().flatten());
    patterns
        .filter_map(toml::Value::as_str)
        .flat_map(expand)
        .collect()
}

fn expand(pattern: &str) -> Vec<String> {
    let Some((head, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let (choices, tail) = rest.split_once('}').expect("braces are balanced");
    let tails = expand(tail);
    choices
        .split(',')
        .flat_map(|it| tails.iter().map(move |tail| format!("{head}{it}{tail}")))
        .collect()
}

/// Whether a declaration has streams and events exactly where the table says.
fn fits(call: &Call, parameters: &[String]) -> bool {
    let is = |parameter: &String, types: &[&str]| {
        let words: Vec<&str> = parameter.split_whitespace().collect();
        words.first().is_some_and(|first| types.contains(first)) && !parameter.contains('*')
    };
    let roles = call.roles(parameters.len());
    let length_fits = roles.len() <= parameters.len() || call.rest == Role::KernelArgument;
    length_fits
        && parameters.iter().enumerate().all(|(index, parameter)| {
            let role = roles.get(index).copied().unwrap_or(call.rest);
            let stream = is(parameter, &["cudaStream_t", "CUstream"]);
            let event = is(parameter, &["cudaEvent_t", "CUevent"]);
            stream == (role == Role::Stream) && event == (role == Role::Event)
        })
}

/// Function name to the parameter lists it is declared with.
fn prototypes(include: &Path) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut found: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for header in HEADERS {
        let Ok(bytes) = std::fs::read(include.join(header)) else {
            continue;
        };
        let text = without_comments(&String::from_utf8_lossy(&bytes));
        for (at, _) in text.match_indices('(') {
            let name = text[..at]
                .trim_end()
                .rsplit(|it: char| !(it.is_alphanumeric() || it == '_'))
                .next();
            let Some(name) =
                name.filter(|it| ["cu", "nvrtc", "nccl"].iter().any(|start| it.starts_with(start)))
            else {
                continue;
            };
            if let Some(parameters) = parameters(&text[at + 1..]) {
                found.entry(name.to_owned()).or_default().push(parameters);
            }
        }
    }
    found
}

/// The parameters up to the closing parenthesis of a declaration.
fn parameters(text: &str) -> Option<Vec<String>> {
    let mut depth = 0_usize;
    let mut list = vec![String::new()];
    for character in text.chars() {
        match character {
            ')' if depth == 0 => {
                list.iter_mut().for_each(|it| *it = it.trim().to_owned());
                list.retain(|it| !it.is_empty() && it != "void");
                return Some(list);
            }
            ',' if depth == 0 => list.push(String::new()),
            ';' | '{' => return None,
            _ => {
                depth = match character {
                    '(' => depth + 1,
                    ')' => depth - 1,
                    _ => depth,
                };
                list.last_mut()?.push(character);
            }
        }
    }
    None
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        rest = rest[at..].find("*/").map_or("", |end| &rest[at + end + 2..]);
    }
    out.push_str(rest);
    out.lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
