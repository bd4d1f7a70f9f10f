//! An agent of adk-rs whose tools need OAuth authorization, configured by its environment, with the two routes by which the
//! suite, as the client application, begins and completes a consent.

use std::collections::HashMap;
use std::env::{args, var};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adk_rs::agents::LlmAgent;
use adk_rs::auth::{
    AuthConfig, AuthCredential, AuthScheme, CredentialManager, InMemoryCredentialService, OAuth2Auth,
    OAuthFlow, OAuthFlows,
};
use adk_rs::core::{DynTool, ToolContext};
use adk_rs::genai_types::FunctionDeclaration;
use adk_rs::providers::gemini::{Gemini, GeminiConfig};
use adk_rs::runner::Runner;
use adk_rs::server::{AppState, build_router};
use adk_rs::services::mem::InMemorySessionService;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

const APP: &str = "items_agent";

fn setting(name: &str) -> String {
    var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// A tool that calls the protected API with the credential that the runner hands it; without a configuration, an open one.
#[derive(Debug)]
struct Tool {
    name: &'static str,
    auth: Option<AuthConfig>,
}

#[async_trait::async_trait]
impl DynTool for Tool {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        "Looks after the items of the user."
    }

    fn auth_config(&self) -> Option<&AuthConfig> {
        self.auth.as_ref()
    }

    fn declaration(&self) -> Option<FunctionDeclaration> {
        Some(FunctionDeclaration::new(self.name, self.description()))
    }

    async fn run(&self, arguments: Value, context: &mut ToolContext) -> adk_rs::Result<Value> {
        let Some(credential) = &context.auth_credential else {
            return Ok(json!({ "time": "noon" }));
        };
        let token = credential.oauth2.as_ref().and_then(|each| each.access_token.clone());
        let url = format!("{}/items", setting("RESOURCE_URL"));
        let http = reqwest::Client::new();
        let request = match self.name {
            "add_item" => http.post(url).json(&arguments),
            _ => http.get(url),
        };
        let answer = request.bearer_auth(token.unwrap_or_default()).timeout(Duration::from_secs(10)).send().await;
        Ok(match answer {
            Ok(answer) if answer.status().is_success() => {
                answer.json().await.unwrap_or_else(|_| json!({ "error": "no JSON came" }))
            }
            Ok(answer) => json!({ "error": format!("the API answered {}", answer.status()) }),
            Err(_) => json!({ "error": "the API did not answer" }),
        })
    }
}

fn auth(key: &str, scope: &str) -> AuthConfig {
    let flow = OAuthFlow {
        authorization_url: Some(setting("AUTHORIZATION_ENDPOINT")),
        token_url: setting("TOKEN_ENDPOINT"),
        ..OAuthFlow::default()
    };
    let flows = OAuthFlows { authorization_code: Some(flow), ..OAuthFlows::default() };
    let raw = AuthCredential::oauth2(OAuth2Auth {
        client_id: setting("OAUTH_CLIENT_ID"),
        client_secret: Some(setting("OAUTH_CLIENT_SECRET")),
        redirect_uri: Some(setting("REDIRECT_URI")),
        scopes: vec![scope.into()],
        ..OAuth2Auth::default()
    });
    AuthConfig::new(AuthScheme::OAuth2 { flows, description: None }).with_raw(raw).with_key(key)
}

/// What the application remembers between the beginning of a consent and its end.
#[derive(Clone)]
struct Application {
    credentials: Arc<InMemoryCredentialService>,
    flows: Arc<Mutex<HashMap<String, AuthConfig>>>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Begin {
    auth_config: AuthConfig,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Complete {
    user_id: String,
    flow_id: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    code: String,
}

type Answer = Result<Json<Value>, (StatusCode, String)>;

fn refused(reason: impl ToString) -> (StatusCode, String) {
    (StatusCode::BAD_REQUEST, reason.to_string())
}

async fn begin(State(app): State<Application>, Json(asked): Json<Begin>) -> Answer {
    let manager = CredentialManager::new(asked.auth_config.clone());
    let consent = manager.begin_consent(app.credentials.as_ref()).await.map_err(refused)?;
    app.flows.lock().unwrap().insert(consent.flow_id.clone(), asked.auth_config);
    Ok(Json(json!({ "authUri": consent.auth_uri, "flowId": consent.flow_id })))
}

async fn complete(State(app): State<Application>, Json(asked): Json<Complete>) -> Answer {
    let Complete { user_id, flow_id, state, code } = asked;
    let config = app.flows.lock().unwrap().get(&flow_id).cloned();
    let manager = CredentialManager::new(config.ok_or_else(|| refused("no such flow"))?);
    let credential = manager
        .complete_consent(APP, &user_id, &flow_id, &state, &code, app.credentials.as_ref())
        .await
        .map_err(refused)?;
    Ok(Json(json!({ "credential": credential })))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gemini = GeminiConfig {
        base_url: setting("GOOGLE_GEMINI_BASE_URL"),
        api_key: setting("GOOGLE_API_KEY"),
        ..GeminiConfig::default()
    };
    let tools = [
        ("list_items", Some(auth("items", "items:read"))),
        ("add_item", Some(auth("items-to-write", "items:write"))),
        ("tell_time", None),
    ];
    let agent = tools
        .into_iter()
        .fold(LlmAgent::builder(APP), |agent, (name, auth)| agent.tool(Arc::new(Tool { name, auth })))
        .model(Arc::new(Gemini::new("gemini-2.5-flash", gemini)?))
        .instruction("You look after the items of your user.")
        .build()?;
    let credentials = Arc::new(InMemoryCredentialService::new());
    let runner = Runner::builder()
        .app_name(APP)
        .agent(Arc::new(agent))
        .session_service(Arc::new(InMemorySessionService::default()))
        .credential_service(credentials.clone())
        .build()?;
    let runners = HashMap::from([(APP.to_string(), Arc::new(runner))]);
    let application = Application { credentials, flows: Arc::default() };
    let consent = Router::new()
        .route("/consent/begin", post(begin))
        .route("/consent/complete", post(complete))
        .with_state(application);
    let router = build_router(AppState::unauthenticated(Arc::new(runners))).merge(consent);
    let port = args().nth(1).ok_or("no port")?;
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, router).await?;
    Ok(())
}
