//! Holds the OpenAPI document to the routes: what is in the repository is what the code gives.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::files::{read, root, rust_files};
use crate::none;

const PLACE: &str = "docs/openapi.json";

#[test]
fn the_openapi_document_is_what_the_routes_say() {
    let current = format!("{:#}\n", document());
    if std::env::var_os("ASSIZE_RENEW").is_some() {
        std::fs::write(root().join(PLACE), &current).expect("the document can be written");
    }
    let kept = read(PLACE);
    let other = kept.lines().zip(current.lines()).position(|(kept, current)| kept != current);
    let first = other.unwrap_or_else(|| kept.lines().count().min(current.lines().count())) + 1;
    assert!(
        kept == current,
        "{PLACE} is not what the routes say, from line {first} on. When the change is meant, renew it with\n  \
         ASSIZE_RENEW=1 cargo test -p assize --test architecture openapi"
    );
}

#[test]
fn every_route_is_documented() {
    let (api, document) = (read("docs/api.md"), document());
    let routes = document["paths"].as_object().expect("there are routes").keys();
    let silent = routes.filter(|route| !api.contains(&format!("`{route}`")));
    none(&silent.cloned().collect::<Vec<_>>(), "give the route a line in docs/api.md");
}

#[test]
fn every_operation_says_what_it_is_called_and_belongs_to() {
    let document = document();
    let named = |list: &Value| list.as_array().into_iter().flatten().map(name).collect::<BTreeSet<_>>();
    let tags = named(&document["tags"]);
    let (mut seen, mut wrong) = (BTreeSet::new(), Vec::new());
    for (path, item) in document["paths"].as_object().expect("there are routes") {
        for (method, operation) in item.as_object().expect("a route is an object") {
            let id = operation["operationId"].as_str().unwrap_or_default();
            let tagged = operation["tags"].as_array().into_iter().flatten();
            let tagged = tagged.filter_map(Value::as_str).any(|tag| tags.contains(tag));
            if id.is_empty() || !seen.insert(id.to_owned()) || !tagged {
                wrong.push(format!("{method} {path}"));
            }
        }
    }
    none(&wrong, "give it an operation id of its own and a tag that document.rs describes");
}

#[test]
fn everything_the_openapi_document_refers_to_is_in_it() {
    let document = document();
    let text = document.to_string();
    let named = text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next());
    let missing = named.filter(|place| document.pointer(place).is_none()).map(str::to_owned);
    none(&missing.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>(), "describe it");
}

#[test]
fn no_two_types_are_described_under_one_name() {
    let (mut seen, mut twice) = (BTreeMap::new(), Vec::new());
    for file in rust_files("crates/server/src") {
        for name in described(&file.text) {
            if let Some(other) = seen.insert(name.clone(), file.path.clone()) {
                twice.push(format!("`{name}` in {} and {other}", file.path));
            }
        }
    }
    assert!(seen.len() > 100, "the descriptions are found");
    none(
        &twice,
        "one would silently take the other's place: give it a name of its own with `#[schema(as = …)]`",
    );
}

/// The names under which a file describes its types.
fn described(text: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let derived = text
        .split("#[derive(")
        .skip(1)
        .filter(|rest| rest.split(')').next().is_some_and(|derived| derived.contains("ToSchema")));
    let named = derived.filter_map(|rest| {
        let kinds = ["struct ", "enum "].map(|kind| rest.find(kind).map(|place| place + kind.len()));
        let name = kinds.into_iter().flatten().min()?;
        let (above, below) = rest.split_at(name);
        let given = above.split("schema(as = ").nth(1).map(word);
        // One of several types: each gets a name of its own from what it is made with.
        let generic = below.get(word(below).len()..).is_some_and(|rest| rest.starts_with('<'));
        given.or_else(|| (!generic).then(|| word(below)))
    });
    named.collect()
}

fn document() -> Value {
    serde_json::from_str(&assize_server::openapi_document()).expect("the document is JSON")
}

fn name(tag: &Value) -> String {
    tag["name"].as_str().unwrap_or_default().to_owned()
}
