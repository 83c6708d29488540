//! How the clients of a library come by what they use: an object by a constructor, by a function that hands one out or fills one, or
//! what a file keeps in variables of its own.

use std::collections::BTreeSet;

use super::interfaces::{Interface, MOST_USES};
use super::kernels::written_name;
use super::{ClassId, FileId, FunctionId, Program, Scope};
use crate::facts::ir::{Function, Role, Target, Type};

/// How an object comes to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// None is needed.
    Nothing,
    /// By a constructor of its class, or as a variable where it has none.
    Class,
    /// By a function that returns it, a pointer to it, or what owns it.
    Returned(FunctionId),
    /// By a function that stores a pointer to it where this parameter points.
    Stored(FunctionId, usize),
}

/// What a function is about that is offered without a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject<'a> {
    Class(ClassId),
    /// What only the library knows is behind a pointer to this.
    Opaque(&'a str),
}

impl Subject<'_> {
    fn class(self) -> Option<ClassId> {
        match self {
            Subject::Class(class) => Some(class),
            Subject::Opaque(_) => None,
        }
    }
}

/// Whether clients can call a function.
pub(super) fn is_offered(function: &Function) -> bool {
    function.defined
        && !function.internal
        && function.role == Role::Function
        && matches!(function.target, Target::Host | Target::HostDevice)
        && !super::reach::is_main(function)
}

impl Program {
    /// How clients make objects of a class whose methods they call: by a constructor that somebody wrote for them, else by what hands
    /// one out, which leads to CUDA where clients could do without.
    pub fn maker_of(&self, class: ClassId) -> Maker {
        let says_how =
            |it: &Function| !(it.params.is_empty() && it.body.is_empty() && it.initialisers.is_empty());
        let mut open = self.making(class).filter(|it| self.is_public(*it));
        if open.any(|it| says_how(self.definition(it))) {
            return Maker::Class;
        }
        let factories = self.factories_of(class);
        let eventful = factories.iter().find(|it| self.is_eventful(**it));
        let only = factories.first().filter(|_| self.keeps_making_to_itself(class));
        let maker = eventful.or(only).copied();
        maker.map_or(Maker::Class, Maker::Returned)
    }

    /// The constructor a client would call: the first that copies nothing, where only a function of the class makes objects that;
    /// of a class that has none that of its base.
    pub fn constructor_of(&self, class: ClassId) -> Option<FunctionId> {
        let bases = self.with_bases(class);
        let first_with = bases.into_iter().find(|it| self.making(*it).next().is_some())?;
        let making = || self.making(first_with).filter(|it| self.definition(*it).defined);
        making()
            .find(|it| self.is_public(*it))
            .or_else(|| making().next())
            .filter(|it| first_with == class || !self.definition(*it).params.is_empty())
    }

    /// What is called to make an object of a class: a constructor, or a function that hands one out.
    pub fn called_to_make(&self, class: ClassId) -> Option<FunctionId> {
        match self.maker_of(class) {
            Maker::Returned(maker) => Some(maker),
            _ => self.constructor_of(class),
        }
    }

    /// Whether making an object of a class leads to CUDA, and clients can.
    pub fn makes_what_lasts(&self, class: ClassId) -> bool {
        self.called_to_make(class)
            .is_some_and(|it| self.is_public(it) && self.is_eventful(it))
    }

    /// Constructors of a class that copy nothing.
    fn making(&self, class: ClassId) -> impl Iterator<Item = FunctionId> {
        let name = self.class(class).path.last();
        let copies = move |function: &Function| matches!(function.params.as_slice(), [only] if name.is_some_and(|it| only.ty.name.last() == it));
        let constructors = self
            .written_in(class)
            .filter(|(_, it)| it.role == Role::Constructor);
        constructors.filter(move |(_, it)| !copies(it)).map(|(id, _)| id)
    }

    /// Whether no constructor of a class is open to clients.
    fn keeps_making_to_itself(&self, class: ClassId) -> bool {
        let mut making = self.making(class).peekable();
        making.peek().is_some() && !making.any(|it| self.is_public(it))
    }

    /// Whether objects of a class are made by functions of others alone, which hand them out.
    pub(super) fn is_made_elsewhere(&self, class: ClassId) -> bool {
        let makes = |(id, it): (FunctionId, &Function)| {
            it.role == Role::Method && self.is_static(id) && self.is_public(id)
        };
        self.keeps_making_to_itself(class)
            && !self.written_in(class).any(makes)
            && self.factories_of(class).is_empty()
    }

