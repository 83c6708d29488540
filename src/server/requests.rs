//! Answers to what the editor asks, from the last check and from the text as it is.

use std::time::Duration;

use serde_json::{Value, json};

use super::actions::{Asked, FIX_ALL, fix_all, has_safe_fix, quick_fixes};
use super::checker::{Fixing, Shape};
use super::hints;
use super::hover;
use super::lifecycle::{Server, address_of, read};
use super::picture::picture;
use super::position::{Position, Range};
use super::target::Answer;
use super::transport::{Problem, code};
use crate::diagnostics::rule::rule;
use crate::diagnostics::source::SourceText;
use crate::project::Stop;
use crate::project::analyse::facts_of;

/// The command that checks everything again.
pub(super) const CHECK: &str = "cudalint.check";

/// The request and the command for a finding with its picture.
pub(super) const PICTURE: &str = "cudalint/picture";

impl Server {
    /// `Ok(None)` when the answer comes later.
    pub(super) fn request(
        &mut self,
        id: &Value,
        method: &str,
        params: Value,
    ) -> Result<Option<Value>, Problem> {
        match method {
            "textDocument/codeAction" => self.code_actions(id, params),
            "codeAction/resolve" => self.resolve(id, params),
            "textDocument/hover" => self.hover(&params).map(Some),
            "textDocument/inlayHint" => self.inlay_hints(&params).map(Some),
            PICTURE => self.picture(&params).map(Some),
            "workspace/executeCommand" => self.execute(&params).map(Some),
            _ => Err(Problem::new(
                code::UNKNOWN_METHOD,
                format!("`{method}` is not known here"),
            )),
        }
    }

    fn code_actions(&self, id: &Value, mut params: Value) -> Result<Option<Value>, Problem> {
        let address = address_of(&params);
        let range: Range = part(params["range"].take(), "range")?;
        let only: Option<Vec<String>> = part(params["context"]["only"].take(), "context.only")?;
        let Some((target, answer)) = self.answer(&address) else {
            return Ok(Some(json!([])));
        };
        let asked = Asked {
            address: &address,
            range,
            only,
        };
        let mut actions = Vec::new();
        if asked.wants("quickfix") {
            actions = quick_fixes(answer, &asked, &self.documents, self.abilities);
        }
        if asked.wants(FIX_ALL) && has_safe_fix(answer, &address) {
            if self.abilities.resolves_edits {
                actions.push(fix_all(&address));
            } else if asked.only.is_some() && actions.is_empty() {
                self.fix(
                    id,
                    Shape::List(fix_all(&address)),
                    address.clone(),
                    target.to_owned(),
                );
                return Ok(None);
            }
        }
        Ok(Some(json!(actions)))
    }

    fn resolve(&self, id: &Value, action: Value) -> Result<Option<Value>, Problem> {
        let Some(address) = action["data"]["fixAll"].as_str().map(str::to_owned) else {
            return Ok(Some(action));
        };
        let Some((target, _)) = self.answer(&address) else {
            return Err(edited());
        };
        self.fix(id, Shape::Action(action), address, target.to_owned());
        Ok(None)
    }

    fn fix(&self, id: &Value, shape: Shape, address: String, target: String) {
        self.checker.fix(Fixing {
            id: id.clone(),
            shape,
            address,
            target,
            snapshot: self.snapshot(),
            stop: Stop::default(),
        });
    }

    /// The last answer about a document as it is, and the name of its target.
    fn answer(&self, address: &str) -> Option<(&str, &Answer)> {
        let document = self.documents.get(address)?;
        let mut answers = self.answers.iter();
        let (name, answer) = answers.find(|(_, it)| it.is_about(address, &document.text))?;
        Some((name, answer))
    }

