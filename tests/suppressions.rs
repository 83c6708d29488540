//! Which findings comments keep quiet, and what is said about comments that do nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use cudalint::diagnostics::suppress::{CommentedFile, Suppressed, apply};
use cudalint::diagnostics::{Confidence, Finding, Location, Safety, Severity, Step, sort};
use cudalint::syntax::Span;

/// Applies the comments of a file to a `spin-without-preload` at every `@`; returns what is left as
/// `line: rule: message`.
fn check(source: &str) -> Vec<String> {
    check_enabled(source, &|_, _| true)
}

fn check_enabled(source: &str, enabled: &dyn Fn(&str, &str) -> bool) -> Vec<String> {
    let left = run(source, enabled);
    left.findings
        .iter()
        .map(|finding| {
            let line = source[..finding.primary.span.start as usize]
                .matches('\n')
                .count()
                + 1;
            match finding.rule {
                "spin-without-preload" => format!("{line}: finding"),
                rule => format!("{line}: {rule}: {}", finding.message),
            }
        })
        .collect()
}

fn run(source: &str, enabled: &dyn Fn(&str, &str) -> bool) -> Suppressed {
    let findings = source
        .match_indices('@')
        .map(|(at, _)| finding("a.cu", at))
        .collect();
    let comments = comments(source);
    let file = CommentedFile {
        path: Arc::from("a.cu"),
        bytes: source.as_bytes(),
        comments: &comments,
    };
    let mut left = apply(findings, &[file], enabled);
    sort(&mut left.findings);
    left
}

fn comments(source: &str) -> Vec<(Span, String)> {
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(start) = source[at..]
        .find("//")
        .into_iter()
        .chain(source[at..].find("/*"))
        .min()
    {
        let start = at + start;
        let end = match source[start..].starts_with("//") {
            true => source[start..].find('\n').map(|end| start + end),
            false => source[start..].find("*/").map(|end| start + end + 2),
        };
        at = end.unwrap_or(source.len());
        comments.push((
            Span {
                start: start as u32,
                end: at as u32,
            },
            source[start..at].to_owned(),
        ));
    }
    comments
}

fn finding(path: &str, at: usize) -> Finding {
    Finding {
        rule: "spin-without-preload",
        code: "CL102",
        severity: Severity::Error,
        confidence: Confidence::High,
        primary: place(path, at),
        message: "a finding".into(),
        steps: Vec::new(),
        help: None,
        evidence: None,
        assumptions: Vec::new(),
        configuration: None,
        fix: None,
        picture: None,
    }
}

fn place(path: &str, at: usize) -> Location {
    Location {
        path: Arc::from(path),
        span: Span {
            start: at as u32,
            end: at as u32 + 1,
        },
    }
}

/// The source after the safe fix of the only finding that is left.
fn fixed(source: &str) -> String {
    let left = run(source, &|_, _| true).findings;
    let [finding] = left.as_slice() else {
        panic!("one finding expected: {left:#?}")
    };
    let fix = finding.fix.as_ref().unwrap();
    assert_eq!(fix.safety, Safety::Safe);
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.location.span));
    let mut fixed = source.to_owned();
    for edit in edits {
        let span = edit.location.span;
        fixed.replace_range(span.start as usize..span.end as usize, &edit.replacement);
    }
    fixed
}

#[test]
fn comment_behind_the_code() {
    assert!(check("@; // cudalint: ignore[spin-without-preload] released by the peer\n").is_empty());
    assert!(
        check("@; // cudalint: ignore[wait-before-write, CL102]\n")
            .iter()
            .all(|it| it.contains("unused"))
    );
    assert!(check("@; // cudalint: ignore because I know better\n").is_empty());
    assert!(check("@; /* cudalint:ignore [CL102] */ x;\n").is_empty());
    assert!(check("@; // NOLINT(cudalint-spin-without-preload)\n").is_empty());
    assert!(check("@; // NOLINT(cudalint-*): all of it\n").is_empty());
    assert!(check("@; // NOLINT(bugprone-x, cudalint-CL102)\n").is_empty());
    assert!(check("@; // first NOLINT(bugprone-x), then cudalint: ignore[CL102]\n").is_empty());
}

#[test]
fn statement_over_lines() {
    assert!(check("@(a,\n  b); // cudalint: ignore[CL102]\n").len() == 2);
    assert!(check("// cudalint: ignore[CL102]\nCHECK(\n  @(a,\n  b));\n").is_empty());
    let left = check("// cudalint: ignore[CL102]\n@;\n@;\n");
    assert_eq!(left, ["3: finding"]);
}

