//! Who may ask. That a server listens to this machine alone is no boundary: any
//! page in a browser can send requests to it, under a name of its own that
//! leads here. So the name that was asked for is checked before anything else,
//! then where the request comes from, then the token.

use super::problem::Problem;
use super::token::Token;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use std::net::{IpAddr, SocketAddr};

/// Who may ask, and by which names.
#[derive(Debug)]
pub(crate) struct Access {
    /// Names of this server with their ports, in lower case.
    hosts: Vec<String>,
    /// Any address of the machine, with this port: such an address is no name
    /// that somebody else could let lead here.
    any_address: Option<u16>,
    /// Pages of other servers that may ask.
    pub origins: Vec<String>,
    token: Option<Token>,
    /// The cookie that holds the token: cookies are shared by all ports.
    pub cookie: String,
}

/// Where a request comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A program, or a page of ours.
    Own,
    /// A page of another server that may ask.
    Allowed(String),
}

impl Access {
    /// For a server that is bound to these addresses, all with the same port.
    pub fn new(
        bound: &[SocketAddr],
        names: &[String],
        origins: &[String],
        token: Option<Token>,
    ) -> Access {
        let port = bound.first().map_or(0, SocketAddr::port);
        let mut hosts = Vec::new();
        let mut known = vec!["localhost".to_owned()];
        known.extend(["127.0.0.1", "[::1]"].map(str::to_owned));
        let is_all = |address: &SocketAddr| address.ip().is_unspecified();
        known.extend(
            bound
                .iter()
                .filter(|a| !is_all(a))
                .map(|a| in_address(a.ip())),
        );
        known.extend(names.iter().map(|name| name.to_lowercase()));
        for name in known {
            let has_port = Authority::try_from(name.as_str()).is_ok_and(|a| a.port().is_some());
            // A proxy in front of the server has a port of its own, or none.
            let is_given = names.iter().any(|given| given.eq_ignore_ascii_case(&name));
            if !has_port {
                hosts.push(format!("{name}:{port}"));
            }
            if has_port || is_given || port == 80 {
                hosts.push(name);
            }
        }
        Access {
            hosts,
            any_address: bound.iter().any(is_all).then_some(port),
            origins: origins.to_vec(),
            token,
            cookie: format!("scent-{port}"),
        }
    }

    /// Refuses requests for names that are not of this server.
    pub fn check_host(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Problem> {
        let mut named = headers.get_all(header::HOST).iter();
        let host = named.next().and_then(|host| host.to_str().ok());
        let is_one = named.next().is_none();
        let is_ours = host.is_some_and(|host| self.is_own(host)) && is_one;
        let authority = uri.authority().map(Authority::as_str);
        if is_ours && authority.is_none_or(|name| self.is_own(name)) {
            return Ok(());
        }
        let detail = "this name is not of this server; --allow-host adds one";
        let status = StatusCode::MISDIRECTED_REQUEST;
        Err(Problem::new(status, "wrong-host", detail))
    }

    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        if self.hosts.contains(&host) {
            return true;
        }
        let address = host.parse::<SocketAddr>().ok();
        self.any_address.is_some() && self.any_address == address.map(|a| a.port())
    }

    /// Refuses requests of pages that are not of this server. A link on one may
    /// open what is a page itself, since no other page reads what is shown then.
    pub fn check_source(&self, headers: &HeaderMap, is_page: bool) -> Result<Source, Problem> {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let origin = origins.next();
        if let Some(origin) = origin {
            let text = origin.to_str().unwrap_or_default();
            let is_one = origins.next().is_none();
            if is_one && self.origins.iter().any(|allowed| allowed == text) {
                return Ok(Source::Allowed(text.to_owned()));
            }
            let own = text.split_once("://").map(|(_, host)| host);
            if !is_one || !own.is_some_and(|host| self.is_own(host)) {
                return Err(foreign());
            }
        }
        // A page that sends no origin, as for an image or a script.
        let sent = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        match sent("sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(Source::Own),
            Some(_) => {
                let opens = sent("sec-fetch-mode") == Some("navigate")
                    && sent("sec-fetch-dest") == Some("document");
                match is_page && opens && origin.is_none() {
                    true => Ok(Source::Own),
                    false => Err(foreign()),
                }
            }
        }
    }

    /// Refuses requests without the token.
    pub fn check_token(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let mut given = headers.get_all(header::AUTHORIZATION).iter();
        let bearer = given.next().and_then(|value| bearer(value.to_str().ok()?));
        let is_one = given.next().is_none();
        let cookie = self.cookie_in(headers);
        let knows = |text: Option<&str>| text.is_some_and(|text| token.is(text));
        match is_one && (knows(bearer) || knows(cookie)) {
            true => Ok(()),
            false => {
                let detail = "send the token as `Authorization: Bearer TOKEN`; \
                              `scent serve --status` says which file it is in";
                Err(Problem::new(StatusCode::UNAUTHORIZED, "no-token", detail))
            }
        }
    }

    /// Whether a text is the token, where there is one.
    pub fn is_token(&self, text: &str) -> bool {
        self.token.as_ref().is_some_and(|token| token.is(text))
    }

    fn cookie_in<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let all = headers.get_all(header::COOKIE).iter();
        let mut pairs = all
            .filter_map(|value| value.to_str().ok())
            .flat_map(|v| v.split(';'));
        pairs.find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == self.cookie).then_some(value)
        })
    }
}

