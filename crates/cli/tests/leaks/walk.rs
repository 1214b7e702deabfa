//! Calls every operation of the OpenAPI document, with plausible parameters.

use serde_json::Value;

use crate::raw::ask;

/// What may stand in the place of parameters.
pub(crate) struct Known {
    pub(crate) contest: &'static str,
    pub(crate) tasks: Vec<&'static str>,
    pub(crate) teams: Vec<&'static str>,
    /// How far the ledger goes.
    pub(crate) head: u64,
}

/// An operation as it can be called.
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) path: String,
}

/// Pages that are no operations.
const PAGES: [&str; 17] = [
    "/",
    "/login",
    "/account",
    "/contests",
    "/contests/{contest}",
    "/contests/{contest}?all=true",
    "/contests/{contest}/teams/{team}",
    "/contests/{contest}/console",
    "/contests/{contest}/setup",
    "/contests/{contest}/queue",
    "/contests/{contest}/revisions",
    "/records/{position}",
    "/ledger",
    "/people",
    "/api/docs/",
    "/api/v1/openapi.json",
    "/nowhere",
];

/// Everything that can be asked for, each way that makes a difference.
pub(crate) fn calls(url: &str, known: &Known) -> Vec<Call> {
    let document = ask(url, "GET", "/api/v1/openapi.json", "", None);
    let (_, document) = document.split_once("\r\n\r\n").unwrap();
    let document: Value = serde_json::from_str(document).unwrap();
    let pages = PAGES.iter().flat_map(|path| known.filled(path));
    let mut calls: Vec<Call> = pages.map(|path| Call { method: "GET".into(), path }).collect();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method = method.to_uppercase();
            let queries = if method == "GET" { known.queries(operation) } else { vec![String::new()] };
            for path in known.filled(path) {
                let call = |query: &String| Call { method: method.clone(), path: format!("{path}{query}") };
                calls.extend(queries.iter().map(call));
            }
        }
    }
    assert!(calls.len() > 60, "the document has operations");
    calls
}

impl Known {
    /// A path with every value that each of its parameters may have.
    fn filled(&self, path: &str) -> Vec<String> {
        let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
        let (name, after) = rest.split_once('}').unwrap();
        let values = self.values(name).into_iter();
        values.flat_map(|value| self.filled(&format!("{before}{value}{after}"))).collect()
    }

    /// What a parameter of this name may be; anything there is for one that nobody has heard of.
    fn values(&self, name: &str) -> Vec<String> {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        match name {
            "contest" | "evaluationId" => texts(&[self.contest]),
            "task" | "question" | "question_id" => texts(&self.tasks),
            "team" | "team_id" => texts(&self.teams),
            "position" => (1..=self.head).map(|position| position.to_string()).collect(),
            "court" => texts(&["contest"]),
            "name" => texts(&["competition"]),
            "webhook" | "delivery" | "user" => texts(&["none"]),
            _ => [texts(&[self.contest, "1"]), texts(&self.tasks), texts(&self.teams)].concat(),
        }
    }

    /// No query, and each parameter by itself with what it may be.
    fn queries(&self, operation: &Value) -> Vec<String> {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let named = parameters.filter(|parameter| parameter["in"] == "query");
        let mut queries = vec![String::new(), "?format=csv&table=board".into()];
        for parameter in named {
            let name = parameter["name"].as_str().unwrap();
            let values: Vec<String> = match name {
                "offset" | "limit" | "after" | "last_event_id" => vec!["0".into(), "1".into()],
                "public" => vec!["true".into(), "false".into()],
                "format" => vec!["csv".into(), "json".into()],
                "topic" => {
                    vec![format!("contest/{}", self.contest), format!("board/contest/{}", self.contest)]
                }
                "stream" => vec![format!("contest/{}", self.contest)],
                "rulebook" => vec!["competition".into()],
                "session" => continue,
                _ => self.values(name),
            };
            queries.extend(values.into_iter().map(|value| format!("?{name}={value}")));
        }
        queries
    }
}
