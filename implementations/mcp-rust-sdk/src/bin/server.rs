//! A server with two tools, which wires what the SDK offers and no more: `ask` sends a URL as a request, `require` returns it
//! as an input request, as revision 2026-07-28 has it.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams, InputRequest,
    InputRequests, InputRequiredResult, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};

const MESSAGE: &str = "Connect your items";
const URL: &str = "https://example.com/connect";

#[derive(Clone)]
struct Server;

fn said(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

async fn ask(context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    let url = url::Url::parse(URL).expect("a URL");
    match context.peer.elicit_url(MESSAGE, url, uuid::Uuid::new_v4().to_string()).await {
        Ok(action) => Ok(said(format!("The user answered: {action:?}"))),
        Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into()),
    }
}

fn require(request: CallToolRequestParams) -> CallToolResponse {
    if let Some(answers) = request.input_responses {
        return said(format!("The user answered: {}", answers["connect"]["action"]));
    }
    let elicitation = ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message: MESSAGE.into(),
        url: URL.into(),
        elicitation_id: String::new(),
    };
    let asked = InputRequest::Elicitation(ElicitRequest::new(elicitation));
    InputRequiredResult::from_input_requests(InputRequests::from([("connect".into(), asked)])).into()
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = serde_json::json!({ "type": "object" }).as_object().cloned().unwrap_or_default();
        let tool = |name: &'static str| Tool::new(name, "asks its user to open a URL", schema.clone());
        Ok(ListToolsResult::with_all_items(vec![tool("ask"), tool("require")]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "ask" => ask(context).await,
            _ => Ok(require(request)),
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).ok_or("no port")?;
    let config = StreamableHttpServerConfig::default();
    let service: StreamableHttpService<Server, LocalSessionManager> =
        StreamableHttpService::new(|| Ok(Server), Default::default(), config);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
