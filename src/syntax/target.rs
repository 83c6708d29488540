//! Where code runs, as far as braces and qualifiers tell.

use super::Qualifier;
use super::lexer::{Kind, Token};

/// Qualifiers that say where a function runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TargetBits {
    /// `__host__`.
    pub(crate) host: bool,
    /// `__device__` or `__global__`.
    pub(crate) device: bool,
}

impl TargetBits {
    /// The bits of one qualifier.
    pub(crate) fn of(qualifier: Qualifier) -> Self {
        TargetBits {
            host: qualifier == Qualifier::Host,
            device: matches!(qualifier, Qualifier::Device | Qualifier::Global),
        }
    }

    /// Both together.
    pub(crate) fn with(self, other: Self) -> Self {
        TargetBits {
            host: self.host || other.host,
            device: self.device || other.device,
        }
    }
}

/// Follows braces to know whether a directive stands in device code.
#[derive(Debug, Default)]
pub(crate) struct TargetTracker {
    depth: u32,
    parentheses: u32,
    /// Qualifiers seen since the last `;` or `}`.
    pending: TargetBits,
    /// A function's parameter list has begun since then.
    head: bool,
    /// Depth and qualifiers of the function body around.
    body: Option<(u32, TargetBits)>,
}

impl TargetTracker {
    /// Reads one token of active code.
    pub(crate) fn advance(&mut self, token: &Token, bytes: &[u8], qualifier: &dyn Fn(&[u8]) -> TargetBits) {
        match token.kind {
            Kind::Word if self.body.is_none() => {
                self.pending = self.pending.with(qualifier(token.text(bytes)))
            }
            Kind::Punct(b'(') => {
                self.parentheses += 1;
                self.head = true;
            }
            Kind::Punct(b')') => self.parentheses = self.parentheses.saturating_sub(1),
            Kind::Punct(b'{') => self.open_brace(),
            Kind::Punct(b'}') => {
                self.depth = self.depth.saturating_sub(1);
                if self.body.is_some_and(|(depth, _)| self.depth <= depth) {
                    self.body = None;
                }
                self.forget_head();
            }
            Kind::Punct(b';') if self.parentheses == 0 => self.forget_head(),
            _ => {}
        }
    }

    fn open_brace(&mut self) {
        if self.body.is_none() && self.head && self.parentheses == 0 {
            self.body = Some((self.depth, self.pending));
        }
        self.depth += 1;
        self.forget_head();
    }

    fn forget_head(&mut self) {
        if self.body.is_none() || self.depth == 0 {
            self.pending = TargetBits::default();
        }
        self.head = false;
    }

    /// In the body of a function that only runs on the device.
    pub(crate) fn is_device(&self) -> bool {
        self.body.is_some_and(|(_, bits)| bits.device && !bits.host)
    }

    /// In the body of a function that only runs on the host.
    pub(crate) fn is_host(&self) -> bool {
        self.body.is_some_and(|(_, bits)| !bits.device)
    }
}
