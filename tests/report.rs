//! Every report format over the same findings, and over sources nobody would want to print.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cudalint::diagnostics::picture::{Arrow, ArrowKind, Lane, LaneKind, Moment, MomentState, Picture};
use cudalint::diagnostics::{Confidence, Edit, Finding, Fix, Location, Safety, Severity, Step};
use cudalint::report::{Format, Report, RuleInfo, RunInfo, Statistics, Summary, render, sort};
use cudalint::syntax::Span;
use serde_json::Value;

type Files = BTreeMap<String, Vec<u8>>;
/// First byte of a place, and one past its last.
type Place = (usize, usize);

const MAIN: &str = "\
#include \"kernels.cuh\"

int main() {
\tint *flag;
\tcudaMallocManaged(&flag, sizeof *flag);
\tcudaStream_t s1, s2;
\tcudaStreamCreate(&s1); cudaStreamCreate(&s2);

\tk1<<<1, 1, 0, s1>>>(flag);
\tk2<<<1, 1, 0, s2>>>(flag);
\tcudaDeviceSynchronize();
}
";

const KERNELS: &str = "\
#pragma once

// Größer als jeder Name: ein Kommentar, der nicht ASCII ist.
__global__ void k1(volatile int *flag) {
    while (*flag == 0) { }
}

__global__ void k2(volatile int *flag) { *flag = 1; }
";

#[test]
fn full() {
    snapshot(Format::Full, "txt");
}

#[test]
fn concise() {
    snapshot(Format::Concise, "txt");
}

#[test]
fn json_lines() {
    let lines = snapshot(Format::JsonLines, "jsonl");
    let mut schema: Value = serde_json::from_str(include_str!("../src/report/findings.schema.json")).unwrap();
    for key in ["type", "required", "properties", "additionalProperties"] {
        schema[key] = schema["definitions"]["finding"][key].clone();
    }
    assert_eq!(lines.lines().count(), 3);
    for line in lines.lines() {
        assert_valid(&schema, &serde_json::from_str(line).unwrap());
    }
}

#[test]
fn sarif_follows_its_schema() {
    let log: Value = serde_json::from_str(&snapshot(Format::Sarif, "sarif")).unwrap();
    assert_valid(&sarif_schema(), &log);
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
    for property in ["shortDescription", "fullDescription", "help", "helpUri"] {
        assert!(!rule[property].is_null(), "GitHub wants {property}");
    }
    // As `docs/build.py` names the page of a rule.
    assert_eq!(
        rule["helpUri"],
        "https://example.org/cudalint/rules/spin-without-preload.html"
    );
}

#[test]
fn sarif_paths_are_uris() {
    let uri = |path: &str| {
        let log: Value =
            serde_json::from_str(&text(Format::Sarif, &[finding(path, 0..0, "m")], &Files::new())).unwrap();
        let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        (
            location["uri"].as_str().unwrap().to_owned(),
            location["uriBaseId"].is_string(),
        )
    };
    assert_eq!(uri("./src/a b#1%.cu"), ("src/a%20b%231%25.cu".to_owned(), true));
    assert_eq!(uri("größe:x.cu"), ("gr%C3%B6%C3%9Fe%3Ax.cu".to_owned(), true));
    assert_eq!(uri("/tmp/a.cu"), ("file:///tmp/a.cu".to_owned(), false));
    assert_eq!(uri("C:/a b.cu"), ("file:///C:/a%20b.cu".to_owned(), false));
}

#[test]
fn sarif_messages_hold_no_links() {
    let log: Value = serde_json::from_str(&text(
        Format::Sarif,
        &[finding("a.cu", 0..0, "`flags[0](x)`")],
        &Files::new(),
    ))
    .unwrap();
    assert_eq!(
        log["runs"][0]["results"][0]["message"]["text"],
        "`flags\\[0\\](x)`"
    );
}

#[test]
fn github() {
    snapshot(Format::Github, "txt");
}

#[test]
fn html() {
    let page = snapshot(Format::Html, "html");
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "it needs nothing from elsewhere"
    );
    assert!(
        page.contains("k1&lt;&lt;&lt;1, 1, 0, s1&gt;&gt;&gt;(flag);"),
        "code is no markup"
    );
}

