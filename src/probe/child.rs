//! One case, in a process of its own: does it, prints what it saw, ends.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::acts;
use super::bench::{Bench, Spare, captured};
use super::captures;
use super::cases::{self, Form, Held, Release, Work};
use super::driver::{self, CUfunction, CUmodule, Done, Refused};
use super::operations::{Operation, Trait};
use super::scenes::{Grid, Image, Preparation, Scene};
use super::watch::{Seen, Watch};
use crate::project::guard::{guarded, quiet_guarded_panics};

/// Answers the hidden command line: the name of a case, the folder with the kernels, milliseconds a call may take.
pub fn answer(args: &[OsString]) -> ExitCode {
    quiet_guarded_panics();
    // cudarc panics where a library or a function of it is missing.
    let seen = guarded(|| run(args)).unwrap_or_else(|panic| Err(Refused(panic)));
    match seen {
        Ok(seen) => {
            seen.print();
            ExitCode::SUCCESS
        }
        Err(Refused(reason)) => {
            let _ = writeln!(std::io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[OsString]) -> Done<Seen> {
    let [id, folder, patience] = args else {
        return Err(Refused("a case, a folder and a time are needed".to_owned()));
    };
    let unknown = || Refused(format!("no case is called `{}`", id.to_string_lossy()));
    let case = cases::find(&id.to_string_lossy()).ok_or_else(unknown)?;
    let patience = patience.to_string_lossy().parse().unwrap_or(500);
    let patience = Duration::from_millis(patience);
    let folder = Path::new(folder);
    match case.work {
        Work::Operation(operation, form) => self::operation(operation, form, folder, patience),
        Work::Scene(scene) => self::scene(scene, folder, patience),
        Work::Capture(call, strictness) => captures::run(call, strictness, folder),
    }
}

/// What is held, and how it ends.
struct Situation {
    held: Held,
    release: Release,
    spin: CUfunction,
    grid: Grid,
    set: CUfunction,
}

fn operation(operation: &Operation, form: Form, folder: &Path, patience: Duration) -> Done<Seen> {
    let image = match operation.is(Trait::Heap) {
        true => Image::Heap,
        false => Image::Plain,
    };
    let bench = Bench::new(folder, image, form.blocking)?;
    let situation = Situation {
        held: form.held,
        release: form.release,
        spin: bench.function("spin")?,
        grid: Grid::One,
        set: bench.function("set")?,
    };
    let touch = bench.function("touch")?;
    let spare = Spare::new(&bench, touch)?;
    let act = acts::prepare(operation.name, &bench, &spare, touch)?;
    driver::synchronize()?;
    bench.hold(situation.held, situation.spin, situation.grid)?;
    let is_behind = operation.name.ends_with("-resident");
    if is_behind {
        driver::record(spare.behind, bench.a)?;
    }
    let wait = || match is_behind {
        true => driver::synchronize_event(spare.behind),
        false => driver::synchronize_stream(bench.a),
    };
    behind(&bench, &situation, act, wait, patience)
}

fn scene(scene: &Scene, folder: &Path, patience: Duration) -> Done<Seen> {
    let bench = Bench::new(folder, scene.image, false)?;
    let name = scene.behind.unwrap_or("set");
    let spin = bench.function(scene.spin)?;
    let prepared = prepare(scene.preparation, &bench, name)?;
    let launched = prepared
        .launched
        .map_or_else(|| bench.kernel(name).map(driver::unloaded), Ok)?;
    let situation = Situation {
        held: scene.held,
        release: Release::Device,
        spin: prepared.spin.unwrap_or(spin),
        grid: scene.grid,
        set: match scene.behind {
            Some(_) => bench.function("set")?,
            None => launched,
        },
    };
    bench.take_back(prepared.sets)?;
    bench.hold(situation.held, situation.spin, situation.grid)?;
    let act = || match (scene.behind, prepared.unfinished) {
        (Some(_), _) => bench.launch(launched, bench.b),
        (None, Some(module)) => bench.launch(driver::module_function(module, c"set")?, bench.b),
        (None, None) => Ok(()),
    };
    let wait = || driver::synchronize_stream(bench.a);
    behind(&bench, &situation, act, wait, patience)
}

/// Acts behind what is held, releases it, waits for its end.
fn behind(
    bench: &Bench,
    situation: &Situation,
    act: impl FnOnce() -> Done,
    wait: impl Fn() -> Done,
    patience: Duration,
) -> Done<Seen> {
    let watch = Watch::start(bench.flag, patience);
    let acted = act();
    watch.returned();
    let waited = acted.and_then(|()| {
        if situation.release == Release::HostAfterSync {
            driver::synchronize_stream(bench.b)?;
        }
        bench.release(situation.held, situation.release, situation.set)?;
        wait()
    });
    bench.let_go();
    watch.over();
    let ended = waited.and_then(|()| driver::synchronize());
    let seen = watch.finish(String::new());
    Ok(match ended {
        Ok(()) => seen,
        Err(Refused(error)) => Seen {
            outcome: error,
            detail: format!("was to be {}", seen.outcome),
            ..seen
        },
    })
}

/// What a preparation leaves behind.
#[derive(Default)]
struct Prepared {
    /// The function to launch, when it is another than that of the kernel.
    launched: Option<CUfunction>,
    /// The function that spins, likewise.
    spin: Option<CUfunction>,
    /// A module nobody has taken the function from.
    unfinished: Option<CUmodule>,
    /// Whether something that sets the flag was launched.
    sets: bool,
}

/// Prepares a kernel.
fn prepare(preparation: Preparation, bench: &Bench, name: &str) -> Done<Prepared> {
    use Preparation as P;
    let kernel = bench.kernel(name)?;
    let function = || driver::kernel_function(kernel);
    let mut prepared = Prepared::default();
    match preparation {
        P::Nothing | P::GetKernel => {}
        P::Synchronise => driver::synchronize()?,
        P::GetFunction => {
            function()?;
        }
        P::GetAttribute => {
            driver::function_registers(function()?)?;
        }
        P::SetAttribute => driver::set_carveout(function()?, 50)?,
        P::SetCache => driver::function_cache(function()?)?,
        P::Occupancy => {
            driver::occupancy(function()?)?;
        }
        P::Capture | P::Instantiate => {
            let graph = captured(bench, driver::unloaded(kernel), bench.b)?;
            if preparation == P::Instantiate {
                driver::instantiate(graph, 0)?;
            }
        }
        P::LoadModule | P::ModuleFunction => {
            let module = driver::load_module(bench.image)?;
            prepared.spin = Some(driver::module_function(module, c"spin")?);
            match preparation {
                P::ModuleFunction => prepared.launched = Some(driver::module_function(module, c"set")?),
                _ => prepared.unfinished = Some(module),
            }
        }
        P::Launch => {
            prepared.sets = name == "set";
            bench.launch(driver::unloaded(kernel), bench.b)?;
        }
        P::LaunchAndSynchronise => {
            prepared.sets = name == "set";
            bench.launch(function()?, bench.b)?;
            driver::synchronize()?;
        }
        P::LaunchAnother => {
            function()?;
            prepared.sets = true;
            bench.launch(bench.function("set")?, bench.b)?;
            driver::synchronize()?;
        }
        P::Fill => {
            function()?;
            driver::clear(bench.memory, 16)?;
            driver::synchronize()?;
        }
        P::Limits => {
            function()?;
            driver::set_print_limit(1 << 20)?;
            driver::set_heap_limit(8 << 20)?;
        }
    }
    Ok(prepared)
}
