//! Connections: where the server listens, how many it keeps, and how it ends.

use super::app::App;
use super::problem::Problem;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::IntoResponse;
use hyper::body::{Frame, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

/// More connections than this are not kept: a process has a limited number of
/// open files, and an index needs some.
const MOST_CONNECTIONS: usize = 256;

/// So long a client may take to say what it wants.
const HEADERS: Duration = Duration::from_secs(10);

/// So long answers may take to end once the server is to stop.
const LAST_WORK: Duration = Duration::from_millis(1_500);

/// A longer head of a request is refused, in bytes.
const LONGEST_HEAD: usize = 32 << 10;

/// So many ports are tried where the usual one is taken.
const PORTS_TRIED: u16 = 20;

/// Where to listen.
#[derive(Clone, Debug, Default)]
pub struct Listen {
    /// An address; both of this machine alone where there is none.
    pub address: Option<IpAddr>,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// Try the next ports where it is taken.
    pub or_next: bool,
}

impl Listen {
    /// Whether other machines could connect.
    pub fn is_open(&self) -> bool {
        self.address.is_some_and(|address| !address.is_loopback())
    }
}

/// Opens the ports to listen on, all with the same number.
pub(crate) async fn bind(listen: &Listen) -> io::Result<Vec<TcpListener>> {
    let last = match listen.or_next && listen.port != 0 {
        true => listen.port.saturating_add(PORTS_TRIED),
        false => listen.port,
    };
    let mut failed = None;
    for port in listen.port..=last {
        match bind_at(listen.address, port).await {
            Ok(listeners) => return Ok(listeners),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    Err(failed.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()))
}

async fn bind_at(address: Option<IpAddr>, port: u16) -> io::Result<Vec<TcpListener>> {
    let first = address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let named = |error: io::Error| {
        let at = SocketAddr::new(first, port);
        io::Error::new(error.kind(), format!("cannot listen on {at}: {error}"))
    };
    let listener = TcpListener::bind((first, port)).await.map_err(named)?;
    let port = listener.local_addr()?.port();
    let mut listeners = vec![listener];
    if address.is_none() {
        // Not every machine has the other protocol.
        let other = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).await;
        listeners.extend(other);
    }
    Ok(listeners)
}

/// The connections that are open.
#[derive(Default)]
struct Connections {
    all: Mutex<VecDeque<Weak<Connection>>>,
}

/// One of them.
#[derive(Default)]
struct Connection {
    /// How many requests it works on.
    busy: AtomicUsize,
    close: Notify,
    is_closed: AtomicBool,
}

impl Connections {
    /// Room for one more. Where there is none, that goes which has been idle
    /// the longest, so that idle clients keep nobody out.
    fn add(&self, connection: &Arc<Connection>) -> bool {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |one: &Weak<Connection>| {
            let one = one.upgrade();
            one.is_some_and(|one| !one.is_closed.load(Ordering::Relaxed))
        };
        all.retain(is_open);
        if all.len() >= MOST_CONNECTIONS {
            let open = all.iter().filter_map(Weak::upgrade);
            let idle = { open }.find(|one| one.busy.load(Ordering::Relaxed) == 0);
            let Some(idle) = idle else {
                return false;
            };
            idle.is_closed.store(true, Ordering::Relaxed);
            idle.close.notify_one();
        }
        all.push_back(Arc::downgrade(connection));
        true
    }
}

/// Answers until the server is to stop, and then as long as answers go on that
/// end soon.
pub(crate) async fn serve(app: Arc<App>, router: Router, listeners: Vec<TcpListener>) {
    let connections = Arc::new(Connections::default());
    let (working, mut idle) = watch::channel(());
    for listener in listeners {
        let (app, router) = (Arc::clone(&app), router.clone());
        let (connections, working) = (Arc::clone(&connections), working.subscribe());
        tokio::spawn(async move {
            let mut stop = app.stop.subscribe();
            loop {
                let accepted = tokio::select! {
                    accepted = listener.accept() => accepted,
                    _ = stop.wait_for(|stop| *stop) => return,
                };
                match accepted {
                    Ok((stream, _)) => {
                        let one = Arc::new(Connection::default());
                        let parts = (Arc::clone(&app), router.clone(), working.clone());
                        match connections.add(&one) {
                            true => drop(tokio::spawn(answer(parts, stream, one))),
                            false => drop(tokio::spawn(refuse(Arc::clone(&app), stream))),
                        }
                    }
                    // Out of files, say: some connection will end.
                    Err(_) => sleep(Duration::from_millis(50)).await,
                }
            }
        });
    }
    let mut stop = app.stop.subscribe();
    let _ = stop.wait_for(|stop| *stop).await;
    // Whoever still works holds a receiver.
    drop(idle.borrow_and_update());
    drop(idle);
    let _ = timeout(LAST_WORK, working.closed()).await;
}

/// Answers the requests of a connection.
async fn answer(
    (app, router, _working): (Arc<App>, Router, watch::Receiver<()>),
    stream: TcpStream,
    connection: Arc<Connection>,
) {
    let _ = stream.set_nodelay(true);
    app.metrics.connections.fetch_add(1, Ordering::Relaxed);
    let service = Busy {
        router: TowerToHyperService::new(router),
        connection: Arc::clone(&connection),
    };
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let mut served = std::pin::pin!(served);
    let mut stop = app.stop.subscribe();
    let mut is_stopping = false;
    loop {
        tokio::select! {
            // What goes wrong is the client's: it went, or spoke no HTTP.
            _ = served.as_mut() => break,
            () = connection.close.notified() => break,
            _ = stop.wait_for(|stop| *stop), if !is_stopping => {
                is_stopping = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
    connection.is_closed.store(true, Ordering::Relaxed);
    app.metrics.connections.fetch_sub(1, Ordering::Relaxed);
}

/// Tells one client too many so, and closes.
async fn refuse(app: Arc<App>, mut stream: TcpStream) {
    app.metrics
        .refused_connections
        .fetch_add(1, Ordering::Relaxed);
    let problem = Problem::busy("too many connections; ask again");
    let body = problem.clone().into_response().into_body();
    let body = axum::body::to_bytes(body, LONGEST_HEAD)
        .await
        .unwrap_or_default();
    let head = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n\
         retry-after: 1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let write = async {
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(&body).await?;
        stream.shutdown().await
    };
    let _ = timeout(Duration::from_secs(1), write).await;
}

/// The routes, which say of their connection that it is busy.
#[derive(Clone)]
struct Busy {
    router: TowerToHyperService<Router>,
    connection: Arc<Connection>,
}

/// Counts a request until its answer is sent.
struct Counted(Arc<Connection>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

type Incoming = hyper::Request<hyper::body::Incoming>;

impl hyper::service::Service<Incoming> for Busy {
    type Response = axum::response::Response;
    type Error = std::convert::Infallible;
    type Future =
        Pin<Box<dyn Future<Output = Result<axum::response::Response, Self::Error>> + Send>>;

    fn call(&self, request: Incoming) -> Self::Future {
        self.connection.busy.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&self.connection));
        let answered = self.router.call(request);
        Box::pin(async move {
            let (head, body) = answered.await?.into_parts();
            let body = Body::new(CountedBody {
                body,
                _counted: counted,
            });
            Ok(axum::response::Response::from_parts(head, body))
        })
    }
}

/// A body whose connection is busy until it is sent: that of a stream of events
/// is so until its end.
struct CountedBody {
    body: Body,
    _counted: Counted,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
