//! Ids of traces and spans: UUIDv7 for Opik, hexadecimal for OpenTelemetry.

/// The ids of one assessment.
pub(super) struct TraceIds {
    /// The trace, as a UUIDv7.
    pub(super) trace: String,
    /// The span, as a UUIDv7.
    pub(super) span: String,
    /// The same for OpenTelemetry: 32 and 16 hexadecimal digits.
    pub(super) otel_trace: String,
    pub(super) otel_span: String,
}

impl TraceIds {
    /// Ids for an assessment that began at this time, in milliseconds since 1970.
    pub(super) fn new(at: i64) -> Self {
        let trace = uuid7(at, random());
        let span = uuid7(at, random());
        let plain = |uuid: &str| uuid.replace('-', "");
        let otel_trace = plain(&trace);
        let otel_span = plain(&span).chars().skip(16).collect();
        Self { trace, span, otel_trace, otel_span }
    }
}

fn random() -> u128 {
    let mut bytes = [0; 16];
    // Without random bytes ids may collide, which only costs a trace.
    let _ = getrandom::fill(&mut bytes);
    u128::from_le_bytes(bytes)
}

/// 48 bits of milliseconds, the version, and random bits.
fn uuid7(at: i64, random: u128) -> String {
    let millis = u128::from(u64::try_from(at).unwrap_or(0)) & 0xffff_ffff_ffff;
    let mut bits = millis << 80 | random & ((1 << 80) - 1);
    bits = bits & !(0xf << 76) | 0x7 << 76;
    bits = bits & !(0x3 << 62) | 0x2 << 62;
    let digits = format!("{bits:032x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

#[test]
fn a_name_begins_with_its_time_and_says_its_version() {
    assert_eq!(uuid7(0x0192_0a3b_4c5d, 0), "01920a3b-4c5d-7000-8000-000000000000");
    assert_eq!(uuid7(0x0192_0a3b_4c5d, u128::MAX), "01920a3b-4c5d-7fff-bfff-ffffffffffff");
}
