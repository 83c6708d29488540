//! Access and `static` of members that are defined outside their class: those of their declarations inside.

use std::collections::BTreeMap;

use super::{FunctionId, Names, Program, SourceUnit};
use crate::facts::ir::{Function, Parameter};

/// What a definition does not say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    public: bool,
    is_static: bool,
}

/// Of every member that is defined outside a class that its file sees.
pub(super) fn of_members(units: &[SourceUnit], names: &Names) -> BTreeMap<FunctionId, Access> {
    let function = |id: &FunctionId| &units[id.file.0 as usize].facts.functions[id.index as usize];
    let is_member = |it: &Function| it.namespaces as usize + 1 < it.path.len();
    let mut found = BTreeMap::new();
    for members in names.inside.values() {
        let mut declared: BTreeMap<&[String], Vec<FunctionId>> = BTreeMap::new();
        for id in members {
            let it = function(id);
            if !it.defined && is_member(it) {
                declared.entry(&it.path).or_default().push(*id);
            }
        }
        for id in members
            .iter()
            .filter(|it| function(it).defined && is_member(function(it)))
        {
            let definition = function(id);
            let Some(declared) = declared.get(definition.path.as_slice()) else {
                continue;
            };
            let visible = &names.visible[id.file.0 as usize];
            let visible = |it: &&FunctionId| visible.binary_search(&it.file).is_ok();
            let mut seen = declared.iter().filter(visible).map(function);
            let same = seen.clone().find(|it| take_the_same(it, definition));
            if let Some(it) = same.or_else(|| seen.next()) {
                let access = Access {
                    public: it.public,
                    is_static: it.is_static,
                };
                found.insert(*id, access);
            }
        }
    }
    found
}

/// Whether two functions have parameters of the same types, as they are written.
pub(super) fn take_the_same(one: &Function, other: &Function) -> bool {
    let same = |(a, b): (&Parameter, &Parameter)| {
        a.ty.name.last() == b.ty.name.last() && a.ty.pointers == b.ty.pointers
    };
    one.params.len() == other.params.len() && one.params.iter().zip(&other.params).all(same)
}

impl Program {
    /// Whether anybody may call a function.
    pub fn is_public(&self, id: FunctionId) -> bool {
        let declared = self.names.access.get(&id);
        self.definition(id).public && declared.is_none_or(|it| it.public)
    }

    /// Whether a function is no method of an object: `static`.
    pub fn is_static(&self, id: FunctionId) -> bool {
        let declared = self.names.access.get(&id);
        self.definition(id).is_static || declared.is_some_and(|it| it.is_static)
    }
}
