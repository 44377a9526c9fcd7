//! Numbers as people read them in scorecards and on axes. Tables keep the exact values.

/// A measured value: three significant digits, thousands grouped, whole numbers from 100 on without a fraction.
pub(crate) fn measured(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e9).contains(&size) {
        return scientific(value);
    }
    if size >= 99.95 {
        return grouped(value.round(), 0);
    }
    let decimals = if size >= 9.995 {
        1
    } else if size >= 0.9995 {
        2
    } else if size >= 0.0995 {
        3
    } else {
        4
    };
    trimmed(&grouped(value, decimals))
}

/// An interval or range.
pub(crate) fn span(low: f64, high: f64) -> String {
    format!("{} … {}", measured(low), measured(high))
}

/// A number as it was written: shortest form after rounding away the noise of binary fractions.
pub(crate) fn plain(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if !(1e-6..1e15).contains(&size) {
        return scientific(value);
    }
    trimmed(&format!("{value:.10}"))
}

/// A number with a fixed count of decimals and grouped thousands.
pub(crate) fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if mantissa.starts_with('-') { "−" } else { "" };
    format!("{sign}{}×10{}", trimmed(mantissa.trim_start_matches('-')), superscript(exponent))
}

/// Digits and sign raised, for powers of ten.
pub(crate) fn superscript(digits: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digits
        .chars()
        .filter_map(|c| match c {
            '-' | '−' => Some('⁻'),
            _ => c.to_digit(10).and_then(|digit| RAISED.get(digit as usize).copied()),
        })
        .collect()
}

fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return text.to_owned();
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{grouped, measured, plain};

    #[test]
    fn values_keep_three_digits() {
        let cases = [
            (0.0, "0"),
            (0.25, "0.25"),
            (0.2531, "0.253"),
            (0.01234, "0.0123"),
            (7.0, "7"),
            (7.126, "7.13"),
            (48.13, "48.1"),
            (99.97, "100"),
            (1234.4, "1,234"),
            (-12345.6, "−12,346"),
            (2.5e9, "2.5×10⁹"),
            (0.00001, "1×10⁻⁵"),
        ];
        for (value, text) in cases {
            assert_eq!(measured(value), text, "{value}");
        }
    }

    #[test]
    fn grid_values_lose_the_noise_of_binary_fractions() {
        assert_eq!(plain(0.150_000_000_000_000_02), "0.15");
        assert_eq!(plain(3.0), "3");
        assert_eq!(plain(-0.05), "-0.05");
    }

    #[test]
    fn thousands_are_grouped_and_zero_has_no_sign() {
        assert_eq!(grouped(1_234_567.0, 0), "1,234,567");
        assert_eq!(grouped(123.0, 1), "123.0");
        assert_eq!(grouped(-0.0001, 2), "0.00");
    }
}
