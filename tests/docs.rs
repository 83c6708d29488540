//! The documentation is true: links, commands, outputs, configurations, pictures and the site, by `docs/check.py`.

use std::process::Command;

#[test]
fn links_commands_outputs_and_pictures_are_what_they_say() {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut check = Command::new("python3");
    check
        .current_dir(root)
        .args(["docs/check.py", "--cudalint", env!("CARGO_BIN_EXE_cudalint")]);
    check.env("PYTHONDONTWRITEBYTECODE", "1");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        check.arg("--update");
    }
    let Ok(checked) = check.output() else {
        eprintln!("skipped: there is no python3");
        return;
    };
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(
        checked.status.success(),
        "run with UPDATE_SNAPSHOTS=1, or repair:\n{said}"
    );
}
