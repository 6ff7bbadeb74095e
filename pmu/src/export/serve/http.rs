//! Requests and answers.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, ALLOW, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::collector::Collector;
use crate::export::collection::{Event, Requests};
use crate::export::config::Limits;
use crate::export::exposition::Format;
use crate::failure::Failure;

/// The longest head of a request. The whole of it must be there within the time for a request.
const LONGEST_HEAD: usize = 16 * 1024;

/// Answers requests from now on.
pub(super) fn start(
    listener: TcpListener,
    collector: &Collector,
    requests: &Requests,
    bounds: Limits,
) -> Result<(), Failure> {
    let listener = tokio::net::TcpListener::from_std(listener)
        .map_err(|error| Failure::Missing(format!("cannot wait for requests: {error}")))?;
    tokio::spawn(accept(listener, collector.clone(), requests.clone(), bounds));
    Ok(())
}

async fn accept(
    listener: tokio::net::TcpListener,
    collector: Collector,
    requests: Requests,
    bounds: Limits,
) {
    /// What makes `accept` fail, such as too many open files, does not pass at once.
    const PAUSE: Duration = Duration::from_millis(100);
    let room = Arc::new(Semaphore::new(bounds.connections));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        // To be closed is better than to wait for an unknown time.
        let Ok(permit) = room.clone().try_acquire_owned() else {
            requests.count(Event::Refused);
            continue;
        };
        let (collector, requests) = (collector.clone(), requests.clone());
        tokio::spawn(async move {
            if !is_served(stream, collector, &requests, bounds.request).await {
                requests.count(Event::GivenUp);
            }
            drop(permit);
        });
    }
}

/// Answers one request; `false` if there was none, or its answer was not taken in time.
async fn is_served(
    stream: TcpStream,
    collector: Collector,
    requests: &Requests,
    longest: Duration,
) -> bool {
    let answer = service_fn(|request| {
        let collector = collector.clone();
        async move { Ok::<_, Infallible>(answer(&request, &collector, requests).await) }
    });
    let connection = http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), answer);
    matches!(timeout(longest, connection).await, Ok(Ok(())))
}

async fn answer(
    request: &Request<Incoming>,
    collector: &Collector,
    requests: &Requests,
) -> Response<Full<Bytes>> {
    const PLAIN: &str = "text/plain; charset=utf-8";
    let say =
        |status, text: &'static str| response(status, PLAIN, Bytes::from_static(text.as_bytes()));
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = say(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are answered\n");
        response.headers_mut().insert(ALLOW, hyper::header::HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    match request.uri().path() {
        "/metrics" => {
            let header = request.headers().get(ACCEPT).and_then(|header| header.to_str().ok());
            let format = Format::accepted(header.unwrap_or_default());
            match collector.read(format).await {
                Some(text) => {
                    requests.count(Event::Answered);
                    response(StatusCode::OK, format.content_type(), text)
                }
                None => say(StatusCode::INTERNAL_SERVER_ERROR, "nothing is counted any more\n"),
            }
        }
        "/" => say(StatusCode::OK, "pmu export: the counts are on /metrics\n"),
        _ => say(StatusCode::NOT_FOUND, "the counts are on /metrics\n"),
    }
}

fn response(status: StatusCode, kind: &'static str, text: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(kind));
    response
}
