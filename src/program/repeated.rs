//! Members of one name in a class and its bases: each is a variable of its own.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::resolve::MAX_DEPTH;
use super::{ClassId, FileId, Program};

/// Members that share their name with one of a class that extends theirs, or of another base of it.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    names: BTreeSet<String>,
    /// What those that are not the first of their name are called.
    steps: BTreeMap<(ClassId, String), String>,
    /// Those of classes that some object has two bases of: they are not told apart.
    doubled: BTreeSet<(ClassId, String)>,
}

/// What was seen of one class and its bases.
#[derive(Default)]
struct Seen<'a> {
    fields: BTreeMap<&'a str, ClassId>,
    classes: BTreeSet<ClassId>,
}

impl Program {
    /// Whether some object has two members of this name.
    pub fn is_repeated_field(&self, field: &str) -> bool {
        self.repeated().names.contains(field)
    }

    /// Whether some object has the member of a class twice.
    pub fn is_doubled_field(&self, class: ClassId, field: &str) -> bool {
        self.is_repeated_field(field)
            && self.declaring(class, field, 0).is_some_and(|it| {
                let doubled = &self.repeated().doubled;
                doubled.contains(&(it, field.to_owned()))
            })
    }

    /// What the member that a name means in a class is called in its objects: no two members of an object are called the
    /// same.
    pub fn field_step<'a>(&self, class: ClassId, field: &'a str) -> Cow<'a, str> {
        if !self.is_repeated_field(field) {
            return Cow::Borrowed(field);
        }
        let declaring = self.declaring(class, field, 0).unwrap_or(class);
        let step = self.repeated().steps.get(&(declaring, field.to_owned()));
        step.map_or(Cow::Borrowed(field), |it| Cow::Owned(it.clone()))
    }

    /// The class that declares a member: the class itself, or the nearest of its bases.
    pub fn declaring(&self, class: ClassId, field: &str, depth: u32) -> Option<ClassId> {
        let definition = self.class(class);
        if definition
            .fields
            .iter()
            .any(|it| it.name == field && !it.is_static)
        {
            return Some(class);
        }
        let mut bases = definition
            .bases
            .iter()
            .filter_map(|it| self.base_class(class, it));
        bases.find_map(|it| (depth < MAX_DEPTH).then(|| self.declaring(it, field, depth + 1))?)
    }

    fn repeated(&self) -> &Repeated {
        self.repeated.get_or_init(|| {
            let mut found = Repeated::default();
            let mut mixed = Vec::new();
            for (file, unit) in (0..).zip(&self.units) {
                for (index, class) in (0..).zip(&unit.facts.classes) {
                    if !class.bases.is_empty() {
                        let id = ClassId {
                            file: FileId(file),
                            index,
                        };
                        self.add_repeated(id, id, &mut Seen::default(), &mut found, 0);
                        mixed.extend(self.has_mixins(id).then_some(id));
                    }
                }
            }
            self.set_apart(&mixed, &mut found);
            found
        })
    }

    /// What a template parameter names as a base may have members of any name that some class has.
    fn set_apart(&self, mixed: &[ClassId], found: &mut Repeated) {
        let own: BTreeSet<&str> = mixed.iter().flat_map(|it| self.named_fields(*it)).collect();
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        if !own.is_empty() {
            let classes = self.units.iter().flat_map(|it| &it.facts.classes);
            for field in classes.flat_map(|it| &it.fields).filter(|it| !it.is_static) {
                if let Some(name) = own.get(field.name.as_str()) {
                    *times.entry(name).or_default() += 1;
                }
            }
        }
        for class in mixed {
            let path = self.class(*class).path.join("::");
            for name in self.named_fields(*class) {
                if times.get(name).is_some_and(|it| *it > 1) {
                    found.names.insert(name.to_owned());
                    let step = found.steps.entry((*class, name.to_owned()));
                    step.or_insert_with(|| format!("{path}::{name}"));
                }
            }
        }
    }

    fn named_fields(&self, class: ClassId) -> impl Iterator<Item = &str> {
        let fields = self.class(class).fields.iter();
        let own = fields.filter(|it| !it.is_static && !it.name.is_empty());
        own.map(|it| it.name.as_str())
    }

    fn add_repeated<'a>(
        &'a self,
        whole: ClassId,
        class: ClassId,
        seen: &mut Seen<'a>,
        found: &mut Repeated,
        depth: u32,
    ) {
        let definition = self.class(class);
        let is_again = !seen.classes.insert(class);
        for field in definition
            .fields
            .iter()
            .filter(|it| !it.is_static && !it.name.is_empty())
        {
            if is_again {
                found.names.insert(field.name.clone());
                found.doubled.insert((class, field.name.clone()));
            }
            let first = *seen.fields.entry(&field.name).or_insert(class);
            if first != class {
                let path = definition.path.join("::");
                found.names.insert(field.name.clone());
                let key = (class, field.name.clone());
                found.steps.insert(key, format!("{path}::{}", field.name));
            }
        }
        for (index, base) in (0..).zip(&definition.bases) {
            let Some(base) = self.base_class(class, base).filter(|it| *it != whole) else {
                continue;
            };
            let is_shared = definition.virtual_bases.contains(&index) && seen.classes.contains(&base);
            if depth < MAX_DEPTH && !is_shared {
                self.add_repeated(whole, base, seen, found, depth + 1);
            }
        }
    }
}
