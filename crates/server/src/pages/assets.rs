//! Static assets of the pages (style sheet, script, icon), embedded in the binary and cached by digest.

use std::sync::LazyLock;

use assize_kernel::Digest;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http::path::PathParams;
use crate::http::problem::Problem;

/// A file embedded in the binary.
pub(super) struct StaticAsset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
    /// Prefix of the content's digest: the version in the URL, and the ETag.
    mark: String,
}

pub(super) static STYLE: LazyLock<StaticAsset> = LazyLock::new(|| {
    StaticAsset::new("/page.css", "text/css; charset=utf-8", include_str!("assets/page.css"))
});
pub(super) static SCRIPT: LazyLock<StaticAsset> = LazyLock::new(|| {
    StaticAsset::new("/live.js", "text/javascript; charset=utf-8", include_str!("assets/live.js"))
});
pub(super) static ICON: LazyLock<StaticAsset> =
    LazyLock::new(|| StaticAsset::new("/icon.svg", "image/svg+xml", include_str!("assets/icon.svg")));

impl StaticAsset {
    fn new(name: &'static str, kind: &'static str, text: &'static str) -> Self {
        let digest = Digest::of(text.as_bytes()).to_string();
        Self { name, kind, text, mark: digest.chars().filter(char::is_ascii_hexdigit).take(12).collect() }
    }

    /// The versioned URL. It changes with the content, so browsers may cache the response indefinitely.
    pub(super) fn place(&self) -> String {
        format!("/assets{}?v={}", self.name, self.mark)
    }
}

/// Serves an asset by name; answers 304 when the ETag matches.
pub(crate) async fn read_asset(
    PathParams(name): PathParams<String>,
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