#[test]
fn svg() {
    let (findings, files) = sample();
    let document = serde_json::from_str(&text(Format::Json, &findings, &files)).unwrap();
    let document: cudalint::report::document::Document = serde_json::from_value(document).unwrap();
    let drawn: Vec<String> = document
        .findings
        .iter()
        .filter_map(cudalint::report::svg::alone)
        .collect();
    assert_eq!(drawn.len(), 1, "one finding has a picture");
    compare("picture.svg", &drawn[0]);
}

#[test]
fn gitlab() {
    snapshot(Format::Gitlab, "json");
}

#[test]
fn junit() {
    let text = snapshot(Format::Junit, "xml");
    assert!(text.contains("tests=\"3\" failures=\"3\""), "{text}");
    let clean = text_of_nothing();
    assert!(clean.contains("<testcase name=\"no findings\""), "{clean}");
    let odd = [finding("a<b>.cu", 0..0, "`k<<<1, 1>>>` & \"x\"\u{1b}[31m")];
    let odd = text_with(Format::Junit, &odd, &Files::new(), false, 100);
    assert!(
        odd.contains("message=\"`k&lt;&lt;&lt;1, 1&gt;&gt;&gt;` &amp; &quot;x&quot;\u{FFFD}[31m\""),
        "{odd}"
    );
}

/// A run that found nothing.
fn text_of_nothing() -> String {
    text(Format::Junit, &[], &Files::new())
}

#[test]
fn names_with_ends_of_lines_stay_in_their_attribute_in_junit() {
    let files = files(&[("a\n::error::b.cu", b"x\n")]);
    let finding = finding("a\n::error::b.cu", 0..1, "`x` is\nbad");
    let text = text(Format::Junit, &[finding], &files);
    assert!(
        text.contains("file=\"a&#10;::error::b.cu\"") && text.contains("`x` is&#10;bad"),
        "{text}"
    );
    assert!(text.lines().all(|it| !it.starts_with("::")), "{text}");
}

#[test]
fn json_follows_its_schema() {
    let text = snapshot(Format::Json, "json");
    let schema = include_str!("../src/report/findings.schema.json");
    assert_valid(
        &serde_json::from_str(schema).unwrap(),
        &serde_json::from_str(&text).unwrap(),
    );
}

#[test]
fn colours_only_when_asked() {
    let (findings, files) = sample();
    for format in Format::ALL {
        assert!(
            !text(format, &findings, &files).contains('\u{1b}'),
            "{format} has escape sequences"
        );
    }
    let coloured = text_with(Format::Concise, &findings, &files, true, 100);
    assert!(
        coloured.contains("\u{1b}[1;31merror[CL102]\u{1b}[0m"),
        "{coloured:?}"
    );
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "xml".parse::<Format>().unwrap_err();
    assert!(error.to_string().starts_with("unknown format `xml`"), "{error}");
}

#[test]
fn summary_counts() {
    let (findings, _) = sample();
    let summary = Summary::new(&findings, &statistics());
    assert_eq!(
        summary.to_string(),
        "1 error, 2 warnings in 3 files (1 suppressed, 2 of lower confidence)"
    );
    assert_eq!(Summary::default().to_string(), "no findings in 0 files");
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let (findings, mut files) = sample();
    let before = fingerprints(&findings, &files);
    let unique: std::collections::BTreeSet<_> = before.iter().collect();
    assert_eq!(unique.len(), before.len());

    let added = "// one more line\n\n";
    files.get_mut("src/main.cu").unwrap().splice(0..0, added.bytes());
    let mut moved = findings.clone();
    for finding in &mut moved {
        let steps = finding.steps.iter_mut().map(|step| &mut step.location);
        for location in steps
            .chain([&mut finding.primary])
            .filter(|at| &*at.path == "src/main.cu")
        {
            location.span.start += added.len() as u32;
            location.span.end += added.len() as u32;
        }
    }
    assert_eq!(fingerprints(&moved, &files), before);
}

#[test]
fn equal_findings_are_told_apart() {
    let finding = finding("a.cu", 0..1, "same");
    let files = files(&[("a.cu", b"x\n")]);
    let names = fingerprints(&[finding.clone(), finding], &files);
    assert_ne!(names[0], names[1]);
}

