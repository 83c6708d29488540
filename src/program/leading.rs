//! Which functions lead to what lies in some files: a check of these files need not begin anywhere else.
//!
//! Names decide, as far as declared types do not tell them apart and one file can see what another one names. More functions may
//! be said to lead there than ever get there; what is said not to never does.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{FileId, FunctionId, Program};
use crate::facts::ir::{Expr, ExprKind, Function, Role, Span, Type, Variable};
use crate::facts::visit::{self, Node};
use crate::syntax::{self, FastMap};

/// Functions that lead to what lies in some files.
#[derive(Debug, Default)]
pub struct Leading {
    functions: BTreeSet<FunctionId>,
    /// Classes that have such functions, and where: whoever uses an object may call all of its methods.
    classes: BTreeMap<String, BTreeSet<FileId>>,
    /// Files in which constructors of global objects do.
    starters: BTreeSet<FileId>,
}

/// What mentions a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder<'p> {
    Function(FunctionId),
    /// A class, whose objects hold or extend it, or another name for it.
    Type(&'p str, FileId),
    /// A variable that is there before `main`.
    Global(&'p str, FileId),
}

impl Holder<'_> {
    fn file(self) -> FileId {
        match self {
            Holder::Function(id) => id.file,
            Holder::Type(_, file) | Holder::Global(_, file) => file,
        }
    }
}

/// Who mentions what.
type Holders<'p> = FastMap<&'p str, Vec<Holder<'p>>>;

/// Whether anything can happen where a function stands: what a macro does happens where it is used, but in its lambdas.
fn has_places(function: &Function) -> bool {
    let mut holds_lambda = false;
    visit::function(function, &mut |node| {
        let lambda = matches!(node, Node::Expr(it) if matches!(it.kind, ExprKind::Lambda(_)));
        holds_lambda |= lambda;
    });
    function.role != Role::Macro || holds_lambda
}

/// Functions that run without being named: operators, conversions, and the ends of a range.
fn is_implicit(function: &Function) -> bool {
    let name = function.path.last().map_or("", String::as_str);
    matches!(function.role, Role::Constructor | Role::Destructor)
        || name.starts_with("operator")
        || matches!(name, "begin" | "end" | "SetUp" | "TearDown")
}

impl Program {
    /// Functions that lead to what lies in these files, in whichever configuration.
    pub fn leading_to(&self, files: &BTreeSet<FileId>) -> Leading {
        let mut search = Search {
            program: self,
            holders: self.holders(),
            names: BTreeSet::new(),
            open_names: Vec::new(),
            open: Vec::new(),
            found: Leading::default(),
        };
        for (id, function) in self.functions() {
            if files.contains(&self.base_of(id.file)) && has_places(function) {
                search.add(id);
            }
        }
        search.run();
        search.found
    }

    /// Whether what begins with a function may come to what lies in these files.
    pub fn leads(&self, to: &Leading, entry: FunctionId) -> bool {
        let function = self.function(entry);
        let seen = |files: &BTreeSet<FileId>| files.iter().any(|it| self.can_see(entry.file, *it));
        to.functions.contains(&entry)
            || self.is_main(entry) && seen(&to.starters)
            || owner(function)
                .and_then(|it| to.classes.get(it))
                .is_some_and(seen)
    }

    /// Whether what a file names may stand in another one.
    pub fn can_see(&self, from: FileId, to: FileId) -> bool {
        let (from, to) = (self.base_of(from), self.base_of(to));
        self.distance(from, to, true).is_some()
    }

    /// Whether a file that names a function has another one at hand that is meant whenever this one could be.
    fn hides(&self, from: FileId, function: FunctionId) -> bool {
        let definition = self.definition(function);
        let Some(far) = self.distance(self.base_of(from), self.base_of(function.file), true) else {
            return true;
        };
        let alike = |it: &Function| {
            it.defined
                && it.path == definition.path
                && it.role == definition.role
                && it.target == definition.target
                && it.params.len() == definition.params.len()
                && it.params.iter().all(|it| it.default.is_none() && !it.pack)
        };
        let named = definition.path.last().and_then(|it| self.names.functions.get(it));
        named.into_iter().flatten().any(|it| {
            alike(self.definition(*it))
                && self
                    .distance(self.base_of(from), it.file, true)
                    .is_some_and(|near| near < far)
        })
    }

