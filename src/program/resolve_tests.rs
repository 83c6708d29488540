//! Names that several files define.

use std::sync::Arc;

use super::{ClassId, FileId, Program, SourceUnit};
use crate::syntax::{Defines, collect_macros};

fn link(files: &[(&str, &str)]) -> Program {
    let units = files.iter().map(|(path, source)| SourceUnit {
        path: Arc::from(*path),
        bytes: Arc::from(source.as_bytes()),
        facts: crate::facts::extract(
            source.as_bytes(),
            &Defines::default(),
            &collect_macros(source.as_bytes()),
        )
        .into(),
        ..SourceUnit::default()
    });
    Program::link(units.collect())
}

fn first_class(file: u32) -> ClassId {
    ClassId {
        file: FileId(file),
        index: 0,
    }
}

#[test]
fn a_class_does_not_take_members_of_another_file_s_class_of_the_same_name() {
    let program = link(&[
        ("a.cu", "struct Linear { int n; void step() {} };"),
        (
            "b.cu",
            "struct Linear { Linear() {} ~Linear() {} operator int() { return 1; } void run() {} };",
        ),
    ]);
    let (plain, full) = (first_class(0), first_class(1));
    assert_eq!(program.resolve_constructor(plain, 0), None);
    assert!(!program.has_constructor(plain));
    assert_eq!(program.resolve_destructor(plain), None);
    assert_eq!(program.resolve_method(plain, "run", 0), None);
    assert!(program.conversions(plain).is_empty());
    assert!(program.resolve_method(plain, "step", 0).is_some());
    assert!(program.resolve_constructor(full, 0).is_some());
    assert!(program.has_constructor(full));
    assert!(program.resolve_destructor(full).is_some());
    assert_eq!(program.conversions(full).len(), 1);
}

#[test]
fn a_member_may_be_defined_in_a_file_without_the_class() {
    let program = link(&[
        ("pool.h", "struct Pool { Pool(); void grow(); };"),
        (
            "pool.cu",
            "#include \"pool.h\"\nPool::Pool() {}\nvoid Pool::grow() {}",
        ),
    ]);
    let class = first_class(0);
    assert!(program.resolve_constructor(class, 0).is_some());
    assert!(program.resolve_method(class, "grow", 0).is_some());
}

/// The definition of a member, by the end of its path, with so many parameters.
fn defined(program: &Program, path: &[&str], params: usize) -> super::FunctionId {
    let mut all = program.functions();
    let found = all.find(|(_, it)| it.defined && it.path == path && it.params.len() == params);
    found.expect("it is defined").0
}

#[test]
fn a_member_has_the_access_that_its_class_gives_it_wherever_it_is_defined() {
    let program = link(&[
        (
            "pool.h",
            "namespace n { class Pool { Pool(int n); static void back(void *p); void grow(); public: Pool(); \
             void take(); static void all(); void grow(int n); }; }",
        ),
        (
            "pool.cu",
            "#include \"pool.h\"\nnamespace n { Pool::Pool(int n) {} void Pool::back(void *p) {} void Pool::grow() {} \
             Pool::Pool() {} void Pool::take() {} void Pool::all() {} void Pool::grow(int n) {} }",
        ),
        (
            "own.cu",
            "class Own { Own(int n); static void back(); public: void take(); };\nOwn::Own(int n) {}\n\
             void Own::back() {}\nvoid Own::take() {}\nvoid Other::back() {}",
        ),
    ]);
    let access = |path: &[&str], params| {
        let id = defined(&program, path, params);
        (program.is_public(id), program.is_static(id))
    };
    assert_eq!(access(&["n", "Pool", "Pool"], 1), (false, false));
    assert_eq!(access(&["n", "Pool", "back"], 1), (false, true));
    assert_eq!(access(&["n", "Pool", "grow"], 0), (false, false));
    assert_eq!(access(&["n", "Pool", "Pool"], 0), (true, false));
    assert_eq!(access(&["n", "Pool", "take"], 0), (true, false));
    assert_eq!(access(&["n", "Pool", "all"], 0), (true, true));
    assert_eq!(access(&["n", "Pool", "grow"], 1), (true, false));
    assert_eq!(access(&["Own", "Own"], 1), (false, false));
    assert_eq!(access(&["Own", "back"], 0), (false, true));
    assert_eq!(access(&["Own", "take"], 0), (true, false));
    // Nobody sees its class.
    assert_eq!(access(&["Other", "back"], 0), (true, false));
}

#[test]
fn what_is_handed_out_by_others_alone_has_no_clients_of_its_own() {
    let program = link(&[(
        "pool.cu",
        "#include <cuda_runtime.h>\nclass Pool { public: class Lease { public: ~Lease() { cudaStreamSynchronize(s_); } \
         void use() { cudaMemsetAsync(p_, 0, 4, s_); } private: friend class Pool; \
         Lease(int *p, cudaStream_t s) : p_(p), s_(s) {} int *p_; cudaStream_t s_; }; \
         explicit Pool(cudaStream_t s) : s_(s) { cudaMalloc(&p_, 4); } Lease take() { return Lease(p_, s_); } \
         void clear() { cudaMemsetAsync(p_, 0, 4, s_); } private: int *p_; cudaStream_t s_; };",
    )]);
    let keys = program.interfaces();
    let classes = keys.iter().filter_map(|it| program.class_of_method(*it));
    let names: Vec<&str> = classes
        .filter_map(|it| program.class(it).path.last().map(String::as_str))
        .collect();
    assert_eq!(names, ["Pool"]);
}
