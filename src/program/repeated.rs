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
            for (file, unit) in (0..).zip(&self.units) {
                for (index, class) in (0..).zip(&unit.facts.classes) {
                    if !class.bases.is_empty() {
                        let id = ClassId {
                            file: FileId(file),
                            index,
                        };
                        self.add_repeated(id, id, &mut Seen::default(), &mut found, 0);
                    }
                }
            }
            found
        })
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
