//! What a GPU did with the programs: one line per seed in `tests/data/device-order-h100.txt`.

/// What a run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ended, and kept these values.
    Done(Vec<i32>),
    /// It did not end.
    Hang,
}

/// How kernels are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loading {
    /// At their first use.
    Lazy,
    /// At the start.
    Eager,
}

/// A program and what became of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The program's seed.
    pub seed: u64,
    /// Of the generated text and operations.
    pub fingerprint: u32,
    /// What each run gave, where there was one.
    pub runs: Vec<(Loading, Outcome)>,
}

impl Record {
    /// Whether no run of it hung.
    pub fn always_ends(&self) -> bool {
        self.runs.iter().all(|it| it.1 != Outcome::Hang)
    }
}

/// All that is recorded.
pub fn recorded() -> Vec<Record> {
    let text = include_str!("../data/device-order-h100.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(read).collect()
}

fn read(line: &str) -> Record {
    let words: Vec<&str> = line.split(' ').collect();
    let [seed, fingerprint, lazy, eager] = words.as_slice() else {
        panic!("four words in {line:?}");
    };
    let outcome = |word: &str| match word.strip_prefix('d') {
        Some(values) => {
            let values = values.split(',').filter(|it| !it.is_empty());
            Some(Outcome::Done(
                values.map(|it| it.parse().expect("a number")).collect(),
            ))
        }
        None if word == "h" => Some(Outcome::Hang),
        None => {
            assert_eq!(word, "-", "{line:?}");
            None
        }
    };
    let runs = [(Loading::Lazy, lazy), (Loading::Eager, eager)];
    Record {
        seed: seed.parse().expect("a number"),
        fingerprint: u32::from_str_radix(fingerprint, 16).expect("a hexadecimal number"),
        runs: runs
            .into_iter()
            .filter_map(|(loading, word)| Some((loading, outcome(word)?)))
            .collect(),
    }
}
