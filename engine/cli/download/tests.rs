//! The fetcher against servers on this machine that behave well, badly and strangely.

#![allow(clippy::unwrap_used)]

use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

/// An answer of a server: called with the path and the first byte asked for.
type Answer = fn(&[u8], &str, Option<usize>, u32) -> Vec<u8>;

/// A server of one content, and what it was asked.
struct Server {
    base: String,
    asked: Receiver<(String, Option<usize>)>,
}

impl Server {
    fn new(content: Vec<u8>, answer: Answer) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (tell, asked) = channel();
        std::thread::spawn(move || {
            for (number, stream) in (0..).zip(listener.incoming()) {
                let mut stream: TcpStream = stream.unwrap();
                let (path, from) = request(&stream);
                let bytes = answer(&content, &path, from, number);
                // Before it is answered, so that who has the answer finds it told.
                if tell.send((path, from)).is_err() {
                    return;
                }
                stream.write_all(&bytes).unwrap();
            }
        });
        Server { base, asked }
    }

    fn asked(&self) -> Vec<(String, Option<usize>)> {
        self.asked.try_iter().collect()
    }
}

fn request(stream: &TcpStream) -> (String, Option<usize>) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let mut from = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(range) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().ok();
        }
    }
    (path, from)
}

/// An HTTP answer that announces `length` bytes and sends `body`.
fn respond(status: &str, extra: &str, length: Option<usize>, body: &[u8]) -> Vec<u8> {
    let length = length.map(|length| format!("Content-Length: {length}\r\n")).unwrap_or_default();
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n{length}{extra}\r\n");
    [head.as_bytes(), body].concat()
}

