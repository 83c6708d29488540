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
