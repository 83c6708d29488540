//! Recorded evidence: what the fixtures did on one machine, as `rules/evidence/*.json`; `build.rs` reads it too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version this tool writes.
pub const VERSION: u32 = 2;

/// One machine's evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Of the format.
    pub version: u32,
    /// Name of the device.
    pub gpu: String,
    /// Of the driver.
    pub driver: String,
    /// Of the toolkit.
    pub cuda: String,
    /// Of the compiler.
    pub nvcc: String,
    /// What was compiled for, e.g. `sm_90`.
    pub architecture: String,
    /// After which a run counts as a hang.
    pub timeout_seconds: f64,
    /// Whether every fixture that existed then and needs no more than one GPU was run.
    #[serde(default)]
    pub complete: bool,
    /// What each fixture did, by `rule/fixture`.
    pub fixtures: BTreeMap<String, FixtureRecord>,
}

/// What one fixture did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FixtureRecord {
    /// What its header predicted.
    pub expected: String,
    /// Names its code as it was; comments do not count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Outcome of each trial under LAZY.
    #[serde(rename = "LAZY")]
    pub lazy: Vec<String>,
    /// Outcome of each trial under EAGER.
    #[serde(rename = "EAGER")]
    pub eager: Vec<String>,
    /// Seconds each trial took, LAZY then EAGER.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seconds: Vec<f64>,
    /// What it did with its fixes applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<FixedRecord>,
}

/// What a fixture did with its fixes applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FixedRecord {
    /// Names the fixed code as it was; comments do not count.
    pub source: String,
    /// Outcome of each trial under LAZY.
    #[serde(rename = "LAZY")]
    pub lazy: Vec<String>,
    /// Outcome of each trial under EAGER.
    #[serde(rename = "EAGER")]
    pub eager: Vec<String>,
}

impl FixedRecord {
    /// Whether it completed in every trial of both modes.
    pub fn completes(&self) -> bool {
        let mut outcomes = self.lazy.iter().chain(&self.eager);
        !self.lazy.is_empty() && !self.eager.is_empty() && outcomes.all(|it| it == "done")
    }
}

impl Record {
    /// Name of its file: GPU, driver branch, CUDA version.
    pub fn file_name(&self) -> String {
        let driver = self.driver.split('.').next().unwrap_or_default();
        format!(
            "{}_{driver}_{}.json",
            self.short_gpu().to_ascii_lowercase(),
            self.cuda
        )
    }

    /// The model of the GPU alone: `H100` of `NVIDIA H100 80GB HBM3`.
    pub fn short_gpu(&self) -> String {
        let is_maker = |it: &&str| {
            !matches!(
                *it,
                "NVIDIA" | "Tesla" | "GeForce" | "Quadro" | "Graphics" | "Device"
            )
        };
        let words: Vec<&str> = self.gpu.split_whitespace().filter(is_maker).collect();
        let model = match words.as_slice() {
            [kind @ ("RTX" | "GTX"), number, ..] => format!("{kind}-{number}"),
            [model, ..] => (*model).to_owned(),
            [] => "gpu".to_owned(),
        };
        model
            .split("-PCI")
            .next()
            .unwrap_or_default()
            .split("-SXM")
            .next()
            .unwrap_or_default()
            .replace('/', "-")
    }

    /// Takes over what a newer record of the same machine says.
    ///
    /// A fixture that ran keeps what is recorded of its fix, and one whose fix ran what is recorded of itself, as long as its code is the same.
    pub fn update(&mut self, mut newer: Record) {
        let mut fixtures = std::mem::take(&mut self.fixtures);
        for (name, mut it) in std::mem::take(&mut newer.fixtures) {
            if let Some(old) = fixtures.remove(&name).filter(|old| old.source == it.source) {
                match it.lazy.is_empty() {
                    true => {
                        it = FixtureRecord {
                            fixed: it.fixed,
                            ..old
                        }
                    }
                    false => it.fixed = it.fixed.or(old.fixed),
                }
            }
            fixtures.insert(name, it);
        }
        *self = Record { fixtures, ..newer };
    }

    /// The file: one line per fixture, so that a change of one shows as one.
    pub fn to_text(&self) -> String {
        let bare = Record {
            fixtures: BTreeMap::new(),
            ..self.clone()
        };
        let mut text = serde_json::to_string_pretty(&bare).unwrap_or_default();
        let end = text.rfind("{}").unwrap_or(text.len());
        text.truncate(end);
        text.push('{');
        for (index, (name, fixture)) in self.fixtures.iter().enumerate() {
            let name = serde_json::to_string(name).unwrap_or_default();
            let fixture = serde_json::to_string(fixture).unwrap_or_default();
            let comma = if index == 0 { "" } else { "," };
            text.push_str(&format!("{comma}\n    {name}: {fixture}"));
        }
        text.push_str("\n  }\n}\n");
        text
    }
}

/// Names the code of some sources: comments and white space at the ends of lines do not count.
pub fn code_name<'a>(sources: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for source in sources {
        for line in String::from_utf8_lossy(source).lines() {
            let code = line.split("//").next().unwrap_or_default().trim();
            for byte in code.bytes().chain((!code.is_empty()).then_some(b'\n')) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        hash = (hash ^ 0xff).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::{FixtureRecord, Record, VERSION, code_name};

    fn record(gpu: &str, fixture: &str) -> Record {
        let fixtures = [(fixture.to_owned(), FixtureRecord::default())];
        Record {
            version: VERSION,
            gpu: gpu.to_owned(),
            driver: "580.159.04".to_owned(),
            cuda: "13.0".to_owned(),
            fixtures: fixtures.into(),
            ..Record::default()
        }
    }

    #[test]
    fn files_are_named_after_model_driver_branch_and_toolkit() {
        for (gpu, name) in [
            ("NVIDIA H100 80GB HBM3", "h100_580_13.0.json"),
            ("NVIDIA H200", "h200_580_13.0.json"),
            ("NVIDIA A100-SXM4-80GB", "a100_580_13.0.json"),
            ("NVIDIA GeForce RTX 4090", "rtx-4090_580_13.0.json"),
            ("Tesla T4", "t4_580_13.0.json"),
            ("", "gpu_580_13.0.json"),
        ] {
            assert_eq!(record(gpu, "a").file_name(), name);
        }
    }

    #[test]
    fn records_are_merged_and_read_back() {
        let mut kept = record("NVIDIA H100", "rule/a.cu");
        kept.update(record("NVIDIA H100", "rule/b.cu"));
        let names: Vec<&str> = kept.fixtures.keys().map(String::as_str).collect();
        assert_eq!(names, ["rule/a.cu", "rule/b.cu"]);
        let text = kept.to_text();
        assert_eq!(
            text.lines().filter(|line| line.contains("rule/")).count(),
            2,
            "{text}"
        );
        assert_eq!(
            serde_json::from_str::<Record>(&text).expect("it can be read"),
            kept
        );
    }

    #[test]
    fn comments_do_not_change_the_name_of_code() {
        let name = |text: &str| code_name([text.as_bytes()]);
        assert_eq!(name("int a; // one\n\nint b;"), name("int a;\nint b; //~ rule\n"));
        assert_ne!(name("int a;\nint b;"), name("int a;\nint c;"));
    }
}
