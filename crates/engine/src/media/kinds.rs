//! Media type detection by magic bytes, because file names and headers cannot be trusted.

/// Kind of a media file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaKind {
    /// An image.
    Image,
    /// A video.
    Video,
}

/// Kind and MIME type of a file; `None` when it is neither an image nor a video.
pub fn kind_of(bytes: &[u8]) -> Option<(MediaKind, &'static str)> {
    let at = |from: usize, mark: &[u8]| bytes.get(from..from + mark.len()) == Some(mark);
    if at(0, &[0xFF, 0xD8, 0xFF]) {
        return Some((MediaKind::Image, "image/jpeg"));
    }
    if at(0, b"\x89PNG\r\n\x1A\n") {
        return Some((MediaKind::Image, "image/png"));
    }
    if at(0, b"GIF87a") || at(0, b"GIF89a") {
        return Some((MediaKind::Image, "image/gif"));
    }
    if at(0, b"RIFF") && at(8, b"WEBP") {
        return Some((MediaKind::Image, "image/webp"));
    }
    if at(0, &[0x1A, 0x45, 0xDF, 0xA3]) {
        return Some((MediaKind::Video, "video/webm"));
    }
    if at(4, b"ftyp") {
        let pictures: [&[u8]; 5] = [b"heic", b"heix", b"mif1", b"msf1", b"avif"];
        return match pictures.iter().any(|brand| at(8, brand)) {
            true => Some((MediaKind::Image, if at(8, b"avif") { "image/avif" } else { "image/heic" })),
            false if at(8, b"qt  ") => Some((MediaKind::Video, "video/quicktime")),
            false => Some((MediaKind::Video, "video/mp4")),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_bytes_say() {
        let check = |bytes: &[u8], expected| assert_eq!(kind_of(bytes).map(|(_, mime)| mime), expected);
        check(&[0xFF, 0xD8, 0xFF, 0xE0], Some("image/jpeg"));
        check(b"\x89PNG\r\n\x1A\nrest", Some("image/png"));
        check(b"GIF89a, much", Some("image/gif"));
        check(b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp"));
        check(b"\0\0\0\x20ftypisom\0\0", Some("video/mp4"));
        check(b"\0\0\0\x20ftypheic\0\0", Some("image/heic"));
        check(b"\x1A\x45\xDF\xA3rest", Some("video/webm"));
        check(b"<svg onload=alert(1)>", None);
        check(b"", None);
    }
}
