//! JSON in an unusual but lawful dress, and just enough HTTP/1.1 for both sides (plain http on loopback).
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::OnceLock;
use std::time::Duration;

/// Pretty-printed, keys in reverse alphabetical order, slashes escaped, the first letter of every string and
/// everything beyond ASCII written as \uXXXX (RFC 8259 §7). JSON_ESCAPES=keys leaves the first letter of
/// values alone, JSON_ESCAPES=none writes only the escapes that JSON demands.
pub fn dress(v: &Value) -> String {
    let mut out = String::new();
    put(v, 0, &mut out);
    out.push_str("\r\n");
    out
}
fn put(v: &Value, depth: usize, out: &mut String) {
    let line = |out: &mut String, d: usize| { out.push('\n'); for _ in 0..d { out.push('\t') } };
    match v {
        Value::String(s) => text(s, escapes().is_empty(), out),
        Value::Array(a) if !a.is_empty() => {
            out.push('[');
            for (i, x) in a.iter().enumerate() {
                if i > 0 { out.push(',') }
                line(out, depth + 1);
                put(x, depth + 1, out);
            }
            line(out, depth);
            out.push(']');
        }
        Value::Object(o) if !o.is_empty() => {
            out.push('{');
            for (i, (k, x)) in o.iter().rev().enumerate() {
                line(out, depth + 1);
                if i > 0 { out.push_str(", ") }
                text(k, escapes() != "none", out);
                out.push_str(" : ");
                put(x, depth + 1, out);
            }
            line(out, depth);
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}
fn escapes() -> &'static str { static F: OnceLock<String> = OnceLock::new(); F.get_or_init(|| std::env::var("JSON_ESCAPES").unwrap_or_default()) }
fn text(s: &str, mut first: bool, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c > '~' && escapes() == "none" => out.push(c),
            '/' if escapes() != "none" => out.push_str("\\/"),
            c if (first && c.is_ascii_alphabetic()) || c < ' ' || c > '~' => {
                let mut b = [0u16; 2];
                for u in c.encode_utf16(&mut b) { out.push_str(&format!("\\u{:04X}", u)) }
                first = false;
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

pub enum Fail { Unsent(String), Unanswered } // Unsent: refused or cut before an answer; Unanswered: it may have been taken

pub fn split_url(url: &str) -> Option<(String, String)> {
    let rest = url.get(..7).filter(|s| s.eq_ignore_ascii_case("http://")).map(|_| &url[7..])?;
    let rest = rest.split('#').next().unwrap();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    if host.is_empty() || host.contains('@') || url.chars().any(|c| c.is_control() || c == ' ') { return None }
    Some((host.into(), if path.starts_with('/') { path.into() } else { format!("/{path}") }))
}

/// One request; bodies travel in two chunks. Redirects are not followed.
pub fn request(method: &str, url: &str, headers: &[(&str, &str)], body: Option<&str>, wait: Duration, want_body: bool) -> Result<(u16, String), Fail> {
    let un = |e: &dyn std::fmt::Display| Fail::Unsent(e.to_string());
    let (host, path) = split_url(url).ok_or(Fail::Unsent("not a plain http URL".into()))?;
    let addr = if host.rsplit(']').next().unwrap().contains(':') { host.clone() } else { format!("{host}:80") };
    let addr = addr.to_socket_addrs().map_err(|e| un(&e))?.next().ok_or(Fail::Unsent("no address".into()))?;
    let mut s = TcpStream::connect_timeout(&addr, Duration::from_secs(5)).map_err(|e| un(&e))?;
    s.set_read_timeout(Some(wait)).ok();
    s.set_nodelay(true).ok();
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\naccept: application/json\r\n");
    for (k, v) in headers { head += &format!("{k}: {v}\r\n") }
    if let Some(b) = body {
        let (x, y) = b.split_at((b.len() / 2..).find(|i| b.is_char_boundary(*i)).unwrap());
        head += &format!("content-type: application/json; charset=UTF-8\r\ntransfer-encoding: chunked\r\n\r\n{:X};half=1\r\n{x}\r\n{:X}\r\n{y}\r\n0\r\n", x.len(), y.len());
    }
    head += "\r\n";
    s.write_all(head.as_bytes()).map_err(|e| un(&e))?;
    let mut r = BufReader::new(s);
    let timed_out = |e: std::io::Error| if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) { Fail::Unanswered } else { un(&e) };
    loop {
        let head = read_head(&mut r).map_err(timed_out)?;
        let status: u16 = head[0].split(' ').nth(1).and_then(|c| c.parse().ok()).ok_or(Fail::Unsent("no HTTP answer".into()))?;
        if status < 200 { continue }
        if !want_body { return Ok((status, String::new())) }
        let bytes = read_body(&mut r, &head, 16 << 20, true).map_err(timed_out)?.ok_or(Fail::Unanswered)?;
        return Ok((status, String::from_utf8_lossy(&bytes).into_owned()));
    }
}

pub fn read_head<R: BufRead>(r: &mut R) -> std::io::Result<Vec<String>> {
    let (mut lines, mut total) = (Vec::new(), 0);
    loop {
        let mut raw = Vec::new();
        let n = r.by_ref().take(65_536).read_until(b'\n', &mut raw)?;
        total += n;
        if n == 0 || total > 65_536 { return Err(std::io::ErrorKind::UnexpectedEof.into()) }
        let line = String::from_utf8_lossy(&raw).trim_end_matches(['\r', '\n']).to_string();
        if line.is_empty() { if lines.is_empty() { continue } return Ok(lines) }
        lines.push(line);
    }
}
pub fn header<'a>(head: &'a [String], name: &str) -> Option<&'a str> {
    head[1..].iter().find_map(|l| l.split_once(':').filter(|(k, _)| k.trim().eq_ignore_ascii_case(name)).map(|(_, v)| v.trim()))
}
/// Reads the whole body; None when it is larger than `limit` (it is then read to its end, and thrown away).
pub fn read_body<R: BufRead>(r: &mut R, head: &[String], limit: usize, until_close: bool) -> std::io::Result<Option<Vec<u8>>> {
    let bad = || std::io::Error::from(std::io::ErrorKind::InvalidData);
    let mut out = Vec::new();
    let mut over = false;
    let mut part = |r: &mut R, n: u64, exact: bool| -> std::io::Result<()> {
        let (mut left, mut buf) = (n, [0u8; 16384]);
        while left > 0 {
            let want = left.min(buf.len() as u64) as usize;
            let k = r.read(&mut buf[..want])?;
            if k == 0 { return if exact { Err(bad()) } else { Ok(()) } }
            left -= k as u64;
            if out.len() + k > limit { over = true } else if !over { out.extend_from_slice(&buf[..k]) }
        }
        Ok(())
    };
    if header(head, "transfer-encoding").is_some_and(|t| t.to_ascii_lowercase().contains("chunked")) {
        loop {
            let mut l = String::new();
            r.by_ref().take(1024).read_line(&mut l)?;
            let n = u64::from_str_radix(l.split(';').next().unwrap().trim(), 16).map_err(|_| bad())?;
            if n == 0 { break }
            part(r, n, true)?;
            r.read_line(&mut String::new())?;
        }
        while { let mut l = String::new(); r.read_line(&mut l)? > 2 } {}
    } else if let Some(n) = header(head, "content-length") {
        let n: u64 = n.parse().map_err(|_| bad())?;
        part(r, n, true)?;
    } else if until_close {
        part(r, u64::MAX, false)?;
    }
    Ok(if over { None } else { Some(out) })
}

/// https with a host, without userinfo, and nothing in it that a terminal or a browser would take for something else.
pub fn safe_auth_url(u: &str) -> bool {
    if u.len() > 65_536 || !u.get(..8).is_some_and(|s| s.eq_ignore_ascii_case("https://")) { return false }
    if crate::v("spaces-in-url") { return !u[8..].split(['/', '?', '#']).next().unwrap().contains('@') }
    let hidden = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    if u.chars().any(hidden) { return false }
    let authority = u[8..].split(['/', '?', '#']).next().unwrap();
    if authority.contains(['@', '\\', '<', '>', '"', '%']) { return false }
    let (host, port) = match authority.rsplit_once(':') { Some((h, p)) if !p.contains(']') => (h, p), _ => (authority, "") };
    !host.is_empty() && (port.is_empty() || port.parse::<u16>().is_ok())
}

/// The part of JSON Schema that arguments usually need; keywords that are not known are annotations.
pub fn fits(v: &Value, s: &Value) -> bool {
    let Some(o) = s.as_object() else { return s != &Value::Bool(false) };
    let is = |t: &str| match t {
        "object" => v.is_object(), "array" => v.is_array(), "string" => v.is_string(), "boolean" => v.is_boolean(), "null" => v.is_null(),
        "number" => v.is_number(), "integer" => v.as_f64().is_some_and(|f| f.fract() == 0.0), _ => false,
    };
    let all = |k: &str| o.get(k).and_then(Value::as_array);
    let num = |k: &str| o.get(k).and_then(Value::as_f64);
    if !match o.get("type") { Some(Value::String(t)) => is(t), Some(Value::Array(a)) => a.iter().any(|t| is(t.as_str().unwrap_or(""))), _ => true } { return false }
    if all("enum").is_some_and(|e| !e.contains(v)) || o.get("const").is_some_and(|c| c != v) { return false }
    if all("allOf").is_some_and(|a| !a.iter().all(|x| fits(v, x))) || all("anyOf").is_some_and(|a| !a.iter().any(|x| fits(v, x))) { return false }
    if all("oneOf").is_some_and(|a| a.iter().filter(|x| fits(v, x)).count() != 1) { return false }
    match v {
        Value::Object(m) => {
            let props = o.get("properties").and_then(Value::as_object);
            all("required").is_none_or(|r| r.iter().all(|k| m.contains_key(k.as_str().unwrap_or(""))))
                && m.iter().all(|(k, x)| match props.and_then(|p| p.get(k)) {
                    Some(p) => fits(x, p),
                    None => o.contains_key("patternProperties") || o.get("additionalProperties").is_none_or(|a| fits(x, a)),
                })
        }
        Value::Array(a) => o.get("items").is_none_or(|i| a.iter().all(|x| fits(x, i))),
        Value::String(t) => { let n = t.chars().count() as f64; num("minLength").is_none_or(|m| n >= m) && num("maxLength").is_none_or(|m| n <= m) }
        Value::Number(n) => { let n = n.as_f64().unwrap_or(0.0); num("minimum").is_none_or(|m| n >= m) && num("maximum").is_none_or(|m| n <= m) }
        _ => true,
    }
}
