//! A client at the terminal, which wires what the SDK offers and no more: each line calls a tool, and an elicitation is put to
//! the user. Whatever the SDK checks, refuses or lets through is the SDK's.

use std::collections::HashMap;
use std::io::{Write, stdin, stdout};
use std::process::Command;

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, Implementation, ProtocolVersion, UrlElicitationCapability,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ClientHandler, ErrorData, RoleClient};

struct Client {
    server: String,
}

/// What the user types, or nothing at the end.
async fn line() -> Option<String> {
    let read = || {
        let mut line = String::new();
        (stdin().read_line(&mut line).unwrap_or(0) > 0).then(|| line.trim_end().to_string())
    };
    tokio::task::spawn_blocking(read).await.ok().flatten()
}

fn show(text: &str) {
    print!("{text}");
    stdout().flush().ok();
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_url(UrlElicitationCapability::new()));
        ClientConfig::new(capabilities, Implementation::new("rust-sdk-client", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::UrlElicitationParams { message, url, .. } = request else {
            println!("{} asks for a form, and there are none here.", self.server);
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let parsed = url::Url::parse(&url).ok().filter(|each| matches!(each.scheme(), "http" | "https"));
        let Some(host) = parsed.as_ref().and_then(|each| each.host_str()) else {
            println!("{} asks to open {url:?}, which is no web page.", self.server);
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        println!("{} asks: {message}\nURL: {url}\nHost: {host}", self.server);
        if host.contains("xn--") {
            println!("Careful: the name of this host is written in Punycode, and may look like another one.");
        }
        show("Open it? [y]es, [n]o, [c]ancel: ");
        Ok(ElicitResult::new(match line().await.as_deref() {
            Some("y") => {
                if let Err(error) = Command::new("xdg-open").arg(&url).status() {
                    println!("could not open it: {error}");
                }
                ElicitationAction::Accept
            }
            Some("n") => ElicitationAction::Decline,
            _ => ElicitationAction::Cancel,
        }))
    }
}

type Connected = RunningService<RoleClient, Client>;

async fn connect(server: &str, url: &str) -> Result<Connected, Box<dyn std::error::Error>> {
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let transport = StreamableHttpClientTransport::from_uri(url);
    Ok(Client { server: server.into() }.serve_with_lifecycle(transport, lifecycle).await?)
}

async fn call(server: &Connected, tool: &str, arguments: &str) {
    let mut params = CallToolRequestParams::new(tool.to_string());
    params.arguments = serde_json::from_str(arguments).ok();
    match server.call_tool(params).await {
        Ok(result) => {
            for text in result.content.iter().filter_map(|each| each.as_text()) {
                println!("{}", text.text);
            }
        }
        Err(error) => println!("failed: {error}"),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, name, url, name2, url2] = &std::env::args().collect::<Vec<_>>()[..] else {
        return Err("client NAME URL NAME URL".into());
    };
    let servers = HashMap::from([("list_items", connect(name, url).await?), ("list_notes", connect(name2, url2).await?)]);
    show("> ");
    while let Some(line) = line().await {
        let (tool, arguments) = line.split_once(' ').unwrap_or((&line, "{}"));
        match servers.get(tool) {
            Some(server) => call(server, tool, arguments).await,
            None => println!("there is no tool {tool}"),
        }
        show("> ");
    }
    Ok(())
}
