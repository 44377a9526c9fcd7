//! Colours, in light and dark. Figures are drawn in those of the first column, on white; the page replaces them by name, so that a
//! figure is as dark as the page around it.

use std::fmt::Write;

/// A colour of figures.
pub(super) struct Shade {
    /// As figures have it, in lower case.
    pub drawn: &'static str,
    /// Its name in the style.
    pub name: &'static str,
    /// On a light page.
    pub light: &'static str,
    /// On a dark page.
    pub dark: &'static str,
}

const fn shade(drawn: &'static str, name: &'static str, light: &'static str, dark: &'static str) -> Shade {
    Shade { drawn, name, light, dark }
}

/// The colours that figures have on purpose for a white ground. Those of the series keep their order in hue and become lighter where
/// they would be lost on a dark ground.
pub(super) const SHADES: [Shade; 11] = [
    shade("#ffffff", "paper", "#ffffff", "#1b2027"),
    shade("#212529", "ink", "#212529", "#e4e8ec"),
    shade("#5a626a", "soft", "#5a626a", "#a9b3bd"),
    shade("#e2e6ea", "grid", "#e2e6ea", "#353d47"),
    shade("#0072b2", "c1", "#0072b2", "#3f9fe0"),
    shade("#d55e00", "c2", "#d55e00", "#ee7d22"),
    shade("#009e73", "c3", "#009e73", "#1fb58a"),
    shade("#cc79a7", "c4", "#cc79a7", "#dd93bb"),
    shade("#56b4e9", "c5", "#56b4e9", "#9ad8ff"),
    shade("#e69f00", "c6", "#e69f00", "#f3bd3f"),
    shade("#000000", "c7", "#000000", "#ffffff"),
];

/// The shade that a figure's colour stands for.
pub(super) fn of(colour: &str) -> Option<&'static Shade> {
    let colour = colour.trim().to_ascii_lowercase();
    let long = match colour.strip_prefix('#') {
        Some(digits) if digits.len() == 3 => {
            format!("#{}", digits.chars().flat_map(|digit| [digit, digit]).collect::<String>())
        }
        _ => colour,
    };
    SHADES.iter().find(|shade| shade.drawn == long)
}

/// The colours as properties of the page, and the classes by which figures use them. A browser that does not know `light-dark`
/// shows figures as they are drawn.
pub(super) fn style() -> String {
    let mut out = String::from(":root{color-scheme:light dark");
    for Shade { name, light, dark, .. } in &SHADES {
        // A text grows for ever.
        let _ = write!(out, ";--{name}:light-dark({light},{dark})");
    }
    out.push_str("}\n");
    for Shade { drawn, name, .. } in &SHADES {
        let _ = writeln!(
            out,
            ".f-{name}{{fill:{drawn};fill:var(--{name})}}.s-{name}{{stroke:{drawn};stroke:var(--{name})}}"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0)) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_and_lines_stand_out_from_a_dark_ground() {
        let paper = SHADES[0].dark;
        for shade in &SHADES[1..] {
            let least = match shade.name {
                "grid" => 1.3,
                "ink" | "soft" => 4.5,
                _ => 3.0,
            };
            let found = contrast(shade.dark, paper);
            assert!(found >= least, "{}: {found:.2}", shade.name);
        }
        assert!(contrast("#5a626a", "#ffffff") >= 4.5);
    }

    #[test]
    fn a_colour_is_found_however_it_is_written() {
        for colour in ["#FFF", "#ffffff", "#FFFFFF"] {
            assert_eq!(of(colour).map(|shade| shade.name), Some("paper"));
        }
        assert!(of("none").is_none() && of("#123456").is_none() && of("url(#h0)").is_none());
    }
}
