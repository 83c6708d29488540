//! What a person who waits at a terminal sees of a run that takes longer: its phase, how much is done, and the time left.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{Colour, OutputArgs};
use crate::project::progress::{Phase, Progress};

/// Runs that end sooner show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Between two looks.
const INTERVAL: Duration = Duration::from_millis(100);

/// Does the work, and shows on standard error how far it has come, where somebody sees it.
pub(super) fn shown<T>(args: &OutputArgs, progress: &Arc<Progress>, work: impl FnOnce() -> T) -> T {
    if !is_wanted(args) {
        return work();
    }
    let progress = Arc::clone(progress);
    let (ended, end) = channel::<()>();
    let painter = std::thread::Builder::new().spawn(move || {
        let waits = |how_long| matches!(end.recv_timeout(how_long), Err(RecvTimeoutError::Timeout));
        if !waits(PATIENCE) {
            return;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let mut shown = None;
        loop {
            let (phase, done, all) = progress.now();
            if shown.replace((phase, all)) != Some((phase, all)) {
                bar.reset();
                bar.set_style(style(all));
                bar.set_length(all as u64);
                bar.set_message(words(phase));
            }
            bar.set_position(done as u64);
            bar.tick();
            if !waits(INTERVAL) {
                break;
            }
        }
        bar.finish_and_clear();
    });
    let outcome = work();
    drop(ended);
    // Whatever is printed next begins on an empty line.
    let _ = painter.map(std::thread::JoinHandle::join);
    outcome
}

/// Never into a pipe or a file, and never against a word that asks for quiet.
fn is_wanted(args: &OutputArgs) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|it| it == "dumb");
    let is_refused = args.quiet || args.color == Colour::Never || is_set("NO_PROGRESS") || is_set("CI");
    io::stderr().is_terminal() && !is_dumb && !is_refused
}

fn words(phase: Phase) -> &'static str {
    match phase {
        Phase::Finding => "looking for files",
        Phase::Reading => "reading files",
        Phase::Parsing => "parsing files",
        Phase::Linking => "linking",
        Phase::Following => "following entry points",
    }
}

/// One line; without counted steps only what is done and since when.
fn style(all: usize) -> ProgressStyle {
    let template = match all {
        0 => "{msg} [{elapsed}]",
        _ => "{msg} [{bar:24}] {pos} of {len}, {eta} left",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ")
}
