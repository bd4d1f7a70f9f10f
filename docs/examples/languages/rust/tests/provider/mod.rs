//! The mock provider for tests of Rust: it runs as long as a `Provider` lives.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct Provider {
    pub issuer: String,
    process: Child,
}

impl Provider {
    pub fn start() -> Provider {
        let command = std::env::var("AOC").unwrap_or_else(|_| "npx aoc".into());
        let mut words = command.split_whitespace();
        let clients = concat!(env!("CARGO_MANIFEST_DIR"), "/../clients.json");
        let mut process = Command::new(words.next().expect("a command"))
            .args(words)
            .args(["provider", "--port", "0", "--clients", clients])
            .args(["--auto-approve", "alice", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("aoc starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("its ready line");
        let issuer = line.split("\"issuer\":\"").nth(1).and_then(|rest| rest.split('"').next());
        Provider { issuer: issuer.expect("an issuer").into(), process }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
