//! A run that asks what functions promise, instead of what is wrong.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::Error;
use super::analyse::{Analysis, Run, internal_error};
use super::discover::Discovered;
use super::guard::guarded;
use super::progress::Phase;
use super::session::{Session, Stop};
use crate::order::contracts::{Contract, contract_of, offered};
use crate::program::{FileId, FunctionId, Program};

/// What the functions in the reported files promise; nothing else is looked for.
pub fn contracts(project: Discovered, jobs: usize) -> Result<Analysis, Error> {
    Session::once(jobs)?.contracts(project)
}

impl Session {
    fn contracts(&self, project: Discovered) -> Result<Analysis, Error> {
        self.install(|| {
            let mut run = Run::new(project, false, None, Stop::default(), None)?;
            run.asks_contracts = true;
            run.finish()
        })
    }
}

impl Run {
    /// What functions in the named files promise; a bug costs one of them.
    pub(super) fn contracts(&mut self, program: &Program, named: Option<&BTreeSet<FileId>>) -> Vec<Contract> {
        let functions = offered(program, named);
        self.progress.begin(Phase::Following, functions.len());
        let one = |id: &FunctionId| {
            self.progress.step();
            guarded(|| contract_of(program, *id, named))
        };
        let parts: Vec<_> = functions.par_iter().with_max_len(1).map(one).collect();
        let mut found = Vec::new();
        for part in parts {
            match part {
                Ok(it) => found.extend(it),
                Err(panic) => self
                    .result
                    .internal_errors
                    .push(internal_error("the contracts", &panic)),
            }
        }
        found.sort_by(|a, b| (&a.at.path, a.at.span.start).cmp(&(&b.at.path, b.at.span.start)));
        found
    }
}
