//! Bases that a template parameter names, as policies are: what they are, the object was made for.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Location;
use super::lookups::OfClass;
use super::machine::Machine;
use crate::facts::ir::Name;
use crate::program::kernels::written_name;
use crate::program::{ClassId, FunctionId};

/// How deep bases are looked into.
const MOST_DEPTH: u32 = 6;

impl Machine<'_> {
    /// The class that a base of an object's class is in that object.
    pub(super) fn base_at(&self, object: &Location, class: ClassId, base: &Name) -> Option<ClassId> {
        let named = self.program.base_class(class, base);
        named.or_else(|| Some(self.mixin_at(object, class, base)?.0))
    }

    /// The same with what that is made for, where a template parameter names it.
    pub(super) fn mixin_at(
        &self,
        object: &Location,
        class: ClassId,
        base: &Name,
    ) -> Option<(ClassId, Vec<Arc<str>>)> {
        self.program.is_mixin(class, base).then_some(())?;
        self.mixin(class, base, &self.class_template(object, class))
    }

    /// What a template parameter stands for that names a base of a class made for these.
    pub(super) fn mixin(
        &self,
        class: ClassId,
        base: &Name,
        bound: &BTreeMap<String, Arc<str>>,
    ) -> Option<(ClassId, Vec<Arc<str>>)> {
        self.program.is_mixin(class, base).then_some(())?;
        let meant = written_name(bound.get(base.last())?)?;
        let found = self.class_meant(&meant).filter(|it| *it != class)?;
        Some((found, self.given_to_class(found, &meant.template_args)))
    }

    /// The method of an object of a class, and the class it is one of there.
    pub(super) fn method_at(
        &self,
        object: &Location,
        class: ClassId,
        (method, arguments): (&str, usize),
    ) -> Option<(FunctionId, ClassId)> {
        let method = |it: ClassId| Some((self.program.resolve_method(it, method, arguments)?, it));
        method(class).or_else(|| method(self.mixin_where(object, class, |it| method(it).is_some())?))
    }

    /// The base of an object of which something is true, among those that template parameters name and what these extend.
    pub(super) fn mixin_where(
        &self,
        object: &Location,
        class: ClassId,
        holds: impl Fn(ClassId) -> bool,
    ) -> Option<ClassId> {
        self.has_mixins(class).then_some(())?;
        let bound = self.class_template(object, class);
        self.mixin_of(class, &bound, &holds, 0)
    }

    /// The method in what is made for these.
    pub(super) fn method_in_made(
        &self,
        class: ClassId,
        given: &[Arc<str>],
        (method, arguments): (&str, usize),
    ) -> Option<FunctionId> {
        let method = |it: ClassId| self.program.resolve_method(it, method, arguments);
        method(class).or_else(|| {
            self.has_mixins(class).then_some(())?;
            let bound = self.bound_in_base(class, given.to_vec(), class);
            method(self.mixin_of(class, &bound, &|it| method(it).is_some(), 0)?)
        })
    }

    fn has_mixins(&self, class: ClassId) -> bool {
        self.asked_once(class, OfClass::HasMixins, || self.program.has_mixins(class))
    }

    fn mixin_of(
        &self,
        class: ClassId,
        bound: &BTreeMap<String, Arc<str>>,
        holds: &dyn Fn(ClassId) -> bool,
        depth: u32,
    ) -> Option<ClassId> {
        let bases = self.program.class(class).bases.iter();
        let mut made = bases.filter_map(|it| self.base_made_for(class, it, bound));
        made.find_map(|(base, given)| {
            if holds(base) {
                return Some(base);
            }
            (depth < MOST_DEPTH).then_some(())?;
            let bound = self.bound_in_base(base, given, base);
            self.mixin_of(base, &bound, holds, depth + 1)
        })
    }
}
