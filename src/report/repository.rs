//! Files as the hosts of code name them: by their path from the top of the repository, wherever the command ran.

/// Where a repository and a run in or beside it are; both absolute, `/`-separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// Its top folder.
    pub top: String,
    /// The folder shown paths begin in.
    pub here: String,
}

impl Repository {
    /// The path of a shown file from the top, or a whole one where it lies elsewhere.
    fn path_of(&self, shown: &str) -> String {
        let whole = match is_absolute(shown) {
            true => straight(shown),
            false => straight(&format!("{}/{shown}", self.here)),
        };
        let top = straight(&self.top);
        let below = whole.strip_prefix(top.trim_end_matches('/'));
        let below = below.and_then(|it| it.strip_prefix('/')).map(str::to_owned);
        below.unwrap_or(whole)
    }
}

/// The name of a file for a host of code: from the top of the repository where there is one and the file lies in it.
pub(super) fn named(repository: Option<&Repository>, shown: &str) -> String {
    repository.map_or_else(|| straight(shown), |it| it.path_of(shown))
}

/// Whether a path says by itself where it begins.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1..3) == Some(b":/".as_slice())
}

/// A path without `.` and `..`, as far as these have something to lead back from.
fn straight(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|it| *it != "..") => drop(parts.pop()),
            ".." if path.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let parts = parts.join("/");
    match path.starts_with('/') {
        true => format!("/{parts}"),
        false => parts,
    }
}

#[cfg(test)]
mod tests {
    use super::{Repository, named};

    #[test]
    fn files_are_named_from_the_top_wherever_the_run_was() {
        let name = |top: &str, here: &str, shown: &str| {
            let repository = Repository {
                top: top.to_owned(),
                here: here.to_owned(),
            };
            named(Some(&repository), shown)
        };
        assert_eq!(name("/r", "/r", "a.cu"), "a.cu");
        assert_eq!(name("/r", "/r/sub", "./a.cu"), "sub/a.cu");
        assert_eq!(name("/r", "/r/sub/deep", "../../x/a.cu"), "x/a.cu");
        assert_eq!(name("/r", "/r/sub", "/r/x/a.cu"), "x/a.cu");
        assert_eq!(name("/r", "/", "r/x/a.cu"), "x/a.cu");
        assert_eq!(name("/r", "/other", "/r/a.cu"), "a.cu");
        assert_eq!(name("/", "/r", "a.cu"), "r/a.cu");
        assert_eq!(name("C:/r", "C:/r/sub", "a.cu"), "sub/a.cu");
        assert_eq!(name("/r", "/r", "/rest/a.cu"), "/rest/a.cu", "another folder");
        assert_eq!(name("/r", "/r/sub", "../../a.cu"), "/a.cu", "outside");
        assert_eq!(named(None, "./a.cu"), "a.cu");
    }
}
