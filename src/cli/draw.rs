//! `cudalint draw`: pictures of what a JSON report tells.

use super::Ending;
use super::args::{DrawArgs, DrawFormat};
use super::output::{self, Failure, Stdout};
use crate::config::read;
use crate::report::document::{Document, FindingObject};
use crate::report::{html, svg};

/// Draws one finding, or a page of all.
pub(super) fn run(args: &DrawArgs) -> Result<Ending, Failure> {
    let document = report(args)?;
    let text = match args.format {
        DrawFormat::Html => html::page(&document),
        DrawFormat::Svg => picture(args, &document)?,
    };
    match &args.output_file {
        Some(file) => output::write_file(file, text.as_bytes())?,
        None => Stdout::new().write_all(text.as_bytes())?,
    }
    Ok(Ending::Clean)
}

fn report(args: &DrawArgs) -> Result<Document, Failure> {
    let read = match args.report.as_os_str() == "-" {
        true => read::bounded(std::io::stdin().lock(), read::MOST_OF_DATA),
        false => read::bytes(&args.report, read::MOST_OF_DATA),
    };
    let name = match args.report.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => format!("`{}`", args.report.display()),
    };
    let wrong = |problem: String| Failure::Usage {
        message: format!("{name} is no JSON report: {problem}"),
        hint: Some("`cudalint check --report json=FILE` writes one".to_owned()),
    };
    let bytes = read.map_err(|error| Failure::Usage {
        message: format!("cannot read {name}: {error}"),
        hint: None,
    })?;
    let document: Document = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    match document.version {
        1 => Ok(document),
        other => Err(wrong(format!("it is of version {other}, and this reads 1"))),
    }
}

fn picture(args: &DrawArgs, document: &Document) -> Result<String, Failure> {
    let wrong = |message: String, hint: &str| Failure::Usage {
        message,
        hint: Some(hint.to_owned()),
    };
    let Some(wanted) = &args.finding else {
        let first = document.findings.iter().find_map(svg::alone);
        return first.ok_or_else(|| {
            wrong(
                "the report holds no finding with a picture".to_owned(),
                "what happens on a path has one",
            )
        });
    };
    let is_it = |(index, finding): &(usize, &FindingObject)| {
        wanted.parse() == Ok(index + 1)
            || [&finding.code, &finding.rule, &finding.fingerprint].contains(&wanted)
    };
    let chosen = document.findings.iter().enumerate().find(is_it);
    let (_, finding) = chosen.ok_or_else(|| {
        let number = document.findings.len();
        wrong(
            format!("the report holds no finding `{wanted}`"),
            &format!("write a number up to {number}, a code, a rule or a fingerprint"),
        )
    })?;
    svg::alone(finding).ok_or_else(|| {
        wrong(
            format!("the finding `{wanted}` has no picture"),
            "what happens on a path has one",
        )
    })
}
