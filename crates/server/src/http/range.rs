//! Which part of a file a browser wants: videos are fetched piece by piece.

/// What is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    All,
    /// The first byte and the last, both included.
    Bytes(usize, usize),
    /// What is asked for lies behind the end.
    Beyond,
}

/// Of so many bytes. What cannot be read, or asks for several parts, may be ignored, and is.
pub(super) fn part(range: Option<&str>, all: usize) -> Part {
    let asked = range.and_then(|range| range.trim().strip_prefix("bytes=")?.split_once('-'));
    let Some((first, last)) = asked else { return Part::All };
    let (first, last) = (first.trim(), last.trim());
    let number = |text: &str| text.parse::<usize>().ok();
    match (number(first), number(last)) {
        (Some(first), _) if first >= all => Part::Beyond,
        (Some(first), None) if last.is_empty() => Part::Bytes(first, all.saturating_sub(1)),
        (Some(first), Some(last)) if first <= last => Part::Bytes(first, last.min(all.saturating_sub(1))),
        // The last so many bytes.
        (None, Some(0)) if first.is_empty() => Part::Beyond,
        (None, Some(count)) if first.is_empty() && all > 0 => Part::Bytes(all.saturating_sub(count), all - 1),
        _ => Part::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_is_given_and_what_cannot_be_read_is_ignored() {
        for (range, expected) in [
            ("bytes=0-3", Part::Bytes(0, 3)),
            ("bytes=4-", Part::Bytes(4, 9)),
            ("bytes=4-99", Part::Bytes(4, 9)),
            ("bytes=-3", Part::Bytes(7, 9)),
            ("bytes=-99", Part::Bytes(0, 9)),
            ("bytes=10-", Part::Beyond),
            ("bytes=-0", Part::Beyond),
            ("bytes=5-4", Part::All),
            ("bytes=0-1,3-4", Part::All),
            ("bytes=x-", Part::All),
            ("lines=0-3", Part::All),
        ] {
            assert_eq!(part(Some(range), 10), expected, "{range}");
        }
        assert_eq!(part(None, 10), Part::All);
    }
}
