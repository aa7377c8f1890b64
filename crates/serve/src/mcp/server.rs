//! Requests of a client, whatever way they come.

use super::arguments::Arguments;
use super::ask::{self, Call, split_place};
use super::catalogue::{Catalogue, Row, Tools};
use super::follow::Follow;
use super::resources;
use crate::host::Host;
use crate::projects::{Launch, Projects, Wanted, as_path};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, ContentBlock, DiscoverResult, Implementation, JsonObject,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::{interval, timeout};

/// How often a client that asked for it hears how far the work is.
const TELL_EVERY: Duration = Duration::from_millis(500);

/// How long to wait for the folders of a client.
const CLIENT_PATIENCE: Duration = Duration::from_secs(2);

/// The list of tools is that of the program: it holds as long as that runs.
const LIST_HOLDS: u64 = 3_600_000;

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct McpOptions {
    /// What the server was started with.
    pub launch: Launch,
    /// How long a call may index before it is answered; none for ever.
    pub patience: Option<Duration>,
    /// The tools to offer.
    pub tools: Tools,
    /// Answer in JSON, with its schema, as data beside the text.
    pub structured: bool,
}

/// A server for one client or many.
#[derive(Clone)]
pub(crate) struct Server {
    projects: Arc<Projects>,
    patience: Option<Duration>,
    tools: Tools,
    structured: bool,
    /// The folders that the client of a connection declared.
    declared: Arc<OnceLock<Vec<PathBuf>>>,
}

impl Server {
    pub fn new(host: Arc<dyn Host>, options: McpOptions) -> Server {
        Server {
            projects: Arc::new(Projects::new(host, options.launch)),
            patience: options.patience,
            tools: options.tools,
            structured: options.structured,
            declared: Arc::default(),
        }
    }

    /// The same server for one more client, which declares folders of its own.
    pub fn for_client(&self) -> Server {
        Server {
            declared: Arc::default(),
            ..self.clone()
        }
    }

    pub fn projects(&self) -> &Projects {
        &self.projects
    }

