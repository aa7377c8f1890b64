//! `scent serve`: the HTTP API, in the foreground or in the background.

use super::lent::{Lent, folders_of_environment};
use crate::Outcome;
use crate::args::{GlobalArgs, ServeArgs};
use crate::config::Config;
use crate::output::{LogLines, note, print, say};
use crate::patience::Patience;
use anyhow::{Context, bail};
use scent_engine::{canonical, display_path, open_address, start_server};
use scent_print::Text;
use scent_serve::{
    HttpOptions, Launch, Listen, LogFormat, McpOptions, RunningServer, Started, serve_http,
    servers, start_logging, stop_server,
};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The port where nothing else is said.
const PORT: u16 = 7420;

/// Where servers leave word that they run, and their token, in the data folder.
const FOLDER: &str = "servers";

/// How long a server in the background may take to begin.
const BEGINNING: Duration = Duration::from_secs(20);

pub(crate) fn run(args: ServeArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let data = Config::load(None, flags)?.data_dir()?;
    let folder = data.join(FOLDER);
    if args.status {
        return status(&args, &folder);
    }
    if args.stop {
        return stop(&args, &folder, flags);
    }
    if args.detach {
        return detach(&folder, flags);
    }
    let format = match args.log_json {
        true => LogFormat::Json,
        false => LogFormat::Text,
    };
    start_logging(format, args.log_requests, || LogLines);
    let options = options(&args, &data, flags)?;
    let shown = options.token_file.clone();
    let announce = |started: &Started| announce(started, shown.as_deref(), args.open, flags);
    serve_http(Arc::new(Lent::new(flags)), options, announce)?;
    Ok(Outcome::Found)
}

/// `scent mcp --http`: the same server, with `/mcp` alone.
pub(super) fn run_mcp(
    address: SocketAddr,
    mcp: McpOptions,
    flags: &GlobalArgs,
) -> anyhow::Result<Outcome> {
    let data = Config::load(None, flags)?.data_dir()?;
    let folder = data.join(FOLDER);
    let token_file = folder.join("token");
    start_logging(LogFormat::Text, false, || LogLines);
    let options = HttpOptions {
        listen: Listen {
            address: Some(address.ip()),
            port: address.port(),
            or_next: false,
        },
        token_file: Some(token_file.clone()),
        patience: mcp.patience,
        only_mcp: true,
        mcp,
        state: folder,
        private: vec![data],
        ..HttpOptions::default()
    };
    let announce = |started: &Started| announce(started, Some(&token_file), false, flags);
    serve_http(Arc::new(Lent::new(flags)), options, announce)?;
    Ok(Outcome::Found)
}

fn options(args: &ServeArgs, data: &Path, flags: &GlobalArgs) -> anyhow::Result<HttpOptions> {
    let Patience(patience) = match args.patience.patience {
        Some(patience) => patience,
        None => Config::load(None, flags)?.patience()?,
    };
    let mut paths = Vec::new();
    for path in &args.paths {
        paths.push(canonical(path).with_context(|| path.display().to_string())?);
    }
    let current = std::env::current_dir().ok();
    if paths.is_empty() && !args.only_mcp {
        paths.extend(current.clone());
    }
    let folder = data.join(FOLDER);
    let token_file = match args.no_token {
        true => None,
        false => Some(
            args.token_file
                .clone()
                .unwrap_or_else(|| folder.join("token")),
        ),
    };
    Ok(HttpOptions {
        listen: Listen {
            address: args.listen,
            port: args.port.unwrap_or(PORT),
            or_next: args.port.is_none(),
        },
        token_file,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        show_secrets: args.allow_secrets,
        log_queries: args.log_queries,
        patience,
        only_mcp: args.only_mcp,
        mcp: McpOptions {
            launch: Launch {
                roots: paths.clone(),
                environment: folders_of_environment(),
                folder: current,
                allowed: Vec::new(),
                show_secrets: args.allow_secrets,
            },
            patience,
            ..McpOptions::default()
        },
        state: folder,
        private: vec![data.to_owned()],
        paths,
    })
}

/// Says where the server is. Who starts it may read that from standard output.
fn announce(started: &Started, token_file: Option<&Path>, open: bool, flags: &GlobalArgs) {
    started.notes.iter().for_each(|text| note(flags, text));
    for (id, path) in &started.roots {
        note(flags, &format!("serving {} as {id}", display_path(path)));
    }
    if let Some(file) = token_file {
        note(flags, &format!("the token is in {}", display_path(file)));
    }
    // Where nobody reads any more, the server answers all the same.
    let _ = print(Text::line(&started.url));
    if open && let Err(error) = open_address(&started.url) {
        say(&format!("no browser was opened: {error}"));
    }
}

/// Starts a server in the background and waits until it answers.
fn detach(folder: &Path, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let before: Vec<u32> = servers(folder)
        .iter()
        .map(|server| server.process)
        .collect();
    let words = std::env::args_os().skip(1);
    let words: Vec<OsString> = words.filter(|word| word != "--detach").collect();
    start_server(&std::env::current_exe()?, &words)?;
    let began = Instant::now();
    while began.elapsed() < BEGINNING {
        let new = servers(folder).into_iter();
        if let Some(server) = { new }.find(|server| !before.contains(&server.process)) {
            show(&server)?;
            return Ok(Outcome::Found);
        }
        sleep(Duration::from_millis(50));
    }
    note(flags, "run it without --detach to see why");
    bail!("the server did not begin within {} s", BEGINNING.as_secs())
}

fn chosen(args: &ServeArgs, folder: &Path) -> Vec<RunningServer> {
    let mut found = servers(folder);
    if let Some(port) = args.port {
        found.retain(|server| server.address.port() == port);
    }
    found
}

fn status(args: &ServeArgs, folder: &Path) -> anyhow::Result<Outcome> {
    let found = chosen(args, folder);
    for server in &found {
        show(server)?;
    }
    Ok(Outcome::found(!found.is_empty()))
}

/// One line for a server: where it is, its process, its token, its folders.
fn show(server: &RunningServer) -> anyhow::Result<()> {
    let shown = |path: &PathBuf| display_path(path);
    let token = server.token_file.as_ref();
    let token = token.map_or_else(
        || "no token".to_owned(),
        |file| format!("token in {}", shown(file)),
    );
    let roots: Vec<String> = server.roots.iter().map(shown).collect();
    print(Text::line(&format!(
        "http://{}  process {}  {}  {token}  {}",
        server.address,
        server.process,
        server.version,
        roots.join(" ")
    )))
}

fn stop(args: &ServeArgs, folder: &Path, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let found = chosen(args, folder);
    if found.is_empty() {
        note(flags, "no server runs");
    }
    for server in &found {
        let address = server.address;
        stop_server(server).with_context(|| address.to_string())?;
        note(flags, &format!("stopped {address}"));
    }
    Ok(Outcome::found(!found.is_empty()))
}
