//! Names and types that are kept as text: template arguments, what containers hold.

use super::ir::Name;

impl Name {
    /// A type, function or number as written: `ns::A<int, B<2>>`. Pointers and references are none.
    pub fn written(text: &str) -> Option<Name> {
        let text = unqualified(text);
        let (path, rest) = match text.split_once('<') {
            Some((path, rest)) => (path, rest.strip_suffix('>')?),
            None => (text, ""),
        };
        let path: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
        let is_word = |part: &String| {
            !part.is_empty()
                && part
                    .chars()
                    .all(|it| it.is_alphanumeric() || matches!(it, '_' | ' '))
        };
        path.iter().all(is_word).then(|| Name {
            path,
            template_args: written_arguments(rest),
            owner_args: Vec::new(),
        })
    }

    /// The core of a type as written, whatever it is decorated with: `ns::A` of `const ns::A<int> *`.
    pub fn of_type(text: &str) -> Name {
        let core = core_of_type(text);
        Name::written(core).unwrap_or_else(|| Name::plain(core))
    }
}

/// The last segment of the core of a type as written.
pub fn last_of_type(text: &str) -> &str {
    let core = core_of_type(text);
    core.rsplit("::").next().unwrap_or(core)
}

fn core_of_type(text: &str) -> &str {
    let core = text.split('<').next().unwrap_or(text);
    unqualified(core).trim_end_matches(['*', '&', ' '])
}

fn unqualified(text: &str) -> &str {
    let mut text = text.trim();
    for qualifier in ["const ", "typename ", "struct ", "class ", "::"] {
        text = text.strip_prefix(qualifier).unwrap_or(text).trim_start();
    }
    text
}

/// The parts of a list of template arguments: between the commas that are in no brackets.
pub fn written_arguments(list: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let parts = list.split(|it: char| {
        depth += i32::from(matches!(it, '<' | '(' | '{')) - i32::from(matches!(it, '>' | ')' | '}'));
        it == ',' && depth == 0
    });
    let parts = parts.map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_core_of_a_decorated_type() {
        let core = |text: &str| Name::of_type(text).path.join("::");
        assert_eq!(core("const ns::A<int, B<2>> *"), "ns::A");
        assert_eq!(core("unsigned int"), "unsigned int");
        assert_eq!(core("std::function<void(int)>"), "std::function");
    }

    #[test]
    fn reads_names_with_their_arguments() {
        let name = Name::written("typename ns::A<int, B<2, 3>>").expect("a name");
        assert_eq!(name.path, ["ns", "A"]);
        assert_eq!(name.template_args, ["int", "B<2, 3>"]);
        assert_eq!(Name::written("A *"), None);
    }
}
