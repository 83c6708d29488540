//! Whose method a call means, as far as the types of variables and fields say.

use std::collections::{BTreeMap, BTreeSet};

use super::{ClassId, FunctionId, Program, Scope, index};
use crate::facts::ir::{Expr, ExprKind, Type};
use crate::facts::visit::{self, Node};
use crate::syntax::FastMap;

/// Classes of the standard library that call nothing of the program's.
const STANDARD: [&str; 16] = [
    "string",
    "vector",
    "array",
    "map",
    "unordered_map",
    "set",
    "unordered_set",
    "pair",
    "ifstream",
    "ofstream",
    "ostream",
    "istream",
    "stringstream",
    "ostringstream",
    "istringstream",
    "bitset",
];

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
    pub(super) fn methods(&self, object: &Expr, field: &str) -> Option<BTreeSet<FunctionId>> {
        if self.is_standard(object) {
            return Some(BTreeSet::new());
        }
        let classes = self.classes_of(object)?;
        let mut found = BTreeSet::new();
        for class in classes {
            let methods = self.program.methods_of_family(class, field);
            if methods.is_empty() {
                return None;
            }
            found.extend(methods);
        }
        Some(found)
    }

    /// Whether an object is of the standard library: strings and containers have no methods of the program.
    fn is_standard(&self, object: &Expr) -> bool {
        let standard = |ty: &&Type| {
            let name = &ty.name;
            STANDARD.contains(&name.last()) && !self.program.names.classes.contains_key(name.last())
        };
        let fields = |class: ClassId| self.program.class(class).fields.iter();
        let ExprKind::Name(name) = &object.kind else {
            return false;
        };
        match self.variables.get(name.last()) {
            _ if !name.is_plain() => false,
            Some(types) => types.iter().all(standard),
            None => self.own.is_some_and(|own| {
                let declared = fields(own).find(|it| it.name == name.last());
                declared.is_some_and(|it| standard(&&it.ty))
            }),
        }
    }

    /// The classes an object can be of: one for each declaration of its name.
    fn classes_of(&self, object: &Expr) -> Option<Vec<ClassId>> {
        match &object.kind {
            ExprKind::This => Some(vec![self.own?]),
            ExprKind::Name(name) if name.is_plain() => match self.variables.get(name.last()) {
                Some(types) => types.iter().map(|it| self.class_named(it)).collect(),
                None => Some(vec![self.class_of_field(self.own?, name.last())?]),
            },
            ExprKind::Member { object, field, .. } => {
                let owners = self.classes_of(object)?;
                owners.iter().map(|it| self.class_of_field(*it, field)).collect()
            }
            _ => None,
        }
    }

    fn class_named(&self, ty: &Type) -> Option<ClassId> {
        let definition = self.program.function(self.function);
        let scope = Scope {
            file: self.function.file,
            path: &definition.path,
        };
        let is_parameter = ty
            .name
            .path
            .first()
            .is_some_and(|it| definition.template_params.contains(it));
        if is_parameter || ty.name.last() == "auto" {
            return None;
        }
        self.program.resolve_class(scope, &ty.name)
    }

    fn class_of_field(&self, owner: ClassId, field: &str) -> Option<ClassId> {
        let definition = self.program.class(owner);
        let declared = definition.fields.iter().find(|it| it.name == field)?;
        let name = &declared.ty.name;
        if name
            .path
            .first()
            .is_some_and(|it| definition.template_params.contains(it))
        {
            return None;
        }
        let scope = Scope {
            file: owner.file,
            path: &definition.path,
        };
        self.program.resolve_class(scope, name)
    }
}

impl Program {
    /// Methods of a name in a class, in what it extends, and in what extends it.
    fn methods_of_family(&self, class: ClassId, method: &str) -> Vec<FunctionId> {
        self.methods_of_relatives(class, method, &[&self.names.bases, &self.names.derived])
    }

    /// Definitions of a method in what extends a class.
    pub fn overriders(&self, class: ClassId, method: &str, arguments: usize) -> Vec<FunctionId> {
        let mut found = self.methods_of_relatives(class, method, &[&self.names.derived]);
        found.retain(|it| {
            let function = self.function(*it);
            function.defined && function.params.len() >= arguments
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
