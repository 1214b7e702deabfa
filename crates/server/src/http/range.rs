//! `Range` headers: browsers fetch videos in parts.

/// The part of a file to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteRange {
    All,
    /// First and last byte, both included.
    Bytes(usize, usize),
    /// The range starts after the end of the file.
    Beyond,
}

/// Parses a `Range` header for a file of `all` bytes. Invalid and multi-part ranges are ignored, as the
/// standard allows.
pub(crate) fn part(range: Option<&str>, all: usize) -> ByteRange {
    let asked = range.and_then(|range| range.trim().strip_prefix("bytes=")?.split_once('-'));
    let Some((first, last)) = asked else { return ByteRange::All };
    let first = first.trim();
    let last = last.trim();
    let number = |text: &str| text.parse::<usize>().ok();
    match (number(first), number(last)) {
        (Some(first), _) if first >= all => ByteRange::Beyond,
        (Some(first), None) if last.is_empty() => ByteRange::Bytes(first, all.saturating_sub(1)),
        (Some(first), Some(last)) if first <= last => {
            ByteRange::Bytes(first, last.min(all.saturating_sub(1)))
        }
        // A suffix range: the last n bytes.
        (None, Some(0)) if first.is_empty() => ByteRange::Beyond,
        (None, Some(count)) if first.is_empty() && all > 0 => {
            ByteRange::Bytes(all.saturating_sub(count), all - 1)
        }
        _ => ByteRange::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_is_given_and_what_cannot_be_read_is_ignored() {
        for (range, expected) in [
            ("bytes=0-3", ByteRange::Bytes(0, 3)),
            ("bytes=4-", ByteRange::Bytes(4, 9)),
            ("bytes=4-99", ByteRange::Bytes(4, 9)),
            ("bytes=-3", ByteRange::Bytes(7, 9)),
            ("bytes=-99", ByteRange::Bytes(0, 9)),
            ("bytes=10-", ByteRange::Beyond),
            ("bytes=-0", ByteRange::Beyond),
            ("bytes=5-4", ByteRange::All),
            ("bytes=0-1,3-4", ByteRange::All),
            ("bytes=x-", ByteRange::All),
            ("lines=0-3", ByteRange::All),
        ] {
            assert_eq!(part(Some(range), 10), expected, "{range}");
        }
        assert_eq!(part(None, 10), ByteRange::All);
    }
}
