//! Arguments of calls, and the packs that stand for several of them.

use std::sync::Arc;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::templates::pack_element;
use crate::facts::ir::{Expr, ExprKind};
use crate::facts::visit::{self, Node};

impl<'p> Machine<'p> {
    pub(super) fn argument(&mut self, expression: &'p Expr) -> Argument {
        // What a macro's parameter stands for is looked at once.
        if let ExprKind::Name(name) = &expression.kind
            && let Some(text) = self.text_of(name)
            && let Some(argument) = self.evaluate_text(text, |machine, it| machine.argument(it))
        {
            return argument;
        }
        let words = self.words(expression.span);
        let is_place = match &expression.kind {
            ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. } => true,
            ExprKind::Unary { op, .. } => *op == crate::facts::ir::UnaryOp::Deref,
            ExprKind::Cast { ty, .. } => ty.reference && !ty.rvalue,
            _ => false,
        };
        if is_place && let Some(place) = self.place(expression) {
            self.control.here = expression.span;
            // Naming an object is no access: whoever copies it reads it.
            let named = u32::from(self.object_at(&place).is_some());
            self.control.quiet += named;
            let value = self.load(&place);
            self.control.quiet -= named;
            let value = self.seen_through_type(expression, &place, value);
            let value = self.as_declared(expression, &place, value);
            return Argument {
                value,
                place: Some(place),
                words,
                moved: false,
                ty: None,
            };
        }
        if let ExprKind::Call(call) = &expression.kind
            && let ExprKind::Name(name) = &call.callee.kind
            && matches!(name.last(), "move" | "forward" | "ref" | "cref")
            && let [only] = call.args.as_slice()
        {
            let mut argument = self.argument(only);
            argument.moved = match name.last() {
                "move" => true,
                "forward" => self.is_forwarded(only),
                _ => false,
            };
            if name.last() == "move"
                && argument
                    .place
                    .as_ref()
                    .is_some_and(|it| self.memory.smart.contains(it))
            {
                let value = self.evaluate_moved(only);
                let place = match &value {
                    Value::Aggregate(place) => Some(place.clone()),
                    _ => None,
                };
                return Argument {
                    value,
                    place,
                    words,
                    moved: true,
                    ty: None,
                };
            }
            if name.last() == "move"
                && let Some(place) = &argument.place
            {
                let place = place.clone();
                self.host_memory_moves(&Value::Aggregate(place.clone()));
                self.moved_from(&place);
            }
            if matches!(name.last(), "ref" | "cref") {
                argument.value = self.referred_to(argument.value);
            }
            return Argument { words, ..argument };
        }
        let is_named = matches!(
            expression.kind,
            ExprKind::Conditional { .. } | ExprKind::Assign { .. } | ExprKind::Unary { .. }
        ) && self
            .type_of(expression)
            .is_some_and(|it| it.category == super::types::Category::Named && it.pointers == 0);
        if is_named && let Some(place) = self.place(expression) {
            let value = self.load(&place);
            return Argument {
                value,
                place: Some(place),
                words,
                moved: false,
                ty: None,
            };
        }
        self.control.returned = None;
        let value = self.evaluate(expression);
        let is_call = matches!(expression.kind, ExprKind::Call(_));
        let is_moved = match &expression.kind {
            ExprKind::Cast { ty, operand } if ty.rvalue => match self.is_parameter_of_template(ty) {
                true => self.is_forwarded(operand),
                false => true,
            },
            ExprKind::Cast { ty, .. } => !ty.reference,
            ExprKind::Call(_) => self.control.returned.is_none(),
            _ => true,
        };
        let place = match (&value, self.control.returned.take()) {
            (_, Some(place)) if is_call => Some(place),
            (Value::Aggregate(place), _) => Some(place.clone()),
            _ => None,
        };
        Argument {
            value,
            place,
            words,
            moved: is_moved,
            ty: None,
        }
    }

    /// What `std::ref` makes of something that can be called: a copy of it calls the same object.
    pub(super) fn referred_to(&self, value: Value) -> Value {
        let Value::Aggregate(object) = &value else {
            return value;
        };
        let is_call = |path: &[String]| path.last().is_some_and(|it| it == "operator()");
        let calls = self.object_at(object).is_some_and(|class| {
            let mut methods = self.program.written_in(class);
            methods.any(|(_, it)| is_call(&it.path))
        });
        match calls {
            true => Value::Pointer(object.clone()),
            false => value,
        }
    }

    /// A variable that was bound to a temporary, or to something moved, is handed on as such.
    pub(super) fn is_forwarded(&self, variable: &Expr) -> bool {
        let ExprKind::Name(name) = &variable.kind else {
            return false;
        };
        let mut blocks = self.visible_blocks();
        let declared = blocks.find(|it| it.names.contains_key(name.last()));
        declared.is_some_and(|it| it.moved.contains(name.last()))
    }

    /// Whether a type is a template parameter of the function that runs.
    pub(super) fn is_parameter_of_template(&self, ty: &crate::facts::ir::Type) -> bool {
        let frame = self.control.frames.iter().rev().find(|it| !it.transparent);
        let function = frame.and_then(|it| it.function);
        function.is_some_and(|it| {
            let params = &self.program.function(it).template_params;
            ty.name.is_plain() && params.iter().any(|it| it == ty.name.last())
        })
    }

    /// Evaluates an argument list; a parameter pack among it stands for the arguments it was given.
    pub(super) fn arguments(&mut self, args: impl IntoIterator<Item = &'p Expr>) -> Vec<Argument> {
        let mut evaluated = Vec::new();
        for expression in args {
            if let Some(pack) = self.pack_named(expression) {
                evaluated.extend(pack);
                continue;
            }
            let pattern = match &expression.kind {
                ExprKind::Opaque(parts) => parts.first().filter(|_| parts.len() == 1),
                _ => None,
            };
            match pattern.and_then(|it| self.over_pack(it)) {
                Some(values) => evaluated.extend(values.into_iter().map(|value| Argument {
                    place: match &value {
                        Value::Aggregate(place) => Some(place.clone()),
                        _ => None,
                    },
                    value,
                    words: String::new(),
                    moved: true,
                    ty: None,
                })),
                None => {
                    self.control.divided = None;
                    let argument = self.argument(expression);
                    match self.listed_by(expression) {
                        Some(several) => evaluated.extend(several),
                        None => evaluated.push(argument),
                    }
                }
            }
        }
        evaluated
    }

    /// The arguments that a macro stands for which was written as one of them and has just been evaluated.
    fn listed_by(&mut self, expression: &Expr) -> Option<Vec<Argument>> {
        let several = self.control.divided.take()?;
        matches!(expression.kind, ExprKind::Name(_) | ExprKind::Call(_)).then_some(several)
    }

    /// The values of one element of a list: a pack expansion is evaluated once for every argument of the pack.
    pub(super) fn expanded(&mut self, expression: &'p Expr) -> Vec<Value> {
        let pattern = match &expression.kind {
            ExprKind::Opaque(parts) if parts.len() == 1 => &parts[0],
            _ => {
                self.control.divided = None;
                let value = self.evaluate_copy(expression);
                return match self.listed_by(expression) {
                    Some(several) => several.into_iter().map(|it| it.value).collect(),
                    None => vec![value],
                };
            }
        };
        self.over_pack(pattern)
            .unwrap_or_else(|| vec![self.evaluate_copy(expression)])
    }

    /// The values of a pattern for every argument of the pack in it: `f(args)...`, `(f(args), ...)`.
    pub(super) fn over_pack(&mut self, pattern: &'p Expr) -> Option<Vec<Value>> {
        if let Some((holder, name)) = self.template_pack(pattern) {
            return Some(self.over_template_pack(pattern, holder, &name));
        }
        let mut pack = None;
        visit::expression(pattern, &mut |node| {
            if let Node::Expr(inner) = node
                && pack.is_none()
                && let ExprKind::Name(name) = &inner.kind
            {
                pack = self.pack_named(inner).map(|args| (name.last(), args));
            }
        });
        let (name, args) = pack?;
        // Inside the pattern the name is one of them.
        let holder = self
            .control
            .frames
            .iter()
            .rposition(|frame| frame.pack.as_ref().is_some_and(|(pack, _)| pack == name))?;
        let whole = self.control.frames[holder].pack.take();
        let mut values = Vec::new();
        for argument in args {
            self.enter_scope();
            // Each argument is a parameter of its own: it has a place even when it was a value.
            let moved = argument.moved;
            let place = argument.place.unwrap_or_else(|| self.memory.local());
            if self.memory.get(&place).is_none() {
                self.assign(&place, argument.value);
            }
            self.declare(name, place);
            if moved {
                self.mark_moved(name);
            }
            values.push(self.evaluate_copy(pattern));
            self.leave_scope(pattern.span);
        }
        self.control.frames[holder].pack = whole;
        Some(values)
    }

    /// A pack of template arguments that a pattern names, and the frame that knows it.
    fn template_pack(&self, pattern: &Expr) -> Option<(usize, String)> {
        let holder = self.control.frames.iter().rposition(|frame| !frame.transparent)?;
        let known = &self.control.frames[holder].template;
        let packs = known.keys().filter_map(|it| it.strip_suffix("...1"));
        let packs: Vec<&str> = packs.collect();
        let mut found = None;
        let names = |text: &str| packs.iter().find(|it| **it == text).map(|it| (*it).to_owned());
        visit::expression(pattern, &mut |node| {
            if let Node::Expr(inner) = node
                && found.is_none()
                && !packs.is_empty()
            {
                let name = match &inner.kind {
                    ExprKind::Name(name) => name,
                    ExprKind::Construct { ty, .. } => &ty.name,
                    _ => return,
                };
                let mut texts = name.template_args.iter().chain(&name.owner_args);
                found = names(name.path.first().map_or("", String::as_str))
                    .or_else(|| texts.find_map(|it| names(it.trim_end_matches('.'))));
            }
        });
        found.map(|name| (holder, name))
    }

    /// Whether an expression names a template parameter of the function that runs, and nobody knows what it stands for.
    pub(super) fn names_open_pack(&self, pattern: &Expr) -> bool {
        let Some(frame) = self.control.frames.iter().rev().find(|it| !it.transparent) else {
            return false;
        };
        let params = frame
            .function
            .map(|it| &self.program.function(it).template_params);
        let open: Vec<&String> = params.into_iter().flatten().collect();
        let open = open.into_iter().filter(|it| !frame.template.contains_key(*it));
        let open: Vec<&String> = open.collect();
        let mut found = false;
        visit::expression(pattern, &mut |node| {
            if let Node::Expr(inner) = node
                && !open.is_empty()
            {
                let name = match &inner.kind {
                    ExprKind::Name(name) => name,
                    ExprKind::Construct { ty, .. } => &ty.name,
                    _ => return,
                };
                let is_word = |text: &str, word: &str| {
                    let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
                    words.any(|it| it == word)
                };
                let texts = || {
                    name.path
                        .iter()
                        .chain(&name.template_args)
                        .chain(&name.owner_args)
                };
                found |= open.iter().any(|word| texts().any(|text| is_word(text, word)));
            }
        });
        found
    }

    fn over_template_pack(&mut self, pattern: &'p Expr, holder: usize, name: &str) -> Vec<Value> {
        let known = self.control.frames[holder].template.clone();
        let further = (1..).map_while(|number| known.get(&pack_element(name, number)));
        let elements: Vec<Arc<str>> = known.get(name).into_iter().chain(further).cloned().collect();
        let mut values = Vec::new();
        for element in elements {
            let template = &mut self.control.frames[holder].template;
            template.remove(&pack_element(name, 1));
            template.insert(name.to_owned(), element);
            values.push(self.evaluate_copy(pattern));
        }
        self.control.frames[holder].template = known;
        values
    }

    /// How many arguments are handed over: a pack is as many as it holds.
    pub(super) fn count_of(&self, args: &[Expr]) -> usize {
        let of_one = |it: &Expr| self.pack_named(it).map_or(1, |it| it.len());
        args.iter().map(of_one).sum()
    }

    /// Whether an expression stands for all arguments of a pack.
    pub(super) fn is_pack(&self, expression: &Expr) -> bool {
        self.pack_named(expression).is_some()
    }

    /// The arguments `args...`, `std::forward<Args>(args)...` or `__VA_ARGS__` stand for.
    fn pack_named(&self, expression: &Expr) -> Option<Vec<Argument>> {
        let name = match &expression.kind {
            ExprKind::Name(name) if name.is_plain() => name.last(),
            ExprKind::Opaque(parts) => match parts.as_slice() {
                [only] => return self.pack_named(only),
                _ => return None,
            },
            ExprKind::Call(call) => match (&call.callee.kind, call.args.as_slice()) {
                (ExprKind::Name(name), [only]) if name.last() == "forward" => return self.pack_named(only),
                _ => return None,
            },
            // `static_cast<Args &&>(args)...`
            ExprKind::Cast { ty, operand } if ty.rvalue && self.is_parameter_of_template(ty) => {
                return self.pack_named(operand);
            }
            _ => return None,
        };
        let mut frames = self.visible_frames().filter(|(_, _, parameters)| *parameters);
        frames
            .find_map(|(_, frame, _)| frame.pack.as_ref().filter(|(pack, _)| pack == name))
            .map(|(_, args)| args.clone())
    }
}
