//! Hexadecimal encoding.

/// Two lower-case digits for each byte.
pub(crate) fn write(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Decodes exactly `N` bytes; none when the text is anything else.
pub(crate) fn read<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_being_written() {
        assert_eq!(write(&[0, 0x9a, 0xff]), "009aff");
        assert_eq!(read::<3>("009aFF"), Some([0, 0x9a, 0xff]));
        assert_eq!(read::<3>("009af"), None);
        assert_eq!(read::<3>("009a+f"), None);
    }
}
