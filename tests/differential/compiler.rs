//! The real answers: programs compiled by the system's C++ compiler and run, each observation with its line.

use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// How every program declares the function it hands its values to.
pub const DECLARATION: &str = "void observe(long long value);";

/// The same for the compiler: it prints the line of the call too.
const WITH_LINE: &str = "void observe(long long value, int line = __builtin_LINE());";

/// What prints.
const DEFINITION: &str = "#include <cstdio>\nvoid observe(long long value, int line) { std::printf(\"%d %lld\\n\", line, value); }\n";

/// Headers the programs of a batch share.
const HEADERS: &str = "algorithm array cstdint cstdio cstdlib cstring functional map memory numeric optional set string tuple \
    type_traits utility vector deque limits variant csetjmp csignal sys/time.h";

/// Undefined behaviour and programs that do not end come back here, and count as no program at all.
const RUNNER: &str = r#"
static sigjmp_buf back;
static void leave(int) { siglongjmp(back, 1); }
static void run(int number, int (*program)()) {
    itimerval limit{{0, 0}, {2, 0}};
    setitimer(ITIMER_REAL, &limit, nullptr);
    std::printf("; %d\n", number);
    if (sigsetjmp(back, 1) == 0) program();
    else std::printf("!\n");
}
"#;

/// Undefined behaviour that is trapped.
const CHECKS: [&str; 2] = [
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds,float-cast-overflow",
    "-fsanitize-undefined-trap-on-error",
];

/// Lines and values in order of observation.
pub type Printed = Vec<(u32, i64)>;

/// How a program of a batch went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran to its end.
    Printed(Printed),
    /// It did something that C++ does not define, or did not end.
    Undefined,
    /// It does not compile.
    Rejected(String),
}

/// The system's C++ compiler, with a folder to work in.
pub struct Compiler {
    command: String,
    folder: PathBuf,
}

impl Compiler {
    /// `$CXX` or `g++`; `None` where there is neither.
    pub fn find() -> Option<Self> {
        let command = std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("differential");
        fs::create_dir_all(&folder).ok()?;
        let version = Command::new(&command).arg("--version").output().ok()?;
        version.status.success().then_some(Compiler { command, folder })
    }

    /// A file to work with, for this process and thread only.
    pub fn scratch(&self, name: &str) -> PathBuf {
        let thread = format!("{:?}", std::thread::current().id());
        let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
        self.folder
            .join(format!("{}-{thread}-{name}", std::process::id()))
    }

    /// What one program prints; remembered from run to run by its text.
    pub fn run_one(&self, source: &str) -> Result<Printed, String> {
        let standard = source.lines().take(2).find_map(|it| it.strip_prefix("// std: "));
        let standard = standard.map_or("c++17", str::trim);
        let mut hasher = DefaultHasher::new();
        (source, &self.command, WITH_LINE, DEFINITION).hash(&mut hasher);
        let remembered = self.folder.join(format!("{:016x}.txt", hasher.finish()));
        if let Ok(printed) = fs::read_to_string(&remembered) {
            return parse(&printed);
        }
        let (file, binary) = (self.scratch("one.cpp"), self.scratch("one"));
        let text = source.replacen(DECLARATION, WITH_LINE, 1);
        if text == source {
            return Err(format!("no line says `{DECLARATION}`"));
        }
        write(&file, &format!("{text}\n{DEFINITION}"))?;
        let output = self.build(&file, &binary, &[&format!("-std={standard}"), "-pthread"])?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let output = start(&binary)?;
        let _ = (fs::remove_file(&file), fs::remove_file(&binary));
        if !output.status.success() {
            return Err(format!("it ends with {}", output.status));
        }
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let parsed = parse(&printed)?;
        write(&remembered, &printed)?;
        Ok(parsed)
    }

