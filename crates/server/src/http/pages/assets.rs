//! What pages are drawn and kept live with: one style sheet, one script, one icon, all our own.

use std::sync::LazyLock;

use assize_kernel::Digest;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http::address::Address;
use crate::http::problem::Problem;

/// A file that is part of the program.
pub(super) struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
    /// Changes with the text, and with nothing else.
    mark: String,
}

pub(super) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("/page.css", "text/css; charset=utf-8", include_str!("assets/page.css")));
pub(super) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("/live.js", "text/javascript; charset=utf-8", include_str!("assets/live.js"))
});
pub(super) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("/icon.svg", "image/svg+xml", include_str!("assets/icon.svg")));

impl Asset {
    fn new(name: &'static str, kind: &'static str, text: &'static str) -> Self {
        let digest = Digest::of(text.as_bytes()).to_string();
        Self { name, kind, text, mark: digest.chars().filter(char::is_ascii_hexdigit).take(12).collect() }
    }

    /// Where it is, another place whenever it says something else: browsers may keep it for ever.
    pub(super) fn place(&self) -> String {
        format!("/assets{}?v={}", self.name, self.mark)
    }
}

/// One of them by its name.
pub(in crate::http) async fn read_asset(
    Address(name): Address<String>,
    uri: axum::http::Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let assets = [&STYLE, &SCRIPT, &ICON];
    let found = assets.into_iter().find(|asset| asset.name.trim_start_matches('/') == name);
    let asset = found.ok_or_else(|| Problem::not_found(format!("there is nothing at `{}`", uri.path())))?;
    let tag = format!("\"{}\"", asset.mark);
    let by_mark = uri.query().is_some_and(|query| query == format!("v={}", asset.mark));
    let kept = if by_mark { "public, max-age=31536000, immutable" } else { "no-cache" };
    let same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let tag = HeaderValue::try_from(tag).map_err(|error| Problem::internal(&error.to_string()))?;
    let kept = [(header::CACHE_CONTROL, HeaderValue::from_static(kept)), (header::ETAG, tag)];
    if same {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind))];
    Ok((kept, kind, asset.text).into_response())
}
