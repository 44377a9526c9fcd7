//! Time slicing against its naive twin, event by event.

use crate::sliced_workloads::sliced_scenes;
use crate::workloads::cases;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn library_and_twin_agree(scene in sliced_scenes()) {
        scene.compare().map_err(TestCaseError::fail)?;
    }
}