#[test]
fn ugly_sources() {
    let mut findings = Vec::new();
    let mut files = Files::new();
    for (path, bytes, spans) in ugly() {
        let mut ugly = finding(path, spans[0].0..spans[0].1, "an ugly place");
        ugly.steps = spans
            .iter()
            .enumerate()
            .map(|(index, span)| {
                step(
                    path,
                    span.0..span.1,
                    &format!("step {} of {}", index + 1, spans.len()),
                )
            })
            .collect();
        findings.push(ugly);
        files.insert(path.to_owned(), bytes);
    }
    sort(&mut findings);
    let schema = include_str!("../src/report/findings.schema.json");
    let document: Value = serde_json::from_str(&text(Format::Json, &findings, &files)).unwrap();
    assert_valid(&serde_json::from_str(schema).unwrap(), &document);
    for format in Format::ALL {
        let text = text(format, &findings, &files);
        assert!(text.len() < 100_000, "{format} is too long");
        match format {
            Format::Json => {
                assert_valid(
                    &serde_json::from_str(schema).unwrap(),
                    &serde_json::from_str(&text).unwrap(),
                );
            }
            Format::Sarif => assert_valid(&sarif_schema(), &serde_json::from_str(&text).unwrap()),
            Format::Full => compare("ugly-full.txt", &text),
            Format::Concise => compare("ugly-concise.txt", &text),
            Format::Html => assert!(!text.contains(['\u{1b}', '\u{202e}', '\0'])),
            Format::JsonLines | Format::Github | Format::Gitlab | Format::Junit => {}
        }
    }
}

/// Path, bytes and the places of a finding in them; the first is the primary one.
fn ugly() -> Vec<(&'static str, Vec<u8>, Vec<Place>)> {
    let mut long = vec![b'x'; 10_000_000];
    long[5_000_000..5_000_003].copy_from_slice("€".as_bytes());
    vec![
        (
            "crlf.cu",
            b"one\r\n\ttwo\r\nthree\r\n".to_vec(),
            vec![(6, 9), (11, 16), (10, 10)],
        ),
        ("empty.cu", Vec::new(), vec![(0, 0)]),
        ("end.cu", b"last line\n".to_vec(), vec![(10, 10)]),
        ("end-no-newline.cu", b"last line".to_vec(), vec![(9, 9), (5, 9)]),
        (
            "escape.cu",
            b"a \x1b[31m b \xE2\x80\xAE c\0 d\n".to_vec(),
            vec![(0, 1), (7, 8), (15, 16)],
        ),
        (
            "far apart.cu",
            b"a\nb\nc\nd\ne\nf\ng\nh\n".to_vec(),
            vec![(14, 15), (0, 1)],
        ),
        (
            "latin1.cu",
            b"// gr\xFC\xDFe\nf(\xE9\xE9, x); y\n".to_vec(),
            vec![(14, 16), (19, 20)],
        ),
        (
            "long.cu",
            long,
            vec![
                (5_000_003, 5_000_010),
                (0, 3),
                (9_999_990, 10_000_000),
                (5_000_000, 9_000_000),
            ],
        ),
        (
            "many.cu",
            b"f(a, b, c); // one line\n".to_vec(),
            vec![(0, 10), (2, 3), (5, 6), (8, 9), (2, 3)],
        ),
        ("mark.cu", b"\xEF\xBB\xBFint x;\n".to_vec(), vec![(7, 8), (3, 6)]),
        ("missing behind the end.cu", b"short\n".to_vec(), vec![(100, 200)]),
        (
            "several lines.cu",
            b"k<<<1, 1>>>(\n  a,\n  b);\nnext\n".to_vec(),
            vec![(0, 23), (20, 21)],
        ),
        (
            "wide\n\u{202E}name.cu",
            "x = \"日本語\"; y\n".as_bytes().to_vec(),
            vec![(17, 18), (5, 14)],
        ),
    ]
}

#[test]
fn a_file_that_is_gone_is_named() {
    let text = text(
        Format::Full,
        &[finding("gone.cu", 5..9, "was here")],
        &Files::new(),
    );
    assert_eq!(
        text,
        "error[CL102] spin-without-preload: was here\n  [gone.cu]\n\n"
    );
}

