//! Static types of what containers and other templates of the standard library hold.

use super::containers::{is_map, is_sequence};
use super::machine::Machine;
use super::making::{Made, standard};
use super::types::{Builtin, Core, Static};
use crate::api::library;
use crate::facts::ir::{Expr, Name, Type};
use crate::program::kernels::written_name;

impl<'p> Machine<'p> {
    /// An element of a standard container of objects, whoever made it: what the container is written to hold.
    pub(super) fn type_of_element(&self, container: &Static) -> Option<Static> {
        let entries = self.entries_of(container);
        let found = entries.map_or_else(
            || self.type_of_held(container),
            |it| self.argument_of(&it, &["pair"], 1),
        );
        found.filter(is_object)
    }

    /// What a loop goes over: objects, or what a class template of a library makes of them.
    pub(super) fn type_of_elements(&mut self, range: &'p Expr) -> Option<Static> {
        let range = self.type_of(range)?;
        if range.pointers > 0 {
            return range.pointee();
        }
        let container = self.type_of_container(&range).unwrap_or(range);
        let entries = self.entries_of(&container);
        entries
            .or_else(|| self.type_of_held(&container))
            .filter(is_object)
    }

    /// What a map is a sequence of.
    fn entries_of(&self, container: &Static) -> Option<Static> {
        let written = container.template().filter(|it| is_map(it.last()))?;
        let [key, value, ..] = written.template_args.as_slice() else {
            return None;
        };
        let entry = Core::Other(format!("std::pair<const {key}, {value}>"));
        Some(Static {
            constant: container.constant,
            ..Static::temporary(entry).named()
        })
    }

    pub(super) fn type_of_held(&self, container: &Static) -> Option<Static> {
        let written = container.template().filter(|it| is_sequence(it.last()))?;
        let mut found = self.type_of_words(written.template_args.first()?)?;
        found.constant |= container.constant && found.pointers == 0;
        Some(found)
    }

    /// What a template argument says, as it is written.
    pub(super) fn type_of_words(&self, written: &str) -> Option<Static> {
        let core = written.trim_end_matches(['*', ' ']);
        let name = written_name(core.trim_start_matches("const "))?;
        let ty = Type {
            pointers: u8::try_from(written[core.len()..].matches('*').count()).ok()?,
            constant: core.starts_with("const "),
            ..Type::named(name)
        };
        Some(self.static_type(&ty, 0, self.scope())?.named())
    }

    /// What a smart pointer points to.
    pub(super) fn type_behind(&self, pointer: &Static) -> Option<Static> {
        match standard(&pointer.template()?) {
            Made::Smart(name) => self.type_of_words(name.template_args.first()?),
            _ => None,
        }
    }

    /// What `->` leads to from an object: by the library's own meaning, else by what its `operator->` returns.
    pub(super) fn led_to(&self, object: &Static) -> Option<Static> {
        const MOST_STEPS: u32 = 4;
        if let Some(found) = self.type_behind(object) {
            return Some(found);
        }
        let mut object = object.clone();
        for _ in 0..MOST_STEPS {
            object = self.type_of_method(&object, "operator->", 0)?;
            if object.pointers > 0 {
                return object.pointee();
            }
        }
        None
    }

    /// The argument of a template of the standard library, where something is an object of one.
    pub(super) fn argument_of(&self, object: &Static, templates: &[&str], index: usize) -> Option<Static> {
        let written = object.template().filter(|it| templates.contains(&it.last()))?;
        self.type_of_words(written.template_args.get(index)?)
    }
}

impl Static {
    /// The name of the library's type that it is an object of, with what that was made for.
    pub(super) fn template(&self) -> Option<Name> {
        match &self.core {
            Core::Other(text) if self.pointers == 0 => written_name(text),
            _ => None,
        }
    }
}

/// An object: of a class of the project, or of what a class template of a library was made for.
fn is_object(it: &Static) -> bool {
    match &it.core {
        Core::Class(_) => true,
        Core::Other(text) => text.contains('<'),
        _ => false,
    }
}

/// What a class of the standard library says of how much there is in it.
pub(super) fn type_of_count(object: &Static, method: &str) -> Option<Static> {
    let class = object.template()?;
    let is_standard = class.path.first().is_some_and(|it| it == "std") || is_sequence(class.last());
    (is_standard && library::counts(method)).then(|| Static::number(Builtin::UnsignedLong))
}
