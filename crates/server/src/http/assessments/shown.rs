//! Reads assessments: single submissions, the bench of a court, and the available assessors.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use assize_kernel::{
    BenchEvent, BenchState, Confusion, Destination, Moment, Phase, Record, Scale, SmolStr, StreamId, Verdict,
    round,
};
use assize_ledger::{Depth, Scan};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::super::access::Act;
use super::super::caller::Caller;
use super::super::openapi::{Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::records::{Receipt, find, raw};
use super::super::schemas::{AnyObject, Id};
use super::super::{App, blocking};
use super::{anywhere, bench, streams};

/// A submission and its progress.
#[derive(Serialize, ToSchema)]
pub(crate) struct AssessmentShown {
    id: u64,
    /// The progress: `received`, `being_assessed`, `referred` to a person, `judged`, or `withdrawn`.
    status: &'static str,
    /// The assessors that hold the submission.
    #[schema(value_type = Vec<String>)]
    assessors: Vec<SmolStr>,
    /// The assessors that have reported so far; empty once the submission is judged or withdrawn.
    reported: Vec<String>,
    /// The receipt of the record that judged or withdrew the submission; null before.
    #[schema(required = true)]
    receipt: Option<Receipt>,
    /// The verdict; null until the submission is judged.
    #[schema(value_type = Option<Verdict<AnyObject>>, required = true)]
    verdict: Option<Box<RawValue>>,
    /// Where the verdict is to be delivered, and the progress; null if it is not delivered anywhere.
    #[schema(required = true)]
    destination: Option<DestinationShown>,
}

/// The destination of a verdict.
#[derive(Serialize, ToSchema)]
pub(crate) struct DestinationShown {
    /// The stream, such as that of a run.
    stream: String,
    /// The item in the stream: the name of a summary, a session or a quest.
    item: String,
    /// The part of the item, such as the turn of a session; null if there is none.
    #[schema(required = true)]
    part: Option<String>,
    /// The progress: `waiting` for the verdict, `on_its_way`, `delivered`, or `refused` by the destination.
    status: &'static str,
    /// Why the destination refused the verdict; null if it did not.
    #[schema(required = true)]
    problem: Option<String>,
}

/// The bench of a court, and the agreement of people.
#[derive(Serialize, ToSchema)]
pub(crate) struct BenchShown {
    #[schema(value_type = Id)]
    court: String,
    received: u64,
    judged: u64,
    waiting: usize,
    being_assessed: usize,
    /// The number of waiting submissions that wait for a person.
    for_people: usize,
    /// The time of receipt of the oldest waiting submission; null if none waits.
    #[schema(required = true)]
    oldest: Option<Moment>,
    /// The agreement of two people on the same submission, by kind of item.
    agreement: Vec<PeopleAgree>,
}

/// The agreement of people on one kind of item.
#[derive(Serialize, ToSchema)]
pub(crate) struct PeopleAgree {
    kind: String,
    pairs: u32,
    /// The share of pairs that are equal; null without pairs.
    #[schema(required = true)]
    agreement: Option<f64>,
    /// Cohen's κ, weighted if the labels are ordered; null if chance alone would always agree.
    #[schema(required = true)]
    kappa: Option<f64>,
}

/// The models that can be asked.
#[derive(Serialize, ToSchema)]
pub(crate) struct AssessorList {
    assessors: Vec<AssessorShown>,
}

/// A model that can be asked.
#[derive(Serialize, ToSchema)]
pub(crate) struct AssessorShown {
    #[schema(value_type = Id)]
    name: String,
    /// The name of the model at its endpoint.
    model: String,
    /// The number of requests since the process started.
    calls: u32,
    tokens_in: u64,
    tokens_out: u64,
    cost: f64,
}

/// Reads a submission and its progress; apps see only their own submissions.
#[utoipa::path(
    get, path = "/api/v1/assessments/{court}/{id}", tag = "assessments",
    params(("court" = Id, Path, description = "The court"), ("id" = u64, Path, description = "The submission")),
    responses((status = 200, description = "The submission", body = AssessmentShown), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_assessment(
    State(app): State<App>,
    PathParams((court, id)): PathParams<(String, String)>,
    caller: Caller,
) -> Result<Json<AssessmentShown>, Problem> {
    caller.may(Act::AskAssessors, &anywhere(&court)?)?;
    let (id, received) = received(&app, &court, &id).await?;
    if !caller.may_see(&app.courts, &received.draft) {
        return Err(unknown(id));
    }
    let stream = received.draft.stream.clone();
    let look = move |state: &BenchState| {
        let held = state.begun.iter().filter(|begun| begun.id == id).map(|begun| begun.assessor.clone());
        let reports = state.waiting.get(&id).map(|waiting| {
            let names = waiting.reports.iter().map(|report| report.assessor.name.to_string());
            names.collect::<Vec<String>>()
        });
        let on_its_way = state.undelivered.contains_key(&id);
        let problem = state.refused_there(id).map(str::to_owned);
        let delivery = (on_its_way, problem);
        let held = held.collect::<Vec<_>>();
        (state.phase(id), held, reports.unwrap_or_default(), state.verdict_of(id), delivery)
    };
    let (phase, assessors, reported, verdict, delivery) = app.clerk.inspect(stream.clone(), look).await?;
    let ended = match (phase, verdict) {
        (Some(Phase::Judged) | None, at) => ended(&app, stream, id, at).await?,
        _ => None,
    };
    let status = match (phase, &ended) {
        (Some(Phase::Received), _) => "received",
        (Some(Phase::BeingAssessed), _) => "being_assessed",
        (Some(Phase::Referred), _) => "referred",
        (_, Some(record)) if record.draft.kind == "SubmissionWithdrawn" => "withdrawn",
        _ => "judged",
    };
    let verdict = ended.as_ref().and_then(|record| record.draft.verdict.as_deref()).map(raw).transpose()?;
    let receipt = ended.as_ref().map(Receipt::of);
    let (on_its_way, problem) = delivery;
    let destination = destination(&received, status, on_its_way, problem);
    Ok(Json(AssessmentShown { id, status, assessors, reported, receipt, verdict, destination }))
}

/// The destination of the verdict on a submission, and whether it was delivered.
fn destination(
    received: &Record,
    status: &str,
    on_its_way: bool,
    problem: Option<String>,
) -> Option<DestinationShown> {
    let event = serde_json::from_str(&received.draft.body).ok()?;
    let BenchEvent::SubmissionReceived { destination, .. } = event else { return None };
    let Destination { stream, item, part } = destination?;
    let status = match (status, &problem) {
        (_, Some(_)) => "refused",
        ("judged", _) if on_its_way => "on_its_way",
        ("judged", _) => "delivered",
        _ => "waiting",
    };
    let stream = stream.into();
    let item = item.into();
    let part = part.map(Into::into);
    Some(DestinationShown { stream, item, part, status, problem })
}

/// Reads the bench of a court: the number of waiting submissions, and the agreement of people.
#[utoipa::path(
    get, path = "/api/v1/assessments/{court}", tag = "assessments",
    params(("court" = Id, Path, description = "The court")),
    responses((status = 200, description = "The bench", body = BenchShown), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn read_bench(
    State(app): State<App>,
    PathParams(court): PathParams<String>,
    caller: Caller,
) -> Result<Json<BenchShown>, Problem> {
    caller.may(Act::AssessByHand, &anywhere(&court)?)?;
    let scales = bench(&app, &court)?.face.scales();
    let mut shown = BenchShown {
        court: court.clone(),
        received: 0,
        judged: 0,
        waiting: 0,
        being_assessed: 0,
        for_people: 0,
        oldest: None,
        agreement: Vec::new(),
    };
    let mut people: BTreeMap<String, Confusion> = BTreeMap::new();
    for stream in streams(&app, &court).await? {
        let look = |state: &BenchState| {
            let for_people = state.next_for_person("").count();
            let oldest = state.waiting.values().next().map(|waiting| waiting.at);
            let counts = (state.waiting.len(), state.begun.len(), for_people);
            (state.received, state.finished, counts, oldest, state.people.clone())
        };
        let (received, finished, counts, oldest, agreed) = app.clerk.inspect(stream, look).await?;
        shown.received += received;
        shown.judged += finished;
        shown.waiting += counts.0;
        shown.being_assessed += counts.1;
        shown.for_people += counts.2;
        shown.oldest = shown.oldest.into_iter().chain(oldest).min();
        for (kind, confusion) in agreed {
            people.entry(kind).or_default().merge(&confusion);
        }
    }
    shown.agreement = people.into_iter().map(|(kind, confusion)| agree(kind, &confusion, scales)).collect();
    Ok(Json(shown))
}

fn agree(kind: String, confusion: &Confusion, scales: &[(&'static str, &'static Scale)]) -> PeopleAgree {
    let scale = scales.iter().find(|(known, _)| *known == kind).map(|(_, scale)| scale);
    let rounded = |value: f64| round(value, 4);
    PeopleAgree {
        pairs: confusion.pairs(),
        agreement: confusion.agreement().map(rounded),
        kappa: scale.and_then(|scale| confusion.kappa(scale)).map(rounded),
        kind,
    }
}

/// Lists the models that can be asked, with their usage and cost.
#[utoipa::path(
    get, path = "/api/v1/assessors", tag = "assessments",
    responses((status = 200, description = "The models", body = AssessorList), Forbidden),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn list_assessors(
    State(app): State<App>,
    caller: Caller,
) -> Result<Json<AssessorList>, Problem> {
    caller.must_have_role_for(Act::AskAssessors)?;
    let assessors = app.assessing.models().all().map(|model| {
        let spent = model.budget().spent().total;
        AssessorShown {
            name: model.name().to_owned(),
            model: model.settings().model.clone(),
            calls: spent.calls,
            tokens_in: spent.tokens_in,
            tokens_out: spent.tokens_out,
            cost: round(spent.cost, 6),
        }
    });
    Ok(Json(AssessorList { assessors: assessors.collect() }))
}

/// The record that received a submission.
pub(super) async fn received(app: &App, court: &str, id: &str) -> Result<(u64, Record), Problem> {
    let name = bench(app, court)?.face.name();
    let no_such = || Problem::not_found(format!("there is no submission `{id}`"));
    let id: u64 = id.parse().map_err(|_| no_such())?;
    let record = blocking(app, move |app| find(app, id)).await?;
    let is_one =
        |record: &Record| record.draft.stream.court() == name && record.draft.kind == "SubmissionReceived";
    Ok((id, record.filter(is_one).ok_or_else(no_such)?))
}

/// The record that ended a submission: at the given position, otherwise searched in its stream.
async fn ended(app: &App, stream: StreamId, id: u64, at: Option<u64>) -> Result<Option<Record>, Problem> {
    let look = move |app: &App| {
        if let Some(position) = at {
            return find(app, position);
        }
        let mut found = None;
        app.ledger.scan(Scan::stream(stream.as_str(), 0, Depth::Whole), &mut |record| {
            let about = matches!(record.kind, "SubmissionJudged" | "SubmissionWithdrawn")
                && matches!(
                    serde_json::from_str(record.body),
                    Ok(BenchEvent::SubmissionJudged { id: of, .. } | BenchEvent::SubmissionWithdrawn { id: of, .. })
                        if of == id
                );
            if about {
                found = record.to_record().ok();
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    };
    blocking(app, look).await
}

fn unknown(id: u64) -> Problem {
    Problem::not_found(format!("there is no submission `{id}`"))
}
