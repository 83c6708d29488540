//! Which files have changed, as git tells it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::Error;

/// Changed since what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// The last commit: what is staged, what is not, and files git does not know yet.
    LastCommit,
    /// The last commit, with what the next one would hold only.
    Staged,
    /// The commit at which the work left a revision: everything since, committed or not.
    Revision(String),
}

impl Since {
    /// The flag that asks for it.
    fn flag(&self) -> &'static str {
        match self {
            Since::LastCommit => "--changed",
            Since::Staged => "--staged",
            Since::Revision(_) => "--since",
        }
    }
}

/// Absolute paths of the files that are there and have changed in the repository around a directory.
///
/// A file that was renamed counts under its new name; one that was deleted is no file to report on.
pub fn changed(directory: &Path, since: &Since) -> Result<BTreeSet<PathBuf>, Error> {
    let outside = Git { directory, since };
    let mut top = outside.ask(&["rev-parse", "--show-toplevel"], |problem| Error::Git {
        message: format!("`{}` needs a git work tree: {problem}", since.flag()),
        hint: None,
    })?;
    while top.last().is_some_and(|it| matches!(it, b'\n' | b'\r')) {
        top.pop();
    }
    let top = path(&top);
    let git = Git {
        directory: &top,
        since,
    };
    let is_born = git.succeeds(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
    let mut names = match since {
        Since::Staged | Since::LastCommit if !is_born => git.names(&["ls-files", "-z", "--cached"])?,
        Since::Staged => git.difference(&["--cached"])?,
        Since::LastCommit => git.difference(&["HEAD"])?,
        Since::Revision(revision) => {
            let base = git.fork_point(revision)?;
            git.difference(&[&base])?
        }
    };
    if *since != Since::Staged {
        names.extend(git.names(&["ls-files", "-z", "--others", "--exclude-standard"])?);
    }
    let absolute = |name: PathBuf| {
        let path = top.join(name);
        path.canonicalize().ok().filter(|it| it.is_file())
    };
    Ok(names.into_iter().filter_map(absolute).collect())
}

/// The folder to ask about the repository of what is checked: the working directory, unless the first path lies outside of its repository.
pub fn asked_in(working_directory: &Path, paths: &[PathBuf]) -> PathBuf {
    let first = paths
        .first()
        .and_then(|it| working_directory.join(it).canonicalize().ok());
    match (first, top_of(working_directory)) {
        (Some(first), Some(top)) if first.starts_with(&top) => working_directory.to_owned(),
        (Some(first), _) if first.is_dir() => first,
        (Some(first), _) => first.parent().map_or(first.clone(), Path::to_owned),
        (None, _) => working_directory.to_owned(),
    }
}

/// The folder paths of a repository are relative to; `None` outside of one, or without git.
pub fn top_of(directory: &Path) -> Option<PathBuf> {
    directory
        .ancestors()
        .find(|it| it.join(".git").exists())
        .map(Path::to_owned)
}

/// Questions to git, asked in a directory.
struct Git<'a> {
    directory: &'a Path,
    since: &'a Since,
}

impl Git<'_> {
    fn run(&self, arguments: &[&str]) -> Result<Output, Error> {
        let mut command = Command::new("git");
        command
            .args(["-c", "core.quotepath=off", "-c", "core.fsmonitor=false"])
            .args(arguments)
            .current_dir(self.directory)
            .env("LC_ALL", "C")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .stdin(Stdio::null());
        command.output().map_err(|error| Error::Git {
            message: match error.kind() {
                std::io::ErrorKind::NotFound => {
                    format!("`{}` asks git, and there is no `git` on PATH", self.since.flag())
                }
                _ => format!("cannot run git: {error}"),
            },
            hint: None,
        })
    }

    /// What git prints; `wrong` makes an error of the first line it complains with.
    fn ask(&self, arguments: &[&str], wrong: impl FnOnce(String) -> Error) -> Result<Vec<u8>, Error> {
        let output = self.run(arguments)?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(wrong(complaint(&output))),
        }
    }

    fn succeeds(&self, arguments: &[&str]) -> Result<bool, Error> {
        Ok(self.run(arguments)?.status.success())
    }

    /// Paths in what git prints with `-z`.
    fn names(&self, arguments: &[&str]) -> Result<Vec<PathBuf>, Error> {
        let text = self.ask(arguments, |problem| Error::Git {
            message: format!("git cannot say what changed: {problem}"),
            hint: None,
        })?;
        let names = text.split(|it| *it == 0).filter(|it| !it.is_empty());
        Ok(names.map(path).collect())
    }

    fn difference(&self, against: &[&str]) -> Result<Vec<PathBuf>, Error> {
        let mut arguments = vec![
            "diff",
            "--name-only",
            "-z",
            "--no-ext-diff",
            "--no-renames",
            "--no-relative",
            "--ignore-submodules",
            "--diff-filter=d",
        ];
        arguments.extend(against);
        arguments.push("--");
        self.names(&arguments)
    }

    /// The commit at which HEAD and a revision parted.
    fn fork_point(&self, revision: &str) -> Result<String, Error> {
        let commit = format!("{revision}^{{commit}}");
        let is_known =
            !revision.starts_with('-') && self.succeeds(&["rev-parse", "--verify", "--quiet", &commit])?;
        if !is_known {
            return Err(self.unreachable(format!("git knows no revision `{revision}` here")));
        }
        let base = self.run(&["merge-base", revision, "HEAD"])?;
        if !base.status.success() {
            return Err(self.unreachable(format!("`{revision}` and HEAD have no commit in common")));
        }
        Ok(String::from_utf8_lossy(&base.stdout).trim().to_owned())
    }

    /// A revision that is not there may be cut off rather than wrong.
    fn unreachable(&self, message: String) -> Error {
        let answer = self.run(&["rev-parse", "--is-shallow-repository"]);
        let is_shallow = answer.is_ok_and(|it| it.stdout.starts_with(b"true"));
        match is_shallow {
            true => Error::Git {
                message: format!("{message}: the clone is shallow"),
                hint: Some(
                    "`git fetch --unshallow` gets the rest; in GitHub Actions, `fetch-depth: 0` of the checkout"
                        .to_owned(),
                ),
            },
            false => Error::Git { message, hint: None },
        }
    }
}

/// The first line git complains with.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().next().unwrap_or("it says nothing").trim();
    line.trim_start_matches("fatal: ").to_owned()
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    PathBuf::from(OsString::from_vec(bytes.to_vec()))
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from(String::from_utf8_lossy(bytes).into_owned()))
}