fn foreign() -> Problem {
    let detail = "pages of other servers may not ask; --allow-origin names one that may";
    Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail)
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// An address as it stands in a request.
fn in_address(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    fn access(bound: &str, names: &[&str], origins: &[&str]) -> Access {
        let owned = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        let token = Some(Token::from("secret"));
        Access::new(
            &[bound.parse().unwrap()],
            &owned(names),
            &owned(origins),
            token,
        )
    }

    fn headers(all: &[(&str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in all {
            let name: HeaderName = name.parse().unwrap();
            map.append(name, value.parse().unwrap());
        }
        map
    }

    #[test]
    fn only_own_names_are_answered() {
        let uri = Uri::from_static("/x");
        for (bound, names, host, want) in [
            ("127.0.0.1:7420", &[][..], "127.0.0.1:7420", true),
            ("127.0.0.1:7420", &[], "LocalHost:7420", true),
            ("127.0.0.1:7420", &[], "[::1]:7420", true),
            ("127.0.0.1:7420", &[], "localhost", false),
            ("127.0.0.1:7420", &[], "localhost:7421", false),
            ("127.0.0.1:7420", &[], "127.0.0.1.evil.test:7420", false),
            ("127.0.0.1:7420", &[], "10.0.0.1:7420", false),
            ("127.0.0.1:80", &[], "localhost", true),
            ("127.0.0.1:7420", &["code.example"], "code.example", true),
            (
                "127.0.0.1:7420",
                &["code.example"],
                "code.example:7420",
                true,
            ),
            (
                "127.0.0.1:7420",
                &["code.example:8443"],
                "code.example",
                false,
            ),
            (
                "127.0.0.1:7420",
                &["code.example:8443"],
                "code.example:8443",
                true,
            ),
            ("192.168.1.2:7420", &[], "192.168.1.2:7420", true),
            ("0.0.0.0:7420", &[], "192.168.1.2:7420", true),
            ("0.0.0.0:7420", &[], "192.168.1.2:80", false),
            ("0.0.0.0:7420", &[], "evil.test:7420", false),
        ] {
            let access = access(bound, names, &[]);
            let found = access.check_host(&headers(&[("host", host)]), &uri).is_ok();
            assert_eq!(found, want, "{bound} {names:?} {host}");
        }
        let access = access("127.0.0.1:7420", &[], &[]);
        let good = ("host", "localhost:7420");
        let evil = Uri::from_static("http://evil.test:7420/x");
        for (given, uri) in [
            (&[][..], &uri),
            (&[good, good], &uri),
            (&[good], &evil),
            (
                &[
                    ("host", "evil.test"),
                    ("x-forwarded-host", "localhost:7420"),
                ],
                &uri,
            ),
        ] {
            assert!(
                access.check_host(&headers(given), uri).is_err(),
                "{given:?}"
            );
        }
    }

    #[test]
    fn pages_of_others_are_refused() {
        let access = access("127.0.0.1:7420", &[], &["https://ide.example"]);
        for (given, want) in [
            (&[][..], Ok(Source::Own)),
            (&[("origin", "http://localhost:7420")], Ok(Source::Own)),
            (&[("origin", "https://evil.test")], Err(())),
            (&[("origin", "null")], Err(())),
            (&[("origin", "http://localhost:7421")], Err(())),
            (
                &[
                    ("origin", "https://ide.example"),
                    ("sec-fetch-site", "cross-site"),
                ],
                Ok(Source::Allowed("https://ide.example".to_owned())),
            ),
            (&[("sec-fetch-site", "cross-site")], Err(())),
            (&[("sec-fetch-site", "same-site")], Err(())),
            (&[("sec-fetch-site", "none")], Ok(Source::Own)),
        ] {
            for is_page in [false, true] {
                let found = access.check_source(&headers(given), is_page);
                assert_eq!(found.map_err(|_| ()), want, "{given:?}");
            }
        }
    }

    #[test]
    fn a_link_on_another_page_opens_pages_alone() {
        let access = access("127.0.0.1:7420", &[], &[]);
        let link = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        let opens =
            |given: &[(&str, &str)], is_page| access.check_source(&headers(given), is_page).is_ok();
        assert!(opens(&link, true));
        assert!(!opens(&link, false));
        for other in [
            ("sec-fetch-mode", "no-cors"),
            ("sec-fetch-dest", "iframe"),
            ("sec-fetch-dest", "embed"),
        ] {
            let mut given = link.to_vec();
            given.retain(|(name, _)| *name != other.0);
            given.push(other);
            assert!(!opens(&given, true), "{other:?}");
        }
        let mut form = link.to_vec();
        form.push(("origin", "https://evil.test"));
        assert!(!opens(&form, true));
    }

    #[test]
    fn the_token_comes_as_bearer_or_cookie() {
        let access = access("127.0.0.1:7420", &[], &[]);
        for (given, want) in [
            (&[][..], false),
            (&[("authorization", "Bearer secret")], true),
            (&[("authorization", "bearer  secret")], true),
            (&[("authorization", "Basic secret")], false),
            (&[("authorization", "Bearer secre")], false),
            (
                &[
                    ("authorization", "Bearer secret"),
                    ("authorization", "Bearer x"),
                ],
                false,
            ),
            (&[("cookie", "a=b; scent-7420=secret")], true),
            (&[("cookie", "scent-7421=secret")], false),
        ] {
            let found = access.check_token(&headers(given)).is_ok();
            assert_eq!(found, want, "{given:?}");
        }
    }
}
