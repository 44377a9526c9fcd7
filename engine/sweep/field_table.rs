//! The table of fields: one row for each part of a case, by flat name and by path. A new field of a case is a new row here.

mod allocator;
mod class_priority;
mod co_allocation;
mod fair_share;
mod jobs;
mod machine;
mod mini_grid;
mod moldable;
mod o2k;
mod poisson;
mod policy;
mod run;

use crate::field::Field;
use std::sync::LazyLock;

/// Every field that an experiment can set or vary, in the order of their documentation.
pub static FIELDS: LazyLock<Vec<&'static Field>> = LazyLock::new(|| {
    [
        machine::ROWS,
        mini_grid::ROWS,
        policy::ROWS,
        class_priority::ROWS,
        fair_share::ROWS,
        co_allocation::ROWS,
        allocator::ROWS,
        jobs::ROWS,
        moldable::ROWS,
        o2k::ROWS,
        poisson::ROWS,
        run::ROWS,
    ]
    .into_iter()
    .flatten()
    .collect()
});

/// Reads and writes a part that every case has.
macro_rules! whole {
    ($check:expr, $($at:ident).+) => {
        crate::field::Access {
            parse: |text| {
                crate::field::value(text, $check, |case, new| {
                    case.$($at).+ = new;
                    Ok(())
                })
            },
            get: |case| Some(crate::field::canonical(&case.$($at).+)),
        }
    };
}

/// Reads and writes a part that only cases with a certain variant of an object have.
macro_rules! part {
    ($check:expr, $object:literal, $($at:ident).+, $variant:pat => $part:ident) => {
        crate::field::Access {
            parse: |text| {
                crate::field::value(text, $check, |case, new| {
                    match &mut case.$($at).+ {
                        $variant => *$part = new,
                        other => return Err(crate::field::Lack::of($object, other)),
                    }
                    Ok(())
                })
            },
            get: |case| match &case.$($at).+ {
                $variant => Some(crate::field::canonical($part)),
                _ => None,
            },
        }
    };
}

use {part, whole};

#[cfg(test)]
#[path = "field_table/tests.rs"]
mod tests;