#[test]
fn any_span_is_rendered() {
    let bytes = "\tab\r\n€ü\u{202E}\n\n x".as_bytes();
    let files = files(&[("a.cu", bytes)]);
    let limit = bytes.len() + 2;
    for start in 0..limit {
        for end in 0..limit {
            let mut finding = finding("a.cu", start..end, "m");
            finding.steps = vec![step("a.cu", end..start, "s"), step("a.cu", start..end, "t")];
            for format in Format::ALL {
                text(format, std::slice::from_ref(&finding), &files);
            }
        }
    }
}

#[test]
fn many_findings_in_one_large_file_take_no_time() {
    let line = "    cudaMemcpyAsync(destination, source, bytes, cudaMemcpyHostToDevice, stream);\n";
    let bytes = line.repeat(4000);
    let findings: Vec<Finding> = (0..1000)
        .map(|index| {
            let start = index * line.len() * 4 + 4;
            let mut finding = finding("large.cu", start..start + 15, "a copy");
            finding.steps = vec![
                step("large.cu", start..start + 15, "one"),
                step("large.cu", start + 20..start + 25, "two"),
            ];
            finding
        })
        .collect();
    let files = files(&[("large.cu", bytes.as_bytes())]);
    for format in Format::ALL {
        let started = std::time::Instant::now();
        let length = text(format, &findings, &files).len();
        println!("{format}: {length} bytes in {:?}", started.elapsed());
        assert!(
            started.elapsed().as_secs() < 10,
            "{format} reads the file again and again"
        );
    }
}

fn sample() -> (Vec<Finding>, Files) {
    let files = files(&[
        ("src/main.cu", MAIN.as_bytes()),
        ("src/kernels.cuh", KERNELS.as_bytes()),
    ]);
    let main = |text: &str| at("src/main.cu", MAIN, text);
    let kernels = |text: &str| at("src/kernels.cuh", KERNELS, text);
    let hang = Finding {
        rule: "spin-without-preload",
        code: "CL102",
        severity: Severity::Error,
        confidence: Confidence::Medium,
        primary: main("k2<<<1, 1, 0, s2>>>(flag)"),
        message: "`k1` waits for `k2`, whose first launch comes after it".into(),
        steps: vec![
            told(main("k1<<<1, 1, 0, s1>>>(flag)"), "`k1` is launched"),
            told(kernels("while (*flag == 0) { }"), "`k1` spins until `flag` is set"),
            told(kernels("*flag = 1"), "only `k2` sets it"),
            told(main("k2<<<1, 1, 0, s2>>>(flag)"), "first launch of `k2`: loading it waits for `k1`"),
        ],
        help: Some("call `cudaFuncGetAttributes` on `k2` before `k1` is launched, so that nothing has to be loaded while it spins".into()),
        evidence: Some("measured on H100, driver 580, CUDA 13.0: hangs under LAZY, completes under EAGER".into()),
        assumptions: vec!["`main` is the first to launch `k2`".into()],
        configuration: Some("when `USE_FLAG` is defined".into()),
        fix: Some(Fix {
            title: "preload `k2` before `k1` is launched".into(),
            safety: Safety::Unsafe,
            edits: vec![Edit {
                location: Location { path: "src/main.cu".into(), span: Span { start: 158, end: 158 } },
                replacement: "cudaFuncAttributes attributes;\n\tcudaFuncGetAttributes(&attributes, k2);\n\t".into(),
            }],
            otherwise: None,
        }),
        picture: Some(Box::new(picture(main("k1<<<1, 1, 0, s1>>>(flag)"), main("k2<<<1, 1, 0, s2>>>(flag)")))),
    };
    let mut plain = finding("src/main.cu", 0..0, "100% of `s1`, `s2`: both\nwait");
    plain.severity = Severity::Warning;
    plain.primary = main("cudaDeviceSynchronize()");
    let mut other = finding("src/other file,1.cu", 0..4, "a file that cannot be read");
    other.severity = Severity::Warning;
    other.confidence = Confidence::Low;
    let mut findings = vec![other, plain, hang];
    sort(&mut findings);
    (findings, files)
}

