//! `report`: one page of everything that `run` and `reproduce` left in a folder of results.

mod gather;
mod text;

use crate::args::ReportArgs;
use crate::diagnostic::Failure;
use crate::results::write_text;
use crate::session::{Ending, Session, counted};

/// The page's name in the folder of results.
const PAGE: &str = "index.html";

/// Writes the page.
///
/// # Errors
/// A folder without results, an unknown study, or a file that is damaged; then a page that was there is as it was.
pub fn report(session: &Session, args: &ReportArgs) -> Result<Ending, Failure> {
    let results = gather::results(&args.out, &args.studies)?;
    let page = report::page::page(&results)?;
    let path = args.out.join(PAGE);
    write_text(&path, &page)?;
    let experiments = || results.studies.iter().flat_map(|study| &study.experiments);
    let mut odd = false;
    for study in &results.studies {
        for experiment in &study.experiments {
            for remark in &experiment.remarks {
                odd = true;
                session.warn(&format!("{}/{}: {remark}", study.name, experiment.name));
            }
        }
    }
    session.note(&format!(
        "{}: {}, {}, {}",
        path.display(),
        if results.studies.len() == 1 {
            "1 study".to_owned()
        } else {
            format!("{} studies", results.studies.len())
        },
        counted(experiments().count(), "experiment"),
        counted(experiments().map(|experiment| experiment.pictures.len()).sum(), "figure")
    ));
    Ok(if odd { Ending::SomeFailed } else { Ending::Done })
}