    fn holders(&self) -> Holders<'_> {
        let matters = |word: &str| {
            self.names.functions.contains_key(word)
                || self.names.classes.contains_key(word)
                || self.names.aliases.contains_key(word)
                || self.names.globals.contains_key(word)
        };
        let of_unit = |unit: usize| -> Vec<(&str, Holder<'_>)> {
            let mut found = Vec::new();
            let mut note =
                |words: BTreeSet<_>, holder| found.extend(words.into_iter().map(|it| (it, holder)));
            let (facts, file) = (&self.units[unit].facts, FileId(unit as u32));
            let text = |span: Span| self.units[unit].bytes.get(span.start as usize..span.end as usize);
            let words_in = |span| {
                let all = words(text(span).unwrap_or_default());
                all.filter(|it| matters(it))
            };
            for (index, function) in facts.functions.iter().enumerate() {
                let index = index as u32;
                if function.defined {
                    // Its own name, where it is defined, leads to no other function of that name.
                    let (span, name) = (function.span, function.name_span);
                    let (head, behind) = (
                        Span {
                            end: name.start.clamp(span.start, span.end),
                            ..span
                        },
                        Span {
                            start: name.end.clamp(span.start, span.end),
                            ..span
                        },
                    );
                    let mut all: BTreeSet<&str> = words_in(head).chain(words_in(behind)).collect();
                    all.extend(names_in(function).into_iter().filter(|it| matters(it)));
                    note(all, Holder::Function(FunctionId { file, index }));
                }
            }
            for class in &facts.classes {
                let Some(name) = class.path.last() else { continue };
                let fields = class.fields.iter().flat_map(|it| words_of(&it.ty));
                let bases = class
                    .bases
                    .iter()
                    .flat_map(|it| it.path.iter().chain(&it.template_args));
                let bases = bases.flat_map(|it| words(it.as_bytes()));
                note(
                    fields.chain(bases).filter(|it| matters(it)).collect(),
                    Holder::Type(name, file),
                );
            }
            for alias in &facts.aliases {
                let Some(name) = alias.path.last() else { continue };
                note(
                    words_of(&alias.ty).filter(|it| matters(it)).collect(),
                    Holder::Type(name, file),
                );
            }
            for global in &facts.globals {
                let ty = words_of(&global.variable.ty).filter(|it| matters(it));
                let mut all: BTreeSet<&str> = words_in(global.variable.span).collect();
                all.extend(ty);
                note(all, Holder::Global(&global.variable.name, file));
            }
            found
        };
        let all: Vec<_> = (0..self.units.len()).into_par_iter().map(of_unit).collect();
        let mut holders = Holders::default();
        for (word, holder) in all.into_iter().flatten() {
            holders.entry(word).or_default().push(holder);
        }
        holders
    }
}

/// The class a member belongs to.
fn owner(function: &Function) -> Option<&str> {
    let at = function.path.len().checked_sub(2)?;
    (at >= function.namespaces as usize).then(|| function.path[at].as_str())
}

