//! Fixes: what they make of every fixture, that nothing is found afterwards, and that files stay what they are otherwise.

mod common;
#[expect(dead_code, reason = "expectations are for other tests")]
mod harness;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use common::{Project, run};
use cudalint::config::{ConfigSource, FileConfig, Layer, MinConfidence, Store};
use cudalint::diagnostics::fingerprint::without_lines;
use cudalint::diagnostics::rule::RULES;
use cudalint::diagnostics::{Finding, Fix, Safety, Severity, edits};
use cudalint::project::fix::{Fixed, Permission, fix};
use cudalint::project::{Request, discover};
use cudalint::report::diff::unified;

/// A kernel that spins, and one that is loaded too late: the second line of `main` needs a fix.
const HANG: &str = "#include <cuda_runtime.h>
__device__ volatile int turn;
__global__ void spin() { while (turn == 0) { } }
__global__ void set() { turn = 1; }
int main() {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  spin<<<1, 1, 0, a>>>();
  set<<<1, 1, 0, b>>>();
  cudaDeviceSynchronize();
}
";

/// The same after its fix.
fn hang_fixed() -> String {
    HANG.replace(
        "  spin<<<",
        "  cudaFuncAttributes attributes;\n  cudaFuncGetAttributes(&attributes, set);\n  spin<<<",
    )
}

const FIX: [&str; 5] = ["check", "--fix", "--unsafe-fixes", "--format", "concise"];

/// The project in a folder with every fix applied in memory.
fn fixed(folder: &Path, permission: Permission) -> Fixed {
    let layer = Layer {
        base: folder.to_owned(),
        config: FileConfig {
            min_confidence: Some(MinConfidence::Low),
            ..FileConfig::default()
        },
    };
    let request = Request {
        paths: vec![folder.to_owned()],
        working_directory: folder.to_owned(),
        respect_gitignore: false,
        contents: BTreeMap::new(),
        only: None,
    };
    let mut store = Store::new(ConfigSource::Isolated, layer);
    let project = discover(&request, &mut store).expect("the folder can be read");
    fix(&project, 1, false, permission).expect("it can be analysed")
}

/// Does something with every fixture, on threads with room for a walk that recurses.
fn side_by_side<T: Send>(fixtures: &[PathBuf], work: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(256 << 20).build();
    let threads = threads.expect("threads start");
    threads.install(|| fixtures.par_iter().map(|it| work(it)).collect())
}

/// What the fixes make of a fixture as a diff, and what is wrong with that.
fn try_fixture(fixture: &Path) -> (String, Vec<String>) {
    let project = Project::new(&[]);
    for (name, bytes) in harness::files(fixture) {
        project.write(&name, &bytes);
    }
    let result = fixed(project.root(), Permission::Unsafe);
    let mut wrong = Vec::new();
    let name = fixture.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    let name = name.expect("it is one of the fixtures").display().to_string();
    let mut text: String = result
        .refused
        .iter()
        .map(|it| format!("# {name}: not applied: {}: {}\n", it.title, it.reason))
        .collect();
    let is_folder = fixture.is_dir();
    for (path, change) in &result.files {
        let shown = if is_folder {
            format!("{name}/{path}")
        } else {
            name.clone()
        };
        text.push_str(&unified(&shown, &change.before, &change.after));
        fs::write(&change.path, &change.after).expect("it can be written");
    }
    if !result.files.is_empty() {
        // What is left is what no fix was found for: it was there before, and everything it offers was refused.
        let before = harness::analyse(&harness::files(fixture)).findings;
        let is_old = |it: &Finding| {
            before
                .iter()
                .any(|old| old.rule == it.rule && without_lines(&old.message) == without_lines(&it.message))
        };
        let refused = |it: &Finding| {
            let mut fixes = it.fix.iter().flat_map(Fix::all);
            fixes.all(|fix| result.refused.iter().any(|it| it.title == fix.title))
        };
        let left = result.analysis.findings.iter();
        let left = left.filter(|it| it.severity > Severity::Info && !(is_old(it) && refused(it)));
        wrong.extend(left.map(|it| format!("{name}: after the fix: {}: {}", it.rule, it.message)));
        let again = fixed(project.root(), Permission::Unsafe);
        if !again.files.is_empty() {
            wrong.push(format!("{name}: fixing twice is not fixing once"));
        }
    }
    (text, wrong)
}

#[test]
fn fixed_fixtures_are_as_they_should_be_and_nothing_is_found_in_them() {
    let results: Vec<_> = side_by_side(&harness::fixtures(), try_fixture);
    let wrong: Vec<&String> = results.iter().flat_map(|it| &it.1).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let diffs: String = results.iter().map(|it| it.0.as_str()).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/fixes.diff");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &diffs).expect("the snapshot can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let first = diffs.lines().zip(expected.lines()).find(|(a, b)| a != b);
    assert!(
        diffs == expected,
        "run with UPDATE_SNAPSHOTS=1 and look at the difference: {first:?}"
    );
}

