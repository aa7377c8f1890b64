//! Addresses of model servers.

use super::ProviderError;

/// A server's address without the slash at its end, if it can be used.
pub(super) fn checked(base: &str) -> Result<String, ProviderError> {
    let scheme = ["http://", "https://"];
    let Some(rest) = scheme.iter().find_map(|scheme| base.strip_prefix(scheme)) else {
        return Err(wrong(base, "it begins with neither http:// nor https://"));
    };
    if rest.contains('@') {
        return Err(wrong(base, "a password in it would be shown; give a key"));
    }
    if rest.contains(['?', '#']) {
        return Err(wrong(base, "it may not have a ? or # in it"));
    }
    if rest.is_empty() || rest.starts_with('/') {
        return Err(wrong(base, "it names no host"));
    }
    Ok(base.trim_end_matches('/').to_owned())
}

fn wrong(base: &str, reason: &'static str) -> ProviderError {
    // What stands before an @ may be a password.
    let url = base.rsplit_once('@').map_or(base, |(_, host)| host);
    ProviderError::Address {
        url: url.to_owned(),
        reason,
    }
}
