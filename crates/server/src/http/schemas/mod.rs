//! OpenAPI schemas of the kernel's types: the kernel itself does not depend on utoipa.

pub(crate) mod contest;
pub(crate) mod documents;
pub(crate) mod quest;
pub(crate) mod queue;
pub(crate) mod radio;
pub(crate) mod revisions;
pub(crate) mod summary;

use std::borrow::Cow;
use std::collections::BTreeMap;

use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// What names a contest, a team or a task in addresses and on boards.
pub(crate) enum Id {}

/// When, in UTC.
pub(crate) enum MomentSchema {}

/// A SHA-256 digest.
pub(crate) enum DigestSchema {}

/// An event or a document of some court.
pub(crate) enum AnyObject {}

/// What somebody may do.
#[derive(ToSchema)]
#[schema(as = Role, rename_all = "lowercase")]
pub(crate) enum RoleSchema {
    /// Everything.
    Admin,
    /// Sees every verdict.
    Judge,
    /// Submits as itself.
    Participant,
    /// Registers participants and submits on their behalf.
    App,
    /// Sees what is public.
    Viewer,
}

/// A rulebook, as a verdict names it.
#[derive(ToSchema)]
pub(crate) struct RulebookRef {
    name: Id,
    version: u32,
    /// SHA-256 of the file's bytes.
    hash: DigestSchema,
}

/// What a court found, with everything needed to defend it.
#[derive(ToSchema)]
#[schema(as = Verdict)]
pub(crate) struct VerdictSchema<D> {
    /// The court that judged.
    court: String,
    /// The parameters it judged by.
    rulebook: RulebookRef,
    /// Who observed what the court computed with.
    assessor: AssessorSchema,
    /// The result in one word.
    outcome: String,
    /// The result as a number.
    points: f64,
    /// Why, in order of weight.
    reasons: Vec<ReasonSchema>,
    /// How the numbers came to be, in the order of the arithmetic.
    derivation: Vec<TermSchema>,
    /// The court's own structure.
    detail: D,
}

/// Who observed: a reader inside the court, a model or a person.
#[derive(ToSchema)]
#[schema(as = Assessor)]
pub(crate) struct AssessorSchema {
    name: String,
    version: String,
}

/// One reason for a verdict.
#[derive(ToSchema)]
#[schema(as = Reason)]
pub(crate) struct ReasonSchema {
    /// Stable and dotted, for programs.
    #[schema(pattern = "^[a-z_]+([.][a-z_]+)+$", examples("contest.answer.wrong_video"))]
    code: String,
    severity: SeveritySchema,
    /// For people.
    message: String,
    /// What it rests on.
    evidence: Vec<EvidenceSchema>,
}

/// How much a reason weighs.
#[derive(ToSchema)]
#[schema(as = Severity, rename_all = "lowercase")]
pub(crate) enum SeveritySchema {
    /// Nothing was lost by it.
    Info,
    /// A small lapse.
    Minor,
    /// It changed the result.
    Major,
    /// It decided the result.
    Critical,
}

/// Words that a reason rests on.
#[derive(ToSchema)]
#[schema(as = Evidence)]
pub(crate) struct EvidenceSchema {
    /// Which text they stand in.
    source: String,
    text: String,
    /// Where they stand, as byte offsets, when they were read from a longer text.
    #[schema(required = false, nullable = false, min_items = 2, max_items = 2)]
    span: Vec<u64>,
}

/// One step of the arithmetic.
#[derive(ToSchema)]
#[schema(as = Term)]
pub(crate) struct TermSchema {
    /// What is computed.
    term: String,
    formula: String,
    /// From what, in the order the formula names them.
    inputs: BTreeMap<String, TermInput>,
    value: f64,
}

/// A number, or a word such as the type of a task.
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum TermInput {
    Number(f64),
    Text(String),
}

/// One line of a board.
#[derive(ToSchema)]
#[schema(as = Row)]
pub(crate) struct RowSchema {
    /// 1, 2, 2, 4: equal standings share a rank.
    #[schema(minimum = 1)]
    rank: u64,
    participant: Id,
    points: f64,
    /// What decides between equal points, smaller first.
    #[schema(min_items = 2, max_items = 2)]
    ties: Vec<i64>,
}

impl PartialSchema for Id {
    fn schema() -> RefOr<Schema> {
        text()
            .description(Some("What names something in addresses and on boards"))
            .pattern(Some("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$"))
            .build()
            .into()
    }
}

impl PartialSchema for MomentSchema {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
        text().description(Some("When, in UTC, to the millisecond")).format(Some(format)).build().into()
    }
}

impl PartialSchema for DigestSchema {
    fn schema() -> RefOr<Schema> {
        text().description(Some("A SHA-256 digest")).pattern(Some("^[0-9a-f]{64}$")).build().into()
    }
}

impl PartialSchema for AnyObject {
    fn schema() -> RefOr<Schema> {
        let said = "An object that says what it is; its fields are its court's";
        ObjectBuilder::new().schema_type(Type::Object).description(Some(said)).build().into()
    }
}

impl ToSchema for Id {}

impl ToSchema for MomentSchema {
    fn name() -> Cow<'static, str> {
        "Moment".into()
    }
}

impl ToSchema for DigestSchema {
    fn name() -> Cow<'static, str> {
        "Digest".into()
    }
}

impl ToSchema for AnyObject {}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}
