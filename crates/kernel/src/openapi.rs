//! OpenAPI schemas of types whose JSON is written by hand, and of names and objects that have no type of their own.

use std::borrow::Cow;

use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Digest, Moment, Role};

/// The schema of a name that [`check_name`](crate::check_name) accepts.
#[derive(Debug)]
pub enum Id {}

/// The schema of an event or a document of some court.
#[derive(Debug)]
pub enum AnyObject {}

/// A text or a number.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum TextOrNumber {
    Text(String),
    Number(f64),
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

impl PartialSchema for AnyObject {
    fn schema() -> RefOr<Schema> {
        let said = "An object that says what it is; its fields are its court's";
        ObjectBuilder::new().schema_type(Type::Object).description(Some(said)).build().into()
    }
}

impl PartialSchema for Moment {
    fn schema() -> RefOr<Schema> {
        let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
        text().description(Some("When, in UTC, to the millisecond")).format(Some(format)).build().into()
    }
}

impl PartialSchema for Digest {
    fn schema() -> RefOr<Schema> {
        text().description(Some("A SHA-256 digest")).pattern(Some("^[0-9a-f]{64}$")).build().into()
    }
}

/// Without [`Role::System`], which no request and no response names.
impl PartialSchema for Role {
    fn schema() -> RefOr<Schema> {
        let named = [Self::Admin, Self::Judge, Self::Participant, Self::App, Self::Viewer];
        let names = named.map(Self::as_str);
        text().description(Some("What an actor may do.")).enum_values(Some(names)).build().into()
    }
}

impl ToSchema for Id {}

impl ToSchema for AnyObject {}

impl ToSchema for Moment {}

impl ToSchema for Digest {}

impl ToSchema for Role {
    fn name() -> Cow<'static, str> {
        "Role".into()
    }
}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}