struct Search<'p> {
    program: &'p Program,
    holders: Holders<'p>,
    /// Names whose holders are known to lead there, with the files in which they stand for something.
    names: BTreeSet<(&'p str, FileId)>,
    open_names: Vec<(&'p str, FileId)>,
    open: Vec<FunctionId>,
    found: Leading,
}

impl<'p> Search<'p> {
    fn add(&mut self, id: FunctionId) {
        if self.found.functions.insert(id) {
            self.open.push(id);
        }
    }

    fn add_class(&mut self, name: &str, file: FileId) {
        self.found
            .classes
            .entry(name.to_owned())
            .or_default()
            .insert(file);
    }

    fn run(&mut self) {
        loop {
            while let Some((name, file)) = self.open_names.pop() {
                self.mentioned(name, file);
            }
            let Some(id) = self.open.pop() else { break };
            let program = self.program;
            let function = program.function(id);
            let name = function.path.last().map_or("", String::as_str);
            self.add_callers(id);
            match owner(function) {
                Some(class) => {
                    self.add_class(class, id.file);
                    if is_implicit(function) {
                        self.mentioned(class, id.file);
                    } else {
                        self.called(id, name);
                    }
                }
                None if name.starts_with("operator") => {
                    let types = function.params.iter().flat_map(|it| words_of(&it.ty));
                    types.for_each(|it| self.mentioned(it, id.file));
                }
                None => {
                    for holder in self.holders.get(name).cloned().unwrap_or_default() {
                        if !program.hides(holder.file(), id) {
                            self.leads(holder);
                        }
                    }
                }
            }
        }
        self.extend_classes();
    }

    fn add_callers(&mut self, id: FunctionId) {
        for caller in self.program.callers(id) {
            if !self.program.hides(caller.file, id) {
                self.add(*caller);
            }
        }
    }

    /// Whatever mentions a name that stands for something in a file leads there.
    fn mentioned(&mut self, name: &'p str, file: FileId) {
        if !self.names.insert((name, file)) {
            return;
        }
        for holder in self.holders.get(name).cloned().unwrap_or_default() {
            if self.program.can_see(holder.file(), file) {
                self.leads(holder);
            }
        }
    }

    fn leads(&mut self, holder: Holder<'p>) {
        match holder {
            Holder::Function(id) => self.add(id),
            Holder::Type(name, file) => {
                self.add_class(name, file);
                self.open_names.push((name, file));
            }
            Holder::Global(name, file) => {
                self.found.starters.insert(file);
                self.open_names.push((name, file));
            }
        }
    }

    /// Calls of a method's overloads, and of what is of its name in what its class extends and in what extends that, as far as
    /// the types of objects are known.
    fn called(&mut self, id: FunctionId, name: &'p str) {
        let program = self.program;
        let class = program.class_of_method(id);
        let mut meant = class.map_or_else(Vec::new, |it| program.methods_of_family(it, name));
        if meant.is_empty() {
            meant = program.names.functions.get(name).cloned().unwrap_or_default();
        }
        meant.retain(|it| program.can_see(it.file, id.file) || program.can_see(id.file, it.file));
        for it in meant {
            self.add_callers(it);
        }
        // Tables of methods, and what macros make of a name.
        let is_macro = |it: &FunctionId| program.function(*it).role == Role::Macro;
        for holder in self.holders.get(name).cloned().unwrap_or_default() {
            match holder {
                Holder::Function(it) if is_macro(&it) && program.can_see(it.file, id.file) => self.add(it),
                Holder::Global(..) if program.can_see(holder.file(), id.file) => self.leads(holder),
                _ => {}
            }
        }
    }

    /// What extends a class has its methods.
    fn extend_classes(&mut self) {
        let program = self.program;
        let mut open: Vec<(String, FileId)> = Vec::new();
        for (name, files) in &self.found.classes {
            open.extend(files.iter().map(|it| (name.clone(), *it)));
        }
        while let Some((class, file)) = open.pop() {
            for derived in program.names.derived.get(&class).into_iter().flatten() {
                for id in program.names.classes.get(derived).into_iter().flatten() {
                    let files = self.found.classes.entry(derived.clone()).or_default();
                    if program.can_see(id.file, file) && files.insert(id.file) {
                        open.push((derived.clone(), id.file));
                    }
                }
            }
        }
    }
}

/// Names a function mentions, those among them that macros made.
fn names_in(function: &Function) -> Vec<&str> {
    let mut names = Vec::new();
    visit::function(function, &mut |node| match node {
        Node::Expr(Expr {
            kind: ExprKind::Name(name),
            ..
        }) => names.push(name.last()),
        Node::Variable(Variable { ty, .. }) | Node::Type(ty) => names.extend(words_of(ty)),
        Node::Expr(_) | Node::Statement(_) => {}
    });
    names
}

/// Names in a type.
fn words_of(ty: &Type) -> impl Iterator<Item = &str> {
    let parts = ty.name.path.iter().chain(&ty.name.template_args);
    parts.flat_map(|it| words(it.as_bytes()))
}

fn words(bytes: &[u8]) -> impl Iterator<Item = &str> {
    syntax::words(bytes).filter_map(|it| std::str::from_utf8(it).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::SourceUnit;
    use crate::syntax::{Defines, collect_macros};

    /// Names of the functions that lead to what lies in the first of some files.
    fn leading(files: &[&str]) -> Vec<String> {
        let unit = |(index, text): (usize, &&str)| {
            let macros = collect_macros(text.as_bytes());
            let facts = crate::facts::extract(text.as_bytes(), &Defines::for_cuda(13_000), &macros);
            SourceUnit {
                path: format!("{index}.cu").into(),
                bytes: text.as_bytes().into(),
                facts: facts.into(),
                ..SourceUnit::default()
            }
        };
        let program = Program::link(files.iter().enumerate().map(unit).collect());
        let leading = program.leading_to(&BTreeSet::from([FileId(0)]));
        let own = |it: &(FunctionId, &Function)| it.0.file.0 < files.len() as u32;
        let leads = program
            .functions()
            .filter(own)
            .filter(|it| program.leads(&leading, it.0));
        leads.map(|it| it.1.path.join("::")).collect()
    }

    #[test]
    fn callers_of_what_lies_there() {
        let there =
            "#include <cuda_runtime.h>\nvoid work(cudaStream_t s) { cudaMemsetAsync(nullptr, 0, 4, s); }";
        let others = "void work(cudaStream_t s); void middle() { work(0); } void top() { middle(); } void apart() { cudaDeviceSynchronize(); }";
        assert_eq!(leading(&[there, others]), ["work", "middle", "top"]);
    }

    #[test]
    fn no_program_leads_to_another_by_the_name_of_its_start() {
        let there = "void run() { cudaFree(0); } int main() { run(); }";
        let others =
            "void other() { cudaMalloc(nullptr, 4); } int main() { other(); cudaDeviceSynchronize(); }";
        assert_eq!(leading(&[there, others]), ["run", "main"]);
        let there = "void run(int it) { cudaMemsetAsync(nullptr, it, 4, 0); }";
        let others = "void run(int); void run() { run(1); } void top() { run(); }";
        let found = leading(&[there, others]);
        assert!(found.contains(&"top".to_owned()), "{found:?}");
    }

    #[test]
    fn macros_happen_where_they_are_used() {
        let there = "#define CHECK(it) do { if (it) return; } while (0)\nvoid work(cudaStream_t s) { CHECK(cudaMemsetAsync(nullptr, 0, 4, s)); }";
        let others = "void work(cudaStream_t s); void top() { work(0); } \
                      void apart(cudaStream_t s) { CHECK(cudaMemsetAsync(nullptr, 0, 4, s)); }";
        assert_eq!(leading(&[there, others]), ["work", "top"]);
    }

    #[test]
    fn whoever_holds_or_makes_an_object() {
        let there = "struct Guard { Guard(); ~Guard() { cudaDeviceSynchronize(); } };";
        let others = "struct Owner { Guard guard; }; using Held = Owner; Held make() { return {}; } void user() { auto it = make(); } void apart() { cudaFree(0); }";
        assert_eq!(
            leading(&[there, others]),
            ["Guard::Guard", "Guard::~Guard", "make", "user"]
        );
    }

    #[test]
    fn launches_of_kernels_that_call_it() {
        let there = "__device__ void wait(volatile int* it) { while (!*it) {} }";
        let others = "__device__ void wait(volatile int* it); __global__ void kernel(int* it) { wait(it); } \
                      __global__ void other() {} void launch(int* it) { kernel<<<1, 1>>>(it); } void apart() { other<<<1, 1>>>(); }";
        assert_eq!(leading(&[there, others]), ["wait", "kernel", "launch"]);
    }

    #[test]
    fn calls_by_a_base_class() {
        let there = "#include \"base.h\"\nstruct Stage : Base { void run() override { cudaMemsetAsync(nullptr, 0, 4, 0); } };";
        let others = "struct Base { virtual void run() = 0; }; struct Other { void run() {} }; \
                      void all(Base* it) { it->run(); cudaFree(0); } void apart(Other* it) { it->run(); cudaFree(0); }";
        let found = leading(&[there, others]);
        assert!(found.contains(&"all".to_owned()), "{found:?}");
        assert!(!found.contains(&"apart".to_owned()), "{found:?}");
    }
}
