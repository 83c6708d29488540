//! The environment CUDA reads when it starts: how kernels are loaded, and whether launches wait for their kernels.

use std::cmp::Ordering;
use std::sync::Arc;

use super::calls::Argument;
use super::machine::Machine;
use super::memory::Value;
use super::texts;
use crate::facts::ir::BinaryOp;

/// What `cuModuleGetLoadingMode` answers.
pub(super) const LOADING_MODE: &str = "the loading mode";
const LOADING: &str = "CUDA_MODULE_LOADING";
const BLOCKING: &str = "CUDA_LAUNCH_BLOCKING";
/// `CU_MODULE_EAGER_LOADING`, and its opposite.
const EAGER_MODE: i64 = 1;
const LAZY_MODE: i64 = 2;

impl Machine<'_> {
    /// `setenv`, `putenv`, `unsetenv` and their like. CUDA reads the environment when it starts: setting a variable
    /// later does nothing (programming guide, lazy loading).
    pub(super) fn set_environment(&mut self, function: &str, args: &[Argument]) {
        if function == "clearenv" {
            self.environment.clear();
        } else if let Some(variable) = self.text(args.first()) {
            let (name, value) = match variable.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(Arc::from(value))),
                None => (variable.to_string(), self.text(args.get(1))),
            };
            let keeps = function == "setenv" && matches!(args.get(2), Some(it) if it.value == Value::Int(0));
            match value.filter(|_| function != "unsetenv") {
                Some(_) if keeps && self.environment.contains_key(&name) => {}
                Some(value) => {
                    self.environment.insert(name, value);
                }
                None => {
                    self.environment.remove(&name);
                }
            }
        }
        if !self.cuda_called {
            let is = |name: &str, wanted: &str| self.environment.get(name).is_some_and(|it| &**it == wanted);
            self.trace.eager = is(LOADING, "EAGER");
            self.trace.launch_blocking = is(BLOCKING, "1");
        }
    }

    /// `getenv`: what the program itself has set, else the same unknown for the same variable.
    pub(super) fn environment_variable(&mut self, name: &Value) -> Value {
        let Value::Str(variable) = name else {
            return self.memory.fresh();
        };
        match self.environment.get(&**variable) {
            Some(value) => Value::Str(value.clone()),
            None => {
                let unset = self.memory.named(&format!("getenv {variable}"));
                self.given_at_start(unset, 0)
            }
        }
    }

    /// The text a value is, or that the array it points to begins with.
    fn text(&self, argument: Option<&Argument>) -> Option<Arc<str>> {
        let value = match &argument?.value {
            Value::Pointer(place) => self.memory.get(place)?,
            value => value,
        };
        match value {
            Value::Str(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// `strcmp` and `compare`: zero for equal texts.
    pub(super) fn compare_strings(&mut self, args: &[Argument], folds_case: bool) -> Value {
        let [a, b, rest @ ..] = args else {
            return self.memory.fresh();
        };
        let (Value::Str(one), Value::Str(other)) = (&a.value, &b.value) else {
            return self.compare_texts(&a.value, &b.value);
        };
        let limit = rest.first().map(|it| &it.value);
        // The same text is the same as far as anybody looks.
        let limit = limit.filter(|_| one != other);
        let seen = |it: &str| texts::compared(it, limit, folds_case);
        match (seen(one), seen(other)) {
            (Some(one), Some(other)) => self.compare_texts(&one, &other),
            _ => self.memory.fresh(),
        }
    }

    /// The comparison that finds out whether loading is eager is remembered.
    pub(super) fn compare_texts(&mut self, a: &Value, b: &Value) -> Value {
        if let (Value::Str(a), Value::Str(b)) = (a, b) {
            let sign = match a.as_bytes().cmp(b.as_bytes()) {
                Ordering::Equal => return Value::Int(0),
                Ordering::Less => -1,
                Ordering::Greater => 1,
            };
            // How far apart they are nobody says.
            let Value::Unknown(far) = self.memory.fresh() else {
                return Value::Int(sign);
            };
            let (one, more) = (Value::Int(sign), Value::Int(2 * sign));
            return self.memory.choice(Some(far), Some(one), Some(more));
        }
        let result = self.memory.named(&format!("strcmp {a:?} {b:?}"));
        if let (true, Value::Unknown(id)) = (self.asks_for_eager(a, b), &result) {
            self.eager_checks.insert(*id, false);
        }
        result
    }

    /// Remembers a `==` that finds out whether loading is eager.
    pub(super) fn note_comparison(&mut self, op: BinaryOp, left: &Value, right: &Value, result: &Value) {
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return;
        }
        let Value::Unknown(result) = result else { return };
        let equal = op == BinaryOp::Equal;
        if self.asks_for_eager(left, right) {
            self.eager_checks.insert(*result, equal);
            return;
        }
        let mode = match (left, right) {
            (other, Value::Int(mode @ (EAGER_MODE | LAZY_MODE)))
            | (Value::Int(mode @ (EAGER_MODE | LAZY_MODE)), other)
                if matches!(other, Value::Unknown(_)) && *other == self.memory.named(LOADING_MODE) =>
            {
                *mode
            }
            _ => return,
        };
        self.eager_checks.insert(*result, equal == (mode == EAGER_MODE));
    }

    /// Whether one of two texts is what the user chose for loading, and the other `EAGER`.
    fn asks_for_eager(&mut self, a: &Value, b: &Value) -> bool {
        let eager = |it: &Value| matches!(it, Value::Str(text) if &**text == "EAGER");
        if !eager(a) && !eager(b) {
            return false;
        }
        let loading = self.memory.named(&format!("getenv {LOADING}"));
        [a, b].contains(&&loading)
    }

    /// What a decision says about loading: the program goes on here only when it is eager.
    pub(super) fn learn_loading(&mut self, condition: u32, holds: bool) {
        if self.eager_checks.is_empty() {
            return;
        }
        let mut implied = Vec::new();
        self.memory.implied(condition, holds, &mut implied);
        let eager = |(id, holds): &(u32, bool)| self.eager_checks.get(id) == Some(holds);
        self.trace.eager |= implied.iter().any(eager);
    }
}
