//! What goes from one call of a client to another, by the types of parameters and results.

use crate::facts::ir::{Parameter, Type};
use crate::program::kernels::written_name;
use crate::program::{ClassId, FunctionId, Program, Scope};

/// What a type is as far as values go from one call to another: a class, or what a pointer leads to.
pub(super) type Kind = (String, u8);

/// What a value of a type counts as; `taken` for that of a parameter that takes one.
pub(super) fn kind_of(program: &Program, function: FunctionId, ty: &Type, taken: bool) -> Option<Kind> {
    if ty.pointers > 0 {
        return (!taken || !ty.constant).then(|| (ty.name.last().to_owned(), ty.pointers));
    }
    let scope = scope_of(program, function);
    if taken && ty.reference && !ty.constant || program.is_stream_type(scope, ty) {
        return None;
    }
    let is_optional = ty.name.last() == "optional";
    let held = ty.name.template_args.first().filter(|_| is_optional);
    let name = match held {
        Some(held) => written_name(held)?,
        None => ty.name.clone(),
    };
    program.resolve_class(scope, &name)?;
    Some((name.last().to_owned(), 0))
}

/// What a function returns, or stores where a parameter points.
pub(super) fn results_of(program: &Program, id: FunctionId) -> impl Iterator<Item = Kind> {
    let function = program.function(id);
    let returned = kind_of(program, id, &function.result, false).filter(|_| !is_own(program, id));
    let stored = function.params.iter().filter(|it| is_out(it));
    let stored = stored.map(|it| (it.ty.name.last().to_owned(), it.ty.pointers - 1));
    returned.into_iter().chain(stored)
}

/// The plain memory that a function takes, behind so many arguments that say which object is meant.
pub(super) fn memory_taken(program: &Program, id: FunctionId, handles: usize) -> impl Iterator<Item = Kind> {
    let params = program.function(id).params.iter().skip(handles);
    let plain = params.filter(move |it| is_plain(program, scope_of(program, id), &it.ty));
    plain.filter_map(move |it| kind_of(program, id, &it.ty, true))
}

/// Whether a method returns the object it is called on.
pub(super) fn is_own(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    let class = function.path.iter().rev().nth(1);
    function.result.reference && class.is_some_and(|it| it == function.result.name.last())
}

/// A parameter that a pointer is stored through.
pub(super) fn is_out(parameter: &Parameter) -> bool {
    parameter.ty.pointers == 2 && !parameter.ty.constant
}

/// Memory, rather than an object of the library.
pub(super) fn is_plain(program: &Program, scope: Scope<'_>, ty: &Type) -> bool {
    ty.pointers > 0 && program.resolve_class(scope, &ty.name).is_none()
}

/// Whether a type is a pointer to plain data, or has such pointers in it: what it stands for is the caller's memory.
pub(super) fn leads_to_memory(program: &Program, scope: Scope<'_>, ty: &Type) -> bool {
    let class = program.resolve_class(scope, &ty.name);
    match class {
        None => ty.pointers > 0,
        Some(class) if program.offered_as(class).is_some() => false,
        Some(_) if ty.pointers > 0 => true,
        Some(class) => pointers_in(program, class).next().is_some(),
    }
}

/// Whether what such a type leads to may only be read.
pub(super) fn leads_to_constants(program: &Program, scope: Scope<'_>, ty: &Type) -> bool {
    match program.resolve_class(scope, &ty.name) {
        None => ty.pointers == 1 && ty.constant,
        Some(class) => {
            ty.pointers == 0 && pointers_in(program, class).all(|it| it.pointers == 1 && it.constant)
        }
    }
}

/// The pointers to plain data in a class.
fn pointers_in(program: &Program, class: ClassId) -> impl Iterator<Item = &Type> {
    let definition = program.class(class);
    let inside = Scope {
        file: class.file,
        path: &definition.path,
    };
    let fields = definition.fields.iter().filter(|it| !it.is_static);
    let pointers = fields.map(|it| &it.ty).filter(|it| it.pointers > 0);
    pointers.filter(move |it| program.resolve_class(inside, &it.name).is_none())
}

pub(super) fn scope_of(program: &Program, id: FunctionId) -> Scope<'_> {
    Scope {
        file: id.file,
        path: &program.function(id).path,
    }
}
