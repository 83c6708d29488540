//! "Did you mean": the known name closest to a mistyped one.

/// The candidate with the fewest differences, when they are few enough to be a typing mistake.
///
/// Ties go to the candidate that comes first. Case does not count. Where none is so close, the only one that begins so is meant.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
    let allowed = (name.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    let mut begun: Vec<&str> = Vec::new();
    for candidate in candidates {
        let letters: Vec<char> = candidate.to_lowercase().chars().take(LONGEST).collect();
        if name.len() >= SHORTEST_BEGINNING && letters.starts_with(&name) && !begun.contains(&candidate) {
            begun.push(candidate);
        }
        let differences = differences(&name, &letters);
        if differences <= allowed && best.is_none_or(|(least, _)| differences < least) {
            best = Some((differences, candidate));
        }
    }
    best.map(|(_, candidate)| candidate).or(match begun.as_slice() {
        [only] => Some(only),
        _ => None,
    })
}

/// Fewer letters begin too much.
const SHORTEST_BEGINNING: usize = 4;

/// No name is longer; what is longer is not worth comparing to its end.
const LONGEST: usize = 80;

/// Letters to insert, delete, replace or swap with their neighbour.
fn differences(from: &[char], to: &[char]) -> usize {
    let mut above: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut least = (previous[j] + usize::from(a != b))
                .min(previous[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                least = least.min(above[j - 1] + 1);
            }
            row.push(least);
        }
        above = std::mem::replace(&mut previous, row);
    }
    previous[to.len()]
}
