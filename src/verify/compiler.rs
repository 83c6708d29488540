//! nvcc: where it is, what it is, and programs compiled with it.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Failure;
use super::process::{Command, Ended, Finished};

/// Folders a driver's `libcuda.so.1` is found in; linking wants it under the name without the number.
const DRIVER_FOLDERS: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/nvidia/lib64",
    "/usr/local/cuda/compat",
    "/usr/lib/wsl/lib",
];

/// The reason when the compiler has no room for what it writes.
pub const DISK_FULL: &str = "no space left on the device for temporary files";

/// Prints where the toolkit is that came as a Python package.
const FIND_PACKAGE: &str = "import glob, os, site
for base in site.getsitepackages() + [site.getusersitepackages()]:
    for path in sorted(glob.glob(os.path.join(base, 'nvidia', '*', 'bin', 'nvcc'))):
        print(path)";

/// A compiler.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// Where nvcc is.
    pub nvcc: PathBuf,
    /// Version of the toolkit, e.g. `13.0`.
    pub cuda: String,
    /// Version of nvcc, e.g. `13.0.88`.
    pub version: String,
    /// What to compile for, e.g. `sm_90`.
    pub architecture: String,
    /// How long one program may take.
    pub timeout: Duration,
    /// Further arguments for every program.
    pub args: Vec<String>,
    /// A folder with links to libraries.
    libraries: PathBuf,
    /// A folder for what the compiler leaves behind when it is killed.
    scratch: PathBuf,
}

/// Why a program could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildFailure {
    /// The program is at fault.
    Program(String),
    /// The program needs what is not installed here.
    Missing(String),
    /// No program would compile here.
    Everything(String),
    /// The user wants everything to end.
    Interrupted,
}

impl Compiler {
    /// Finds nvcc: as given, on `PATH`, in `CUDA_HOME` or `CUDA_PATH`, in the usual place, as a Python package.
    pub fn find(given: Option<&Path>, work: &Path) -> Result<Self, Failure> {
        let nvcc = match given {
            Some(path) if path.components().count() > 1 => {
                std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
            }
            Some(name) => on_path(name)
                .ok_or_else(|| Failure::NoCompiler(format!("cannot find `{}`", name.display())))?,
            None => search().ok_or_else(|| Failure::NoCompiler("cannot find nvcc".to_owned()))?,
        };
        let asked = Command::new(&nvcc, Duration::from_secs(60))
            .args(["--version"])
            .run();
        match asked.ended {
            Ended::Exit(0) => {}
            Ended::Interrupted => return Err(Failure::Interrupted),
            Ended::NotStarted(reason) => return Err(Failure::NoCompiler(reason)),
            Ended::Exit(_) | Ended::Signal(_) | Ended::Timeout => {
                let reason = format!("`{} --version` fails", nvcc.display());
                return Err(Failure::NoCompiler(reason));
            }
        }
        let after = |mark: &str| {
            let rest = asked.stdout.split_once(mark).map_or("", |(_, rest)| rest);
            let is_version = |it: char| it.is_ascii_digit() || it == '.';
            rest.split(|it| !is_version(it))
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        let (cuda, version) = (after("release "), after(", V"));
        if cuda.is_empty() || version.is_empty() {
            let reason = format!(
                "`{}` is not nvcc: it does not say which CUDA it is of",
                nvcc.display()
            );
            return Err(Failure::NoCompiler(reason));
        }
        let (libraries, scratch) = (work.join("libraries"), work.join("scratch"));
        link_libraries(&libraries, &nvcc);
        std::fs::create_dir_all(&scratch).map_err(|reason| Failure::File {
            path: scratch.clone(),
            reason,
        })?;
        Ok(Compiler {
            cuda,
            version,
            nvcc,
            architecture: "native".to_owned(),
            timeout: Duration::from_secs(300),
            args: Vec::new(),
            libraries,
            scratch,
        })
    }

    /// Compiles sources to a program, or only to objects beside it.
    pub fn build(
        &self,
        sources: &[PathBuf],
        flags: &[String],
        program: &Path,
        link: bool,
    ) -> Result<(), BuildFailure> {
        if link {
            let libraries = [
                OsString::from("-L"),
                self.libraries.clone().into(),
                "-lcuda".into(),
                "-lpthread".into(),
            ];
            let args = self.common(flags, program, sources.iter()).chain(libraries);
            return self.compile(args.collect(), program);
        }
        let flags: Vec<String> = flags.iter().filter(|it| !it.starts_with("-l")).cloned().collect();
        for (index, source) in sources.iter().enumerate() {
            let object = program.with_extension(format!("{index}.o"));
            let args = self
                .common(&flags, &object, std::iter::once(source))
                .chain([OsString::from("-c")]);
            self.compile(args.collect(), &object)?;
        }
        Ok(())
    }

    fn common<'a>(
        &'a self,
        flags: &'a [String],
        to: &'a Path,
        sources: impl Iterator<Item = &'a PathBuf> + 'a,
    ) -> impl Iterator<Item = OsString> + 'a {
        let given = |names: &[&str]| {
            let mut words = flags.iter().chain(&self.args);
            words.any(|word| names.iter().any(|name| word.starts_with(name)))
        };
        let standard = (!given(&["-std", "--std"])).then(|| OsString::from("-std=c++17"));
        let names = ["-arch", "--gpu-architecture", "-gencode", "--generate-code"];
        let architecture = (!given(&names)).then(|| format!("-arch={}", self.architecture).into());
        let own = [standard, architecture, Some("-lineinfo".into())];
        own.into_iter()
            .flatten()
            .chain(flags.iter().map(OsString::from))
            .chain(self.args.iter().map(OsString::from))
            .chain([OsString::from("-o"), to.into()])
            .chain(sources.map(OsString::from))
    }

    fn compile(&self, args: Vec<OsString>, to: &Path) -> Result<(), BuildFailure> {
        let finished = Command::new(&self.nvcc, self.timeout)
            .args(args)
            .env("TMPDIR", &self.scratch)
            .run();
        match &finished.ended {
            Ended::Exit(0) if to.exists() => Ok(()),
            Ended::Exit(0) => Err(BuildFailure::Everything(format!(
                "`{}` says that it compiled, and there is no program",
                self.nvcc.display()
            ))),
            Ended::Timeout => Err(BuildFailure::Program(format!(
                "nvcc takes longer than {} s",
                self.timeout.as_secs()
            ))),
            Ended::Interrupted => Err(BuildFailure::Interrupted),
            Ended::NotStarted(reason) => Err(BuildFailure::Everything(reason.clone())),
            Ended::Signal(signal) => Err(BuildFailure::Program(format!("nvcc ends with {signal}"))),
            Ended::Exit(_) => Err(self.complaint(&finished)),
        }
    }

    fn complaint(&self, finished: &Finished) -> BuildFailure {
        let said = format!("{}{}", finished.stderr, finished.stdout);
        if said.contains("No space left on device") || said.contains("Disk quota exceeded") {
            return BuildFailure::Everything(DISK_FULL.to_owned());
        }
        if said.contains("Unsupported gpu architecture")
            || said.contains("is not defined for option 'gpu-architecture'")
        {
            let (cuda, architecture) = (&self.cuda, &self.architecture);
            return BuildFailure::Everything(format!("nvcc {cuda} cannot compile for {architecture}"));
        }
        if said.contains("cannot find -lcuda") {
            return BuildFailure::Everything(
                "cannot link: no `libcuda.so` where the linker looks".to_owned(),
            );
        }
        if let Some(name) = missing(&said) {
            return BuildFailure::Missing(format!("needs `{name}`, which is not installed here"));
        }
        // The linker says what is wrong first, and then only that something was.
        let is_reason = |line: &&str| {
            (line.contains("error") && !line.contains("ld returned"))
                || [UNDEFINED, "multiple definition"]
                    .iter()
                    .any(|it| line.contains(it))
        };
        let first = said.lines().find(is_reason).or(said.lines().next());
        BuildFailure::Program(
            first
                .unwrap_or("nvcc fails and does not say why")
                .trim()
                .to_owned(),
        )
    }
}

