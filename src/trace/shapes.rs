//! Declared types of the places a kernel names: where a step follows a pointer that lies in memory.

use crate::facts::ir::{MemorySpace, Type, Variable};
use crate::program::kernels::{Place, PlaceBase, PlaceStep};
use crate::program::{FunctionId, Program, Scope};

/// What stands at a place, as declared.
#[derive(Clone, Debug)]
pub(super) struct Shape<'p> {
    ty: &'p Type,
    scope: Scope<'p>,
    /// Pointers that are left, from the outside in.
    pointers: u8,
    /// Dimensions of arrays that are left.
    dimensions: usize,
}

impl<'p> Shape<'p> {
    /// What a kernel's place begins with.
    pub(super) fn of_place(program: &'p Program, kernel: FunctionId, place: &Place) -> Option<Self> {
        match place.base {
            PlaceBase::Parameter(index) => {
                let definition = program.function(kernel);
                let parameter = definition.params.get(index as usize)?;
                let scope = Scope {
                    file: kernel.file,
                    path: &definition.path,
                };
                Some(Shape {
                    ty: &parameter.ty,
                    scope,
                    pointers: parameter.ty.pointers,
                    dimensions: 0,
                })
            }
            PlaceBase::Global(id) => {
                let global = program.global(id);
                let scope = Scope {
                    file: id.file,
                    path: &global.path,
                };
                let shape = Shape::of_variable(&global.variable, scope);
                (global.variable.space != Some(MemorySpace::Shared)).then_some(shape)
            }
            PlaceBase::Unknown => None,
        }
    }

    fn of_variable(variable: &'p Variable, scope: Scope<'p>) -> Self {
        Shape {
            ty: &variable.ty,
            scope,
            pointers: variable.ty.pointers,
            dimensions: variable.dims.len(),
        }
    }

    /// It is a pointer, not an array.
    pub(super) fn is_pointer(&self) -> bool {
        self.dimensions == 0 && self.pointers > 0
    }

    pub(super) fn is_array(&self) -> bool {
        self.dimensions > 0
    }

    /// It lies where it is named: neither a pointer nor an array, which are handed on as one.
    pub(super) fn is_object(&self) -> bool {
        self.dimensions == 0 && self.pointers == 0
    }

    /// What a step leads to.
    pub(super) fn behind(self, program: &'p Program, step: &PlaceStep) -> Option<Self> {
        match step {
            PlaceStep::Field(name) => {
                let class = program.resolve_class(self.scope, &self.ty.name)?;
                let class = program.declaring(class, name, 0)?;
                let definition = program.class(class);
                let field = definition.fields.iter().find(|it| it.name == *name)?;
                let scope = Scope {
                    file: class.file,
                    path: &definition.path,
                };
                (self.pointers == 0).then(|| Shape::of_variable(field, scope))
            }
            _ if self.dimensions > 0 => Some(Shape {
                dimensions: self.dimensions - 1,
                ..self
            }),
            _ => Some(Shape {
                pointers: self.pointers.checked_sub(1)?,
                ..self
            }),
        }
    }
}
