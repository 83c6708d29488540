//! "Did you mean": the closest of the known words.

/// The candidate that is at most a third of its letters away from `word`, or starts with it; the first of equals.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let lower = candidate.to_ascii_lowercase();
        let continues = word.len() >= 4 && lower.starts_with(&word);
        let distance = if continues {
            1
        } else {
            edit_distance(&word, &lower)
        };
        let allowed = word.chars().count().max(lower.chars().count()).div_ceil(3);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn a_swap_or_a_missing_letter_is_close() {
        assert_eq!(closest("ingore", ["select", "ignore"]), Some("ignore"));
        assert_eq!(
            closest(
                "spin-without-prelod",
                ["wait-before-write", "spin-without-preload"]
            ),
            Some("spin-without-preload")
        );
    }

    #[test]
    fn a_beginning_is_close() {
        assert_eq!(
            closest("spin-w", ["wait-before-write", "spin-without-preload"]),
            Some("spin-without-preload")
        );
    }

    #[test]
    fn another_word_is_not_close() {
        assert_eq!(closest("banana", ["select", "ignore"]), None);
    }
}
