//! What a library offers: a class whose objects its clients make and use, or functions around an object or what a file keeps.

use std::collections::BTreeSet;

use rayon::prelude::*;

pub use super::makers::Maker;
use super::{ClassId, FileId, FunctionId, Program, Scope};
use crate::facts::ir::{Function, Name, Role, Type};

/// Base classes that are asked for their methods.
const MOST_BASES: usize = 3;

/// Functions of an interface that are looked at.
pub(super) const MOST_USES: usize = 64;

/// What the clients of a library make and use.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The class of what they make, where they need anything.
    pub class: Option<ClassId>,
    /// How they make it.
    pub maker: Maker,
    /// What the class is made for where it is a template and the project says so, as written.
    pub arguments: Vec<String>,
    /// What they may do with it, in the order of declaration.
    pub uses: Vec<FunctionId>,
    /// One call may come to what another one left.
    pub keeps_state: bool,
    /// Plain memory is handed out in the order of a stream, and taken back in the order of one.
    pub lends: bool,
    /// One of the functions fills the object, or what the file keeps: before that nothing can be done with it.
    pub is_opened: bool,
}

impl Interface {
    /// That of a function that needs no object.
    pub fn of_function(function: FunctionId) -> Self {
        Interface {
            class: None,
            maker: Maker::Nothing,
            arguments: Vec::new(),
            uses: vec![function],
            keeps_state: false,
            lends: false,
            is_opened: false,
        }
    }
}

impl Program {
    /// Functions that stand for interfaces: one that leads to CUDA of each, by which [`Program::interface_of`] finds it again.
    pub fn interfaces(&self) -> Vec<FunctionId> {
        let units: Vec<usize> = self.own_units().collect();
        let of_unit = |unit: &usize| -> Vec<FunctionId> {
            let file = FileId(*unit as u32);
            // Who else would use a class than the tests beside it?
            let is_open = self.functions_of(*unit).all(|(_, it)| it.role != Role::Test);
            let count = if is_open {
                self.units[*unit].facts.classes.len()
            } else {
                0
            };
            let classes = (0..count as u32).map(|index| ClassId { file, index });
            let classes = classes.filter_map(|it| self.key_of_class(it));
            let makers = self.functions_of(*unit).map(|(id, _)| id);
            let makers = makers.filter(|it| self.is_eventful_maker(*it));
            let recordable = self.functions_of(*unit).map(|(id, _)| id);
            let recordable = recordable.filter(|it| self.interface_of_recordable(*it).is_some());
            classes.chain(makers).chain(recordable).collect()
        };
        let found: BTreeSet<FunctionId> = units.par_iter().flat_map_iter(of_unit).collect();
        found.into_iter().collect()
    }

    /// Whether somebody in the project uses an interface, tests aside: he shows how it is meant to be used.
    pub fn is_used(&self, interface: &Interface) -> bool {
        let Some(class) = interface.class else {
            return false;
        };
        let chain = self.with_bases(class);
        let is_own = |it: &FunctionId| {
            let makes = matches!(interface.maker, Maker::Returned(by) | Maker::Stored(by, _) if by == *it);
            makes
                || interface.uses.contains(it)
                || self.class_of_method(*it).is_some_and(|it| chain.contains(&it))
        };
        // Another program of the project that has a function of that name does not call this one, nor who knows no such class.
        let of_objects = interface
            .uses
            .iter()
            .all(|it| self.function(*it).role == Role::Method);
        let is_user = |it: &FunctionId| {
            let knows = || chain.iter().any(|class| self.sees(it.file, *class));
            self.can_see(it.file, class.file)
                && (!of_objects || knows())
                && !is_own(it)
                && self.function(*it).role != Role::Test
                && !self.is_main_file(it.file)
                && !self.serves(*it, &is_own)
                && !self.is_handed_one_of(*it, &chain)
        };
        let mut callers = interface.uses.iter().flat_map(|it| self.callers(*it));
        callers.any(is_user)
    }

