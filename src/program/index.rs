//! Which definitions bear a name, which files see each other, and what is asked for too often to be searched for.

use std::collections::{BTreeMap, BTreeSet};

use super::{ClassId, FileId, FunctionId, GlobalId, Names, SourceUnit};
use crate::facts::Include;
use crate::facts::ir::{Function, Role};
use crate::syntax::FastMap;

/// The headers of C's standard library.
const C_HEADERS: [&str; 24] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "wchar.h",
];

pub(super) fn index(units: &[SourceUnit]) -> Names {
    let visible = visible_files(units);
    let seen_by = seen_by(&visible);
    let mut names = Names {
        folders: super::folders::Folders::new(units, &visible),
        vocabularies: super::events::Vocabulary::of_files(units, &visible, &seen_by),
        seen_by,
        visible,
        ..Names::default()
    };
    for (number, unit) in units.iter().enumerate() {
        let file = FileId(number as u32);
        let facts = &unit.facts;
        add(
            &mut names.functions,
            facts.functions.iter().map(|it| it.path.last()),
            |index| FunctionId { file, index },
        );
        for (index, function) in facts.functions.iter().enumerate() {
            if let [.., owner, name] = function.path.as_slice() {
                let index = index as u32;
                let id = FunctionId { file, index };
                let members = names.members.entry(member_key(owner, name)).or_default();
                members.push(id);
                match names.inside.get_mut(owner) {
                    Some(ids) => ids.push(id),
                    None => {
                        names.inside.insert(owner.clone(), vec![id]);
                    }
                }
            }
            names.mains += usize::from(super::reach::is_main(function));
            if super::start::runs_first(unit, function) {
                let index = index as u32;
                names.starters.push(FunctionId { file, index });
            }
            if super::start::gives_way(unit, function) {
                let index = index as u32;
                names.weak.insert(FunctionId { file, index });
            }
        }
        add(
            &mut names.globals,
            facts.globals.iter().map(|it| it.path.last()),
            |index| GlobalId { file, index },
        );
        add(
            &mut names.classes,
            facts.classes.iter().map(|it| it.path.last()),
            |index| ClassId { file, index },
        );
        add(
            &mut names.constants,
            facts.constants.iter().map(|it| it.0.last()),
            |index| (file, index),
        );
        add(
            &mut names.aliases,
            facts.aliases.iter().map(|it| it.path.last()),
            |index| (file, index),
        );
        let of_classes = facts.classes.iter().flat_map(|it| &it.template_params);
        let of_functions = facts.functions.iter().flat_map(|it| &it.template_params);
        for parameter in of_classes.chain(of_functions) {
            if !names.parameters.contains(parameter) {
                names.parameters.insert(parameter.clone());
            }
        }
        for class in &facts.classes {
            for (name, base) in class
                .path
                .last()
                .into_iter()
                .flat_map(|it| class.bases.iter().map(move |base| (it, base.last())))
            {
                names.bases.entry(name.clone()).or_default().push(base.to_owned());
                names
                    .derived
                    .entry(base.to_owned())
                    .or_default()
                    .push(name.clone());
            }
        }
        for field in facts
            .classes
            .iter()
            .filter(|_| !unit.model)
            .flat_map(|class| &class.fields)
        {
            let is_array = !field.dims.is_empty();
            match names.array_fields.get_mut(&field.name) {
                Some(all) => *all &= is_array,
                None => {
                    names.array_fields.insert(field.name.clone(), is_array);
                }
            }
        }
        let conversion = |it: &Function| {
            let named = it.path.last().is_some_and(|name| name.starts_with("operator "));
            named && it.role == Role::Method && it.params.is_empty()
        };
        let conversions = facts
            .functions
            .iter()
            .enumerate()
            .filter(|(_, it)| conversion(it));
        names.conversions.extend(conversions.map(|(index, _)| FunctionId {
            file,
            index: index as u32,
        }));
    }
    names.access = super::access::of_members(units, &names);
    names
}

pub(super) fn member_key(owner: &str, name: &str) -> String {
    [owner, "::", name].concat()
}

fn add<'a, Id>(
    map: &mut FastMap<String, Vec<Id>>,
    names: impl Iterator<Item = Option<&'a String>>,
    id: impl Fn(u32) -> Id,
) {
    for (index, name) in names.enumerate() {
        let Some(name) = name else { continue };
        match map.get_mut(name) {
            Some(ids) => ids.push(id(index as u32)),
            None => {
                map.insert(name.clone(), vec![id(index as u32)]);
            }
        }
    }
}

/// For each unit itself and the units it includes, directly or not, sorted.
fn visible_files(units: &[SourceUnit]) -> Vec<Vec<FileId>> {
    let mut by_name: BTreeMap<&str, Vec<FileId>> = BTreeMap::new();
    for (index, unit) in units.iter().enumerate() {
        if unit.variant_of.is_none() && !unit.model {
            by_name
                .entry(file_name(&unit.path))
                .or_default()
                .push(FileId(index as u32));
        }
    }
    let direct: Vec<Vec<FileId>> = units
        .iter()
        .map(|unit| {
            unit.facts
                .includes
                .iter()
                .filter(|it| !is_standard(it) || unit.include_paths.contains_key(&it.path))
                .filter_map(|include| find_include(units, &by_name, unit, &include.path))
                .collect()
        })
        .collect();
    (0..units.len())
        .map(|start| {
            let mut open = vec![FileId(start as u32)];
            let mut seen = BTreeSet::from([FileId(start as u32)]);
            while let Some(file) = open.pop() {
                open.extend(direct[file.0 as usize].iter().filter(|it| seen.insert(**it)));
            }
            seen.into_iter().collect()
        })
        .collect()
}

/// For each unit itself and the units that include it, sorted.
fn seen_by(visible: &[Vec<FileId>]) -> Vec<Vec<FileId>> {
    let mut found = vec![Vec::new(); visible.len()];
    for (from, files) in visible.iter().enumerate() {
        for file in files {
            found[file.0 as usize].push(FileId(from as u32));
        }
    }
    found
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether an `#include` names a header of the standard library, whatever files of the project are called so: `<cassert>`.
fn is_standard(include: &Include) -> bool {
    include.system
        && !include.path.contains('/')
        && (!include.path.contains('.') || C_HEADERS.contains(&include.path.as_str()))
}

fn find_include(
    units: &[SourceUnit],
    by_name: &BTreeMap<&str, Vec<FileId>>,
    from: &SourceUnit,
    written: &str,
) -> Option<FileId> {
    let candidates = by_name.get(file_name(written))?;
    let wanted: Vec<&str> = written
        .split('/')
        .filter(|part| !matches!(*part, "." | ".."))
        .collect();
    let wanted = wanted.join("/");
    let fits = |file: &&FileId| {
        let unit = &units[file.0 as usize];
        if let Some(known) = from.include_paths.get(written) {
            return unit.path == *known;
        }
        let path = unit.place();
        path == wanted || path.ends_with(&wanted) && path[..path.len() - wanted.len()].ends_with('/')
    };
    let from_folder = from.folder();
    candidates
        .iter()
        .filter(fits)
        .max_by_key(|file| common_prefix(units[file.0 as usize].folder(), from_folder))
        .copied()
}

fn common_prefix(left: &str, right: &str) -> usize {
    left.split('/')
        .zip(right.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}