    /// Functions that hand out an object of a class without one, or what owns one: static ones of the class, and free ones beside
    /// what it consists of.
    fn factories_of(&self, class: ClassId) -> Vec<FunctionId> {
        let written: Vec<(FunctionId, &Function)> = self.written_in(class).collect();
        let of_class = written.iter().filter(|(id, it)| {
            it.role == Role::Method && it.defined && self.is_static(*id) && self.is_public(*id)
        });
        let files: BTreeSet<FileId> = written.iter().map(|it| it.0.file).chain([class.file]).collect();
        let beside = files.iter().flat_map(|it| self.functions_of(it.0 as usize));
        let beside = beside.filter(|it| is_offered(it.1));
        let hands_out = |id: &FunctionId| {
            let function = self.function(*id);
            let is_out = self
                .class_held(*id, &function.result)
                .is_some_and(|(it, depth)| it == class && depth < 2);
            let mut params = function.params.iter();
            is_out && !params.any(|it| self.class_held(*id, &it.ty).is_some_and(|it| it.0 == class))
        };
        let all = of_class.map(|it| it.0).chain(beside.map(|it| it.0));
        all.filter(hands_out).collect()
    }

    /// The class that a value of a type is of, leads to by so many pointers, or that a value of its template argument is of.
    fn class_held(&self, function: FunctionId, ty: &Type) -> Option<(ClassId, u8)> {
        let scope = self.scope_of_function(function);
        self.pointed(function, ty)
            .or_else(|| Some((self.resolve_class(scope, &ty.name)?, 0)))
            .or_else(|| {
                let held = written_name(ty.name.template_args.first()?)?;
                Some((self.resolve_class(scope, &held)?, ty.pointers))
            })
    }