    /// Whether a function is handed an object of one of these classes: it offers something to do with one, and shows nobody who has one.
    fn is_handed_one_of(&self, id: FunctionId, chain: &[ClassId]) -> bool {
        let function = self.function(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let of = |ty: &Type| {
            self.resolve_class(scope, &ty.name)
                .is_some_and(|it| chain.contains(&it))
        };
        function.params.iter().any(|it| of(&it.ty))
    }

    /// Whether a function that its file keeps to itself is called by such functions alone, and those of which this is said.
    fn serves(&self, id: FunctionId, is_own: &dyn Fn(&FunctionId) -> bool) -> bool {
        let (mut open, mut seen) = (vec![id], BTreeSet::from([id]));
        while let Some(it) = open.pop() {
            let callers = self.callers(it);
            if !self.function(it).internal || callers.is_empty() {
                return false;
            }
            open.extend(callers.iter().filter(|it| !is_own(it) && seen.insert(**it)));
        }
        true
    }

    /// The interface that a function stands for.
    pub fn interface_of(&self, key: FunctionId) -> Option<Interface> {
        match self.function(key).role {
            Role::Function => self
                .interface_of_functions(key)
                .or_else(|| self.interface_of_recordable(key)),
            _ => self.interface_of_class(self.class_of_method(key)?),
        }
    }

    fn key_of_class(&self, class: ClassId) -> Option<FunctionId> {
        let interface = self.interface_of_class(class)?;
        let chain = self.with_bases(class);
        let mut written = chain.iter().flat_map(|it| self.written_in(*it));
        if !written.any(|(id, _)| self.is_eventful(id)) && !interface.lends {
            return None;
        }
        let own: Vec<FunctionId> = self.written_in(class).map(|(id, _)| id).collect();
        let mut eventful = own.iter().copied().filter(|it| self.is_eventful(*it));
        let uses = interface.uses;
        let key = eventful.find(|it| uses.contains(it));
        key.or_else(|| {
            own.into_iter()
                .find(|it| self.class_of_method(*it) == Some(class))
        })
    }

    /// Whether no method of a class that others may call leads to CUDA: its objects stand for what they hold.
    pub fn only_holds(&self, class: ClassId) -> bool {
        let interface = self.interface_of_class(class);
        !interface.is_some_and(|it| it.uses.iter().any(|it| self.is_eventful(*it)))
    }

    /// The class itself, or one that extends it, that clients can make objects of and that leads to CUDA.
    pub fn offered_as(&self, class: ClassId) -> Option<ClassId> {
        if self.key_of_class(class).is_some() {
            return Some(class);
        }
        let name = self.class(class).path.last()?;
        let derived = self.names.derived.get(name).into_iter().flatten();
        let classes = derived.filter_map(|it| self.names.classes.get(it)).flatten();
        let mut classes = classes.filter(|it| self.with_bases(**it).contains(&class));
        classes.find(|it| self.key_of_class(**it).is_some()).copied()
    }

    /// What a class offers: nothing where its objects have no state, or where somebody derives from it what it lacks.
    pub fn interface_of_class(&self, class: ClassId) -> Option<Interface> {
        let chain = self.with_bases(class);
        let has_state = chain
            .iter()
            .any(|it| self.class(*it).fields.iter().any(|it| !it.is_static));
        if self.is_extended(class) || self.lacks_methods(&chain) || self.is_made_elsewhere(class) {
            return None;
        }
        let mut uses = Vec::new();
        self.public_methods(class, &mut uses);
        let maker = self.maker_of(class);
        uses.retain(|it| !self.is_part_of_making(class, maker, *it));
        uses.sort_by_key(|it| (self.function(*it).span.start, *it));
        uses.truncate(MOST_USES);
        // What is lent is state, too.
        let lends = self.lends_in_streams(&uses);
        let keeps_state = has_state || lends;
        let serves = match keeps_state {
            true => !uses.is_empty(),
            false => uses.iter().any(|it| self.is_recordable(*it)),
        };
        serves.then(|| Interface {
            keeps_state,
            lends,
            class: Some(class),
            arguments: self.instantiated_for(class),
            maker,
            is_opened: false,
            uses,
        })
    }

    /// Files with classes of which clients get memory in the order of a stream.
    pub(super) fn lending_files(&self) -> BTreeSet<FileId> {
        let units: Vec<usize> = self.own_units().collect();
        let lends = |unit: &&usize| {
            let file = FileId(**unit as u32);
            let mut classes =
                (0..self.units[**unit].facts.classes.len() as u32).map(|index| ClassId { file, index });
            classes.any(|it| self.interface_of_class(it).is_some_and(|it| it.lends))
        };
        let lending = units.par_iter().filter(lends);
        lending.map(|it| FileId(*it as u32)).collect()
    }

    /// Whether memory is handed out in the order of a stream, and taken back in the order of one.
    fn lends_in_streams(&self, uses: &[FunctionId]) -> bool {
        let in_stream = || uses.iter().copied().filter(|it| self.takes_stream(*it));
        let lent: Vec<&str> = in_stream()
            .filter_map(|it| self.plain_memory(it, &self.function(it).result))
            .collect();
        let takes_back = |id: FunctionId| {
            let mut params = self.function(id).params.iter();
            params.any(|it| self.plain_memory(id, &it.ty).is_some_and(|it| lent.contains(&it)))
        };
        !lent.is_empty() && in_stream().any(takes_back)
    }

    /// What a pointer leads to, where that is memory and no object of the project, by the name of its type.
    fn plain_memory<'t>(&self, function: FunctionId, ty: &'t Type) -> Option<&'t str> {
        let scope = Scope {
            file: function.file,
            path: &self.function(function).path,
        };
        let is_plain = ty.pointers == 1 && !ty.constant && self.resolve_class(scope, &ty.name).is_none();
        is_plain.then(|| ty.name.last())
    }

    /// Which parameters of a method are the memory that its class takes back, and the stream in whose order: it has lent memory of
    /// that kind in the order of a stream.
    pub fn takes_back(&self, id: FunctionId) -> Option<(usize, usize)> {
        let function = self.function(id);
        if function.role != Role::Method || function.params.len() < 2 {
            return None;
        }
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let mut params = function.params.iter();
        let stream = params.position(|it| self.is_stream_type(scope, &it.ty))?;
        let kind = |it| self.plain_memory(id, it);
        let memory = function.params.iter().position(|it| kind(&it.ty).is_some())?;
        let lent = kind(&function.params[memory].ty);
        let class = self.class_of_method(id)?;
        let lends = |(other, it): (FunctionId, &Function)| {
            let is_lent = self.plain_memory(other, &it.result) == lent;
            is_lent && it.role == Role::Method && self.takes_stream(other)
        };
        self.written_in(class).any(lends).then_some((memory, stream))
    }

    /// Whether a method hands out plain memory in the order of a stream, which its class takes back in that of one.
    pub fn lends(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let hands_out = self.plain_memory(id, &function.result).is_some();
        if function.role != Role::Method || !hands_out || !self.takes_stream(id) {
            return false;
        }
        let class = self.class_of_method(id);
        class.is_some_and(|it| {
            self.written_in(it)
                .any(|(other, _)| self.takes_back(other).is_some())
        })
    }

    /// Whether what makes objects of a class comes to a method: objects are there when it has been called.
    fn is_part_of_making(&self, class: ClassId, maker: Maker, method: FunctionId) -> bool {
        let (mut open, mut seen) = (vec![method], BTreeSet::new());
        while let Some(id) = open.pop() {
            for caller in self.callers(id) {
                let is_own = self.class_of_method(*caller) == Some(class);
                if is_own && self.function(*caller).role == Role::Constructor
                    || maker == Maker::Returned(*caller)
                {
                    return true;
                }
                if is_own && seen.insert(*caller) {
                    open.push(*caller);
                }
            }
        }
        false
    }

    /// What the file of a class template makes it for: by an explicit instantiation, or another name.
    fn instantiated_for(&self, class: ClassId) -> Vec<String> {
        let definition = self.class(class);
        let facts = &self.source(class.file).facts;
        let aliases = facts.aliases.iter().map(|it| &it.ty.name);
        let mut named = facts.instantiations.iter().chain(aliases);
        let is_meant = |it: &&Name| {
            let scope = Scope {
                file: class.file,
                path: &definition.path,
            };
            Some(it.last()) == definition.path.last().map(String::as_str)
                && !it.template_args.is_empty()
                && self.resolve_class(scope, it) == Some(class)
        };
        match definition.template_params.is_empty() {
            true => Vec::new(),
            false => named
                .find(is_meant)
                .map_or(Vec::new(), |it| it.template_args.clone()),
        }
    }

    /// Whether some virtual method of a class is nowhere defined.
    fn lacks_methods(&self, chain: &[ClassId]) -> bool {
        let written = || chain.iter().flat_map(|it| self.written_in(*it));
        let name = |it: &Function| it.path.last().cloned();
        let defined: BTreeSet<Option<String>> =
            written().filter(|it| it.1.defined).map(|it| name(it.1)).collect();
        written().any(|(_, it)| {
            it.is_virtual && !it.defined && it.role == Role::Method && !defined.contains(&name(it))
        })
    }

    /// A class and its bases, the class first.
    pub(super) fn with_bases(&self, class: ClassId) -> Vec<ClassId> {
        let mut all = vec![class];
        let mut next = 0;
        while next < all.len() && all.len() <= MOST_BASES {
            let definition = self.class(all[next]);
            let scope = Scope {
                file: all[next].file,
                path: &definition.path,
            };
            let bases = definition
                .bases
                .iter()
                .filter_map(|it| self.resolve_class(scope, it));
            let new: Vec<ClassId> = bases.filter(|it| !all.contains(it)).collect();
            all.extend(new);
            next += 1;
        }
        all
    }

    /// Whether a function is handed a stream, or an object that is made for one, or is called of such an object.
    pub fn works_for_stream(&self, id: FunctionId) -> bool {
        let class = self
            .class_of_method(id)
            .filter(|_| self.function(id).role == Role::Method);
        self.takes_stream(id)
            || class.is_some_and(|it| self.is_made_for_stream(it))
            || self.is_handed_context(id)
    }

    fn is_handed_context(&self, id: FunctionId) -> bool {
        let function = self.function(id);
        let scope = Scope {
            file: id.file,
            path: &function.path,
        };
        let is_one = |ty: &Type| {
            let by_name = ty.pointers + u8::from(ty.reference) == 1;
            let class = self.resolve_class(scope, &ty.name).filter(|_| by_name);
            class.is_some_and(|it| self.is_made_for_stream(it))
        };
        function.params.iter().any(|it| is_one(&it.ty))
    }

    /// Whether objects of a class are made for a stream.
    pub fn is_made_for_stream(&self, class: ClassId) -> bool {
        self.constructor_of(class).is_some_and(|it| self.takes_stream(it))
    }

    /// Public methods of a class, those of its bases last; overridden ones only once.
    pub fn public_methods(&self, class: ClassId, found: &mut Vec<FunctionId>) {
        for class in self.with_bases(class) {
            let known: BTreeSet<&String> = found
                .iter()
                .filter_map(|id| self.function(*id).path.last())
                .collect();
            let callable = |id: FunctionId, function: &Function| {
                let name = function.path.last().map_or("", String::as_str);
                function.defined
                    && self.is_public(id)
                    && function.role == Role::Method
                    && !self.is_static(id)
                    && (!name.starts_with("operator") || name == "operator()")
            };
            let of_class_file = |id: FunctionId| {
                let variant = self.source(id.file).variant_of;
                variant.is_none_or(|_| id.file == class.file)
            };
            let own = self.written_in(class).filter(|(id, it)| {
                callable(*id, it)
                    && of_class_file(*id)
                    && it.path.last().is_some_and(|name| !known.contains(name))
            });
            let own: Vec<FunctionId> = own.map(|(id, _)| id).collect();
            found.extend(own);
        }
    }
}