/// Findings with a fix in some files.
fn fixable(files: &[(String, Vec<u8>)]) -> Vec<Finding> {
    let findings = harness::analyse(files).findings;
    findings.into_iter().filter(|it| it.fix.is_some()).collect()
}

#[test]
fn cards_say_what_fixes_their_rules_offer() {
    let mut offered: BTreeMap<&str, BTreeSet<Safety>> = BTreeMap::new();
    for finding in harness::fixtures()
        .iter()
        .flat_map(|it| fixable(&harness::files(it)))
    {
        let safety = finding.fix.as_ref().map(|it| it.safety);
        offered.entry(finding.rule).or_default().extend(safety);
    }
    let wrong: Vec<String> = RULES
        .iter()
        .filter(|rule| rule.group != "suppressions")
        .filter_map(|rule| {
            let best = offered.get(rule.name).and_then(|it| it.first().copied());
            (best != rule.fix)
                .then(|| format!("{}: offers {best:?}, the card says {:?}", rule.name, rule.fix))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn fixes_of_unfinished_files_fit_them() {
    let wanted = |path: &Path| {
        let files = harness::files(path);
        files.len() == 1 && !fixable(&files).is_empty()
    };
    let fixtures = harness::fixtures();
    let wrong: Vec<Vec<String>> = side_by_side(&fixtures, |path| {
        if !wanted(path) {
            return Vec::new();
        }
        let (name, bytes) = harness::files(path).remove(0);
        let lines: Vec<usize> = memchr::memchr_iter(b'\n', &bytes).collect();
        let cuts = lines
            .iter()
            .rev()
            .step_by(3)
            .flat_map(|it| [*it, it.saturating_sub(9)]);
        cuts.filter_map(|cut| misfit(&name, &bytes[..cut])).collect()
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is wrong with the fixes of a file.
fn misfit(name: &str, bytes: &[u8]) -> Option<String> {
    let findings = fixable(&[(name.to_owned(), bytes.to_vec())]);
    let fixes: Vec<&Fix> = findings.iter().filter_map(|it| it.fix.as_ref()).collect();
    let chosen = edits::compatible(fixes.iter().copied());
    let files = edits::by_file(&chosen);
    let misfits = files.values().any(|it| edits::apply(bytes, it).is_none());
    misfits.then(|| format!("{name}: an edit lies outside of the first {} bytes", bytes.len()))
}

#[test]
fn a_fix_is_written_and_nothing_is_found_then() {
    let project = Project::new(&[("a.cu", HANG)]);
    let result = run(&project, &FIX);
    // What is left is a note that nothing promises what the program rests on.
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert!(!result.stdout.contains("CL102"), "{}", result.stdout);
    assert!(
        result.stderr.contains("fixed 1 finding in 1 file"),
        "{}",
        result.stderr
    );
    assert_eq!(
        fs::read_to_string(project.path("a.cu")).expect("the file"),
        hang_fixed()
    );
    let names: Vec<_> = fs::read_dir(project.root())
        .expect("the folder")
        .flatten()
        .collect();
    assert_eq!(names.len(), 1, "nothing else is left behind: {names:?}");
    let again = run(&project, &FIX);
    assert_eq!(
        again.stderr, "1 info in 1 file\n",
        "there is nothing to say twice"
    );
}

#[test]
fn unsafe_fixes_are_applied_only_when_asked_for() {
    let project = Project::new(&[("a.cu", HANG)]);
    let result = run(&project, &["check", "--fix", "--format", "concise"]);
    assert_eq!(result.code, 1);
    assert!(
        result.stderr.contains("1 fixable with --fix --unsafe-fixes"),
        "{}",
        result.stderr
    );
    assert_eq!(fs::read_to_string(project.path("a.cu")).expect("the file"), HANG);
}

#[test]
fn safe_fixes_need_no_permission() {
    let project = Project::new(&[("a.cu", "int x; // cudalint: ignore[CL102] why\n")]);
    let result = run(&project, &["check", "--fix"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert_eq!(
        fs::read_to_string(project.path("a.cu")).expect("the file"),
        "int x;\n"
    );
}

#[test]
fn a_diff_is_printed_and_nothing_written() {
    let project = Project::new(&[("a.cu", HANG)]);
    let result = run(&project, &["check", "--diff", "--unsafe-fixes"]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    assert!(
        result.stdout.starts_with("--- a.cu\n+++ a.cu\n@@ -6,6 +6,8 @@\n"),
        "{}",
        result.stdout
    );
    assert_eq!(fs::read_to_string(project.path("a.cu")).expect("the file"), HANG);
    let result = run(&project, &["check", "--diff"]);
    assert_eq!(
        (result.code, result.stdout.as_str()),
        (0, ""),
        "{}",
        result.stderr
    );
}

#[test]
fn line_endings_marks_and_missing_last_ones_stay() {
    for dress in [
        |text: &str| text.replace('\n', "\r\n"),
        |text: &str| format!("\u{feff}{text}"),
        |text: &str| text.trim_end().to_owned(),
        |text: &str| format!("// \u{e9}\u{20ac}\n{text}"),
    ] {
        let project = Project::new(&[("a.cu", &dress(HANG))]);
        let result = run(&project, &FIX);
        assert_eq!(result.code, 0, "{}", result.stderr);
        assert_eq!(
            fs::read_to_string(project.path("a.cu")).expect("the file"),
            dress(&hang_fixed())
        );
    }
}

#[test]
fn a_file_that_is_not_utf_8_is_left_alone() {
    let project = Project::new(&[]);
    let bytes = [b"// \xe9\n".as_slice(), HANG.as_bytes()].concat();
    project.write("a.cu", &bytes);
    let result = run(&project, &FIX);
    assert_eq!(result.code, 1);
    assert!(
        result.stderr.contains("the file is not UTF-8"),
        "{}",
        result.stderr
    );
    assert!(!result.stderr.contains("fixable"), "{}", result.stderr);
    assert_eq!(fs::read(project.path("a.cu")).expect("the file"), bytes);
}

#[test]
fn standard_input_is_fixed_on_standard_output() {
    let project = Project::new(&[]);
    let args = [
        "check",
        "--fix",
        "--unsafe-fixes",
        "--stdin-filename",
        "a.cu",
        "--quiet",
    ];
    let result = project.command(&args).run_with_input(HANG);
    assert_eq!((result.code, result.stdout), (0, hang_fixed()));
    assert!(!project.path("a.cu").exists());
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::new(&[("real/a.cu", HANG)]);
    let real = project.path("real/a.cu");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink(&real, project.path("link.cu")).expect("a link");
    let result = run(&project, &["check", "--fix", "--unsafe-fixes", "link.cu"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert!(
        fs::symlink_metadata(project.path("link.cu"))
            .expect("the link")
            .is_symlink()
    );
    assert_eq!(fs::read_to_string(&real).expect("the file"), hang_fixed());
    let mode = fs::metadata(&real).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn a_file_nobody_may_write_stays_and_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("a.cu", HANG)]);
    let path = project.path("a.cu");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("permissions");
    let result = run(&project, &FIX);
    assert_eq!(result.code, 2);
    assert!(
        result.stderr.contains("error: cannot fix `a.cu`"),
        "{}",
        result.stderr
    );
    assert_eq!(fs::read_to_string(&path).expect("the file"), HANG);
}

#[cfg(unix)]
#[test]
fn fixes_are_written_to_every_file_or_to_none() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("a.cu", HANG), ("b.cu", HANG)]);
    let read_only = fs::Permissions::from_mode(0o444);
    fs::set_permissions(project.path("b.cu"), read_only).expect("permissions");
    let result = run(&project, &FIX);
    assert_eq!(
        (result.code, result.stderr.as_str()),
        (2, "error: cannot fix `b.cu`: permission denied\n")
    );
    assert_eq!(fs::read_to_string(project.path("a.cu")).expect("the file"), HANG);
    let names = fs::read_dir(project.root()).expect("the folder").count();
    assert_eq!(names, 2, "nothing else is left behind");
}

#[test]
fn only_files_that_were_asked_for_are_changed() {
    let project = Project::new(&[("a.cu", HANG), ("b.cu", HANG)]);
    let result = run(&project, &["check", "--fix", "--unsafe-fixes", "a.cu"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert_eq!(fs::read_to_string(project.path("b.cu")).expect("the file"), HANG);
}

#[test]
fn reports_carry_the_fix_and_who_may_apply_it() {
    let project = Project::new(&[("a.cu", HANG)]);
    let result = run(&project, &["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&result.stdout).expect("JSON");
    let fix = &report["findings"][0]["fix"];
    assert_eq!(fix["safety"], "unsafe");
    assert_eq!(fix["edits"][0]["length"], 0);
    let result = run(&project, &["check", "--format", "sarif"]);
    let report: serde_json::Value = serde_json::from_str(&result.stdout).expect("JSON");
    let fix = &report["runs"][0]["results"][0]["fixes"][0];
    assert_eq!(fix["properties"]["safety"], "unsafe");
    assert!(fix["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"].is_string());
}

#[test]
fn deep_nesting_beside_a_fix_is_no_trouble() {
    let nest = format!(
        "int deep() {{ return {}1{}; }}\n",
        "(".repeat(30_000),
        ")".repeat(30_000)
    );
    let project = Project::new(&[("a.cu", &format!("{HANG}{nest}"))]);
    let result = run(&project, &FIX);
    assert!(
        result.code == 0 || result.code == 1,
        "{}: {}",
        result.code,
        result.stderr
    );
    let text = fs::read_to_string(project.path("a.cu")).expect("the file");
    assert_eq!(text, format!("{}{nest}", hang_fixed()));
}
