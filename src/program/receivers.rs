//! Whose method a call means, as far as the types of variables and fields say.

use std::collections::{BTreeMap, BTreeSet};

use super::{ClassId, FunctionId, Program, Scope, index};
use crate::api::library;
use crate::facts::ir::{Expr, ExprKind, Name, Type, UnaryOp};
use crate::facts::visit::{self, Node};
use crate::syntax::FastMap;

/// What an object was declared as.
#[derive(Clone, Copy, PartialEq)]
struct Object<'p> {
    /// Its class; a type of a library without a model has none.
    class: Option<ClassId>,
    /// What a type of a library was made for, as it is written there.
    made_for: Option<(&'p str, Scope<'p>)>,
    pointers: u8,
}

/// Each of them once; `None` when nobody knows one.
fn distinct<'p>(objects: impl Iterator<Item = Option<Object<'p>>>) -> Option<Vec<Object<'p>>> {
    let mut found: Vec<Object<'p>> = Vec::new();
    for object in objects {
        let object = object?;
        if !found.contains(&object) {
            found.push(object);
        }
    }
    Some(found)
}

/// The types that names in a function were declared with.
pub(super) struct Receivers<'p> {
    program: &'p Program,
    function: FunctionId,
    variables: BTreeMap<&'p str, Vec<&'p Type>>,
    own: Option<ClassId>,
}

impl<'p> Receivers<'p> {
    pub(super) fn of(program: &'p Program, function: FunctionId, own: Option<ClassId>) -> Self {
        let definition = program.function(function);
        let mut variables: BTreeMap<&str, Vec<&Type>> = BTreeMap::new();
        for parameter in &definition.params {
            variables.entry(&parameter.name).or_default().push(&parameter.ty);
        }
        visit::function(definition, &mut |node| match node {
            Node::Variable(variable) => {
                variables.entry(&variable.name).or_default().push(&variable.ty);
            }
            Node::Expr(Expr {
                kind: ExprKind::Lambda(lambda),
                ..
            }) => {
                for parameter in &lambda.params {
                    variables.entry(&parameter.name).or_default().push(&parameter.ty);
                }
            }
            _ => {}
        });
        Receivers {
            program,
            function,
            variables,
            own,
        }
    }

    /// The methods `object.field(…)` can mean; `None` when nobody knows whose they are.
    pub(super) fn methods(&self, object: &Expr, arrow: bool, field: &str) -> Option<BTreeSet<FunctionId>> {
        let mut found = BTreeSet::new();
        for object in self.objects(object)? {
            let object = match arrow {
                true => self.pointee(object)?,
                false => object,
            };
            let Some(class) = object.class else {
                continue;
            };
            let methods = self.program.methods_of_family(class, field);
            if methods.is_empty() && !self.program.is_model(class.file) {
                return None;
            }
            found.extend(methods);
        }
        Some(found)
    }

    /// The classes whose field `object.field` can be; `None` when nobody knows.
    pub(super) fn classes(&self, object: &Expr, arrow: bool) -> Option<Vec<ClassId>> {
        let objects = self.objects(object)?.into_iter();
        let owners = objects.map(|it| if arrow { self.pointee(it) } else { Some(it) }?.class);
        owners.collect()
    }

