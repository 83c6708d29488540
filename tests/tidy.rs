//! House rules no compiler checks: layers, headers, sizes, and cards, modules and fixtures in step.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use cudalint::diagnostics::rule::{RULES, Rule, Status};

/// Layers of one rank, below which nothing may be: they use each other.
const OUTERMOST: &[&str] = &["project", "config", "verify", "probe", "server", "cli"];

/// What every card of a rule over programs says, in this order.
const SECTIONS: &[&str] = &[
    "What it does",
    "Why it is bad",
    "Example",
    "Use instead",
    "Known limitations",
    "Evidence",
    "References",
];

#[test]
fn layers_import_only_from_those_above() {
    let layers = layers();
    let mut wrong = Vec::new();
    for (rank, layer) in layers.iter().enumerate() {
        for (path, text) in sources(&format!("src/{layer}")) {
            let code = without_comments(&text);
            for (at, used) in crate_paths(&code) {
                let Some(other) = layers.iter().position(|it| *it == used) else {
                    continue;
                };
                let outermost = OUTERMOST.contains(&layer.as_str()) && OUTERMOST.contains(&used);
                if other > rank && !outermost {
                    let number = code[..at].lines().count();
                    wrong.push(format!(
                        "{path}:{number}: `{layer}` uses `{used}`, which comes after it"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn paths_into_the_crate_are_read_from_groups_too() {
    let code = "use crate::facts::ir;\nuse crate::{\n    order,\n    trace::Trace,\n};\nlet it = crate::cli::run();\n";
    let used: Vec<&str> = crate_paths(code)
        .map(|(_, used)| used)
        .filter(|it| !it.is_empty())
        .collect();
    assert_eq!(used, ["facts", "order", "trace", "cli"]);
}

#[test]
fn every_file_opens_with_one_sentence() {
    let wrong: Vec<String> = rust_files()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path)
        .collect();
    assert!(
        wrong.is_empty(),
        "no `//! ` sentence in the first line: {wrong:?}"
    );
}

#[test]
fn no_file_is_long() {
    let long: Vec<String> = rust_files()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > 900)
        .map(|(path, lines)| format!("{path} has {lines} lines"))
        .collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn nothing_is_left_to_do_and_no_machine_is_named() {
    // Put together here, so that this file does not hold them.
    let words = ["todo", "unimplemented"].map(|word| format!("{word}!("));
    let places = ["root", "Users", "work", "home/ubuntu"].map(|place| format!("/{place}/"));
    let mut wrong = Vec::new();
    for (path, text) in texts() {
        for (number, line) in text.lines().enumerate() {
            let machine = places.iter().any(|place| holds_path(line, place));
            if machine || (path.ends_with(".rs") && words.iter().any(|word| line.contains(word.as_str()))) {
                wrong.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_driver_of_the_probe_is_unsafe() {
    let word = ["un", "safe"].concat();
    let is_unsafe = |text: &str| {
        let code = without_comments(text);
        [
            format!("{word} {{"),
            format!("{word} fn"),
            format!("{word} impl"),
            format!("{word}_code,"),
        ]
        .iter()
        .any(|it| code.contains(it.as_str()))
    };
    let found: Vec<String> = rust_files()
        .filter(|(_, text)| is_unsafe(text))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(found, ["src/probe/driver.rs"]);
    let text = std::fs::read_to_string(root().join(&found[0])).expect("it was just read");
    let blocks = text.matches(&format!("{word} {{")).count() + text.matches(&format!("{word} impl")).count();
    assert_eq!(
        text.matches("// SAFETY: ").count(),
        blocks,
        "every block says why it is right"
    );
}

#[test]
fn nothing_opens_a_connection() {
    // Put together here, so that this file does not hold them.
    let words = [
        ["std::", "net"].concat(),
        ["Tcp", "Stream"].concat(),
        ["Udp", "Socket"].concat(),
    ];
    let users: Vec<String> = sources("src")
        .into_iter()
        .filter(|(_, text)| words.iter().any(|it| text.contains(it.as_str())))
        .map(|(path, _)| path)
        .collect();
    assert!(users.is_empty(), "{users:?}");
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock is there");
    for package in [
        "hyper",
        "reqwest",
        "ureq",
        "curl",
        "rustls",
        "openssl",
        "native-tls",
        "tokio",
    ] {
        assert!(!lock.contains(&format!("name = \"{package}\"\n")), "{package}");
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut dead = Vec::new();
    for (path, text) in texts()
        .into_iter()
        .filter(|(path, _)| path.ends_with(".md") && !path.contains("rules/"))
    {
        let folder = root()
            .join(&path)
            .parent()
            .map(Path::to_owned)
            .unwrap_or_default();
        for target in text.split("](").skip(1).filter_map(|it| it.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let elsewhere = file.is_empty() || file.contains("://") || file.contains(' ');
            if !elsewhere && !folder.join(file).exists() {
                dead.push(format!("{path}: {target}"));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn the_version_is_one() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect("it is there");
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        read("CHANGELOG.md").contains(&format!("\n## [{version}]")),
        "CHANGELOG.md says nothing of it"
    );
    assert!(
        read("pyproject.toml").contains("dynamic = [\"version\"]"),
        "the wheel takes it from Cargo.toml"
    );
    let pinned: Vec<String> = read("docs/integrations.md")
        .split("cudalint==")
        .skip(1)
        .map(|it| {
            it.split(|it: char| !(it.is_ascii_digit() || it == '.'))
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect();
    assert!(
        !pinned.is_empty() && pinned.iter().all(|it| it == version),
        "{pinned:?}"
    );
}

#[test]
fn kernels_are_used() {
    let sources: String = sources("src").into_iter().map(|(_, text)| text).collect();
    let unused: Vec<String> = names_in("kernels")
        .into_iter()
        .filter(|it| !sources.contains(&format!("kernels/{it}\"")))
        .collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn cards_modules_and_fixtures_are_in_step() {
    let mut wrong = Vec::new();
    for rule in program_rules() {
        let module = format!("{}.rs", rule.name.replace('-', "_"));
        match sources("src/rules")
            .into_iter()
            .find(|(path, _)| path.ends_with(&format!("/{module}")))
        {
            Some((_, text)) if text.contains(rule.name) && text.contains(rule.code) => {}
            Some((path, _)) => wrong.push(format!(
                "{path} names neither `{}` nor `{}`",
                rule.name, rule.code
            )),
            None => wrong.push(format!("rules/{}.md has no src/rules/{module}", rule.name)),
        }
        for kind in ["bad", "good"] {
            if !fixtures(rule.name).iter().any(|it| it.starts_with(kind)) {
                wrong.push(format!("fixtures/{} has no {kind}-*", rule.name));
            }
        }
    }
    let known: BTreeSet<String> = RULES.iter().map(|rule| rule.name.replace('-', "_")).collect();
    for (path, text) in sources("src/rules") {
        let stem = Path::new(&path)
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or_default();
        if text.contains("\npub(super) fn check(") && !known.contains(stem) {
            wrong.push(format!("{path} has no card rules/{}.md", stem.replace('_', "-")));
        }
    }
    // `robustness` holds odd spellings, whatever the rule.
    for folder in names_in("fixtures").into_iter().filter(|it| it != "robustness") {
        if RULES.iter().all(|rule| rule.name != folder) && root().join("fixtures").join(&folder).is_dir() {
            wrong.push(format!("fixtures/{folder} belongs to no card"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cards_have_all_sections_in_order() {
    for rule in program_rules() {
        let headings: Vec<&str> = rule
            .card
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        assert_eq!(headings, SECTIONS, "rules/{}.md", rule.name);
        let blocks = rule.card.matches("```cuda").count();
        assert!(blocks >= 2, "rules/{}.md shows no example and remedy", rule.name);
    }
}

#[test]
fn documentation_lists_the_rules() {
    let path = root().join("docs/rules.md");
    let readme = std::fs::read_to_string(&path).expect("docs/rules.md is there");
    let (begin, end) = ("<!-- rules -->\n", "<!-- /rules -->");
    let (head, rest) = readme
        .split_once(begin)
        .expect("the rule table begins with `<!-- rules -->`");
    let (listed, tail) = rest
        .split_once(end)
        .expect("the rule table in docs/rules.md ends with `<!-- /rules -->`");
    let expected = rule_table();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, format!("{head}{begin}{expected}{end}{tail}"))
            .expect("docs/rules.md can be written");
        return;
    }
    assert!(
        listed == expected,
        "docs/rules.md is stale: run with UPDATE_SNAPSHOTS=1; it should list\n{expected}"
    );
}

/// The table between the `<!-- rules -->` markers of docs/rules.md.
fn rule_table() -> String {
    let mut table = String::from("| rule | code | severity | what it finds |\n|---|---|---|---|\n");
    for rule in RULES.iter().filter(|rule| rule.status != Status::Removed) {
        let preview = if rule.status == Status::Preview {
            " (preview)"
        } else {
            ""
        };
        writeln!(
            table,
            "| [{0}](../rules/{0}.md){preview} | {1} | {2} | {3} |",
            rule.name,
            rule.code,
            rule.severity.as_str(),
            rule.summary.replace('|', "\\|"),
        )
        .expect("writing to a string does not fail");
    }
    table
}

/// Rules that look at programs: all but those about suppressions.
fn program_rules() -> impl Iterator<Item = &'static Rule> {
    RULES
        .iter()
        .filter(|rule| rule.group != "suppressions" && rule.status != Status::Removed)
}

/// The layers in the order `src/lib.rs` declares them.
fn layers() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs is there");
    let modules = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let layers: Vec<String> = modules.map(str::to_owned).collect();
    assert!(layers.len() > 10, "src/lib.rs declares the layers");
    layers
}

/// The text with comment lines emptied.
fn without_comments(text: &str) -> String {
    let keep = |line| {
        if str::trim_start(line).starts_with("//") {
            ""
        } else {
            line
        }
    };
    text.lines().map(keep).collect::<Vec<_>>().join("\n")
}

/// Offset and first segment of the `crate::…` paths in code.
fn crate_paths(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    code.match_indices("crate::").flat_map(move |(at, found)| {
        let rest = &code[at + found.len()..];
        let group = rest
            .strip_prefix('{')
            .map(|it| it.split('}').next().unwrap_or(it));
        let parts: Vec<&str> = group.map_or_else(|| vec![rest], |group| group.split(',').collect());
        parts.into_iter().map(move |part| {
            (
                at,
                part.trim().split(|it| !is_word(it)).next().unwrap_or_default(),
            )
        })
    })
}

/// Whether `line` holds an absolute path that begins with `place` (a folder of that name inside a path is none).
fn holds_path(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        !line[..at].ends_with(|it: char| {
            it.is_alphanumeric() || matches!(it, '.' | '-' | '_' | '/' | '*' | '}' | ']')
        })
    })
}

/// Path and text of every Rust file of the project.
fn rust_files() -> impl Iterator<Item = (String, String)> {
    let files = sources("src").into_iter().chain(sources("tests"));
    files.chain(std::fs::read_to_string(root().join("build.rs")).map(|text| ("build.rs".to_owned(), text)))
}

/// Path and text of every Rust file below `folder`, in order; `folder` may be the stem of a file.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = files(folder, &["rs"]);
    let alone = format!("{folder}.rs");
    found.extend(std::fs::read_to_string(root().join(&alone)).map(|text| (alone, text)));
    found
}

/// Path and text of everything people read.
fn texts() -> Vec<(String, String)> {
    let kinds = [
        "rs", "md", "toml", "cu", "cuh", "cpp", "h", "py", "sh", "yml", "yaml", "json",
    ];
    let folders = ["src", "tests", "rules", "fixtures", "kernels", "docs", ".github"];
    let mut found: Vec<_> = folders.iter().flat_map(|folder| files(folder, &kinds)).collect();
    for name in names_in("") {
        if kinds.iter().any(|kind| name.ends_with(&format!(".{kind}"))) {
            found.extend(std::fs::read_to_string(root().join(&name)).map(|text| (name, text)));
        }
    }
    found
}

fn files(folder: &str, kinds: &[&str]) -> Vec<(String, String)> {
    walkdir::WalkDir::new(root().join(folder))
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| {
            let kind = entry.path().extension().and_then(|it| it.to_str());
            kind.is_some_and(|kind| kinds.contains(&kind))
        })
        .filter_map(|entry| {
            let path = entry
                .path()
                .strip_prefix(root())
                .ok()?
                .to_string_lossy()
                .replace('\\', "/");
            Some((path, std::fs::read_to_string(entry.path()).ok()?))
        })
        .collect()
}

fn fixtures(rule: &str) -> Vec<String> {
    names_in(&format!("fixtures/{rule}"))
}

/// Names of what is directly in a folder, sorted; none when there is no such folder.
fn names_in(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder))
        .into_iter()
        .flatten()
        .flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