    /// What a tool answers; else what is wrong, in words for the model.
    pub(super) async fn call(
        &self,
        row: &'static Row,
        given: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<String, String> {
        let arguments = Arguments::read(row, &given)?;
        let wanted = Wanted {
            root: arguments.text("root").map(str::to_owned),
            path: whole_path(&arguments),
            client: self.client_folders(context).await,
        };
        let follow = Arc::new(Follow::default());
        let work = Work {
            server: self.clone(),
            row,
            arguments,
            wanted,
            follow: Arc::clone(&follow),
        };
        let answer = spawn_blocking(move || work.run());
        tokio::select! {
            answer = answer => match answer {
                Ok(answer) => answer,
                Err(_) => Err("internal error; the next call works again".to_owned()),
            },
            () = tell(context, &follow) => unreachable!("it goes on until the answer is there"),
            () = context.ct.cancelled() => {
                follow.cancel();
                Err("cancelled".to_owned())
            }
        }
    }

    /// The folders that a client of the older protocol declares, asked for once
    /// and only where nothing else says which project is meant.
    pub async fn client_folders(&self, context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
        if !self.projects.needs_client() {
            return Vec::new();
        }
        if let Some(known) = self.declared.get() {
            return known.clone();
        }
        let Some(folders) = ask_for_folders(context).await else {
            return Vec::new();
        };
        self.declared.get_or_init(|| folders).clone()
    }
}

/// The folders that a client declares, if it is one that does.
#[expect(deprecated, reason = "clients that declare folders are the older ones")]
async fn ask_for_folders(context: &RequestContext<RoleServer>) -> Option<Vec<PathBuf>> {
    let info = context.peer.peer_info()?;
    info.capabilities.roots.as_ref()?;
    let asked = timeout(CLIENT_PATIENCE, context.peer.list_roots()).await;
    let listed = asked.ok()?.ok()?;
    Some(listed.roots.iter().map(|root| as_path(&root.uri)).collect())
}

/// One call, on a thread that may block.
struct Work {
    server: Server,
    row: &'static Row,
    arguments: Arguments,
    wanted: Wanted,
    follow: Arc<Follow>,
}

impl Work {
    fn run(&self) -> Result<String, String> {
        let projects = self.server.projects();
        let meant = projects.meant(&self.wanted)?;
        let call = Call {
            arguments: &self.arguments,
            projects,
            meant: &meant,
            patience: self.server.patience,
            follow: &self.follow,
            tokens: self.row.tokens,
            structured: self.server.structured,
        };
        Ok(ask::answer(&self.row.name, &call)?.text)
    }
}

/// Tells a client that asked for it how far the work is, without an end.
async fn tell(context: &RequestContext<RoleServer>, follow: &Follow) {
    let Some(token) = context.meta.get_progress_token() else {
        return std::future::pending().await;
    };
    let mut ticks = interval(TELL_EVERY);
    // The first tick comes at once, and nothing is to be told yet.
    ticks.tick().await;
    let mut told = 0.0;
    loop {
        ticks.tick().await;
        told += 1.0;
        let progress =
            ProgressNotificationParam::new(token.clone(), told).with_message(follow.message());
        // A client that does not listen gets its answer all the same.
        let _ = context.peer.notify_progress(progress).await;
    }
}

/// A whole path that an argument names, which decides about the project where
/// `root` does not.
fn whole_path(arguments: &Arguments) -> Option<PathBuf> {
    let texts = ["path", "like", "name"].into_iter();
    let texts = texts.filter_map(|name| arguments.text(name));
    let lists = ["paths", "target"].into_iter();
    let lists = lists
        .flat_map(|name| arguments.list(name))
        .map(String::as_str);
    let mut named = texts.chain(lists).flat_map(|text| {
        let place = split_place(text).map(|(path, _)| path);
        [Some(text), place].into_iter().flatten().map(as_path)
    });
    named.find(|path| path.is_absolute() && path.exists())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_completions()
            .build();
        let program = Implementation::new("scent", env!("CARGO_PKG_VERSION")).with_title("scent");
        ServerConfig::new(capabilities)
            .with_server_info(program)
            .with_instructions(Catalogue::get().instructions.trim())
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.ttl_ms = LIST_HOLDS;
        result.cache_scope = CacheScope::Public;
        Ok(result)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut result =
            ListToolsResult::with_all_items(Catalogue::get().tools(self.tools, self.structured));
        result.ttl_ms = Some(LIST_HOLDS);
        result.cache_scope = Some(CacheScope::Public);
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(row) = Catalogue::get().offered(&request.name, self.tools) else {
            let names: Vec<&str> = Catalogue::get().names(self.tools).collect();
            let message = format!("no tool {}; there are: {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let given = request.arguments.unwrap_or_default();
        let result = match self.call(row, given, &context).await {
            Ok(text) => {
                let data = self.structured.then(|| serde_json::from_str(&text).ok());
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = data.flatten();
                result
            }
            Err(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut result = ListResourcesResult::with_all_items(resources::fixed());
        result.ttl_ms = Some(LIST_HOLDS);
        result.cache_scope = Some(CacheScope::Public);
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut result = ListResourceTemplatesResult::with_all_items(resources::templates());
        result.ttl_ms = Some(LIST_HOLDS);
        result.cache_scope = Some(CacheScope::Public);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some((row, given)) = resources::call_of(&request.uri) else {
            let message = format!("no resource {}", request.uri);
            return Err(ErrorData::resource_not_found(message, None));
        };
        let answer = self.call(row, given, &context).await;
        let text = answer.map_err(|why| ErrorData::resource_not_found(why, None))?;
        let contents = ResourceContents::text(text, request.uri);
        let mut result = ReadResourceResult::new(vec![contents]);
        // Files change, and nobody says when.
        result.ttl_ms = Some(0);
        result.cache_scope = Some(CacheScope::Private);
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let wanted = Wanted {
            client: self.client_folders(&context).await,
            ..Wanted::default()
        };
        let server = self.clone();
        let argument = request.argument;
        let found = spawn_blocking(move || {
            let meant = server.projects.meant(&wanted).ok()?;
            resources::completions(&meant.opened.project, &argument.name, &argument.value)
        });
        let values = found.await.ok().flatten().unwrap_or_default();
        Ok(CompleteResult::new(values))
    }
}
