//! Many lines, slow lines, long lines, and readers that go away.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{holonom, solve};

/// Systems of several sizes: regular, redundant, massless, contradictory, and lines that are bad.
fn mixed(count: usize) -> String {
    let mut text = String::new();
    for k in 0..count {
        let x = (k as f64 * 0.7).sin();
        match k % 6 {
            0 => writeln!(
                text,
                r#"{{"id":{k},"M":[[2,{x}],[{x},3]],"Q":[{x},1],"A":[[1,{x}]],"b":[{x}],"C":[{x},{x}]}}"#
            ),
            1 => writeln!(
                text,
                r#"{{"id":{k},"M":[[1,0,0],[0,0,0],[0,0,{k}]],"Q":[{x},0,1],"A":[[{x},1,0],[{x},1,0]],"b":[1,1]}}"#
            ),
            2 => writeln!(text, r#"{{"id":{k},"M":[[{k}]],"Q":[{x}],"A":[[1],[2]],"b":[{x},1]}}"#),
            3 => writeln!(text, r#"{{"id":{k},"M":[[1,0],[0,0]],"Q":[{x},{x}]}}"#),
            4 => writeln!(text, r#"{{"id":{k},"M":[[1,2],[3,4]],"Q":[{x}]}}"#),
            _ => {
                writeln!(text, r#"{{"id":{k},"M":[[1]],"Q":[{x}],"qdd":[{k}]}}{}"#, if k % 12 == 5 { "\n" } else { "" })
            }
        }
        .unwrap();
    }
    text
}

#[test]
fn order_is_kept_and_threads_change_nothing() {
    let input = mixed(5000);
    let one = solve(&["--audit", "--threads", "1"], &input);
    assert_eq!(one.status, 1);
    let ids: Vec<Value> = one.lines().iter().map(|answer| answer["id"].clone()).collect();
    assert!(ids.iter().enumerate().all(|(k, id)| *id == json!(k)) && ids.len() == 5000);
    for threads in ["2", "7"] {
        assert!(solve(&["--audit", "--threads", threads], &input).out == one.out, "{threads} threads");
    }
    assert!(solve(&["--audit"], &input).out == one.out, "all cores");
    let notes = solve(&["--pretty", "--threads", "1"], &input).out;
    assert!(solve(&["--pretty", "--threads", "3"], &input).out == notes);
}

/// A conversation with the command: lines go in when we like, answers come out when it likes.
struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Conversation {
    fn new(arguments: &[&str]) -> Self {
        let mut child = holonom().arg("solve").args(arguments).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let (give, answers) = channel();
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| give.send(line))
        });
        Self { child, stdin, answers }
    }

    fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    fn answer(&self) -> Value {
        let line = self.answers.recv_timeout(Duration::from_secs(20)).expect("an answer without more input");
        serde_json::from_str(&line).unwrap()
    }

    fn end(mut self) -> i32 {
        drop(self.stdin.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let mut conversation = Conversation::new(&[]);
    for k in 0..50 {
        conversation.write(&format!("{{\"id\": {k}, \"M\": [[4]], \"Q\": [{k}]}}\n"));
        let answer = conversation.answer();
        assert_eq!((&answer["id"], &answer["qdd"]), (&json!(k), &json!([f64::from(k) / 4.0])));
    }
    // The last line may lack its end.
    conversation.write("{\"id\": \"last\", \"M\": [[2]]");
    conversation.write(", \"Q\": [0]}");
    drop(conversation.stdin.take());
    assert_eq!(conversation.answer()["id"], json!("last"));
    assert_eq!(conversation.end(), 0);
}

/// The most memory that the command has used, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_stream() {
    let mut conversation = Conversation::new(&["--threads", "2"]);
    let lines: String = (0..1000).map(|k| format!("{{\"id\":{k},\"M\":[[2,0],[0,1]],\"Q\":[{k},1]}}\n")).collect();
    for _ in 0..200 {
        conversation.write(&lines);
        for _ in 0..1000 {
            conversation.answers.recv_timeout(Duration::from_secs(20)).expect("an answer");
        }
    }
    let peak = peak_memory(&conversation.child);
    assert!(peak < 32 << 20, "{} MiB", peak >> 20);
    assert_eq!(conversation.end(), 0);
}

/// Nobody reads the answers: reading must stop, and not pile them up.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_reader_stops_the_stream() {
    let mut child = holonom().args(["solve", "--threads", "2"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let line = "{\"M\":[[2,0],[0,1]],\"Q\":[3,1]}\n".repeat(1000);
    let (progress, written) = channel();
    let feeder = thread::spawn(move || {
        let mut count = 0;
        while count < 5000 && stdin.write_all(line.as_bytes()).is_ok() {
            count += 1;
            let _ = progress.send(count);
        }
    });
    // It writes until everything is full, and then it waits.
    while written.recv_timeout(Duration::from_secs(2)).is_ok() {}
    assert!(!feeder.is_finished(), "150 MB were taken in though nothing was taken out");
    let peak = peak_memory(&child);
    assert!(peak < 48 << 20, "{} MiB", peak >> 20);
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    feeder.join().unwrap();
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = holonom().arg("solve").spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let line = "{\"M\":[[4]],\"Q\":[6]}\n".repeat(1000);
    let feeder = thread::spawn(move || while stdin.write_all(line.as_bytes()).is_ok() {});
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("\"qdd\":[1.5]"));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut messages = String::new();
    child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert_eq!(messages, "");
    feeder.join().unwrap();
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_is_answered() {
    let mut conversation = Conversation::new(&["--threads", "1"]);
    conversation.write("{\"id\": \"long\", \"M\": [[");
    let part = "1, ".repeat(1 << 20);
    for _ in 0..30 {
        conversation.write(&part);
    }
    conversation.write("1]], \"Q\": [0]}\n{\"id\": \"next\", \"M\": [[4]], \"Q\": [6]}\n");
    let answer = conversation.answer();
    assert_eq!(answer["id"], json!("long"));
    assert_eq!(answer["error"]["what"], json!("the line is longer than 64 MiB"));
    assert_eq!(answer["error"]["line"], json!(1));
    assert_eq!(conversation.answer()["qdd"], json!([1.5]));
    #[cfg(target_os = "linux")]
    assert!(peak_memory(&conversation.child) < 200 << 20);
    assert_eq!(conversation.end(), 1);
}