    fn hover(&self, params: &Value) -> Result<Value, Problem> {
        let address = address_of(params);
        let position: Position = part(params["position"].clone(), "position")?;
        let Some(document) = self.documents.get(&address) else {
            return Ok(Value::Null);
        };
        let text = SourceText::new(&document.text);
        let offset = self.abilities.encoding.offset(&text, position);
        let mut parts = Vec::new();
        let mut range = None;
        if let Some(it) = hover::at(&document.text, offset) {
            parts.push(it.text);
            range = Some(Range {
                start: self.abilities.encoding.position(&text, it.range.start as u32),
                end: self.abilities.encoding.position(&text, it.range.end as u32),
            });
        }
        parts.extend(self.findings_at(&address, offset));
        if parts.is_empty() {
            return Ok(Value::Null);
        }
        let text = parts.join("\n\n---\n\n");
        let kind = if self.abilities.markdown {
            "markdown"
        } else {
            "plaintext"
        };
        let mut answer = json!({"contents": {"kind": kind, "value": text}});
        if let Some(range) = range {
            answer["range"] = json!(range);
        }
        Ok(answer)
    }

    /// What the rules of the findings at an offset mean, and what a GPU did.
    fn findings_at(&self, address: &str, offset: usize) -> Vec<String> {
        let Some((_, answer)) = self.answer(address) else {
            return Vec::new();
        };
        let shown = answer.shown(address);
        let here = answer.findings.iter().filter(|it| {
            let span = it.primary.span;
            Some(&it.primary.path) == shown && (span.start as usize..=span.end as usize).contains(&offset)
        });
        let mut texts: Vec<String> = Vec::new();
        for finding in here {
            let Some(rule) = rule(finding.rule) else { continue };
            let mut text = hover::of_rule(rule);
            if let Some(evidence) = &finding.evidence {
                text = format!("{text}\n\n{evidence}");
            }
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    fn inlay_hints(&self, params: &Value) -> Result<Value, Problem> {
        let wanted: Range = part(params["range"].clone(), "range")?;
        let address = address_of(params);
        let Some(document) = self.documents.get(&address).filter(|_| self.settings.hints) else {
            return Ok(json!([]));
        };
        let Some(facts) = facts_of(&document.text) else {
            return Ok(json!([]));
        };
        let text = SourceText::new(&document.text);
        let mut found = hints::waits(&document.text, &facts);
        if let Some((_, answer)) = self.answer(&address) {
            found.extend(hints::first_launches(answer, &address));
        }
        found.sort();
        let shown = found.iter().filter_map(|hint| {
            let position = self.abilities.encoding.position(&text, hint.offset);
            let is_wanted = wanted.start <= position && position <= wanted.end;
            is_wanted.then(|| json!({"position": position, "label": hint.label, "paddingLeft": true}))
        });
        Ok(json!(shown.collect::<Vec<Value>>()))
    }

    /// The finding with a fingerprint, or the first one on the line of a position.
    fn picture(&self, params: &Value) -> Result<Value, Problem> {
        let address = match params["uri"].as_str() {
            Some(address) => address.to_owned(),
            None => address_of(params),
        };
        let position: Option<Position> = part(params["position"].clone(), "position")?;
        let wanted = params["fingerprint"].as_str();
        if wanted.is_none() && position.is_none() {
            let message = "`fingerprint` or `position` says which finding";
            return Err(Problem::new(code::INVALID_PARAMS, message));
        }
        let is_it = |file: &str, line: u32, end: u32, fingerprint: &str| match (wanted, position) {
            (Some(wanted), _) => wanted == fingerprint,
            (None, Some(at)) => file == address && (line..=end).contains(&(at.line + 1)),
            (None, None) => false,
        };
        let found = self.answers.values().find_map(|it| picture(it, &is_it));
        Ok(found.unwrap_or_default())
    }

    fn execute(&mut self, params: &Value) -> Result<Value, Problem> {
        match params["command"].as_str() {
            Some(CHECK) => {
                self.want_all(Duration::ZERO);
                Ok(Value::Null)
            }
            Some(PICTURE) => self.picture(&params["arguments"][0]),
            other => Err(Problem::new(
                code::INVALID_PARAMS,
                format!("there is no command `{}`", other.unwrap_or_default()),
            )),
        }
    }
}

fn edited() -> Problem {
    Problem::new(
        code::CONTENT_MODIFIED,
        "the document was edited since it was checked",
    )
}

fn part<T: serde::de::DeserializeOwned>(value: Value, name: &str) -> Result<T, Problem> {
    read(value)
        .ok_or_else(|| Problem::new(code::INVALID_PARAMS, format!("`{name}` is not what it should be")))
}
