//! Local declarations of device code.

use std::rc::Rc;

use super::symbols::{Kind, Loc, Step, Sym, Ty, int, node};
use super::tables::type_size;
use super::walk::{Walker, is_grid};
use crate::facts::ir::{Init, MemorySpace, Type, Variable as Declared};

impl<'a> Walker<'a> {
    pub(super) fn declaration(&mut self, declared: &'a Declared) {
        let resolved = self.resolved(&declared.ty);
        let shared = declared.space == Some(MemorySpace::Shared);
        let ty = Ty::array(&resolved, declared.dims.len());
        if !shared && !declared.dims.is_empty() {
            self.count_local_array(declared, &resolved);
        }
        if declared.ty.reference
            && let Some(mut target) = self.reference_target(declared)
        {
            if ty.is_volatile() || target.ty.name().is_none() {
                target.ty = ty.clone();
            }
            self.declare(&declared.name, ty, Some(target), false);
            return;
        }
        let value = self.initial_value(declared, &resolved);
        let variable = self.declare(&declared.name, ty, None, shared);
        for binding in &declared.bindings {
            let part = self.unknown();
            let id = self.declare(binding, Ty::default(), None, false);
            self.store.set(id, &[], part);
        }
        match value {
            Some(value) if declared.dims.is_empty() => self.store.set(variable, &[], value),
            _ => {}
        }
        if let Some(Init::Braces(values)) = &declared.init {
            self.aggregate(variable, &resolved, values, !declared.dims.is_empty());
        }
    }

    pub(super) fn reference_target(&mut self, declared: &'a Declared) -> Option<Loc> {
        let init = declared.init.as_ref()?.expressions().next()?;
        Some(self.lvalue(init))
    }

    pub(super) fn initial_value(&mut self, declared: &'a Declared, ty: &Type) -> Option<Sym> {
        if is_grid(ty) {
            return Some(node(Kind::Grid));
        }
        if super::tables::is_group_type(ty.name.last()) {
            return Some(node(Kind::Group));
        }
        let value = match declared.init.as_ref()? {
            Init::Value(value) => self.evaluate(value),
            Init::Parens(args) => self.construct(ty, args.iter().collect()),
            Init::Braces(values) if values.len() == 1 && values[0].field.is_none() => {
                self.construct(ty, vec![&values[0].value])
            }
            Init::Braces(_) => return None,
        };
        Some(self.recast(value, ty))
    }

    pub(super) fn aggregate(
        &mut self,
        variable: u32,
        ty: &Type,
        values: &'a [crate::facts::ir::Initialiser],
        array: bool,
    ) {
        if values.len() < 2 && !array && values.iter().all(|value| value.field.is_none()) {
            return;
        }
        let class = self.scope.class(self.frame().function, &ty.name);
        for (index, value) in values.iter().enumerate() {
            let sym = self.evaluate(&value.value);
            let field = value
                .field
                .as_deref()
                .or_else(|| Some(class?.fields.get(index)?.name.as_str()));
            let step = match field {
                Some(field) if !array => Step::Field(Rc::from(field)),
                _ => Step::Element(int(i64::try_from(index).unwrap_or(i64::MAX))),
            };
            self.store.set(variable, &[step], sym);
        }
    }

    pub(super) fn count_local_array(&mut self, declared: &'a Declared, ty: &Type) {
        let element = if ty.pointers > 0 {
            8
        } else {
            type_size(&ty.name.path.join("::"))
        };
        let mut bytes = element;
        for dimension in &declared.dims {
            let length = dimension.as_ref().map(|dimension| self.evaluate(dimension));
            bytes = match length.as_deref().map(|node| &node.kind) {
                Some(Kind::Int(length)) => bytes.saturating_mul(u64::try_from(*length).unwrap_or(0)),
                _ => 0,
            };
        }
        if !self.dry {
            let frame = self.frame_mut();
            frame.local_bytes = frame.local_bytes.saturating_add(bytes);
            frame.most_bytes = frame.most_bytes.max(frame.local_bytes);
        }
    }
}
