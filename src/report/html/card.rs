//! The card of a rule as HTML: headings, paragraphs, lists, code, links; cards hold no other Markdown.

use std::fmt::Write as _;

use super::super::markup::{escape, prose};
use crate::diagnostics::rule::Rule;

/// The card, below the findings of a page.
pub(super) fn card(html: &mut String, rule: &Rule) {
    let _ = writeln!(
        html,
        "<section class=\"card\" id=\"{}\">\n<h2>{} <code>{}</code></h2>\n<p>{}</p>",
        escape(rule.code),
        escape(rule.name),
        escape(rule.code),
        prose(rule.summary)
    );
    let mut block = Block::None;
    for line in rule.card.lines() {
        block = block.take(html, line);
    }
    block.end(html);
    html.push_str("</section>\n");
}

/// What the lines so far are part of, with its words.
enum Block {
    None,
    Paragraph(String),
    /// A list with its last item.
    Item(String),
    Code,
}

impl Block {
    fn take(self, html: &mut String, line: &str) -> Block {
        let fence = line.starts_with("```");
        match self {
            Block::Code if fence => {
                html.push_str("</pre>\n");
                Block::None
            }
            Block::Code => {
                let class = if line.contains("// <--") {
                    "primary"
                } else {
                    "kept"
                };
                // An empty block has no height.
                let line = if line.is_empty() { " " } else { line };
                let _ = write!(
                    html,
                    "<span class=\"{class}\">{}</span>",
                    escape(&line.replace('\t', "    "))
                );
                Block::Code
            }
            block if fence => {
                block.end(html);
                html.push_str("<pre class=\"diff\" tabindex=\"0\">");
                Block::Code
            }
            block if line.trim().is_empty() => {
                block.end(html);
                Block::None
            }
            block if line.starts_with('#') => {
                block.end(html);
                let _ = writeln!(html, "<h3>{}</h3>", inline(line.trim_start_matches('#').trim()));
                Block::None
            }
            Block::Item(words) => match line.strip_prefix("- ") {
                Some(next) => {
                    let _ = writeln!(html, "<li>{}</li>", inline(&words));
                    Block::Item(next.to_owned())
                }
                None => Block::Item(format!("{words} {}", line.trim())),
            },
            Block::Paragraph(words) if !line.starts_with("- ") => {
                Block::Paragraph(format!("{words} {}", line.trim()))
            }
            block => {
                block.end(html);
                match line.strip_prefix("- ") {
                    Some(item) => {
                        html.push_str("<ul>\n");
                        Block::Item(item.to_owned())
                    }
                    None => Block::Paragraph(line.to_owned()),
                }
            }
        }
    }

    fn end(self, html: &mut String) {
        let _ = match self {
            Block::None => Ok(()),
            Block::Paragraph(words) => writeln!(html, "<p>{}</p>", inline(&words)),
            Block::Item(words) => writeln!(html, "<li>{}</li>\n</ul>", inline(&words)),
            Block::Code => writeln!(html, "</pre>"),
        };
    }
}

/// Words with their links; what leads into the repository is no link here.
fn inline(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some((before, label, target, after)) = link(rest) {
        html.push_str(&prose(before));
        match target.starts_with("https://") {
            true => {
                let _ = write!(html, "<a href=\"{}\">{}</a>", escape(target), prose(label));
            }
            false => html.push_str(&prose(label)),
        }
        rest = after;
    }
    html.push_str(&prose(rest));
    html
}

/// The first `[label](target)`, with what stands before and behind it.
fn link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let middle = text.find("](")?;
    let start = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')?;
    // In code it is code: an array of function pointers is called like that.
    let is_code = text[..start].matches('`').count() % 2 == 1;
    (!is_code).then(|| {
        (
            &text[..start],
            &text[start + 1..middle],
            &text[middle + 2..end],
            &text[end + 1..],
        )
    })
}
