//! How well and how fast real files are read: `cargo bench --bench parse_quality -- [--list] DIR…`.
//!
//! `--list` names every launch, call and larger region that was lost.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cudalint::syntax::{
    Defines, LineIndex, MacroTable, Prepared, collect_macros, error_bytes, is_relevant, parse, prepare,
};
use tree_sitter::{Node, Tree};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let list = arguments.iter().any(|argument| argument == "--list");
    let files = read_files(arguments.iter().filter(|argument| !argument.starts_with("--")));

    let mut totals = Totals::default();
    let mut table = MacroTable::default();
    for (_, bytes) in &files {
        let started = Instant::now();
        table.merge(collect_macros(bytes));
        totals.collecting += started.elapsed();
    }
    let defines = Defines::for_cuda(13000);
    let mut out = io::stdout().lock();
    for (path, bytes) in &files {
        let lost = totals.add(bytes, &defines, &table);
        if list {
            report_losses(&mut out, path, bytes, &lost)?;
        }
    }
    totals.print(&mut out)
}

const EXTENSIONS: &[&str] = &[
    "cu", "cuh", "cpp", "cc", "cxx", "c", "h", "hpp", "hh", "hxx", "inl", "ipp",
];

fn read_files<'a>(roots: impl Iterator<Item = &'a String>) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in roots
        .flat_map(|root| ignore::WalkBuilder::new(root).build())
        .flatten()
    {
        let path = entry.path();
        let wanted = path
            .extension()
            .and_then(|it| it.to_str())
            .is_some_and(|it| EXTENSIONS.contains(&it));
        if wanted && let Ok(bytes) = std::fs::read(path) {
            files.push((path.to_owned(), bytes));
        }
    }
    files.sort();
    files
}

#[derive(Default)]
struct Totals {
    files: u64,
    relevant: u64,
    with_errors: u64,
    bytes: u64,
    bytes_parsed: u64,
    error_bytes: u64,
    files_with_calls: u64,
    bytes_with_calls: u64,
    error_bytes_with_calls: u64,
    launches: Recovery,
    calls: Recovery,
    flips: u64,
    deciding: Duration,
    collecting: Duration,
    masking: Duration,
    parsing: Duration,
}

#[derive(Default)]
struct Recovery {
    seen: u64,
    recovered: u64,
}

/// What one file lost.
#[derive(Default)]
struct Lost {
    launches: Vec<u32>,
    calls: Vec<u32>,
    errors: Vec<(u32, u32)>,
}

impl Totals {
    fn add(&mut self, bytes: &[u8], defines: &Defines, table: &MacroTable) -> Lost {
        self.files += 1;
        self.bytes += bytes.len() as u64;
        let started = Instant::now();
        let relevant = is_relevant(bytes);
        self.deciding += started.elapsed();
        if !relevant {
            return Lost::default();
        }
        self.relevant += 1;
        self.bytes_parsed += bytes.len() as u64;
        let started = Instant::now();
        let prepared = prepare(bytes, defines, table);
        self.masking += started.elapsed();
        self.flips += prepared.flips.len() as u64;
        let started = Instant::now();
        let tree = parse(&prepared.text);
        self.parsing += started.elapsed();
        tree.map(|tree| self.measure(&prepared, &tree))
            .unwrap_or_default()
    }

    fn measure(&mut self, prepared: &Prepared, tree: &Tree) -> Lost {
        let found = Found::of(prepared, tree);
        let errors = error_bytes(tree);
        self.error_bytes += errors;
        self.with_errors += u64::from(tree.root_node().has_error());

        let calls: BTreeSet<u32> = &api_calls(&prepared.text) - &found.not_calls;
        let mut launches = &unread_launches(&prepared.text) - &found.not_calls;
        launches.extend(prepared.launches.iter().map(|launch| launch.open));
        if !calls.is_empty() || !launches.is_empty() {
            self.files_with_calls += 1;
            self.bytes_with_calls += prepared.text.len() as u64;
            self.error_bytes_with_calls += errors;
        }
        let lost = Lost {
            launches: launches.difference(&found.launches).copied().collect(),
            calls: calls.difference(&found.calls).copied().collect(),
            errors: found.errors,
        };
        self.launches.seen += launches.len() as u64;
        self.launches.recovered += (launches.len() - lost.launches.len()) as u64;
        self.calls.seen += calls.len() as u64;
        self.calls.recovered += (calls.len() - lost.calls.len()) as u64;
        lost
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let speed = |bytes: u64, time: Duration| bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
        writeln!(out, "files {}, relevant {}", self.files, self.relevant)?;
        writeln!(
            out,
            "relevant files with errors {} ({:.1} %)",
            self.with_errors,
            percent(self.with_errors, self.relevant)
        )?;
        writeln!(
            out,
            "bytes {}, of relevant files {}",
            self.bytes, self.bytes_parsed
        )?;
        writeln!(
            out,
            "bytes under ERROR in {} files with CUDA calls: {} of {} ({:.3} %); in all relevant files {:.3} %",
            self.files_with_calls,
            self.error_bytes_with_calls,
            self.bytes_with_calls,
            percent(self.error_bytes_with_calls, self.bytes_with_calls),
            percent(self.error_bytes, self.bytes_parsed)
        )?;
        for (name, it) in [("launches", &self.launches), ("API calls", &self.calls)] {
            writeln!(
                out,
                "{name} seen {}, recovered {} ({:.3} %)",
                it.seen,
                it.recovered,
                percent(it.recovered, it.seen)
            )?;
        }
        writeln!(out, "flips {}", self.flips)?;
        writeln!(
            out,
            "MB/s: relevance {:.0}, macro table {:.0}, mask {:.0}, parse {:.1}",
            speed(self.bytes, self.deciding),
            speed(self.bytes, self.collecting),
            speed(self.bytes_parsed, self.masking),
            speed(self.bytes_parsed, self.parsing)
        )
    }
}

