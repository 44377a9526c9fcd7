//! `trace list`, `trace inspect`, `trace fetch`; the fetcher itself is tested where it is.

use super::LOG;
use crate::program::Folder;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

/// A server that gives every request the same answer.
fn server(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let _head: Vec<String> =
                lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let head =
                format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
    });
    format!("http://{address}")
}

#[test]
fn the_known_logs_are_listed() {
    let folder = Folder::new();
    let answer = folder.call("trace list").done();
    for name in ["HPC2N-2002-2.2-cln", "LLNL-Thunder-2007-1.1-cln", "SDSC-BLUE-2000-4.2-cln"] {
        assert!(answer.out.contains(name), "{}", answer.out);
    }
    assert!(answer.err.contains("BACKSWEEP_TRACES"), "{}", answer.err);
    std::fs::create_dir(folder.path("logs")).unwrap();
    folder.write("logs/CTC-SP2-1996-3.1-cln.swf", LOG);
    let out = folder.call("trace list --traces logs").done().out;
    assert_eq!((out.matches("NOT USABLE").count(), out.matches("not here").count()), (1, 4));
}

#[test]
fn a_log_is_looked_into() {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    let out = folder.call("trace inspect log.swf").done().out;
    assert!(out.starts_with("; Version: 2.2\n; MaxProcs: 4\n"), "{out}");
    assert!(
        out.contains("On a machine of 4 (from the header):\n4 records, 4 jobs kept, 0 dropped\n"),
        "{out}"
    );
    assert!(out.contains("mean size                          2.5 nodes"), "{out}");
    let out = folder.call("trace inspect log.swf --nodes 2").done().out;
    assert!(out.contains("On a machine of 2 (--nodes):\n4 records, 3 jobs kept, 1 dropped"), "{out}");
    folder.write("log.swf", LOG.replace("; MaxProcs: 4\n", ""));
    assert!(folder.call("trace inspect log.swf").done().out.contains("On a machine of 4 (the largest job)"));
}

#[test]
fn a_mirror_without_the_log() {
    let folder = Folder::new();
    let url = server("404 Not Found", "");
    let answer = folder.call(&format!("trace fetch HPC2N-2002-2.2-cln --url {url} --dir logs"));
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    let both =
        format!("{url}/l_hpc2n/HPC2N-2002-2.2-cln.swf.gz and {url}/HPC2N-2002-2.2-cln.swf.gz not found");
    assert!(answer.err.contains(&both) && answer.err.contains("hint: "), "{}", answer.err);
}

#[test]
fn a_mirror_with_something_else() {
    let folder = Folder::new();
    let url = server("200 OK", "<html>please log in</html>");
    let answer = folder.call(&format!("trace fetch HPC2N-2002-2.2-cln --url {url}/ --dir logs"));
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    assert!(answer.err.contains("is not HPC2N-2002-2.2-cln: sha256"), "{}", answer.err);
    assert_eq!(folder.names(), ["logs/"]);
}

#[test]
fn a_mirror_that_is_not_there() {
    let folder = Folder::new();
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let answer = folder
        .call(&format!("trace fetch CTC-SP2-1996-3.1-cln --url http://{address} --retries 1 --dir logs"));
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    assert!(answer.err.contains("cannot download http://127.0.0.1:"), "{}", answer.err);
    let answer = folder.call("trace fetch CTC-SP2-1996-3.1-cln --url nonsense --dir logs");
    assert_eq!(answer.code, Some(1), "{}", answer.err);
}
