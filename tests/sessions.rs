//! What a session answers after an edit is what a first check answers, whatever is edited.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cudalint::config::{ConfigSource, FileConfig, Layer, Store};
use cudalint::project::{Analysis, Discovered, Request, Session, Stop, discover};

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

type Contents = BTreeMap<PathBuf, Arc<[u8]>>;

fn project(folder: &Path, contents: &Contents) -> Discovered {
    let layer = Layer {
        base: folder.to_owned(),
        config: FileConfig::default(),
    };
    let request = Request {
        paths: vec![folder.to_owned()],
        working_directory: folder.to_owned(),
        respect_gitignore: false,
        contents: contents.clone(),
        only: None,
    };
    let store = &mut Store::new(ConfigSource::Isolated, layer);
    discover(&request, store).expect("the folder can be read")
}

fn check(session: &Session, folder: &Path, contents: &Contents) -> Analysis {
    let analysis = session.analyse(project(folder, contents), false, &Stop::default());
    analysis.expect("nothing stops it")
}

/// A place behind a `{`, or the end.
fn inside(text: &str, dice: &mut Dice) -> usize {
    let opening: Vec<usize> = text.match_indices('{').map(|it| it.0 + 1).collect();
    opening
        .get(dice.roll(opening.len()))
        .copied()
        .unwrap_or(text.len())
}

fn line(text: &str, dice: &mut Dice) -> std::ops::Range<usize> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|it| it.0 + 1))
        .collect();
    let at = dice.roll(starts.len());
    starts[at]..starts.get(at + 1).copied().unwrap_or(text.len())
}

fn word(text: &str, dice: &mut Dice) -> std::ops::Range<usize> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let start = text
        .char_indices()
        .map(|it| it.0)
        .nth(dice.roll(text.len()))
        .unwrap_or(0);
    let start = text[start..].find(is_part).map_or(text.len(), |it| start + it);
    let end = text[start..]
        .find(|it| !is_part(it))
        .map_or(text.len(), |it| start + it);
    start..end
}

/// One edit of a text, as somebody may type it.
fn edited(text: &str, others: &str, dice: &mut Dice) -> String {
    let mut text = text.to_owned();
    match dice.roll(16) {
        0 => text.insert_str(0, "// word\n"),
        1 => {
            let at = line(&text, dice).start;
            text.insert_str(at, "// a comment\n");
        }
        2 | 3 => text.insert_str(inside(&text, dice), " int typed_here = 1; (void)typed_here;"),
        4 => text.insert_str(inside(&text, dice), " cudaDeviceSynchronize(); "),
        14 => text.insert_str(inside(&text, dice), " cudaMemset(nullptr, 0, 16);"),
        15 => text.insert_str(inside(&text, dice), " while (*typed == 0) {}"),
        5 => text.replace_range(line(&text, dice), ""),
        6 => {
            let range = line(&text, dice);
            let again = text[range.clone()].to_owned();
            text.insert_str(range.end, &again);
        }
        7 => {
            let range = line(others, dice);
            let at = line(&text, dice).start;
            text.insert_str(at, &others[range]);
        }
        8 => text.replace_range(word(&text, dice), ""),
        9 => {
            let other = word(others, dice);
            text.replace_range(word(&text, dice), &others[other]);
        }
        10 => {
            let numbers: Vec<usize> = text
                .match_indices(|it: char| it.is_ascii_digit())
                .map(|it| it.0)
                .collect();
            if let Some(at) = numbers.get(dice.roll(numbers.len())) {
                text.replace_range(*at..=*at, &dice.roll(10).to_string());
            }
        }
        11 => text.insert_str(0, "#define TYPED 1\n"),
        12 => {
            let at = inside(&text, dice);
            text.insert_str(at, " { int typed_here = 2; typed_here += 3; }");
        }
        _ => text.insert_str(inside(&text, dice), " if (typed"),
    }
    text
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|it| it.expect("it can be listed").path());
    let is_source = |it: &PathBuf| {
        it.extension()
            .is_some_and(|it| it == "cu" || it == "cuh" || it == "h" || it == "cpp")
    };
    let mut sources: Vec<PathBuf> = paths.filter(is_source).collect();
    sources.sort();
    sources
}