    /// The types a variable or member is declared with, and where.
    pub(super) fn declared_as(&self, object: &Expr) -> Vec<(&'p Type, Scope<'p>)> {
        let of_field = |owner: ClassId, field: &str| {
            let definition = self.program.class(owner);
            let scope = Scope {
                file: owner.file,
                path: &definition.path,
            };
            let declared = definition.fields.iter().find(|it| it.name == field);
            declared.map(|it| (&it.ty, scope))
        };
        match &object.kind {
            ExprKind::Name(name) if name.is_plain() => match self.variables.get(name.last()) {
                Some(types) => {
                    let scope = Scope {
                        file: self.function.file,
                        path: &self.program.function(self.function).path,
                    };
                    types.iter().map(|it| (*it, scope)).collect()
                }
                None => self
                    .own
                    .and_then(|it| of_field(it, name.last()))
                    .into_iter()
                    .collect(),
            },
            ExprKind::Member { object, field, arrow } => {
                let owners = self.classes(object, *arrow).unwrap_or_default();
                owners.into_iter().filter_map(|it| of_field(it, field)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a name is that of a parameter or variable of the function.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    /// What an object can be: one for each way its name is declared. A chain of calls multiplies what each of them can
    /// return, so that nothing may stand here twice.
    fn objects(&self, object: &Expr) -> Option<Vec<Object<'p>>> {
        let own = |class| {
            vec![Object {
                class: Some(class),
                made_for: None,
                pointers: 1,
            }]
        };
        match &object.kind {
            ExprKind::This => self.own.map(own),
            ExprKind::Name(name) if name.is_plain() => match self.variables.get(name.last()) {
                Some(types) => {
                    let definition = self.program.function(self.function);
                    let scope = Scope {
                        file: self.function.file,
                        path: &definition.path,
                    };
                    let declared = types
                        .iter()
                        .map(|it| self.declared(it, scope, &definition.template_params));
                    distinct(declared)
                }
                None => Some(vec![self.field(self.own?, name.last())?]),
            },
            ExprKind::Member { object, field, arrow } => {
                let owners = self.objects(object)?.into_iter();
                distinct(owners.map(|it| {
                    let owner = if *arrow { self.pointee(it)? } else { it };
                    self.field(owner.class?, field)
                }))
            }
            ExprKind::Index { object, .. }
            | ExprKind::Unary {
                op: UnaryOp::Deref,
                operand: object,
            } => {
                let objects = self.objects(object)?.into_iter();
                distinct(objects.map(|it| self.element(it)))
            }
            ExprKind::Call(call) => match &call.callee.kind {
                ExprKind::Member { object, field, arrow } => self.results(object, *arrow, field),
                ExprKind::Name(name) if !self.is_variable(name.last()) => {
                    self.returned(name, call.args.len())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What the functions return that a call by a name may mean, by their declarations.
    fn returned(&self, name: &Name, arguments: usize) -> Option<Vec<Object<'p>>> {
        let named = self.program.functions_named(self.function.file, name, arguments);
        let results = named.map(|id| {
            let definition = self.program.function(id);
            let scope = Scope {
                file: id.file,
                path: &definition.path,
            };
            self.declared(&definition.result, scope, &definition.template_params)
        });
        distinct(results).filter(|it| !it.is_empty())
    }

    /// What a method returns, by its declarations; what a type of a library returns that was made for nothing of the
    /// project is the library's too.
    fn results(&self, object: &Expr, arrow: bool, method: &str) -> Option<Vec<Object<'p>>> {
        let mut found = Vec::new();
        for object in self.objects(object)? {
            let object = match arrow {
                true => self.pointee(object)?,
                false => object,
            };
            let class = match (object.class, object.made_for) {
                (Some(class), _) => class,
                (None, None) => {
                    found.push(Some(Object {
                        pointers: 0,
                        ..object
                    }));
                    continue;
                }
                (None, Some(_)) if library::hands_out_element(method) => {
                    found.push(self.made_for(object));
                    continue;
                }
                (None, Some(_)) => return None,
            };
            let methods = self.program.methods_of_family(class, method);
            if methods.is_empty() {
                return None;
            }
            for id in methods {
                let definition = self.program.function(id);
                let owner = self.program.class_of_method(id);
                let of_class = owner.map_or(&[][..], |it| &self.program.class(it).template_params[..]);
                let scope = Scope {
                    file: id.file,
                    path: &definition.path,
                };
                let open = [&definition.template_params[..], of_class].concat();
                found.push(self.declared(&definition.result, scope, &open));
            }
        }
        distinct(found.into_iter())
    }

    fn field(&self, owner: ClassId, field: &str) -> Option<Object<'p>> {
        let definition = self.program.class(owner);
        let declared = definition.fields.iter().find(|it| it.name == field)?;
        let scope = Scope {
            file: owner.file,
            path: &definition.path,
        };
        self.declared(&declared.ty, scope, &definition.template_params)
    }

    fn declared(&self, ty: &'p Type, scope: Scope<'p>, open: &[String]) -> Option<Object<'p>> {
        let name = &ty.name;
        let is_open = name.path.first().is_some_and(|it| open.contains(it));
        if is_open || matches!(name.last(), "auto" | "decltype") {
            return None;
        }
        let class = self.program.resolve_pointed_class(scope, name);
        if class.is_none() && self.program.declares_type(name.last()) {
            return None;
        }
        let alias = self.program.resolve_alias(scope, name);
        Some(Object {
            class,
            made_for: name.template_args.first().map(|it| (it.as_str(), scope)),
            pointers: ty.pointers + alias.map_or(0, |it| it.pointers),
        })
    }

    /// What `->` leads to: through a pointer, or through what a class template of a library was made for.
    fn pointee(&self, object: Object<'p>) -> Option<Object<'p>> {
        match (object.pointers, object.class) {
            (1.., _) => Some(Object {
                pointers: object.pointers - 1,
                ..object
            }),
            (0, Some(class)) if !self.program.is_model(class.file) => None,
            (0, _) => self.made_for(object),
        }
    }

    /// What `[…]` and `*` lead to; an array is declared like its elements.
    fn element(&self, object: Object<'p>) -> Option<Object<'p>> {
        let is_own = object.class.is_some_and(|it| !self.program.is_model(it.file));
        match object.pointers {
            1.. => self.pointee(object),
            0 if is_own => None,
            0 => self.made_for(object),
        }
    }

    fn made_for(&self, object: Object<'p>) -> Option<Object<'p>> {
        let (text, scope) = object.made_for?;
        // What it was made for in its turn is not read from the text.
        if text.contains('<') {
            return None;
        }
        let name = Name::of_type(text);
        let class = self.program.resolve_pointed_class(scope, &name);
        let unknown = class.is_none() && self.program.declares_type(name.last());
        let alias = self.program.resolve_alias(scope, &name);
        (!unknown).then(|| Object {
            class,
            made_for: None,
            pointers: u8::from(text.ends_with('*')) + alias.map_or(0, |it| it.pointers),
        })
    }
}

impl Program {
    /// Methods of a name in a class, in what it extends, and in what extends it.
    pub(super) fn methods_of_family(&self, class: ClassId, method: &str) -> Vec<FunctionId> {
        self.methods_of_relatives(class, method, &[&self.names.bases, &self.names.derived])
    }

    /// Whether another class extends one.
    pub fn is_extended(&self, class: ClassId) -> bool {
        let name = self.class(class).path.last();
        name.is_some_and(|it| self.names.derived.get(it).is_some_and(|it| !it.is_empty()))
    }

    /// Definitions of a method in what extends a class, rather than another one that is called the same.
    pub fn overriders(&self, class: ClassId, method: &str, arguments: usize) -> Vec<FunctionId> {
        let mut found = self.methods_of_relatives(class, method, &[&self.names.derived]);
        let name = self.class(class).path.last();
        let alike = name
            .and_then(|it| self.names.classes.get(it))
            .map_or(&[][..], Vec::as_slice);
        found.retain(|it| {
            let function = self.function(*it);
            function.defined
                && function.params.len() >= arguments
                && self.stands_beside(it.file, class, alike)
        });
        found
    }

    fn methods_of_relatives(
        &self,
        class: ClassId,
        method: &str,
        ways: &[&FastMap<String, Vec<String>>],
    ) -> Vec<FunctionId> {
        let Some(name) = self.class(class).path.last() else {
            return Vec::new();
        };
        let mut family: BTreeSet<&str> = BTreeSet::new();
        for relatives in ways {
            let mut open = vec![name.as_str()];
            let mut seen = BTreeSet::new();
            while let Some(next) = open.pop() {
                if seen.insert(next) {
                    open.extend(relatives.get(next).into_iter().flatten().map(String::as_str));
                }
            }
            family.extend(seen);
        }
        let methods = family
            .into_iter()
            .filter_map(|it| self.names.members.get(&index::member_key(it, method)));
        methods.flatten().copied().collect()
    }

    /// Whether a name can be that of a type of the program: a class, an alias, a template parameter.
    pub fn declares_type(&self, name: &str) -> bool {
        self.names.classes.contains_key(name)
            || self.names.aliases.contains_key(name)
            || self.names.parameters.contains(name)
    }
}
