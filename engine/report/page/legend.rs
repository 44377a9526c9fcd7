//! What the words and signs of the page mean.

use super::html::{Html, element, join, tag};
use super::verdicts::class;
use crate::scorecard::mark;
use crate::verdict::Judgement;

const VERDICTS: [(Judgement, &str); 4] = [
    (Judgement::Holds, "every row of the claim holds"),
    (Judgement::HoldsWhereTested, "every row that could be tested holds, but some could not be"),
    (Judgement::DoesNotHold, "at least one row does not hold"),
    (Judgement::CannotBeTested, "no row could be tested"),
];

const WORDS: [(&str, &str); 5] = [
    ("trace", "simulated on the published log"),
    ("twin", "simulated on a synthetic stand-in fitted to the published log"),
    ("model", "simulated on a workload model"),
    (
        "measured",
        "a mean over replications; where a claim has several rows, the smallest … the largest. A ratio, difference or crossover is \
         taken in each replication before the mean",
    ),
    (
        "95 % interval",
        "Student's t over the replications; of several rows, from the lowest to the highest end. A log is a single replication and \
         has no interval; a crossover on it has the two grid points around it",
    ),
];

/// The legend, folded up.
pub(super) fn legend() -> Html {
    let verdicts = VERDICTS.map(|(judgement, text)| {
        let word =
            element("span", &[("class", class(judgement))], format!("{} {judgement}", mark(judgement)));
        join([tag("dt", word), tag("dd", text)])
    });
    let words = WORDS.map(|(word, text)| join([tag("dt", word), tag("dd", text)]));
    let list = tag("dl", join([join(verdicts), join(words)]));
    element("details", &[("id", "legend")], join([tag("summary", "What the words and signs mean"), list]))
}
