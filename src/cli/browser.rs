//! A page in the user's browser: `$BROWSER`, or what the desktop opens pages with.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::output::{self, Failure};
use crate::project::words;

/// A program that has not failed by then shows the page.
const PATIENCE: Duration = Duration::from_secs(3);

/// Writes a page to a folder of its own and shows it.
pub(super) fn show(name: &str, page: &str) -> Result<(), Failure> {
    let file = folder()?.join(format!("{name}.html"));
    output::write_file(&file, page.as_bytes())?;
    let shown = file.display();
    match commands(&file).into_iter().any(opens) {
        true => {
            output::say("note", &format!("the page is `{shown}`"));
            Ok(())
        }
        false => Err(Failure::Usage {
            message: format!("there is no browser to open `{shown}` with"),
            hint: Some("name one in BROWSER, or open the file".to_owned()),
        }),
    }
}

/// A new folder that nobody else can have prepared; it stays, as browsers read when they like.
fn folder() -> Result<PathBuf, Failure> {
    let moment = SystemTime::now().duration_since(UNIX_EPOCH);
    let moment = moment.map_or(0, |it| it.as_nanos());
    let folder = std::env::temp_dir().join(format!("cudalint-{}-{moment}", std::process::id()));
    let failed = |reason| Failure::Write {
        to: folder.display().to_string(),
        reason,
    };
    std::fs::create_dir(&folder).map_err(failed)?;
    Ok(folder)
}

/// What may open a file, in the order to try it. As everywhere, `BROWSER` is a list with `:` between its entries, and
/// `%s` in one stands for the page.
fn commands(file: &Path) -> Vec<Vec<String>> {
    let page = file.display().to_string();
    let named = std::env::var("BROWSER").unwrap_or_default();
    let entry = |entry: &str| {
        let mut words = words::split(entry);
        match words.iter().any(|it| it.contains("%s")) {
            true => words.iter_mut().for_each(|it| *it = it.replace("%s", &page)),
            false => words.push(page.clone()),
        }
        words
    };
    let entries = named.split(':').filter(|it| !it.trim().is_empty());
    let mut commands: Vec<Vec<String>> = entries.map(entry).collect();
    let opener: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["explorer"],
        _ if has_screen() => &["xdg-open"],
        _ => &[],
    };
    commands.extend(opener.iter().map(|it| vec![(*it).to_owned(), page.clone()]));
    commands
}

/// Without a screen, what would open is a browser inside of the terminal.
fn has_screen() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"]
        .iter()
        .any(|it| std::env::var_os(it).is_some_and(|it| !it.is_empty()))
}

fn opens(words: Vec<String>) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.stderr(Stdio::null()).spawn();
    child.is_ok_and(|it| goes_well(it, program))
}

/// Whether it ended well, or has not ended.
fn goes_well(mut child: Child, program: &str) -> bool {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        match child.try_wait() {
            // The file manager of Windows says 1 whatever it did.
            Ok(Some(status)) => return status.success() || program == "explorer",
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(_) => return false,
        }
    }
    true
}
