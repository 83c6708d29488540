//! Shell scripts in the place of compiler and programs.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::common::{Outcome, Project};

/// A compiler whose programs are what follows `// sh:` in the source, with its arguments in `BUILD`.
///
/// Like nvcc, it leaves temporary files behind when it does not get to its end.
pub const COMPILER: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0; }
out= sources= all="$*"
: > "$TMPDIR/tmpxft_$$"
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    *.cu) sources="$sources $1" ;;
  esac
  shift
done
grep -q NO_SPACE $sources && { echo 'fatal error: x.o: No space left on device' >&2; exit 1; }
grep -q NO_LIBRARY $sources && { echo 'x.cu:3:10: fatal error: nccl.h: No such file or directory' >&2; exit 1; }
grep -q NO_BUILD $sources && { echo 'x.cu(3): error: no such thing' >&2; exit 2; }
grep -q NO_ARCH $sources && { echo "nvcc fatal : Unsupported gpu architecture 'compute_12'" >&2; exit 1; }
grep -q LACKS_HELPER $sources && ! grep -q IS_HELPER $sources && {
  echo "x.o: in function main: undefined reference to 'help'" >&2
  echo 'collect2: error: ld returned 1 exit status' >&2
  exit 2
}
grep -q NO_OUTPUT $sources && exit 0
grep -q NO_END $sources && exec sleep "$(sed -n 's|^// NO_END ||p' $sources)"
{ echo '#!/bin/sh'; echo "BUILD='$all'"; sed -n 's|^// sh: ||p' $sources; } > "$out"
grep -q NO_START $sources || chmod +x "$out"
rm "$TMPDIR/tmpxft_$$"
"#;

/// A project with programs (name, header, script) in `f/rule/`.
pub fn project(programs: &[(&str, &str, &str)]) -> Project {
    let project = Project::new(&[("tmp/empty", "")]);
    write_script(&project, "nvcc", COMPILER);
    for (name, header, script) in programs {
        let text = format!("// fixture: bad\n// verify: {header}\n// sh: {script}\n");
        project.write(&format!("f/rule/{name}.cu"), text.as_bytes());
    }
    project
}

/// Writes a program.
pub fn write_script(project: &Project, path: &str, text: &str) {
    project.write(path, text.as_bytes());
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(project.path(path), executable).expect("permissions");
}

/// Runs the command on the programs.
pub fn verify(project: &Project, args: &[&str]) -> Outcome {
    let nvcc = project.path("nvcc");
    let nvcc = nvcc.to_str().expect("a readable path");
    let mut all = vec!["verify", "--nvcc", nvcc, "--no-gpu-check", "--timeout", "2"];
    all.extend(args);
    run_with(project, &all, "TMPDIR", project.path("tmp"))
}

/// Runs the binary with its temporary files in `tmp`, and one environment variable as given.
pub fn run_with(project: &Project, args: &[&str], name: &str, value: impl AsRef<OsStr>) -> Outcome {
    let mut command = project.command(args);
    command.0.env("TMPDIR", project.path("tmp")).env(name, value);
    command.run()
}

/// Verdict of each program, by name.
pub fn verdicts(outcome: &Outcome) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let programs = report["programs"].as_array().expect("programs");
    programs
        .iter()
        .map(|it| (text(&it["name"]), text(&it["verdict"])))
        .collect()
}

/// What of a run is left in its temporary folder.
pub fn left_behind(project: &Project) -> Vec<String> {
    let entries = fs::read_dir(project.path("tmp")).expect("the folder").flatten();
    let names = entries.map(|it| it.file_name().to_string_lossy().into_owned());
    names.filter(|it| it != "empty").collect()
}

/// Living processes with this word on their command line.
pub fn running(word: &str) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = entries.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    commands
        .filter(|it| String::from_utf8_lossy(it).contains(word))
        .count()
}

pub const JSON: [&str; 6] = ["f", "--run-user-code", "--trials", "1", "--format", "json"];
