//! "Did you mean": the known word nearest to a mistyped one.

/// The known word nearest to `word` in edits, if it is near enough to be a slip: a third of its letters, at least one. Failing
/// that, one that contains it or is contained in it (`n_jobs` for `jobs`).
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let known: Vec<&str> = known.into_iter().collect();
    let slip = known
        .iter()
        .map(|candidate| (edits(&word, &candidate.to_lowercase()), *candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate);
    let long = |text: &str| text.chars().count() >= 4;
    let related = |candidate: &&str| {
        (long(candidate) && word.contains(candidate)) || (long(&word) && candidate.contains(&word))
    };
    slip.or_else(|| known.into_iter().find(related))
}

/// Help for a mistyped word: the nearest known one, and nothing where none is near.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// Words as a list for messages: `a, b, c`.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().collect::<Vec<_>>().join(", ")
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment).
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["policy", "allocator", "speedup"];
        assert_eq!(nearest("polcy", known), Some("policy"));
        assert_eq!(nearest("spedeup", known), Some("speedup"));
        assert_eq!(nearest("Policy", known), Some("policy"));
        assert_eq!(nearest("machine", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("n_jobs", ["job", "jobs"]), Some("jobs"));
        assert_eq!(nearest("wait", ["killed", "mean_wait_s"]), Some("mean_wait_s"));
    }

    #[test]
    fn a_swap_of_neighbours_is_one_edit() {
        assert_eq!(edits("ab", "ba"), 1);
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
    }
}