/// The cycle of the sample.
fn picture(first: Location, second: Location) -> Picture {
    let moment = |lane, start, end, state, name: &str, location: &Location| Moment {
        lane,
        start,
        end,
        state,
        name: name.into(),
        text: format!("`{name}`, <it>"),
        location: location.clone(),
        calls: vec![first.clone()],
    };
    let arrow = |from, to, kind, text: &str| Arrow {
        from,
        to,
        kind,
        text: text.into(),
    };
    Picture {
        entry: "main".into(),
        lanes: vec![
            Lane {
                kind: LaneKind::Host,
                name: "host".into(),
            },
            Lane {
                kind: LaneKind::Stream,
                name: "stream s1".into(),
            },
            Lane {
                kind: LaneKind::Stream,
                name: "stream s2".into(),
            },
        ],
        moments: vec![
            moment(0, 0, Some(0), MomentState::Issued, "k1", &first),
            moment(1, 1, None, MomentState::Waits, "k1", &first),
            moment(0, 2, Some(2), MomentState::Issued, "k2", &second),
            moment(2, 3, None, MomentState::Held, "k2", &second),
        ],
        arrows: vec![
            arrow(0, 1, ArrowKind::Enqueues, ""),
            arrow(2, 3, ArrowKind::Enqueues, ""),
            arrow(1, 3, ArrowKind::Needs, "`k1` waits for `flag`, which `k2` writes"),
            arrow(3, 1, ArrowKind::Needs, "loading `k2` waits for `k1`"),
        ],
    }
}

fn finding(path: &str, span: std::ops::Range<usize>, message: &str) -> Finding {
    Finding {
        rule: "spin-without-preload",
        code: "CL102",
        severity: Severity::Error,
        confidence: Confidence::High,
        primary: location(path, span),
        message: message.into(),
        steps: Vec::new(),
        help: None,
        evidence: None,
        assumptions: Vec::new(),
        configuration: None,
        fix: None,
        picture: None,
    }
}

fn step(path: &str, span: std::ops::Range<usize>, message: &str) -> Step {
    told(location(path, span), message)
}

fn told(location: Location, message: &str) -> Step {
    Step::new(location, message)
}

fn at(path: &str, source: &str, text: &str) -> Location {
    let start = source.find(text).expect("the sample holds the text");
    location(path, start..start + text.len())
}

fn location(path: &str, span: std::ops::Range<usize>) -> Location {
    Location {
        path: Arc::from(path),
        span: Span {
            start: span.start as u32,
            end: span.end as u32,
        },
    }
}

fn files(files: &[(&str, &[u8])]) -> Files {
    files
        .iter()
        .map(|(path, bytes)| (path.to_string(), bytes.to_vec()))
        .collect()
}

fn statistics() -> Statistics {
    Statistics {
        files: 3,
        suppressed: 1,
        unsure: 2,
        known: 0,
        analysis: [("budgets".to_owned(), 2)].into(),
    }
}

fn fingerprints(findings: &[Finding], files: &Files) -> Vec<String> {
    let document: Value = serde_json::from_str(&text(Format::Json, findings, files)).unwrap();
    let findings = document["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["fingerprint"].as_str().unwrap().to_owned())
        .collect()
}

const RULES: &[RuleInfo<'_>] = &[RuleInfo {
    name: "spin-without-preload",
    code: "CL102",
    group: "hang",
    summary: "a kernel waits for another whose first launch comes after it",
    markdown: "# spin-without-preload\n\n## What it does\nFinds a kernel that waits for one that is not loaded yet.\n",
    severity: Severity::Error,
    confidence: Confidence::High,
    site: Some("https://example.org/cudalint/"),
}];

fn text(format: Format, findings: &[Finding], files: &Files) -> String {
    text_with(format, findings, files, false, 100)
}

fn text_with(format: Format, findings: &[Finding], files: &Files, colour: bool, width: usize) -> String {
    let report = Report {
        findings,
        sources: files,
        statistics: &statistics(),
        rules: RULES,
        version: "0.0.0",
        run: RunInfo::default(),
    };
    let mut out = Vec::new();
    render(format, &report, colour, width, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Renders the sample and compares it with the committed report; returns it.
fn snapshot(format: Format, extension: &str) -> String {
    let (findings, files) = sample();
    let text = text(format, &findings, &files);
    compare(&format!("{format}.{extension}"), &text);
    text
}

/// `UPDATE_SNAPSHOTS=1` rewrites the files instead.
fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/snapshots/report")
        .join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == expected,
        "{name} differs from tests/snapshots/report; it is now:\n{text}"
    );
}

fn sarif_schema() -> Value {
    serde_json::from_str(include_str!("schemas/sarif-2.1.0.json")).expect("the schema is JSON")
}

fn assert_valid(schema: &Value, document: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}
