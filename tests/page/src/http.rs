//! As much of HTTP as one program needs to talk to another on the same machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Sends a request to a port of this machine; the status and the body of the
/// answer.
pub(crate) fn ask(port: u16, method: &str, path: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the driver listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it is not zero");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).expect("the driver reads");

    let mut answer = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        answer.read_line(&mut line).expect("the driver answers");
        line.trim_end().to_ascii_lowercase()
    };
    let status = line().split(' ').nth(1).and_then(|status| status.parse().ok());
    let mut length = 0;
    loop {
        let line = line();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().expect("it is a number");
        }
        if line.is_empty() {
            break;
        }
    }
    // Not up to the end: the browser that the driver starts holds the stream
    // open, too.
    let mut body = vec![0; length];
    answer.read_exact(&mut body).expect("the driver answers");
    (status.expect("there is a status"), String::from_utf8(body).expect("the answer is UTF-8"))
}