/// Names of CUDA calls by offset of the name, in the prepared text.
fn api_calls(text: &[u8]) -> BTreeSet<u32> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found = BTreeSet::new();
    for open in memchr::memchr_iter(b'(', text) {
        let before = text[..open].trim_ascii_end();
        let start = before
            .iter()
            .rposition(|&byte| !is_word(byte))
            .map_or(0, |at| at + 1);
        let word = &before[start..];
        let prefixes: [&[u8]; 9] = [
            b"cuda",
            b"cu",
            b"nccl",
            b"cublas",
            b"cufft",
            b"cusparse",
            b"cusolver",
            b"curand",
            b"nvrtc",
        ];
        let upper_case_follows = |prefix: &&[u8]| {
            word.strip_prefix(*prefix)
                .and_then(<[u8]>::first)
                .is_some_and(u8::is_ascii_uppercase)
        };
        if prefixes.iter().any(upper_case_follows) {
            found.insert(start as u32);
        }
    }
    found
}

/// `<<<` that the mask left in the text.
fn unread_launches(text: &[u8]) -> BTreeSet<u32> {
    let runs = memchr::memmem::find_iter(text, b"<<<");
    runs.filter(|&at| text.get(at + 3) != Some(&b'<'))
        .map(|at| at as u32)
        .collect()
}

/// What the tree holds.
#[derive(Default)]
struct Found {
    launches: BTreeSet<u32>,
    calls: BTreeSet<u32>,
    /// Offsets that only look like calls: in literals, heads of functions outside bodies.
    not_calls: BTreeSet<u32>,
    errors: Vec<(u32, u32)>,
}

impl Found {
    fn of(prepared: &Prepared, tree: &Tree) -> Self {
        let mut found = Found::default();
        let mut candidates = api_calls(&prepared.text);
        candidates.append(&mut unread_launches(&prepared.text));
        let mut cursor = tree.walk();
        let mut functions = 0;
        loop {
            let node = cursor.node();
            found.visit(node, functions > 0, &candidates);
            if !node.is_error() && cursor.goto_first_child() {
                functions += u32::from(is_function(node));
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return found;
                }
                functions -= u32::from(is_function(cursor.node()));
            }
        }
    }

    fn visit(&mut self, node: Node<'_>, in_function: bool, candidates: &BTreeSet<u32>) {
        let start = node.start_byte() as u32;
        match node.kind() {
            _ if node.is_error() => self.errors.push((start, node.end_byte() as u32)),
            "string_literal" | "char_literal" | "raw_string_literal" => {
                self.not_calls
                    .extend(candidates.range(start..node.end_byte() as u32));
            }
            "call_expression" if in_function => self.call(node),
            "function_declarator" if !in_function => self.not_call(node, candidates),
            "init_declarator" => self.not_call(node, candidates),
            "type_identifier" | "namespace_identifier" => {
                self.not_calls.insert(start);
            }
            "destructor_name" => {
                self.not_calls.insert(start + 1);
            }
            _ => {}
        }
    }

    /// The declared name: `dim3 cudaGrid(1)`, `void cudaHelper()`.
    fn not_call(&mut self, node: Node<'_>, candidates: &BTreeSet<u32>) {
        if let Some(name) = node.child_by_field_name("declarator") {
            self.not_calls
                .extend(candidates.range(name.start_byte() as u32..name.end_byte() as u32));
        }
    }

    fn call(&mut self, node: Node<'_>) {
        let Some(function) = node.child_by_field_name("function") else {
            return;
        };
        if function.kind() == "call_expression" {
            let configuration = function.child_by_field_name("arguments");
            self.launches
                .extend(configuration.map(|it| it.start_byte() as u32));
        }
        let mut name = function;
        while let Some(inner) = name
            .child_by_field_name("name")
            .or_else(|| name.child_by_field_name("field"))
        {
            name = inner;
        }
        self.calls.insert(name.start_byte() as u32);
    }
}

fn is_function(node: Node<'_>) -> bool {
    let code = [
        "compound_statement",
        "field_initializer_list",
        "lambda_expression",
    ];
    code.contains(&node.kind())
}

fn report_losses(out: &mut impl Write, path: &Path, bytes: &[u8], lost: &Lost) -> io::Result<()> {
    let lines = LineIndex::new(bytes);
    let mut line = |what: &str, offset: u32, length: u32| {
        let (number, column) = lines.line_column(offset);
        let span = lines.line_span(number);
        let text = String::from_utf8_lossy(&bytes[span.start as usize..span.end as usize]).into_owned();
        writeln!(
            out,
            "{what} {length} {}:{number}:{column}: {}",
            path.display(),
            text.trim()
        )
    };
    for &offset in &lost.launches {
        line("launch", offset, 0)?;
    }
    for &offset in &lost.calls {
        line("call", offset, 0)?;
    }
    for &(start, end) in &lost.errors {
        line("error", start, end - start)?;
    }
    Ok(())
}
