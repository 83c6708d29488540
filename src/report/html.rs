//! The `html` format: one page that needs nothing else, drawn from what the JSON report says and from nothing else.

mod card;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::document::{Document, ExcerptObject, FindingObject, PictureObject};
use super::markup::{escape, plain_words, prose};
use super::svg;
use crate::diagnostics::rule::{Rule, rule};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The page of a report.
pub fn page(document: &Document) -> String {
    let count = &document.statistics;
    let title = match document.findings.len() {
        0 => "cudalint: no findings".to_owned(),
        1 => "cudalint: 1 finding".to_owned(),
        many => format!("cudalint: {many} findings"),
    };
    let sub = format!(
        "in {} checked by cudalint {}{}",
        super::counted(count.files, "file"),
        escape(&document.tool.version),
        left_out(document)
    );
    let mut html = begun(document, &title, &escape(&headline(document)), &sub);
    if document.findings.is_empty() {
        html.push_str("<main><p>Nothing was found.</p></main>\n");
    } else {
        overview(&mut html, document);
        html.push_str("<main id=\"findings\">\n");
        articles(&mut html, document);
        html.push_str("</main>\n");
    }
    ended(html)
}

/// A page about some findings, or the example of a rule, with the cards of the rules.
pub fn explained(document: &Document, rules: &[&Rule]) -> String {
    let title: Vec<String> = rules
        .iter()
        .map(|it| format!("{} ({})", it.name, it.code))
        .collect();
    let title = title.join(", ");
    let sub = format!("explained by cudalint {}", escape(&document.tool.version));
    let mut html = begun(
        document,
        &format!("cudalint: {}", escape(&title)),
        &escape(&title),
        &sub,
    );
    html.push_str("<main id=\"findings\">\n");
    articles(&mut html, document);
    rules.iter().for_each(|it| card::card(&mut html, it));
    html.push_str("</main>\n");
    ended(html)
}

/// Everything before the content; the title and the headings are HTML.
fn begun(document: &Document, title: &str, heading: &str, sub: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{STYLE}{}{}</style>\n</head>\n<body>\n<header>\n<h1>{heading}</h1>\n<p class=\"sub\">{sub}</p>\n</header>\n",
        svg::STYLE,
        partners(document),
    )
}

fn ended(mut html: String) -> String {
    let _ = writeln!(html, "<script>\n{SCRIPT}</script>\n</body>\n</html>");
    html
}

/// The findings, the worst first, however they are sorted by place.
fn articles(html: &mut String, document: &Document) {
    let mut findings: Vec<(&FindingObject, usize)> = document.findings.iter().zip(1..).collect();
    findings.sort_by_key(|(it, number)| (severity_rank(it), rank(group(it)), *number));
    for (finding, number) in findings {
        article(html, finding, number);
    }
}

fn headline(document: &Document) -> String {
    let count = &document.statistics;
    let kinds = [
        (count.errors, "error"),
        (count.warnings, "warning"),
        (count.infos, "info"),
    ];
    let said: Vec<String> = kinds
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| super::counted(*number, noun))
        .collect();
    match said.is_empty() {
        true => "No findings".to_owned(),
        false => said.join(", "),
    }
}

fn left_out(document: &Document) -> String {
    let count = &document.statistics;
    let mut text = String::new();
    if count.suppressed > 0 {
        let _ = write!(text, "; {} kept quiet by comments", count.suppressed);
    }
    if count.unsure > 0 {
        let _ = write!(text, "; {} of lower confidence", count.unsure);
    }
    if count.baseline > 0 {
        let _ = write!(text, "; {} in the baseline", count.baseline);
    }
    text
}

/// Lets each step and what belongs to it in source and picture stand out together, without a script.
fn partners(document: &Document) -> String {
    let most = document
        .findings
        .iter()
        .map(|it| it.steps.len())
        .max()
        .unwrap_or(0);
    let mut css = String::new();
    for number in 1..=most.min(24) {
        let _ = writeln!(
            css,
            "article:has([data-step=\"{number}\"]:hover) [data-step=\"{number}\"]{{--lit:1}}"
        );
    }
    css
}

/// Counts by group, rule and folder, each with a way to the first.
fn overview(html: &mut String, document: &Document) {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rules: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (finding, number) in document.findings.iter().zip(1..) {
        *groups.entry(group(finding)).or_default() += 1;
        rules
            .entry((&finding.code, &finding.rule))
            .or_default()
            .push(number);
    }
    let folders = folders(document);
    html.push_str("<nav class=\"overview\" aria-label=\"overview\">\n<section><h2>What goes wrong</h2><ul class=\"tiles\">\n");
    let mut groups: Vec<(&str, usize)> = groups.into_iter().collect();
    groups.sort_by_key(|(group, _)| rank(group));
    for (group, number) in &groups {
        let _ = writeln!(
            html,
            "<li data-group=\"{0}\"><b>{number}</b> <span>{0}</span><small>{1}</small></li>",
            escape(group),
            meaning(group)
        );
    }
    html.push_str("</ul></section>\n<section><h2>By rule</h2><table><tbody>\n");
    for ((code, name), numbers) in &rules {
        let _ = writeln!(
            html,
            "<tr><td class=\"n\">{}</td><td><a href=\"#f{}\"><code>{}</code> {}</a></td></tr>",
            numbers.len(),
            numbers[0],
            escape(code),
            escape(name)
        );
    }
    html.push_str("</tbody></table></section>\n<section><h2>By folder</h2><table><tbody>\n");
    for (folder, numbers) in &folders {
        let _ = writeln!(
            html,
            "<tr><td class=\"n\">{}</td><td><a href=\"#f{}\">{}</a></td></tr>",
            numbers.len(),
            numbers[0],
            escape(folder)
        );
    }
    html.push_str("</tbody></table></section>\n</nav>\n");
}

