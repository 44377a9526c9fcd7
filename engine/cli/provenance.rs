//! `provenance`: who made a file, from what. What the file says of itself comes from its Parquet metadata; when, where and by which
//! command it was made from the manifest that lists its hash.

mod text;

use crate::args::ProvenanceArgs;
use crate::diagnostic::{Failure, chain};
use crate::invocation::hash_file;
use crate::manifest::{FILE_NAME, Manifest, Unread};
use crate::output;
use crate::session::{Ending, Session};
use crate::up_to_date::plain;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use table::ParquetHead;

/// The metadata key that every table has.
const TABLE_KEY: &str = "schema_version";
/// The metadata key that every segment of a store has.
const SEGMENT_KEY: &str = "backsweep.segment";
/// The bytes with which a Parquet file begins.
const MAGIC: &[u8] = b"PAR1";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Table,
    Segment,
    /// A figure or a scorecard, which says nothing of itself.
    Other,
}

/// What is known of a file.
#[derive(Debug, Serialize)]
struct Found {
    file: PathBuf,
    kind: Kind,
    /// blake3 of its bytes.
    blake3: String,
    rows: Option<u64>,
    columns: Option<usize>,
    /// What the file says of itself.
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    vouched: Vouched,
}

/// What manifests say of a file.
#[derive(Debug, Serialize)]
#[serde(tag = "manifest", rename_all = "snake_case")]
enum Vouched {
    /// No manifest lists it.
    Unlisted,
    /// A manifest lists it with its hash.
    Matches { path: PathBuf, facts: Box<Manifest> },
    /// A manifest lists it with another hash.
    Differs { path: PathBuf },
    /// There is a manifest that cannot be read.
    Unusable { path: PathBuf, reason: String },
}

/// Prints who made the files, from what.
///
/// # Errors
/// A file that is not there, or not one of this program's.
pub fn provenance(session: &Session, args: &ProvenanceArgs) -> Result<Ending, Failure> {
    let found = args.files.iter().map(|file| find(file)).collect::<Result<Vec<Found>, Failure>>()?;
    let mut text = String::new();
    for (at, found) in found.iter().enumerate() {
        if args.json {
            text += &serde_json::to_string(found).map_err(|problem| Failure::work(problem.to_string()))?;
            text.push('\n');
        } else {
            text += if at > 0 { "\n" } else { "" };
            text += &text::of(found, session.width);
        }
    }
    output::data(&text)?;
    let doubtful =
        |found: &Found| matches!(found.vouched, Vouched::Differs { .. } | Vouched::Unusable { .. });
    Ok(if found.iter().any(doubtful) { Ending::SomeFailed } else { Ending::Done })
}

fn find(file: &Path) -> Result<Found, Failure> {
    let refused = |reason: &str| Failure::question(format!("{}: {reason}", file.display()));
    let unread = |problem: std::io::Error| match problem.kind() {
        std::io::ErrorKind::NotFound => refused("there is no such file"),
        _ => refused(&format!("it cannot be read: {problem}")),
    };
    if fs::metadata(file).map_err(unread)?.is_dir() {
        return Err(refused("it is a folder").hint("name the files in it, such as FOLDER/*.parquet"));
    }
    let blake3 = hash_file(file).map_err(unread)?;
    let vouched = vouch(file, &blake3);
    let known = |kind| Found {
        file: file.to_owned(),
        kind,
        blake3: blake3.clone(),
        rows: None,
        columns: None,
        metadata: BTreeMap::new(),
        vouched: Vouched::Unlisted,
    };
    let parquet = is_parquet(file).map_err(unread)? || file.extension().is_some_and(|end| end == "parquet");
    if !parquet {
        return match vouched {
            Vouched::Unlisted => Err(refused(
                "it is no Parquet file, and no manifest.json around it lists it",
            )
            .hint(
                "tables and segments say where they are from; figures and scorecards only have a manifest",
            )),
            vouched => Ok(Found { vouched, ..known(Kind::Other) }),
        };
    }
    // The decoder puts its name before what is wrong.
    let unlike = |problem| Failure::question(chain(&problem).replace("Parquet error: ", ""));
    let head = ParquetHead::read(file).map_err(unlike)?;
    let kind = match (head.metadata.contains_key(TABLE_KEY), head.metadata.contains_key(SEGMENT_KEY)) {
        (_, true) => Kind::Segment,
        (true, _) => Kind::Table,
        _ => return Err(refused("it is a Parquet file of another program")),
    };
    let (rows, columns) = (Some(head.rows), Some(head.columns.len()));
    // What other writers put there for themselves says nothing of the file.
    let metadata = head.metadata.into_iter().filter(|(key, _)| !key.starts_with("ARROW:")).collect();
    Ok(Found { rows, columns, metadata, vouched, ..known(kind) })
}

fn is_parquet(file: &Path) -> std::io::Result<bool> {
    let mut first = Vec::new();
    fs::File::open(file)?.take(MAGIC.len() as u64).read_to_end(&mut first)?;
    Ok(first == MAGIC)
}

/// What the manifests around a file say of it. One that knows its bytes counts more than one that knows its name.
fn vouch(file: &Path, hash: &str) -> Vouched {
    let mut vouched = Vouched::Unlisted;
    for path in manifests_around(file) {
        let facts = match Manifest::read(&path) {
            Ok(facts) => facts,
            Err(Unread::Absent) => continue,
            Err(Unread::Unusable(reason)) => {
                // Elsewhere a file of this name may be anybody's.
                if path.parent() == Some(&folder_of(file)) && matches!(vouched, Vouched::Unlisted) {
                    vouched = Vouched::Unusable { path, reason };
                }
                continue;
            }
        };
        if facts.files.values().any(|known| known.blake3 == hash) {
            return Vouched::Matches { path, facts: Box::new(facts) };
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        if facts.files.keys().any(|name| same(&folder.join(name), file)) {
            vouched = Vouched::Differs { path };
        }
    }
    vouched
}

fn same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Where the manifest of a file may lie: beside a table, beside the folder of a figure, two folders below a scorecard.
fn manifests_around(file: &Path) -> Vec<PathBuf> {
    let here = folder_of(file);
    let above = plain(&std::path::absolute(here.join("..")).unwrap_or_else(|_| here.join("..")));
    let mut folders = vec![here.clone()];
    folders.extend(below(&above));
    folders.extend(below(&here).iter().flat_map(|study| below(study)));
    let paths = folders.into_iter().map(|folder| folder.join(FILE_NAME));
    paths.filter(|path| path.is_file()).collect()
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The folders in a folder, by name.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}