/// A server that knows ranges.
fn honest(content: &[u8], _: &str, from: Option<usize>, _: u32) -> Vec<u8> {
    match from {
        None => respond("200 OK", "", Some(content.len()), content),
        Some(from) if from >= content.len() => respond("416 Range Not Satisfiable", "", Some(0), b""),
        Some(from) => {
            let range = format!("Content-Range: bytes {from}-{}/{}\r\n", content.len() - 1, content.len());
            respond("206 Partial Content", &range, Some(content.len() - from), &content[from..])
        }
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Text that does not compress to nothing.
fn text() -> Vec<u8> {
    (0..4000_u64)
        .flat_map(|n| format!("{n} {}\n", n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).into_bytes())
        .collect()
}

fn wanted(server: &Server) -> Wanted {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("content");
    fs::write(&file, text()).unwrap();
    let (_, sha256) = hashes(&file).unwrap();
    Wanted { name: "LOG".to_owned(), urls: vec![format!("{}/a/LOG.swf.gz", server.base)], sha256 }
}

fn fetcher() -> Fetcher {
    Fetcher {
        agent: Agent::config_builder().http_status_as_error(false).proxy(None).build().new_agent(),
        ..Fetcher::new(3, Duration::ZERO)
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_fetched_and_told_about() {
    let server = Server::new(gzip(&text()), honest);
    let folder = tempfile::tempdir().unwrap();
    let told = RefCell::new(Vec::new());
    let path = fetcher()
        .fetch(&wanted(&server), folder.path(), &|have, all| told.borrow_mut().push((have, all)))
        .unwrap();
    assert_eq!(path, folder.path().join("LOG.swf.gz"));
    assert_eq!(fs::read(&path).unwrap(), gzip(&text()));
    assert_eq!(names(folder.path()), ["LOG.swf.gz"]);
    let size = gzip(&text()).len() as u64;
    assert_eq!(told.borrow().last(), Some(&(size, Some(size))));
}

#[test]
fn an_interrupted_download_goes_on_where_it_stopped() {
    let server = Server::new(gzip(&text()), honest);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("LOG.part"), &gzip(&text())[..1000]).unwrap();
    fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap();
    assert_eq!(server.asked(), [("/a/LOG.swf.gz".to_owned(), Some(1000))]);
    assert_eq!(names(folder.path()), ["LOG.swf.gz"]);
}

#[test]
fn a_whole_part_needs_no_more_bytes() {
    let server = Server::new(gzip(&text()), honest);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("LOG.part"), gzip(&text())).unwrap();
    fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap();
    assert_eq!(names(folder.path()), ["LOG.swf.gz"]);
}

#[test]
fn a_cut_answer_is_continued() {
    let cut: Answer = |content, path, from, number| match number {
        0 => respond("200 OK", "", Some(content.len()), &content[..500]),
        1 => respond("503 Service Unavailable", "", Some(0), b""),
        _ => honest(content, path, from, number),
    };
    let server = Server::new(gzip(&text()), cut);
    let folder = tempfile::tempdir().unwrap();
    fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap();
    let from: Vec<Option<usize>> = server.asked().into_iter().map(|(_, from)| from).collect();
    assert_eq!(from, [None, Some(500), Some(500)]);
}

#[test]
fn an_answer_of_unknown_length_that_ends_early_is_continued() {
    let cut: Answer = |content, path, from, number| match number {
        0 => respond("200 OK", "", None, &content[..500]),
        _ => honest(content, path, from, number),
    };
    let server = Server::new(gzip(&text()), cut);
    let folder = tempfile::tempdir().unwrap();
    fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap();
    let from: Vec<Option<usize>> = server.asked().into_iter().map(|(_, from)| from).collect();
    assert_eq!(from, [None, Some(500)]);
}

#[test]
fn a_server_without_ranges_and_a_foreign_part_are_no_obstacle() {
    let whole: Answer = |content, _, _, _| respond("200 OK", "", Some(content.len()), content);
    for answer in [whole, honest] {
        let server = Server::new(gzip(&text()), answer);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("LOG.part"), vec![b'x'; 700]).unwrap();
        fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap();
        assert_eq!(fs::read(folder.path().join("LOG.swf.gz")).unwrap(), gzip(&text()));
    }
}

#[test]
fn a_plain_log_gets_a_plain_name() {
    let server = Server::new(text(), honest);
    let folder = tempfile::tempdir().unwrap();
    let path = fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap();
    assert_eq!(path, folder.path().join("LOG.swf"));
}

#[test]
fn the_next_address_is_tried_where_there_is_nothing() {
    let second: Answer = |content, path, from, number| match path {
        "/LOG.swf.gz" => honest(content, path, from, number),
        _ => respond("404 Not Found", "", Some(0), b""),
    };
    let server = Server::new(gzip(&text()), second);
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = wanted(&server);
    wanted.urls.push(format!("{}/LOG.swf.gz", server.base));
    fetcher().fetch(&wanted, folder.path(), &|_, _| ()).unwrap();
    wanted.urls.pop();
    let problem = fetcher().fetch(&wanted, folder.path(), &|_, _| ()).unwrap_err().to_string();
    assert!(problem.contains("/a/LOG.swf.gz not found (HTTP status 404)"), "{problem}");
}

#[test]
fn other_content_is_refused_and_not_kept() {
    for content in [gzip(b"something else"), b"<html>welcome</html>".to_vec()] {
        let server = Server::new(content, honest);
        let folder = tempfile::tempdir().unwrap();
        let problem = fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap_err();
        assert!(matches!(problem, FetchError::WrongContent { .. }), "{problem}");
        assert_eq!(names(folder.path()), [""; 0]);
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn a_server_that_keeps_failing_is_given_up() {
    let broken: Answer = |_, _, _, _| respond("500 Internal Server Error", "", Some(0), b"");
    let server = Server::new(Vec::new(), broken);
    let folder = tempfile::tempdir().unwrap();
    let problem = fetcher().fetch(&wanted(&server), folder.path(), &|_, _| ()).unwrap_err().to_string();
    assert!(problem.ends_with("answered with HTTP status 500"), "{problem}");
    assert_eq!(server.asked().len(), 4);
}
