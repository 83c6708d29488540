//! Parameters of macros that stand for text: evaluated where the macro puts them, not where it is used.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::Argument;
use super::machine::{Frame, Machine, Names, Textual};
use super::memory::Value;
use crate::facts::ir::{Expr, ExprKind, Function, Name};
use crate::facts::visit::{self, Node};

impl<'p> Machine<'p> {
    /// The arguments of a macro: what it puts into a lambda is kept as text.
    pub(super) fn macro_arguments(
        &mut self,
        definition: &'p Function,
        args: &'p [Expr],
    ) -> (Vec<Argument>, Textual<'p>) {
        let deferred = names_in_lambdas(definition);
        let is_deferred = |name: &str| deferred.contains(name);
        let file = self.frame().file;
        let mut textual: Textual<'p> = BTreeMap::new();
        let mut arguments = Vec::new();
        for (index, argument) in args.iter().enumerate() {
            let parameter = definition
                .params
                .get(index)
                .or_else(|| definition.params.last().filter(|it| it.pack));
            match parameter.filter(|it| is_deferred(&it.name)) {
                Some(parameter) => {
                    let (_, texts) = textual
                        .entry(parameter.name.clone())
                        .or_insert_with(|| (file, Vec::new()));
                    texts.push(argument);
                    arguments.push(Argument {
                        value: self.memory.fresh(),
                        place: None,
                        words: self.words(argument.span),
                    });
                }
                None => arguments.extend(self.arguments(std::slice::from_ref(argument))),
            }
        }
        (arguments, textual)
    }

    /// What a name stands for when it is such a parameter.
    pub(super) fn text_of(&self, name: &Name) -> Option<(crate::program::FileId, Vec<&'p Expr>)> {
        if !name.is_plain() {
            return None;
        }
        for frame in self.frames.iter().rev() {
            if let Some(text) = frame.textual.get(name.last()) {
                return Some(text.clone());
            }
            if !frame.transparent {
                return None;
            }
        }
        None
    }

    /// Evaluates the text of a parameter in its place.
    pub(super) fn evaluate_text<T>(
        &mut self,
        (file, texts): (crate::program::FileId, Vec<&'p Expr>),
        mut body: impl FnMut(&mut Self, &'p Expr) -> T,
    ) -> Option<T> {
        let path = self.frame().path;
        self.frames.push(Frame {
            file,
            path,
            function: None,
            this: None,
            class: None,
            scopes: vec![Names::default()],
            call_site: None,
            template: BTreeMap::new(),
            pack: None,
            textual: BTreeMap::new(),
            transparent: true,
        });
        let mut result = None;
        for text in texts {
            result = Some(body(self, text));
        }
        self.frames.pop();
        result
    }

    /// The text a closure made here can still ask for.
    pub(super) fn visible_text(&self) -> Textual<'p> {
        let mut found = BTreeMap::new();
        for frame in self.frames.iter().rev() {
            for (name, text) in &frame.textual {
                found.entry(name.clone()).or_insert_with(|| text.clone());
            }
            if !frame.transparent {
                break;
            }
        }
        found
    }

    /// Calls what the text of a parameter names.
    pub(super) fn call_text(
        &mut self,
        text: (crate::program::FileId, Vec<&'p Expr>),
        args: Vec<Argument>,
        span: crate::syntax::Span,
    ) -> Value {
        match self.evaluate_text(text, |machine, it| machine.evaluate(it)) {
            Some(callee) => self.invoke_value(&callee, args, span),
            None => self.memory.fresh(),
        }
    }
}

/// Names that lambdas in a macro's body mention.
fn names_in_lambdas(definition: &Function) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    visit::statements(&definition.body, &mut |node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Lambda(lambda),
            ..
        }) = node
        {
            visit::statements(&lambda.body, &mut |inner| {
                if let Node::Expr(Expr {
                    kind: ExprKind::Name(name),
                    ..
                }) = inner
                    && name.is_plain()
                {
                    names.insert(name.last());
                }
            });
        }
    });
    names
}
