use super::super::compare::canonical;
use super::super::format::{print, tests::BODIES, tests::MODELS};
use super::super::parse::parse;
use super::super::random::Author;
use super::super::source::{FileId, Sources};
use super::super::statement::KEYWORDS;
use super::*;

fn codes(json: &str) -> Vec<&'static str> {
    from_json(FileId(0), json).1.into_iter().map(|error| error.code).collect()
}

fn model(statements: &str) -> String {
    format!("{{\"holonom\": 1, \"statements\": [{statements}]}}")
}

#[test]
fn models_survive_the_way_there_and_back() {
    for text in MODELS.iter().chain(&BODIES) {
        let (document, errors) = parse(FileId(0), text);
        assert!(errors.is_empty(), "{errors:#?}");
        let json = to_json(&document).expect("nothing is broken");
        let (back, errors) = from_json(FileId(0), &json);
        assert!(errors.is_empty(), "{json}\n{errors:#?}");
        assert_eq!(canonical(&back), canonical(&document), "{json}");
    }
}

/// The table in the description of the module has a line for every statement.
#[test]
fn the_table_names_every_statement() {
    let rows = include_str!("mod.rs").lines().filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next());
    let first: Vec<&str> = rows.flat_map(|row| row.split(", ")).map(|word| word.trim_matches('`')).collect();
    for keyword in KEYWORDS {
        assert!(first.contains(keyword), "`{keyword}` has no line");
    }
}

/// A `#` inside quotes begins no comment.
#[test]
fn text_may_hold_any_sign() {
    let text = "coord x\nkinetic x'^2/2\nstart x = 0\ndraw point (x, 0), label = \"go#\"\n";
    let json = to_json(&parse(FileId(0), text).0).expect("nothing is broken");
    assert!(codes(&json).is_empty(), "{json}");
    assert_eq!(codes(&json.replace("x'^2/2", "x'^2/2 # mass 1")), ["not-one-item"]);
}

#[test]
fn random_documents_survive_the_way_there_and_back() {
    for seed in 0..200 {
        let document = Author::new(seed).document();
        let json = to_json(&document).expect("nothing is broken");
        let (back, errors) = from_json(FileId(0), &json);
        assert!(errors.is_empty(), "seed {seed}\n{json}\n{errors:#?}");
        assert_eq!(canonical(&back), canonical(&document), "seed {seed}\n{json}");
    }
}

#[test]
fn spans_point_into_the_json() {
    let json =
        model("{\"param\": [{\"name\": \"m\", \"value\": \"2 kg + §\"}]}, {\"coord\": [{\"name\": \"\\u0078\"}]}");
    let mut sources = Sources::new();
    let file = sources.add("model.json", json.clone());
    let (_, errors) = from_json(file, &json);
    assert_eq!(sources.text(errors[0].labels[0].span), "§", "{errors:#?}");

    let json = json.replace("§", "1");
    let mut sources = Sources::new();
    let file = sources.add("model.json", json.clone());
    let (document, errors) = from_json(file, &json);
    assert!(errors.is_empty(), "{errors:#?}");
    let super::super::syntax::StatementKind::Param(items) = &document.statements[0].kind else { panic!() };
    assert_eq!(sources.text(document.statements[0].keyword), "\"param\"");
    assert_eq!(sources.text(items[0].value.span), "2 kg + 1");
    assert_eq!(sources.text(items[0].target.span), "m");
    assert_eq!(sources.text(items[0].span), "m\", \"value\": \"2 kg + 1");
    let super::super::syntax::StatementKind::Coord(items) = &document.statements[1].kind else { panic!() };
    assert_eq!(sources.text(items[0].target.span), "\"\\u0078\"");
}

#[test]
fn numbers_may_be_numbers_and_one_item_needs_no_list() {
    let json = model("{\"param\": {\"name\": \"m\", \"value\": -2.5e3}}, {\"kinetic\": \"m*x'^2/2\"}");
    let (document, errors) = from_json(FileId(0), &json);
    assert!(errors.is_empty(), "{errors:#?}");
    assert_eq!(print(&document).as_deref(), Some("param      m = -2.5e3\nkinetic    m*x'^2/2\n"));
}

