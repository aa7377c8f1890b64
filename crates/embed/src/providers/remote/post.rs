//! Requests to a server, with retries where they may help.

use crate::providers::ProviderError;
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

/// The most bytes of an answer that are read.
const LARGEST_ANSWER: u64 = 256 << 20;

/// The longest wait that a server can ask for; longer ones are as hopeless.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 3600);

/// How much of an unwanted answer is shown.
const SHOWN: usize = 200;

/// How much is asked at once, and how patiently.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most texts in a request. Some servers take no more than 32.
    pub texts: usize,
    /// The most characters in a request, unless a text alone has more.
    pub characters: usize,
    /// How long one request may take.
    pub timeout: Duration,
    /// How often a server is asked that answers it is busy or broken.
    pub tries: u32,
    /// How often a server is asked that does not answer.
    pub connection_tries: u32,
    /// The first pause; each further one is twice as long.
    pub pause: Duration,
    /// No further try begins after this time.
    pub total: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            texts: 32,
            characters: 64 << 10,
            timeout: Duration::from_secs(120),
            tries: 6,
            connection_tries: 3,
            pause: Duration::from_millis(250),
            total: Duration::from_secs(180),
        }
    }
}

/// Whether an address is one of this machine.
fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or(host);
    ["localhost", "127.", "[::1]"]
        .iter()
        .any(|name| host.starts_with(name))
}

/// One address that is asked again and again.
pub(super) struct Server {
    agent: Agent,
    pub url: String,
    bearer: Option<String>,
    limits: Limits,
}

/// Why a try failed.
enum Failure {
    /// No answer came.
    Silent(ureq::Error),
    /// An answer came, but not a good one.
    Status {
        status: u16,
        body: String,
        wait: Option<Duration>,
    },
}

impl Server {
    pub fn new(url: String, key: Option<&str>, limits: Limits) -> Server {
        // Those that the system trusts: at many companies, that is one of theirs.
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let mut config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            // A redirected question would arrive without its texts and key.
            .max_redirects(0)
            .timeout_connect(Some(limits.timeout.min(Duration::from_secs(10))))
            .timeout_global(Some(limits.timeout))
            .user_agent(concat!("scent/", env!("CARGO_PKG_VERSION")));
        if is_local(&url) {
            // A proxy cannot reach what only this machine can.
            config = config.proxy(None);
        }
        let bearer = key.map(|key| format!("Bearer {key}"));
        Server {
            agent: config.build().into(),
            url,
            bearer,
            limits,
        }
    }

    /// The answer to a question, both as JSON.
    pub fn post(&self, question: &str) -> Result<Vec<u8>, ProviderError> {
        let start = Instant::now();
        let mut tries = 1;
        loop {
            let failure = match self.once(question) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let pause = self.pause(&failure, tries);
            if !self.may_help(&failure, tries) || start.elapsed() + pause > self.limits.total {
                return Err(self.give_up(failure, tries));
            }
            std::thread::sleep(pause);
            tries += 1;
        }
    }

    fn once(&self, question: &str) -> Result<Vec<u8>, Failure> {
        let mut request = self
            .agent
            .post(&self.url)
            .header("content-type", "application/json");
        if let Some(bearer) = &self.bearer {
            request = request.header("authorization", bearer);
        }
        let mut answer = request.send(question).map_err(Failure::Silent)?;
        let status = answer.status();
        let wait = answer
            .headers()
            .get("retry-after")
            .and_then(|value| value.to_str().ok());
        let wait = wait.and_then(|value| value.trim().parse().ok());
        let wait = wait.map(|seconds| Duration::from_secs(seconds).min(LONGEST_WAIT));
        let body = answer
            .body_mut()
            .with_config()
            .limit(LARGEST_ANSWER)
            .read_to_vec();
        if status.is_success() {
            return body.map_err(Failure::Silent);
        }
        let body = beginning(&body.unwrap_or_default());
        Err(Failure::Status {
            status: status.as_u16(),
            body,
            wait,
        })
    }

    /// Whether to ask once more.
    fn may_help(&self, failure: &Failure, tries: u32) -> bool {
        match failure {
            Failure::Status { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500..=599) && tries < self.limits.tries
            }
            Failure::Silent(error) => passes(error) && tries < self.limits.connection_tries,
        }
    }

    /// What the server asks for, or else twice as long as before. A share of
    /// it is left to chance, so that many threads do not come back at once.
    fn pause(&self, failure: &Failure, tries: u32) -> Duration {
        if let Failure::Status {
            wait: Some(wait), ..
        } = failure
        {
            return wait.mul_f64(1.0 + 0.1 * fastrand::f64());
        }
        let whole = self.limits.pause.saturating_mul(1 << (tries - 1).min(16));
        whole.mul_f64(0.75 + 0.5 * fastrand::f64())
    }

    fn give_up(&self, failure: Failure, tries: u32) -> ProviderError {
        let url = self.url.clone();
        match failure {
            Failure::Silent(error) => {
                let advice = silent_advice(&error);
                ProviderError::Unreachable {
                    url,
                    reason: error.to_string(),
                    tries,
                    advice,
                }
            }
            Failure::Status { status, body, .. } => {
                let advice = status_advice(status);
                ProviderError::Refused {
                    url,
                    status,
                    tries,
                    body,
                    advice,
                }
            }
        }
    }
}

/// Whether what went wrong may be over soon.
fn passes(error: &ureq::Error) -> bool {
    use ureq::Error::{ConnectionFailed, HostNotFound, Io, Timeout};
    match error {
        // What is wrong with a certificate stays wrong.
        Io(error) => error.kind() != ErrorKind::InvalidData,
        Timeout(_) | HostNotFound | ConnectionFailed => true,
        _ => false,
    }
}

fn silent_advice(error: &ureq::Error) -> &'static str {
    use ureq::Error::{HostNotFound, Io, Rustls, Timeout};
    const TRUST: &str = "let the system trust whoever signed the certificate, or name a file of \
        those to trust in SSL_CERT_FILE";
    match error {
        HostNotFound => "check the name of the host and the network",
        Timeout(_) => "the server is too slow or does not listen there",
        Rustls(_) => TRUST,
        Io(error) if error.kind() == ErrorKind::InvalidData => TRUST,
        Io(error) if error.kind() == ErrorKind::ConnectionRefused => {
            "start the server, or check the host, the port and the proxy"
        }
        _ => "check the address, the network and the proxy",
    }
}

fn status_advice(status: u16) -> &'static str {
    match status {
        300..=399 => "give the address that this one leads to",
        401 | 403 => "check the key",
        404 => "check the address and the name of the model; with Ollama, `ollama pull` it first",
        413 | 422 => "the server does not take these texts",
        429 => "the server has had enough for now; wait, or ask for a higher limit",
        500.. => "the server is in trouble; look at its log, or try again later",
        _ => "check the address and the name of the model",
    }
}

/// The first characters of an answer, on one line.
fn beginning(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * SHOWN)]);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        "no text".to_owned()
    } else {
        line.chars().take(SHOWN).collect()
    }
}
