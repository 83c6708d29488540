//! What the engine executed: `cargo bench --profile dev --bench paths -- FILE… [--entry NAME]`.
//!
//! Prints every path of every entry point of a program that is these files: its decisions, and per host thread each call,
//! store, wait and host access with its line, stream and places. For those who look for why a finding is not there.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use cudalint::facts;
use cudalint::program::{Program, SourceUnit};
use cudalint::syntax::{self, Defines, LineIndex, MacroTable};
use cudalint::trace::{Action, Effort, Event, Trace, trace_entry};

/// Room for walks over deep trees.
const STACK_BYTES: usize = 256 << 20;

fn main() -> io::Result<()> {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    thread
        .spawn(show)?
        .join()
        .map_err(|_| io::Error::other("the engine panicked"))?
}

fn show() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let (files, entry) = match arguments.iter().position(|it| it == "--entry") {
        Some(at) => (&arguments[..at], arguments.get(at + 1)),
        None => (&arguments[..], None),
    };
    let program = program_of(files)?;
    let mut out = io::stdout().lock();
    for entry in program.functions().map(|it| it.0).filter(|id| {
        let name = program.function(*id).path.last();
        match entry {
            Some(wanted) => name == Some(wanted),
            None => program.is_main(*id),
        }
    }) {
        let tracing = trace_entry(&program, entry, Effort::of_entry(&program, entry));
        for (number, trace) in tracing.traces.iter().enumerate() {
            writeln!(
                out,
                "== {} path {number}",
                program.function(entry).path.join("::")
            )?;
            print_trace(&mut out, &program, trace)?;
        }
    }
    Ok(())
}

fn program_of(files: &[String]) -> io::Result<Program> {
    let mut table = MacroTable::default();
    let sources: Vec<Vec<u8>> = files.iter().map(std::fs::read).collect::<io::Result<_>>()?;
    sources
        .iter()
        .for_each(|it| table.merge(syntax::collect_macros(it)));
    let mut defines = Defines::for_cuda(13_000);
    let options = sources.iter().flat_map(|it| syntax::toolkit_options(it));
    for option in options.filter(|it| !table.knows(it)) {
        defines
            .values
            .entry(option)
            .or_insert_with(|| Some("1".to_owned()));
    }
    let unit = |(path, bytes): (&String, Vec<u8>)| -> io::Result<SourceUnit> {
        let located = Path::new(path).canonicalize()?;
        Ok(SourceUnit {
            path: Arc::from(path.as_str()),
            located: Some(Arc::from(located.to_string_lossy())),
            facts: facts::extract(&bytes, &defines, &table).into(),
            bytes: Arc::from(bytes),
            ..SourceUnit::default()
        })
    };
    let units = files.iter().zip(sources).map(unit).collect::<io::Result<_>>()?;
    Ok(Program::link(units))
}

fn print_trace(out: &mut impl Write, program: &Program, trace: &Trace) -> io::Result<()> {
    writeln!(out, "decisions {:?}", trace.decisions)?;
    for (stream, index) in trace.streams.iter().zip(0..) {
        writeln!(out, "stream {index}: {stream:?}")?;
    }
    for unseen in &trace.notes.opaque {
        writeln!(out, "unseen call: {unseen:?}")?;
    }
    for (thread, index) in trace.threads.iter().zip(0..) {
        writeln!(out, "-- thread {index}")?;
        for event in &thread.events {
            print_event(out, program, event)?;
        }
    }
    Ok(())
}

fn print_event(out: &mut impl Write, program: &Program, event: &Event) -> io::Result<()> {
    let unit = program.unit(event.site.file);
    let line = LineIndex::new(&unit.bytes).line_of(event.site.span.start);
    write!(out, "{}:{line}: ", unit.path)?;
    match &event.action {
        Action::Call(call) => {
            write!(out, "{} blocks {:?}", call.name, call.blocks)?;
            if let Some(work) = &call.work {
                write!(out, " {:?} in {:?}", work.kind, work.stream)?;
                for wait in &work.waits {
                    write!(out, "\n      waits for {:?}", wait.awaited)?;
                }
                for write in &work.writes {
                    write!(out, "\n      writes {:?} {:?}", write.location, write.value)?;
                }
                for access in &work.accesses {
                    write!(out, "\n      {access:?}")?;
                }
            }
            writeln!(out)
        }
        Action::Touch(access) => writeln!(
            out,
            "host {:?} {:?} {:?}",
            access.mode, access.extent, access.location
        ),
        other => writeln!(out, "{other:?}"),
    }
}
