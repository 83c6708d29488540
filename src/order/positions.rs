//! Sets of positions among the events of a thread.

/// A set of positions: joining two of them costs as little as the words they fill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Positions(Vec<u64>);

impl Positions {
    pub(super) fn contains(&self, position: u32) -> bool {
        let (word, bit) = place_of(position);
        self.0.get(word).is_some_and(|it| it & bit != 0)
    }

    pub(super) fn insert(&mut self, position: u32) {
        let (word, bit) = place_of(position);
        self.reach(word + 1);
        self.0[word] |= bit;
    }

    /// All before a position.
    pub(super) fn insert_before(&mut self, position: u32) {
        let (word, bit) = place_of(position);
        self.reach(word + 1);
        self.0[..word].fill(u64::MAX);
        self.0[word] |= bit - 1;
    }

    pub(super) fn join(&mut self, other: &Positions) {
        self.reach(other.0.len());
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    fn reach(&mut self, words: usize) {
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
    }
}

/// The word a position stands in, and its bit there.
fn place_of(position: u32) -> (usize, u64) {
    (position as usize / 64, 1 << (position % 64))
}

#[cfg(test)]
mod tests {
    use super::Positions;

    fn of(positions: &[u32]) -> Positions {
        let mut set = Positions::default();
        positions.iter().for_each(|it| set.insert(*it));
        set
    }

    #[test]
    fn holds_what_was_put_in_and_nothing_else() {
        let set = of(&[0, 63, 64, 200]);
        let held: Vec<u32> = (0..300).filter(|it| set.contains(*it)).collect();
        assert_eq!(held, [0, 63, 64, 200]);
    }

    #[test]
    fn all_before_a_position_are_those_below_it() {
        for end in [0, 1, 63, 64, 65, 128] {
            let mut set = Positions::default();
            set.insert_before(end);
            assert_eq!((0..300).filter(|it| set.contains(*it)).count(), end as usize);
            assert!(!set.contains(end));
        }
    }

    #[test]
    fn joined_sets_hold_what_either_held() {
        let mut set = of(&[1, 300]);
        set.join(&of(&[2, 70]));
        let held: Vec<u32> = (0..400).filter(|it| set.contains(*it)).collect();
        assert_eq!(held, [1, 2, 70, 300]);
    }
}