    pub(super) fn scope_of_function(&self, function: FunctionId) -> Scope<'_> {
        Scope {
            file: function.file,
            path: &self.function(function).path,
        }
    }

    /// The class a type leads to, and by how many pointers.
    fn pointed(&self, function: FunctionId, ty: &Type) -> Option<(ClassId, u8)> {
        let scope = self.scope_of_function(function);
        let named = self.resolve_alias(scope, &ty.name).map_or(0, |it| it.pointers);
        let depth = ty.pointers + named;
        if depth == 0 || ty.constant && depth == 2 {
            return None;
        }
        Some((self.resolve_pointed_class(scope, &ty.name)?, depth))
    }

    /// What a type leads to, and by how many pointers: an object of a class, or what clients know by its address only.
    fn subject<'a>(&'a self, function: FunctionId, ty: &'a Type) -> Option<(Subject<'a>, u8)> {
        if let Some((class, depth)) = self.pointed(function, ty) {
            return Some((Subject::Class(class), depth));
        }
        let scope = self.scope_of_function(function);
        if let Some(class) = self.resolve_class(scope, &ty.name) {
            return Some((Subject::Class(class), 0));
        }
        let named = self.resolve_alias(scope, &ty.name).map_or(0, |it| it.pointers);
        let is_opaque = ty.name.last() == "void" || named == 1;
        (is_opaque && ty.pointers + named > 0).then(|| (Subject::Opaque(ty.name.last()), ty.pointers + named))
    }

    /// Whether a function is about an object that its first parameter names.
    fn is_about(&self, id: FunctionId, subject: Subject<'_>) -> bool {
        let first = self.function(id).params.first();
        let named = first.and_then(|it| self.subject(id, &it.ty));
        named.is_some_and(|(it, depth)| it == subject && depth < 2 && (depth == 1 || it.class().is_some()))
    }

    /// Whether a function begins an interface of functions some of which lead to CUDA.
    pub(super) fn is_eventful_maker(&self, id: FunctionId) -> bool {
        let interface = self.interface_of_functions(id);
        interface.is_some_and(|it| it.uses.iter().any(|it| self.is_eventful(*it)))
    }

    /// The interface of functions that one of them stands for: which makes what the others are about, or is the first that is about
    /// it where the client has it.
    pub(super) fn interface_of_functions(&self, id: FunctionId) -> Option<Interface> {
        let function = self.function(id);
        if !is_offered(function) {
            return None;
        }
        let (subject, maker) = self.made_by(id).or_else(|| self.filled_by(id))?;
        let mut uses = self.offered_with(id);
        uses.retain(|it| match subject {
            Some(subject) => self.is_about(*it, subject),
            None => self.is_eventful(*it),
        });
        uses.truncate(MOST_USES);
        (uses.len() > 1).then_some(Interface {
            keeps_state: true,
            lends: false,
            class: subject.and_then(Subject::class),
            arguments: Vec::new(),
            is_opened: matches!(maker, Maker::Class | Maker::Nothing),
            maker,
            uses,
        })
    }

    /// What a function makes and hands out.
    fn made_by(&self, id: FunctionId) -> Option<(Option<Subject<'_>>, Maker)> {
        let function = self.function(id);
        let stored = || {
            let mut parameters = function.params.iter().enumerate();
            parameters.find_map(|(index, it)| {
                let (subject, depth) = self.subject(id, &it.ty).filter(|_| !it.ty.constant)?;
                (depth == 2).then_some((subject, Maker::Stored(id, index)))
            })
        };
        let returned = || {
            let (subject, depth) = self.subject(id, &function.result)?;
            let is_one = match subject {
                // Values of classes with methods are what these make of them.
                Subject::Class(class) if depth == 0 => self.is_eventful(id) && self.is_bare(class),
                _ => depth == 1,
            };
            is_one.then_some((subject, Maker::Returned(id)))
        };
        let (subject, maker) = stored().or_else(returned)?;
        let is_empty = subject.class().is_some_and(|it| self.class(it).fields.is_empty());
        // What is made of one that is there already is a part of it.
        (!is_empty && !self.is_about(id, subject)).then_some((Some(subject), maker))
    }

    /// What the client has, or the file keeps, where a function is the first that may fill it.
    fn filled_by(&self, id: FunctionId) -> Option<(Option<Subject<'_>>, Maker)> {
        if !self.is_eventful(id) || self.is_main_file(id.file) {
            return None;
        }
        let beside = || {
            self.offered_with(id)
                .into_iter()
                .filter(|it| self.is_eventful(*it))
        };
        let first = self.function(id).params.first();
        let own = first.filter(|it| !it.ty.constant && (it.ty.reference || it.ty.pointers == 1));
        let own = own.and_then(|it| self.class_held(id, &it.ty));
        if let Some((class, 0 | 1)) = own.filter(|it| self.is_bare(it.0) && self.keeps_handles(it.0)) {
            let subject = Subject::Class(class);
            let is_first = beside().find(|it| self.is_about(*it, subject)) == Some(id);
            let is_made = beside().any(|it| self.made_by(it).is_some_and(|it| it.0 == Some(subject)));
            return (is_first && !is_made).then_some((Some(subject), Maker::Class));
        }
        let has_own = self.keeps_own_variables(id.file);
        let is_first = has_own && self.offered_in(id.file).find(|it| self.is_eventful(*it)) == Some(id);
        is_first.then_some((None, Maker::Nothing))
    }

    /// Whether a class has no methods that lead to CUDA: functions work on its objects.
    fn is_bare(&self, class: ClassId) -> bool {
        !self.class(class).fields.is_empty()
            && !self
                .written_in(class)
                .any(|(id, it)| it.role == Role::Method && self.is_eventful(id))
    }

    /// Whether objects of a class hold a stream or an event.
    fn keeps_handles(&self, class: ClassId) -> bool {
        let definition = self.class(class);
        let scope = Scope {
            file: class.file,
            path: &definition.path,
        };
        let mut fields = definition.fields.iter().filter(|it| !it.is_static);
        fields.any(|it| self.is_stream_type(scope, &it.ty) || super::is_event_handle(it.ty.name.last()))
    }

    /// Whether a file keeps a stream or an event in a variable that no other file knows.
    fn keeps_own_variables(&self, file: FileId) -> bool {
        let mut globals = self.source(file).facts.globals.iter();
        globals.any(|it| {
            let scope = Scope { file, path: &it.path };
            let ty = &it.variable.ty;
            let holds = || {
                let class = self.resolve_class(scope, &ty.name);
                class.is_some_and(|it| ty.pointers < 2 && self.keeps_handles(it))
            };
            let is_handle = || self.is_stream_type(scope, ty) || super::is_event_handle(ty.name.last());
            it.internal && !it.external && it.variable.space.is_none() && (is_handle() || holds())
        })
    }

    /// What clients are offered together with a function: what the headers declare that declare it, wherever it is defined, else
    /// what its file defines.
    fn offered_with(&self, id: FunctionId) -> Vec<FunctionId> {
        let mut headers: Vec<FileId> = self.declarations_of(id).map(|it| it.file).collect();
        headers.retain(|it| *it != id.file);
        headers.dedup();
        let declared = headers.iter().flat_map(|it| self.functions_of(it.0 as usize));
        let defined = declared.filter_map(|(declaration, it)| match it.defined {
            true => Some(declaration),
            false => self.definition_of(declaration),
        });
        let mut offered: Vec<FunctionId> = Vec::new();
        for it in defined.chain(self.offered_in(id.file)) {
            if is_offered(self.function(it)) && !offered.contains(&it) {
                offered.push(it);
            }
        }
        offered
    }

    /// What a file defines that clients can call.
    fn offered_in(&self, file: FileId) -> impl Iterator<Item = FunctionId> {
        let offered = self.functions_of(file.0 as usize).filter(|it| is_offered(it.1));
        offered.map(|it| it.0)
    }
}