/// What a linker says when a program uses what no source of it defines.
const UNDEFINED: &str = "undefined reference";

impl BuildFailure {
    /// Whether further sources may help.
    pub fn lacks_code(&self) -> bool {
        matches!(self, BuildFailure::Program(reason) if reason.contains(UNDEFINED))
    }
}

/// The library or its header that a complaint is about.
fn missing(said: &str) -> Option<&str> {
    said.lines().find_map(|line| {
        let library = line.split_once("cannot find -l").map(|(_, rest)| rest);
        let header = line
            .strip_suffix(": No such file or directory")
            .and_then(|it| it.rsplit_once("error: "));
        let name = library
            .or(header.map(|(_, rest)| rest))?
            .split([':', ' '])
            .next()?;
        (!name.is_empty()).then_some(name)
    })
}

fn search() -> Option<PathBuf> {
    let homes = ["CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from);
    let homes = homes.chain([PathBuf::from("/usr/local/cuda")]);
    on_path(Path::new("nvcc"))
        .or_else(|| {
            homes
                .map(|home| home.join("bin/nvcc"))
                .find(|it| is_executable(it))
        })
        .or_else(python_package)
}

/// The first program of this name in the folders of `PATH`.
pub fn on_path(name: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut candidates = std::env::split_paths(&path).map(|folder| folder.join(name));
    candidates.find(|it| is_executable(it))
}

fn python_package() -> Option<PathBuf> {
    let python = on_path(Path::new("python3"))?;
    let asked = Command::new(python, Duration::from_secs(20))
        .args(["-c", FIND_PACKAGE])
        .run();
    asked
        .stdout
        .lines()
        .next()
        .map(PathBuf::from)
        .filter(|it| is_executable(it))
}

fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// Makes a folder the linker finds the driver's library in, and the toolkit's when that is a Python package.
///
/// What cannot be linked here shows when a program needs it.
fn link_libraries(folder: &Path, nvcc: &Path) {
    if std::fs::create_dir_all(folder).is_err() {
        return;
    }
    let drivers = DRIVER_FOLDERS.iter().map(|it| Path::new(it).join("libcuda.so.1"));
    if let Some(driver) = drivers.into_iter().find(|it| it.exists()) {
        let _ = std::os::unix::fs::symlink(driver, folder.join("libcuda.so"));
    }
    let toolkit = nvcc.parent().and_then(Path::parent).map(|it| it.join("lib"));
    for entry in toolkit
        .and_then(|it| std::fs::read_dir(it).ok())
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name();
        if name.to_string_lossy().ends_with(".a") {
            let _ = std::os::unix::fs::symlink(entry.path(), folder.join(name));
        }
    }
}
