//! A login, with no more than the standard library: a test of yours has a client of its own.

use std::io::{Read, Write};
use std::net::TcpStream;

mod provider;
use provider::Provider;

const CALLBACK: &str = "http%3A%2F%2Flocalhost%3A3000%2Fcallback";
// the example of RFC 7636, Appendix B
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

#[test]
fn login() {
    let provider = Provider::start();
    let query = format!(
        "response_type=code&client_id=web&redirect_uri={CALLBACK}&scope=items:read&state=xyz\
         &code_challenge={CHALLENGE}&code_challenge_method=S256"
    );
    let back = send(&provider, "GET", &format!("/authorize?{query}"), "", "");
    let code = between(&back, "code=", &['&', '\r', ' ']);
    let form = format!(
        "grant_type=authorization_code&code={code}&redirect_uri={CALLBACK}&code_verifier={VERIFIER}\
         &client_id=web&client_secret=s"
    );
    let tokens = send(&provider, "POST", "/token", "", &form);
    let token = between(&tokens, "\"access_token\":\"", &['"']);
    let items = send(&provider, "GET", "/resource/items", &format!("Authorization: Bearer {token}\r\n"), "");
    assert!(items.contains("Welcome, alice"), "{items}");
}

/// The whole response, as text.
fn send(provider: &Provider, method: &str, target: &str, headers: &str, form: &str) -> String {
    let host = provider.issuer.trim_start_matches("http://");
    let mut connection = TcpStream::connect(host).expect("a connection");
    write!(
        connection,
        "{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    )
    .expect("a request");
    let mut response = String::new();
    connection.read_to_string(&mut response).expect("a response");
    response
}

fn between<'a>(text: &'a str, before: &str, ends: &[char]) -> &'a str {
    let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split(ends).next().expect("a part")
}
