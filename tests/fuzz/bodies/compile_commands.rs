//! The text of a `compile_commands.json` to the flags of its files.

use std::path::Path;

use cudalint::project::CompileCommands;
use cudalint::project::words::split;
use cudalint::syntax::Defines;

use super::configuration::read_with;

/// Reads the bytes as a compile database, and as one command line.
pub fn run(bytes: &[u8]) {
    let base = Path::new("/nowhere");
    if let Ok(commands) = CompileCommands::parse(bytes, base) {
        let again = CompileCommands::parse(bytes, base).expect("it was read a moment ago");
        for (path, flags) in commands.iter() {
            assert!(path.is_absolute(), "{path:?}");
            assert_eq!(again.flags(path), Some(flags));
            assert!(flags.include_directories.iter().all(|it| it.is_absolute()));
            let mut defines = Defines::default();
            for (text, defined) in &flags.macros {
                let (name, value) = text.split_once('=').unwrap_or((text, "1"));
                let value = defined.then(|| value.to_owned());
                defines.values.insert(name.to_owned(), value);
            }
            read_with(&defines);
        }
    }
    if let Ok(command) = std::str::from_utf8(bytes) {
        let words = split(command);
        assert!(words.iter().map(String::len).sum::<usize>() <= command.len());
        // Words without anything to quote are taken apart where they were put together.
        let plain = words.iter().all(|it| !it.is_empty() && it.bytes().all(is_plain));
        if plain {
            assert_eq!(split(&words.join(" ")), words);
        }
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'/' | b'.')
}