    /// What each of many programs prints: one file, each program in a namespace of its own.
    pub fn run_batch(&self, sources: &[&str]) -> Result<Vec<Outcome>, String> {
        let (file, binary) = (self.scratch("batch.cpp"), self.scratch("batch"));
        write(&file, &batch(sources))?;
        let flags: Vec<&str> = ["-std=c++17", "-w", "-D_GLIBCXX_ASSERTIONS"]
            .into_iter()
            .chain(CHECKS)
            .collect();
        let output = self.build(&file, &binary, &flags)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            if let [_] = sources {
                return Ok(vec![Outcome::Rejected(message)]);
            }
            let (first, second) = sources.split_at(sources.len() / 2);
            let mut outcomes = self.run_batch(first)?;
            outcomes.extend(self.run_batch(second)?);
            return Ok(outcomes);
        }
        let output = start(&binary)?;
        let _ = (fs::remove_file(&file), fs::remove_file(&binary));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut outcomes = vec![Outcome::Undefined; sources.len()];
        for part in text.split("; ").skip(1) {
            let (number, printed) = part.split_once('\n').ok_or("a program has no number")?;
            let number: usize = number.parse().map_err(|_| format!("`{number}` is no number"))?;
            // What a crash of the whole cuts off is not known to be whole.
            let whole = output.status.success() || number + 1 < text.matches("; ").count();
            if whole && !printed.contains('!') {
                outcomes[number] = Outcome::Printed(parse(printed)?);
            }
        }
        Ok(outcomes)
    }

    /// One program as it stands in a batch, with only the headers it names; what is not initialised has no value to rely on.
    pub fn run_alone(&self, source: &str) -> Outcome {
        let mut outcomes = Vec::new();
        for filled in ["zero", "pattern"] {
            let outcome = self.alone(source, filled).unwrap_or_else(Outcome::Rejected);
            if !matches!(outcome, Outcome::Printed(_)) {
                return outcome;
            }
            outcomes.push(outcome);
        }
        if outcomes[0] == outcomes[1] {
            outcomes.remove(0)
        } else {
            Outcome::Undefined
        }
    }

    /// What is left of a text when its conditionals are decided.
    pub fn preprocess(&self, text: &str) -> Result<String, String> {
        let file = self.scratch("conditionals.cpp");
        write(&file, text)?;
        let mut command = Command::new(&self.command);
        command.args(["-std=c++17", "-E", "-P", "-w"]).arg(&file);
        let output = command.output().map_err(|error| error.to_string())?;
        let _ = fs::remove_file(&file);
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn alone(&self, source: &str, filled: &str) -> Result<Outcome, String> {
        let (file, binary) = (self.scratch("alone.cpp"), self.scratch("alone"));
        write(
            &file,
            &format!("{}\n{DEFINITION}", source.replacen(DECLARATION, WITH_LINE, 1)),
        )?;
        let fill = format!("-ftrivial-auto-var-init={filled}");
        let own = [
            "-std=c++17",
            "-w",
            "-Werror=return-type",
            "-D_GLIBCXX_ASSERTIONS",
            &fill,
        ];
        let flags: Vec<&str> = own.into_iter().chain(CHECKS).collect();
        let output = self.build(&file, &binary, &flags)?;
        if !output.status.success() {
            return Ok(Outcome::Rejected(
                String::from_utf8_lossy(&output.stderr).into_owned(),
            ));
        }
        let mut command = Command::new("timeout");
        command.arg("2").arg(&binary).stdin(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        let _ = (fs::remove_file(&file), fs::remove_file(&binary));
        if !output.status.success() {
            return Ok(Outcome::Undefined);
        }
        parse(&String::from_utf8_lossy(&output.stdout)).map(Outcome::Printed)
    }

    fn build(&self, file: &Path, binary: &Path, flags: &[&str]) -> Result<Output, String> {
        let mut command = Command::new(&self.command);
        command.args(flags).arg("-O0").arg(file).arg("-o").arg(binary);
        command
            .output()
            .map_err(|error| format!("{}: {error}", self.command))
    }
}

/// The text of a batch; lines keep their numbers.
fn batch(sources: &[&str]) -> String {
    let mut text = String::new();
    for header in HEADERS.split_whitespace() {
        let _ = writeln!(text, "#include <{header}>");
    }
    let _ = writeln!(text, "{WITH_LINE}\n{DEFINITION}{RUNNER}");
    for (number, source) in sources.iter().enumerate() {
        let _ = writeln!(text, "namespace program_{number} {{\n#line 1");
        let mut macros = Vec::new();
        for line in source.lines() {
            if let Some(rest) = line.strip_prefix("#define ") {
                let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
                macros.push(&rest[..end.unwrap_or(rest.len())]);
            }
            let kept = !line.starts_with("#include") && line != DECLARATION;
            let _ = writeln!(text, "{}", if kept { line } else { "" });
        }
        macros.iter().for_each(|it| {
            let _ = writeln!(text, "#undef {it}");
        });
        text.push_str("}\n");
    }
    text.push_str(
        "int main() {\n    for (int it : {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGFPE, SIGALRM}) signal(it, leave);\n",
    );
    for number in 0..sources.len() {
        let _ = writeln!(text, "    run({number}, program_{number}::main);");
    }
    text.push_str("}\n");
    text
}

fn start(binary: &Path) -> Result<Output, String> {
    let mut command = Command::new(binary);
    command.stdin(Stdio::null());
    command.output().map_err(|error| error.to_string())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(printed: &str) -> Result<Printed, String> {
    let one = |line: &str| {
        let (at, value) = line.split_once(' ')?;
        Some((at.parse().ok()?, value.parse().ok()?))
    };
    printed
        .lines()
        .map(|line| one(line).ok_or_else(|| format!("`{line}` is no observation")))
        .collect()
}
