//! Equal shares in whole processors.

/// Shares out processors equally, to no one more than it asks for, in the order of `requests`: water-filling, where what is left after rounding
/// down goes one by one to the first that want more. `shares` is overwritten.
pub fn equal_shares(processors: u32, requests: &[u32], shares: &mut Vec<u32>) {
    shares.clear();
    shares.extend_from_slice(requests);
    if requests.iter().map(|request| u64::from(*request)).sum::<u64>() <= u64::from(processors) {
        return;
    }
    let mut level = 0;
    // Requests exceed the processors, so somebody wants more than the level all the time.
    let mut left = loop {
        let (mut rest, mut wanting) = (processors, 0);
        for request in requests {
            match *request <= level {
                true => rest -= request,
                false => wanting += 1,
            }
        }
        let next = rest / wanting;
        if next == level {
            break rest % wanting;
        }
        level = next;
    };
    for share in shares.iter_mut().filter(|share| **share > level) {
        *share = level + u32::from(left > 0);
        left = left.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One processor after the other to those that want more, in turns.
    fn dealt(mut processors: u32, requests: &[u32]) -> Vec<u32> {
        let mut shares = vec![0; requests.len()];
        while processors > 0 && shares != requests {
            for (share, request) in shares.iter_mut().zip(requests) {
                if *share < *request && processors > 0 {
                    *share += 1;
                    processors -= 1;
                }
            }
        }
        shares
    }

    #[test]
    fn small_requests_are_met_and_the_rest_is_shared() {
        let mut shares = Vec::new();
        equal_shares(16, &[2, 20, 3, 8], &mut shares);
        assert_eq!(shares, [2, 6, 3, 5]);
        equal_shares(2, &[4, 1, 1], &mut shares);
        assert_eq!(shares, [1, 1, 0]);
        equal_shares(9, &[4, 5], &mut shares);
        assert_eq!(shares, [4, 5]);
        equal_shares(0, &[], &mut shares);
        assert_eq!(shares, []);
    }

    proptest! {
        #[test]
        fn equal_shares_are_those_of_dealing_one_by_one(
            processors in 0u32..140,
            requests in prop::collection::vec(1u32..65, 0..30),
        ) {
            let mut shares = Vec::new();
            equal_shares(processors, &requests, &mut shares);
            prop_assert_eq!(shares, dealt(processors, &requests));
        }
    }
}
