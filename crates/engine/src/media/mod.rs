//! Media store for images and videos: a directory or an S3 bucket. The ledger holds only their digests.

mod kinds;

use std::sync::Arc;

use assize_kernel::Digest;
use bytes::Bytes;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};

pub use kinds::{MediaKind, kind_of};

/// Stores images and videos by digest; cheap to clone.
#[derive(Clone)]
pub struct MediaStore {
    store: Arc<dyn ObjectStore>,
    /// Prefix of all object keys.
    prefix: String,
    /// Largest accepted file, in bytes.
    pub most: usize,
}

/// The media store failed.
#[derive(Debug, thiserror::Error)]
#[error("media cannot be reached: {0}")]
pub struct MediaError(String);

impl MediaStore {
    /// Opens a directory, which is created if missing, or `s3://bucket/prefix`. Endpoint and credentials of a
    /// bucket come from the environment (`AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_REGION`; without TLS also `AWS_ALLOW_HTTP`).
    ///
    /// # Errors
    /// Says why the store cannot be opened.
    pub fn open(place: &str, most: usize) -> Result<Self, String> {
        let wrong = |error: object_store::Error| format!("`{place}` cannot hold media: {error}");
        let Some(bucket) = place.strip_prefix("s3://") else {
            std::fs::create_dir_all(place)
                .map_err(|error| format!("`{place}` cannot hold media: {error}"))?;
            let store = LocalFileSystem::new_with_prefix(place).map_err(wrong)?;
            return Ok(Self { store: Arc::new(store), prefix: String::new(), most });
        };
        crate::provider::install();
        let (bucket, prefix) = bucket.split_once('/').unwrap_or((bucket, ""));
        // Not every S3-compatible store supports bulk delete.
        let builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_disable_bulk_delete(true);
        let store = builder.build().map_err(wrong)?;
        Ok(Self { store: Arc::new(store), prefix: prefix.trim_matches('/').to_owned(), most })
    }

    /// Stores a file under its digest. Idempotent.
    pub async fn put(&self, digest: &Digest, bytes: Bytes) -> Result<(), MediaError> {
        self.store.put(&self.path(digest), bytes.into()).await?;
        Ok(())
    }

    /// Reads a file; `None` when it is not stored.
    pub async fn get(&self, digest: &Digest) -> Result<Option<Bytes>, MediaError> {
        match self.store.get(&self.path(digest)).await {
            Ok(found) => Ok(Some(found.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes a file; a missing file is not an error.
    pub async fn delete(&self, digest: &Digest) -> Result<(), MediaError> {
        match self.store.delete(&self.path(digest)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Object path. Files are spread over 256 folders by the first byte of the digest.
    fn path(&self, digest: &Digest) -> Path {
        let name = digest.to_string();
        let folder = name.get(..2).unwrap_or_default().to_owned();
        let parts = [self.prefix.clone(), folder, name];
        Path::from(parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("/"))
    }
}

impl From<object_store::Error> for MediaError {
    fn from(error: object_store::Error) -> Self {
        Self(error.to_string())
    }
}
