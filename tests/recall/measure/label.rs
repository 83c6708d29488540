//! The sets under `tests/programs` and what each program's `label.toml` says.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A folder of programs.
pub struct Set {
    /// Name of the folder.
    pub name: String,
    /// Its programs by name.
    pub programs: Vec<Program>,
}

/// A folder with sources and a label.
pub struct Program {
    /// Name of the folder.
    pub name: String,
    /// Where it is, absolute.
    pub folder: PathBuf,
    /// What a check should say.
    pub label: Label,
}

/// What a check should say of a program; `tests/programs/README.md` describes the file.
#[derive(Debug, Deserialize)]
pub struct Label {
    /// Kind of the defect; `clean`, or the kind it resembles, where there is none.
    pub family: String,
    /// Whether there is a defect.
    pub bad: bool,
    /// `file:line` of the places a good report may point at; anywhere when there are none.
    #[serde(default)]
    pub lines: Vec<String>,
    /// Beginnings of the codes that count; without it those of the family, and for a clean program all.
    pub codes: Option<Vec<String>>,
    /// Flags of the compiler.
    #[serde(default)]
    pub build: String,
}

impl Label {
    /// Macros among the compiler's flags.
    pub fn defines(&self) -> Vec<String> {
        let flags = self.build.split_whitespace();
        flags
            .filter_map(|it| it.strip_prefix("-D"))
            .map(str::to_owned)
            .collect()
    }

    /// Whether a finding with this code counts.
    pub fn counts(&self, code: &str) -> bool {
        match &self.codes {
            Some(codes) => codes.iter().any(|it| code.starts_with(it)),
            None if self.bad => family_codes(&self.family).iter().any(|it| code.starts_with(it)),
            None => true,
        }
    }

    /// The accepted places: name of the file and line.
    pub fn places(&self) -> impl Iterator<Item = (&str, u32)> {
        let parse = |place: &String| -> Option<(usize, u32)> {
            let (path, line) = place.rsplit_once(':')?;
            Some((path.len(), line.parse().ok()?))
        };
        self.lines.iter().map(move |place| {
            let (end, line) = parse(place).unwrap_or_else(|| panic!("`{place}` is no `file:line`"));
            (file_name(&place[..end]), line)
        })
    }
}

/// Beginnings of the codes that name a defect of a family; none for what is no family.
pub fn family_codes(family: &str) -> &'static [&'static str] {
    match family {
        "hang" | "callback" => &["CL1"],
        "race" => &["CL2"],
        "capture" => &["CL3"],
        "serialise" => &["CL4", "CL1"],
        "benchmark" => &["CL5"],
        _ => &[],
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Where the sets are.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// Every set: each folder that holds a program.
pub fn sets() -> Vec<Set> {
    let sets = folders(&root()).into_iter().map(|(name, folder)| Set {
        name,
        programs: programs(&folder),
    });
    sets.filter(|set| !set.programs.is_empty()).collect()
}

fn programs(folder: &Path) -> Vec<Program> {
    let labelled = |(name, folder): (String, PathBuf)| {
        let path = folder.join("label.toml");
        let text = std::fs::read_to_string(&path).ok()?;
        let label = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Some(Program { name, folder, label })
    };
    folders(folder).into_iter().filter_map(labelled).collect()
}

/// The folders directly in a folder, by name.
fn folders(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = walkdir::WalkDir::new(folder)
        .min_depth(1)
        .max_depth(1)
        .sort_by_file_name();
    entries
        .into_iter()
        .map(|entry| entry.expect("the programs can be read"))
        .filter(|entry| entry.file_type().is_dir())
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                entry.into_path(),
            )
        })
        .collect()
}