/// Copies some of the sources, so that a first check is quick.
fn copied(name: &str, from: &[PathBuf]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("cudalint-sessions-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    let folder = folder.canonicalize().expect("it is there");
    for path in from {
        let name = path.file_name().expect("a file has a name");
        std::fs::copy(path, folder.join(name)).expect("a file can be copied");
    }
    folder
}

/// Edits a folder again and again; says how many entry points were not followed again.
fn compare(name: &str, from: &[PathBuf], edits: usize, seed: u64) -> u64 {
    let folder = copied(name, from);
    let files = sources(&folder);
    let read = |it: &PathBuf| std::fs::read_to_string(it).unwrap_or_default();
    let texts: Vec<String> = files.iter().map(read).collect();
    let lasting = Session::lasting(2).expect("threads can be started");
    let mut dice = Dice(seed);
    let mut contents = Contents::new();
    check(&lasting, &folder, &contents);
    let (mut kept, mut taken_back) = (0, None);
    for number in 0..edits {
        if dice.roll(8) == 0 {
            contents.clear();
        }
        let at = dice.roll(files.len());
        let before = match contents.get(&files[at]) {
            Some(text) => String::from_utf8_lossy(text).into_owned(),
            None => texts[at].clone(),
        };
        let mut after = edited(&before, &texts[dice.roll(texts.len())], &mut dice);
        // What was typed is taken back.
        if let Some((_, earlier)) = taken_back.take_if(|(it, _)| *it == at && dice.roll(2) == 0) {
            after = earlier;
        } else {
            taken_back = Some((at, before));
        }
        contents.insert(files[at].clone(), Arc::from(after.as_bytes()));
        let again = check(&lasting, &folder, &contents);
        let once = Session::once(2).expect("threads can be started");
        let first = check(&once, &folder, &contents);
        let where_ = format!(
            "{name}, seed {seed}, edit {number} of {}:\n{after}",
            files[at].display()
        );
        assert_eq!(again.findings, first.findings, "{where_}");
        assert_eq!(again.first_launches, first.first_launches, "{where_}");
        assert_eq!(again.suppressed, first.suppressed, "{where_}");
        assert_eq!(again.internal_errors, first.internal_errors, "{where_}");
        assert_eq!(again.sources, first.sources, "{where_}");
        kept += again
            .counters
            .get("entry points known from before")
            .copied()
            .unwrap_or_default();
    }
    let _ = std::fs::remove_dir_all(&folder);
    kept
}

/// A program of which only one file has a word of CUDA in it.
const MIXED: [(&str, &str); 5] = [
    (
        "kernels.cu",
        "#include \"work.h\"\n__device__ volatile int gate;\n__global__ void wait() { while (gate == 0) {} }\n\
         __global__ void go() { gate = 1; }\n\
         void start(cudaStream_t stream) { wait<<<1, 1, 0, stream>>>(); }\n\
         void release(cudaStream_t stream) { go<<<1, 1, 0, stream>>>(); }\n\
         void finish() { cudaDeviceSynchronize(); }\n\
         void all() { cudaStream_t a, b; cudaStreamCreate(&a); cudaStreamCreate(&b);\n  start(a); release(b); finish(); }\n",
    ),
    (
        "work.h",
        "#pragma once\nvoid all();\nvoid finish();\nint count_of(int rounds);\n",
    ),
    (
        "count.cpp",
        "#include \"work.h\"\n// How often.\nint count_of(int rounds) {\n  int count = 0;\n\
         \x20 for (int i = 0; i < rounds; ++i) { count += i; }\n  return count;\n}\n",
    ),
    (
        "main.cpp",
        "#include \"work.h\"\n// Begins.\nint main() {\n  if (count_of(3) == 3) { all(); }\n  finish();\n  return 0;\n}\n",
    ),
    (
        "aside.cpp",
        "#include <vector>\n// Has no part in it.\nint sum(const std::vector<int>& all_of) {\n  int sum = 0;\n\
         \x20 for (int it : all_of) { sum += it; }\n  return sum;\n}\n",
    ),
];

/// How many edits of each folder; more of them than the default take minutes.
fn edits() -> usize {
    let asked_for = std::env::var("SESSION_EDITS").ok();
    asked_for.and_then(|it| it.parse().ok()).unwrap_or(6)
}

#[test]
fn edits_of_fixtures_are_answered_as_by_a_first_check() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = std::fs::read_dir(&root).expect("there are fixtures");
    let mut folders: Vec<PathBuf> = entries.map(|it| it.expect("it can be listed").path()).collect();
    folders.retain(|it| it.is_dir());
    folders.sort();
    let mut kept = 0;
    for (number, folder) in folders.iter().enumerate() {
        let mut files = sources(folder);
        let mut dice = Dice(number as u64);
        while files.len() > 6 {
            files.remove(dice.roll(files.len()));
        }
        if !files.is_empty() {
            let name = folder.file_name().expect("it has a name").to_string_lossy();
            kept += compare(&name, &files, edits(), number as u64 + 1);
        }
    }
    assert!(kept > 0, "nothing was known from before");
}

#[test]
fn edits_of_files_without_cuda_are_answered_as_by_a_first_check() {
    let name = format!("cudalint-sessions-mixed-from-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    for (name, text) in MIXED {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    }
    let files = sources(&folder);
    for name in ["main.cpp", "count.cpp", "aside.cpp"] {
        let session = Session::lasting(2).expect("threads can be started");
        assert_eq!(check(&session, &folder, &Contents::new()).findings.len(), 1);
        let (_, text) = MIXED.iter().find(|it| it.0 == name).expect("it is one of them");
        let path = folder.canonicalize().expect("it is there").join(name);
        let contents = Contents::from([(path, Arc::from(format!("// word\n{text}").into_bytes()))]);
        let again = check(&session, &folder, &contents);
        assert!(
            again.timings.iter().any(|it| it.0 == "again"),
            "{name}: the program was linked anew"
        );
        // The fix looks for a place in `main`, by its lines.
        let followed_again = u64::from(name == "main.cpp");
        assert_eq!(
            again.counters["entry points known from before"] + followed_again,
            again.counters["entry points"],
            "{name}: a comment that moves places is no reason to follow what names them again"
        );
    }
    for seed in 1..=4 {
        compare("mixed", &files, 10 * edits(), seed);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn edits_of_programs_are_answered_as_by_a_first_check() {
    let Some(folder) = std::env::var_os("SESSION_PROGRAMS") else {
        return;
    };
    let files = sources(Path::new(&folder));
    for (number, files) in files.chunks(8).enumerate() {
        compare(&format!("programs-{number}"), files, edits(), number as u64 + 1);
    }
}