/// More folders than this are told by those above them.
const FOLDERS: usize = 12;

/// The numbers of the findings below each folder, as deep as an overview can go.
fn folders(document: &Document) -> BTreeMap<&str, Vec<usize>> {
    let depth = |it: &FindingObject| it.place.path.matches('/').count();
    let deepest = document.findings.iter().map(depth).max().unwrap_or(0);
    let cut_at = |depth: usize| {
        let mut folders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (finding, number) in document.findings.iter().zip(1..) {
            let path = finding.place.path.as_str();
            let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
            let end = folder.match_indices('/').nth(depth - 1);
            let folder = end.map_or(folder, |(end, _)| &folder[..end]);
            folders.entry(folder).or_default().push(number);
        }
        folders
    };
    let cuts = (1..=deepest.max(1)).rev().map(cut_at);
    let mut least = BTreeMap::new();
    for folders in cuts {
        least = folders;
        if least.len() <= FOLDERS {
            break;
        }
    }
    least
}

fn group(finding: &FindingObject) -> &'static str {
    rule(&finding.code).map_or("other", |it| it.group)
}

/// Groups in the order in which they are shown.
fn rank(group: &str) -> usize {
    let known = ["hang", "race", "capture", "timing", "serialise"];
    known.iter().position(|it| *it == group).unwrap_or(known.len())
}

fn severity_rank(finding: &FindingObject) -> usize {
    let known = ["error", "warning", "info"];
    known
        .iter()
        .position(|it| *it == finding.severity)
        .unwrap_or(known.len())
}

fn meaning(group: &str) -> &'static str {
    match group {
        "hang" => "the program never ends",
        "race" => "wrong data, sometimes",
        "capture" => "a graph that fails, or lacks what was meant",
        "serialise" => "what should overlap does not",
        "timing" => "numbers that mean something else",
        "suppressions" => "comments that do nothing",
        _ => "",
    }
}

fn article(html: &mut String, finding: &FindingObject, number: usize) {
    let severity = match finding.severity.as_str() {
        severity @ ("error" | "warning" | "info") => severity,
        _ => "info",
    };
    let place = format!("{}:{}", finding.place.path, finding.place.line);
    let words = format!("{} {} {place} {}", finding.code, finding.rule, finding.message);
    let _ = writeln!(
        html,
        "<article id=\"f{number}\" class=\"{severity}\" data-severity=\"{severity}\" data-words=\"{}\">\n<p class=\"label\"><span class=\"severity\">{severity}</span> <code>{}</code> {} <a class=\"place\" href=\"#f{number}\">{}</a></p>\n<h2>{}</h2>",
        escape(&words.to_lowercase()),
        escape(&finding.code),
        escape(&finding.rule),
        escape(&place),
        prose(&finding.message),
    );
    if let Some(configuration) = &finding.configuration {
        let _ = writeln!(html, "<p class=\"condition\">{}</p>", prose(configuration));
    }
    if let Some(picture) = &finding.picture {
        figure(html, picture, number);
    }
    html.push_str("<div class=\"beside\">\n");
    story(html, finding);
    html.push_str("<div class=\"sources\">\n");
    for excerpt in &finding.excerpts {
        source(html, finding, excerpt);
    }
    html.push_str("</div>\n</div>\n");
    if let Some(help) = &finding.help {
        let _ = writeln!(
            html,
            "<section class=\"help\"><h3>What to do</h3><p>{}</p></section>",
            prose(help)
        );
    }
    fix(html, finding);
    grounds(html, finding);
    html.push_str("</article>\n");
}

fn figure(html: &mut String, picture: &PictureObject, number: usize) {
    let is_there = |kind: &str| picture.edges.iter().any(|it| it.kind == kind);
    let caption = match () {
        () if is_there("needs") => "Each waits for the next, and the last for the first:",
        () if is_there("races") => "Both may run at once:",
        () => "What happens, from left to right.",
    };
    let _ = writeln!(
        html,
        "<figure>\n<div class=\"drawing\" tabindex=\"0\" role=\"region\" aria-label=\"picture of finding {number}\">\n{}</div>\n<figcaption><p>{caption}</p>",
        svg::inline(picture, &format!("p{number}")),
    );
    let arrows: String = svg::arrows(picture)
        .map(|(arrow, text)| format!("<li value=\"{arrow}\">{}</li>\n", prose(text)))
        .collect();
    if !arrows.is_empty() {
        let _ = write!(html, "<ol>\n{arrows}</ol>");
    }
    html.push_str("</figcaption>\n</figure>\n");
}