#[test]
fn bodies_and_joints_are_data() {
    let json = model(
        "{\"body\": {\"name\": \"arm\", \"shape\": \"rod(L)\", \"of\": \"m\", \"from\": \"P\", \"to\": \"Q\", \"up\": \"(0, 0, 1)\"}},
        {\"body\": {\"name\": \"any\", \"options\": {\"mass\": 2, \"inertia\": \"(1, 2, 3)\"}, \"turned\": [{\"axis\": \"z\", \"by\": \"a\"}, {\"axis\": \"x\", \"by\": 1}], \"at\": \"P\"}},
        {\"body\": {\"name\": \"still\", \"axes\": [\"(1, 0, 0)\", \"-n\"]}},
        {\"frame\": {\"name\": \"tip\", \"on\": \"arm\", \"at\": \"Q\", \"turned\": {\"axis\": \"z\", \"by\": \"a\"}}},
        {\"joint\": {\"name\": \"uni\", \"kind\": \"universal\", \"ends\": [\"arm\", \"any\"], \"at\": \"Q\", \"axis\": [\"x\", \"-y\"], \"options\": {\"pitch\": \"2 mm\"}, \"off\": true, \"cut\": true}},
        {\"joint\": {\"name\": \"pin\", \"kind\": \"hinge\", \"ends\": [\"ground\", \"arm\"], \"to\": \"Q\", \"from\": \"P\", \"axis\": \"z\"}},
        {\"drive\": {\"name\": \"crank\", \"value\": \"pin\", \"motion\": \"w*t\", \"off\": true}},
        {\"spring\": {\"name\": \"s\", \"value\": \"distance(P, Q)\", \"options\": {\"stiffness\": 3, \"rest\": \"L\"}}},
        {\"damper\": {\"name\": \"d\", \"value\": \"pin\", \"options\": {\"rate\": \"c\"}}},
        {\"torque\": {\"on\": \"pin\", \"value\": \"M\"}},
        {\"formulation\": \"bodies\"},
        {\"part\": {\"name\": \"leg\", \"path\": \"leg.holo\", \"with\": [{\"name\": \"L\", \"value\": 2}], \"at\": \"P\"}},
        {\"part\": {\"name\": \"foot\", \"at\": \"P\", \"statements\": [{\"coord\": {\"name\": \"x\"}}]}}",
    );
    let (document, errors) = from_json(FileId(0), &json);
    assert!(errors.is_empty(), "{errors:#?}");
    let text = "\
body       arm: rod(L) of m, from P to Q, up (0, 0, 1)
body       any: mass = 2, inertia = (1, 2, 3), turned z by a, then x by 1, at P
body       still: axes (1, 0, 0) (-n)
frame      tip on arm: at Q, turned z by a
joint      uni: universal(arm, any), at Q, axis x (-y), pitch = 2 mm, off, cut
joint      pin: hinge(ground, arm), from P to Q, axis z
drive      crank: pin = w*t, off
spring     s: distance(P, Q), stiffness = 3, rest = L
damper     d: pin, rate = c
torque     pin: M
formulation bodies
part       leg = \"leg.holo\" with L = 2, at P
part       foot, at P
  coord      x
";
    assert_eq!(print(&document).as_deref(), Some(text));
    for statement in [
        "{\"body\": {\"name\": \"arm\", \"of\": \"m\"}}",
        "{\"body\": {\"name\": \"arm\", \"shape\": \"rod(L)\", \"from\": \"P\"}}",
        "{\"frame\": {\"name\": \"tip\", \"on\": \"arm\", \"to\": \"P\"}}",
        "{\"joint\": {\"name\": \"pin\", \"kind\": \"hinge\"}}",
        "{\"torque\": [{\"value\": \"M\"}]}",
        "{\"body\": {\"name\": \"arm\", \"turned\": [{\"axis\": \"z\"}]}}",
    ] {
        assert_eq!(codes(&model(statement)), ["missing-key"], "{statement}");
    }
}

#[test]
fn what_stands_twice_is_kept_twice() {
    let text = "run until 1, until 2, every = 3, method = stiff\nfriction c: coulomb(1), slip = 1, slip = 2\n";
    let (document, errors) = parse(FileId(0), text);
    assert!(errors.is_empty(), "{errors:#?}");
    let json = to_json(&document).expect("nothing is broken");
    assert_eq!(canonical(&from_json(FileId(0), &json).0), canonical(&document), "{json}");
}

#[test]
fn mistakes_have_names() {
    assert_eq!(codes("{"), ["bad-json"]);
    assert_eq!(codes("{\"holonom\": 1, \"statements\": [],}"), ["bad-json"]);
    assert_eq!(codes(&"[".repeat(1_000_000)), ["bad-json"]);
    assert_eq!(codes("[]"), ["json-type"]);
    assert_eq!(codes("{\"holonom\": 2, \"statements\": []}"), ["json-version"]);
    assert_eq!(codes(&model("{\"parm\": []}")), ["unknown-key"]);
    assert_eq!(codes(&model("{\"param\": [], \"coord\": []}")), ["json-statement"]);
    assert_eq!(codes(&model("{\"param\": [{\"name\": \"m\"}]}")), ["missing-key"]);
    assert_eq!(codes(&model("{\"param\": [{\"name\": \"m\", \"name\": \"m\", \"value\": 1}]}")), ["repeated-key"]);
    assert_eq!(codes(&model("{\"param\": [{\"name\": \"m\", \"value\": true}]}")), ["json-type"]);
    assert_eq!(codes(&model("{\"param\": [{\"name\": \"m\", \"value\": \"1\\ncoord x\"}]}")), ["not-one-item"]);
    assert_eq!(codes(&model("{\"start\": [{\"name\": \"x\", \"value\": 1, \"guess\": 1}]}")), ["missing-key"]);
    let (_, errors) = from_json(FileId(0), &model("{\"coord\": [{\"nmae\": \"x\"}]}"));
    assert_eq!(errors[0].suggestion.as_ref().map(|s| s.replacement.as_str()), Some("\"name\""));
}

#[test]
fn strings_cannot_reach_beyond_their_place() {
    for statement in [
        "{\"param\": [{\"name\": \"m\", \"value\": \"1, g = 2\"}]}",
        "{\"param\": [{\"name\": \"m = 1, g\", \"value\": \"1\"}]}",
        "{\"param\": [{\"name\": \"m\", \"value\": \"1 # one\"}]}",
        "{\"coord\": [{\"name\": \"x\", \"unit\": \"m, y: m\"}]}",
        "{\"constraint\": {\"name\": \"c\", \"equation\": \"x = 1, off\"}}",
        "{\"constraint\": {\"name\": \"c\", \"equation\": \"x = 1, d: x = 2\"}}",
        "{\"event\": {\"name\": \"e\", \"when\": \"x < 0\", \"then\": [\"stop, record\"]}}",
        "{\"expect\": [{\"claim\": \"x = 1 within 2\"}]}",
        "{\"expect\": [{\"claim\": \"at start x = 1\"}]}",
        "{\"title\": \"a # b\"}",
        "{\"table\": [{\"name\": \"f\", \"path\": \"a\\\" b\"}]}",
        "{\"run\": {\"until 3, every\": \"1\"}}",
        "{\"body\": {\"name\": \"arm\", \"shape\": \"rod(L)\", \"of\": \"m, at P\"}}",
        "{\"joint\": {\"name\": \"pin\", \"kind\": \"hinge\", \"ends\": [\"a, b\"]}}",
        "{\"joint\": {\"name\": \"pin\", \"kind\": \"hinge(a, b), m\", \"ends\": [\"a\"]}}",
        "{\"formulation\": \"bodies # or\"}",
    ] {
        assert_eq!(codes(&model(statement)), ["not-one-item"], "{statement}");
    }
}