#[test]
fn last_line_of_a_place_counts() {
    let source = "launch(a,\n  b); // cudalint: ignore[CL102]\n";
    let mut finding = finding("a.cu", 0);
    finding.primary.span.end = source.find(");").unwrap() as u32 + 1;
    let comments = comments(source);
    let file = CommentedFile {
        path: Arc::from("a.cu"),
        bytes: source.as_bytes(),
        comments: &comments,
    };
    let left = apply(vec![finding], &[file], &|_, _| true);
    assert_eq!((left.findings.len(), left.suppressed), (0, 1));
}

#[test]
fn comment_on_its_own_line() {
    assert!(check("  // cudalint: ignore[CL102] why\n\n  // more words\n  /* and\n more */ @;\n").is_empty());
    assert!(check("// cudalint: ignore[CL102]\r\n@;\r\n").is_empty());
    assert!(check("/* cudalint: ignore[CL102] */\n@;").is_empty());
    assert!(check("// NOLINTNEXTLINE(cudalint-CL102)\n@;\n").is_empty());
    assert!(check("// cudalint: ignore[wait-before-write]\n// cudalint: ignore[CL102]\n@;\n").len() == 1);
    let left = check("// NOLINT(cudalint-CL102)\n@;\n");
    assert_eq!(left.len(), 2, "NOLINT is for its own line only: {left:?}");
}

#[test]
fn whole_file() {
    assert!(check("@;\n// cudalint: ignore-file[CL102] generated\n@;\n").is_empty());
    assert!(check("@;\n/* cudalint: ignore-file */\n@;\n").is_empty());
}

#[test]
fn regions() {
    let source = "@;\n// cudalint: disable[CL102]\n@;\n// cudalint: enable[CL102]\n@;\n";
    assert_eq!(check(source), ["1: finding", "5: finding"]);
    assert_eq!(
        check("// NOLINTBEGIN(cudalint-*)\n@;\n// NOLINTEND(cudalint-*)\n@;\n"),
        ["4: finding"]
    );
    assert_eq!(
        check("// cudalint: disable\n@;\n// cudalint: enable\n@;\n"),
        ["4: finding"]
    );
    assert!(
        check("@;// cudalint: disable[CL102]\n@;\n@;\n").len() == 1,
        "until the end of the file"
    );
    let left = check("// cudalint: enable[CL102]\n");
    assert_eq!(
        left,
        ["1: malformed-suppression: nothing is disabled here that this could end"]
    );
    let left = check("// cudalint: disable[CL102]\n@;\n// NOLINTEND(cudalint-CL102)\n");
    assert_eq!(left.len(), 1, "the two spellings do not mix: {left:?}");
}

#[test]
fn any_step_counts() {
    let source = "spin(); // cudalint: ignore[CL102]\n";
    let comments = comments(source);
    let file = CommentedFile {
        path: Arc::from("k.cuh"),
        bytes: source.as_bytes(),
        comments: &comments,
    };
    let mut told = finding("main.cu", 0);
    told.steps.push(Step::new(place("k.cuh", 2), "spins"));
    let left = apply(vec![told, finding("main.cu", 0)], &[file], &|_, _| true);
    assert_eq!((left.findings.len(), left.suppressed), (1, 1));
}

#[test]
fn unused() {
    assert_eq!(
        check("x; // cudalint: ignore[CL102, CL101]\n"),
        [
            "1: unused-suppression: this suppression keeps no `spin-without-preload` or `wait-before-write` quiet"
        ]
    );
    assert_eq!(
        check("// cudalint: ignore\nx;\n"),
        ["1: unused-suppression: this suppression keeps nothing quiet"]
    );
    assert!(
        check_enabled("x; // cudalint: ignore[CL102]\n", &|_, rule| rule
            != "spin-without-preload")
        .is_empty()
    );
    assert!(
        check_enabled("x; // cudalint: ignore\n", &|_, rule| rule
            != "spin-without-preload")
        .is_empty()
    );
    assert!(
        check_enabled("x; // cudalint: ignore[CL102]\n", &|_, rule| rule
            != "unused-suppression")
        .is_empty()
    );
    assert!(
        check("// cudalint: ignore-file[unused-suppression]\nx; // cudalint: ignore[CL102]\n").is_empty()
    );
}

