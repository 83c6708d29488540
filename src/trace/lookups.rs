//! Names looked up from the function that runs: asked again in every pass and on every path, answered once.

use std::cell::RefCell;

use super::machine::Machine;
use crate::facts::ir::Name;
use crate::program::{ClassId, FileId, FunctionId, Scope};
use crate::syntax::{FastMap, Span};

/// What is asked of a name: a class, or a function that takes so many arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Class,
    Function(Option<usize>),
}

#[derive(Clone, Copy)]
enum Found {
    Class(Option<ClassId>),
    Function(Option<FunctionId>),
}

/// A scope: its file, and where its path stands in memory. Nothing is ever listed by it.
type ScopeKey = (FileId, usize, usize);

/// Answers so far.
#[derive(Default)]
pub(super) struct Lookups {
    names: RefCell<FastMap<ScopeKey, Answers>>,
    /// Whether copies of a class run code, whether its end does, and whether its objects are containers.
    classes: RefCell<FastMap<(ClassId, OfClass), bool>>,
    /// Whether a function calls others in one place at most.
    links: RefCell<FastMap<FunctionId, bool>>,
    /// Where functions call what makes events.
    calls: RefCell<FastMap<FunctionId, Box<[u32]>>>,
}

/// What is asked of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum OfClass {
    CopiesByCode,
    AssignsByCode,
    EndsByCode,
    IsContainer,
    HasMixins,
}

/// What the names in one scope mean.
type Answers = FastMap<Name, Vec<(Asked, Found)>>;

impl Machine<'_> {
    /// Whether a function calls functions of the project in one place at most.
    pub(super) fn is_link(&self, function: FunctionId) -> bool {
        let mut links = self.lookups.links.borrow_mut();
        let found = links.entry(function);
        *found.or_insert_with(|| self.program.calls_in_one_place(function))
    }

    /// How many calls that make events stand behind a place in the function that runs.
    pub(super) fn calls_behind(&self, mut span: Span) -> u32 {
        let mut frames = self.control.frames.iter().rev();
        // What a macro does is done where it is used.
        let frame = frames.find(|it| {
            if it.transparent {
                span = it.call_site.map_or(span, |(_, at)| at);
            }
            !it.transparent
        });
        let Some(function) = frame.and_then(|it| it.function) else {
            return 0;
        };
        let mut calls = self.lookups.calls.borrow_mut();
        let found = calls.entry(function);
        let starts = found.or_insert_with(|| self.program.demanding_calls(function).into());
        let before = starts.partition_point(|it| *it <= span.start);
        u32::try_from(starts.len() - before).unwrap_or(u32::MAX)
    }

    /// The class a name means in the function that runs.
    pub(super) fn class_meant(&self, name: &Name) -> Option<ClassId> {
        match self.looked_up(name, Asked::Class) {
            Found::Class(found) => found,
            Found::Function(_) => None,
        }
    }

    /// The function a name means in the function that runs.
    pub(super) fn function_meant(&self, name: &Name, arguments: Option<usize>) -> Option<FunctionId> {
        match self.looked_up(name, Asked::Function(arguments)) {
            Found::Function(found) => found,
            Found::Class(_) => None,
        }
    }

    /// The answer to a question about a class, found once.
    pub(super) fn asked_once(&self, class: ClassId, asked: OfClass, find: impl FnOnce() -> bool) -> bool {
        let known = self.lookups.classes.borrow().get(&(class, asked)).copied();
        known.unwrap_or_else(|| {
            let found = find();
            self.lookups.classes.borrow_mut().insert((class, asked), found);
            found
        })
    }

    /// What is called so where the function that runs stands; a class that a model does not know, a template argument say, where
    /// the model is used.
    fn looked_up(&self, name: &Name, asked: Asked) -> Found {
        let found = self.looked_up_in(self.scope(), name, asked);
        if self.in_model() && matches!(found, Found::Class(None)) {
            let mut users = self.control.frames.iter().rev();
            if let Some(user) = users.find(|it| !self.program.is_model(it.file)) {
                return self.looked_up_in(user.scope(), name, asked);
            }
        }
        found
    }

    fn looked_up_in(&self, scope: Scope<'_>, name: &Name, asked: Asked) -> Found {
        let key = (scope.file, scope.path.as_ptr() as usize, scope.path.len());
        let known = self.lookups.names.borrow();
        let answers = known.get(&key).and_then(|it| it.get(name)).into_iter().flatten();
        if let Some((_, found)) = answers.into_iter().find(|(it, _)| *it == asked) {
            return *found;
        }
        drop(known);
        let found = match asked {
            Asked::Class => Found::Class(self.program.resolve_class(scope, name)),
            Asked::Function(arguments) => {
                Found::Function(self.program.resolve_function(scope, name, arguments))
            }
        };
        let mut known = self.lookups.names.borrow_mut();
        let names = known.entry(key).or_default();
        match names.get_mut(name) {
            Some(answers) => answers.push((asked, found)),
            None => {
                names.insert(name.clone(), vec![(asked, found)]);
            }
        }
        found
    }
}
