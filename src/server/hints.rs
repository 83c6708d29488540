//! Words beside the source: what calls wait for, and which launches load their kernel.

use super::target::Answer;
use crate::api::{self, Blocking};
use crate::facts::FileFacts;
use crate::facts::ir::{Expr, ExprKind, Target};
use crate::facts::visit::{self, Node};

/// What to show, and the offset it stands at.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hint {
    pub offset: u32,
    pub label: String,
}

/// Launches of a document that are the first ones of their kernel.
pub(super) fn first_launches(answer: &Answer, address: &str) -> Vec<Hint> {
    let shown = answer.shown(address);
    let here = answer
        .first_launches
        .iter()
        .filter(|(it, _)| Some(&it.path) == shown);
    here.map(|(place, kernel)| Hint {
        offset: place.span.end,
        label: format!("first launch of {kernel}"),
    })
    .collect()
}

/// What the CUDA calls of a file wait for, in order.
pub(super) fn waits(text: &[u8], facts: &FileFacts) -> Vec<Hint> {
    let mut hints = Vec::new();
    for function in &facts.functions {
        if !matches!(function.target, Target::Host | Target::HostDevice) {
            continue;
        }
        visit::function(function, &mut |node| {
            let Node::Expr(expression) = node else { return };
            let ExprKind::Call(call) = &expression.kind else {
                return;
            };
            let ExprKind::Name(name) = &call.callee.kind else {
                return;
            };
            let known = api::lookup(name.last()).or_else(|| api::lookup_path(&name.path));
            let Some(known) = known else { return };
            let argument = |role| known.argument(role, call.args.len()).map(|it| &call.args[it]);
            let Some(label) = label(known.blocks, &argument, text) else {
                return;
            };
            // Macros stand where they are used: what is no text here has no place.
            if text.get(expression.span.end as usize - 1) == Some(&b')') {
                hints.push(Hint {
                    offset: expression.span.end,
                    label,
                });
            }
        });
    }
    hints.sort();
    hints.dedup();
    hints
}

fn label<'a>(
    blocks: Blocking,
    argument: &dyn Fn(api::Role) -> Option<&'a Expr>,
    text: &[u8],
) -> Option<String> {
    let written = |role| {
        let expression: &Expr = argument(role)?;
        let text = text.get(expression.span.start as usize..expression.span.end as usize)?;
        let text = std::str::from_utf8(text).ok()?;
        (text.len() <= 40 && !text.contains('\n')).then_some(text)
    };
    Some(match blocks {
        Blocking::None | Blocking::PageableToHost | Blocking::LegacyCopy | Blocking::StackLimit => {
            return None;
        }
        Blocking::Stream => format!(
            "waits for {}",
            written(api::Role::Stream).unwrap_or("the default stream")
        ),
        Blocking::Event => format!("waits for {}", written(api::Role::Event).unwrap_or("its event")),
        Blocking::Legacy => "waits for the default stream".to_owned(),
        Blocking::Device => "waits for the device".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::analyse::facts_of;

    #[test]
    fn calls_say_what_they_wait_for() {
        let text = "void f(cudaStream_t s, void *p) {\n  cudaStreamSynchronize(s);\n  cudaFree(p);\n  \
            cudaMemcpyAsync(p, p, 1, cudaMemcpyDefault, s);\n}\n__global__ void k() {}\n";
        let facts = facts_of(text.as_bytes()).expect("it can be read");
        let hints = waits(text.as_bytes(), &facts);
        let found: Vec<(&str, &str)> = hints
            .iter()
            .map(|it| {
                let before = &text[..it.offset as usize];
                (before.rsplit(' ').next().unwrap_or_default(), it.label.as_str())
            })
            .collect();
        assert_eq!(
            found,
            [
                ("cudaStreamSynchronize(s)", "waits for s"),
                ("cudaFree(p)", "waits for the device")
            ]
        );
    }
}