/// The steps, each with the calls that lead to it.
fn story(html: &mut String, finding: &FindingObject) {
    if finding.steps.is_empty() {
        return;
    }
    html.push_str("<section class=\"story\"><h3>How it comes to this</h3><ol>\n");
    for (step, number) in finding.steps.iter().zip(1..) {
        let place = format!("{}:{}", step.place.path, step.place.line);
        let _ = write!(
            html,
            "<li data-step=\"{number}\">{} <span class=\"place\">{}</span>",
            prose(&step.message),
            escape(&place)
        );
        for seen in &step.seen {
            let _ = write!(html, "<p class=\"seen\">{}</p>", prose(seen));
        }
        let events = finding.picture.iter().flat_map(|it| &it.events);
        let event = events
            .into_iter()
            .find(|it| it.step == Some(number) && !it.calls.is_empty());
        if let (Some(event), Some(picture)) = (event, &finding.picture) {
            let calls = event.calls.iter().map(|it| {
                let at = format!("{}:{}", it.place.path, it.place.line);
                format!(" › <code title=\"{}\">{}</code>", escape(&at), escape(&it.text))
            });
            let _ = write!(
                html,
                "<details><summary>called from <code>{0}</code></summary><p class=\"calls\"><code>{0}</code>{1}</p></details>",
                escape(&picture.entry),
                calls.collect::<String>()
            );
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ol></section>\n");
}

/// Lines of a file; those of steps are marked with their numbers.
fn source(html: &mut String, finding: &FindingObject, excerpt: &ExcerptObject) {
    let _ = writeln!(
        html,
        "<div class=\"source\"><p class=\"file\">{}</p><pre tabindex=\"0\">",
        escape(&excerpt.path)
    );
    html.pop();
    for (text, line) in excerpt.lines.iter().zip(excerpt.line..) {
        let steps = finding.steps.iter().zip(1..);
        let here: Vec<usize> = steps
            .filter(|(it, _)| it.place.path == excerpt.path && it.place.line == line)
            .map(|(_, number): (_, usize)| number)
            .collect();
        let is_primary = finding.place.path == excerpt.path && finding.place.line == line;
        let class = match (here.is_empty(), is_primary) {
            (_, true) => " primary",
            (false, false) => " marked",
            (true, false) => "",
        };
        let marks: String = here
            .iter()
            .map(|it| format!("<b data-step=\"{it}\">{it}</b>"))
            .collect();
        let step = here
            .first()
            .map(|it| format!(" data-step=\"{it}\""))
            .unwrap_or_default();
        // The lines are blocks: an end of line between them would be one more.
        let _ = write!(
            html,
            "<span class=\"line{class}\"{step}><i>{line}</i><span>{}</span><span class=\"marks\">{marks}</span></span>",
            escape(&text.replace('\t', "    "))
        );
    }
    html.push_str("</pre></div>\n");
}

fn fix(html: &mut String, finding: &FindingObject) {
    let Some(fix) = &finding.fix else { return };
    let kind = match fix.safety.as_str() {
        "safe" => "Fix, which never changes what the program means",
        "unsafe" => "Fix, which is probably what was meant",
        _ => "Suggestion",
    };
    let _ = write!(
        html,
        "<section class=\"fix\"><h3>{kind}</h3><p>{}</p>",
        prose(&fix.title)
    );
    if !fix.diff.is_empty() {
        html.push_str("<pre class=\"diff\" tabindex=\"0\">");
        for line in fix.diff.lines() {
            let class = match line.as_bytes().first() {
                _ if line.starts_with("+++") || line.starts_with("---") => "name",
                Some(b'+') => "added",
                Some(b'-') => "removed",
                Some(b'@') => "name",
                _ => "kept",
            };
            let _ = write!(
                html,
                "<span class=\"{class}\">{}</span>",
                escape(&line.replace('\t', "    "))
            );
        }
        html.push_str("</pre>");
    }
    html.push_str("</section>\n");
}

/// What the claim rests on.
fn grounds(html: &mut String, finding: &FindingObject) {
    html.push_str("<section class=\"grounds\"><h3>How we know</h3><ul>\n");
    if let Some(evidence) = &finding.evidence {
        let _ = writeln!(html, "<li>{}</li>", prose(evidence));
    }
    let _ = writeln!(html, "<li>{} confidence</li>", escape(&finding.confidence));
    for assumption in &finding.assumptions {
        let _ = writeln!(html, "<li>assumed: {}</li>", prose(assumption));
    }
    let _ = writeln!(
        html,
        "<li><code>cudalint explain {}</code> tells all about the rule</li>\n</ul></section>",
        escape(&plain_words(&finding.code))
    );
}