#[test]
fn fixes_of_unused() {
    assert_eq!(fixed("a;\n  // cudalint: ignore[CL102] why\nx;\n"), "a;\nx;\n");
    assert_eq!(fixed("a;  // cudalint: ignore[CL102] why\nx;\n"), "a;\nx;\n");
    assert_eq!(fixed("a; // cudalint: ignore[CL102]\r\nx;\r\n"), "a;\r\nx;\r\n");
    assert_eq!(fixed("int/* cudalint: ignore[CL102] */x;\n"), "int x;\n");
    assert_eq!(
        fixed("@; // cudalint: ignore[CL101, CL102] why\n"),
        "@; // cudalint: ignore[CL102] why\n"
    );
    assert_eq!(
        fixed("x; // NOLINT(bugprone-x, cudalint-CL102)\n"),
        "x; // NOLINT(bugprone-x)\n"
    );
    assert_eq!(fixed("x; // loops NOLINT(cudalint-CL102)\n"), "x; // loops\n");
    let region = "a;\n// cudalint: disable[CL102]\nb;\n// cudalint: enable[CL102]\nc;\n";
    assert_eq!(fixed(region), "a;\nb;\nc;\n");
    assert_eq!(fixed("a;\n// cudalint: ignore[CL102]"), "a;\n");
}

#[test]
fn unknown_rules() {
    assert_eq!(
        check("x; // cudalint: ignore[spin-without-prelaod]\n"),
        ["1: unknown-rule: there is no rule `spin-without-prelaod`"]
    );
    let left = run("x; // NOLINT(cudalint-wait-before-wirte)\n", &|_, _| true).findings;
    assert_eq!(left[0].help.as_deref(), Some("did you mean `wait-before-write`?"));
    let fix = left[0].fix.as_ref().unwrap();
    assert_eq!(fix.edits[0].replacement, "cudalint-wait-before-write");
    assert_eq!(check("@; // cudalint: ignore[nonsense, CL102]\n").len(), 1);
}

#[test]
fn malformed() {
    let problem = |source: &str| {
        let left = check(source);
        let [only] = left.as_slice() else {
            panic!("{source:?}: one finding expected: {left:?}")
        };
        only.strip_prefix("1: malformed-suppression: ")
            .unwrap_or_else(|| panic!("{only}"))
            .to_owned()
    };
    assert_eq!(
        problem("// cudalint: ingore[CL102]\n"),
        "`cudalint: ingore` is no suppression; did you mean `ignore`?"
    );
    assert_eq!(
        problem("// cudalint ignore[CL102]\n"),
        "`cudalint ignore` lacks a colon; write `cudalint: ignore`"
    );
    assert_eq!(
        problem("// cudalint: ignore(CL102)\n"),
        "rules stand in square brackets; write `cudalint: ignore[…]`"
    );
    for source in [
        "// cudalint: disable=CL102\n",
        "// cudalint: disable: CL102\n",
        "// cudalint: disable = CL102\n",
    ] {
        assert_eq!(
            problem(source),
            "rules stand in square brackets; write `cudalint: disable[CL102]`"
        );
    }
    for verb in ["disable-next-line", "disable", "ignore"] {
        assert_eq!(
            problem(&format!("// cudalint-{verb}: CL102\n")),
            format!("`cudalint-{verb}` keeps nothing quiet; write `cudalint: ignore[…]`")
        );
    }
    assert_eq!(
        problem("// cudalint: ignore[CL102\n"),
        "the list of rules lacks its `]`"
    );
    assert_eq!(
        problem("// cudalint: ignore[]\n"),
        "the list of rules lacks a name"
    );
    assert_eq!(
        problem("// NOLINT(cudalint-CL102\n"),
        "the list of rules lacks its `)`"
    );
    assert_eq!(
        problem("// NOLINT(cudalint)\n"),
        "`cudalint` is no rule; write `cudalint-*` for all of them"
    );
}

#[test]
fn not_ours() {
    for source in [
        "// NOLINT\n",
        "// NOLINT(bugprone-*)\n",
        "// NOLINTNEXTLINE\n",
        "// NOLINT: cudalint-CL102 would be one\n",
        "// see how cudalint: the linter works\n",
        "// cudalint finds hangs\n",
        "// cudalint-foo: bar\n",
        "// cudalint::ignore\n",
        "// my-cudalint: ignore[CL102]\n",
        "// DONOLINT(cudalint-CL102)\n",
    ] {
        assert!(check(source).is_empty(), "{source:?}");
    }
}

#[test]
fn no_comment_is_too_broken() {
    let pieces = [
        "cudalint", ":", " ", "ignore", "[", "]", "(", ")", ",", "NOLINT", "BEGIN", "CL102", "*", "é", "-",
    ];
    for a in pieces {
        for b in pieces {
            for c in pieces {
                for d in ["ignore[", "(cudalint-", "", "]"] {
                    let text = format!("// {a}{b}{c}{d}");
                    check(&text);
                    check(&format!("{text}\n@"));
                    // A comment whose place and text do not belong together.
                    let comments = [(Span { start: 3, end: 90 }, text)];
                    let file = CommentedFile {
                        path: Arc::from("a.cu"),
                        bytes: b"a\n\n@",
                        comments: &comments,
                    };
                    apply(vec![finding("a.cu", 3)], &[file], &|_, _| true);
                }
            }
        }
    }
}
