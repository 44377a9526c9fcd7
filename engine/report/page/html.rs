//! Markup that cannot be ill-formed: text is escaped, and every element that is opened is closed.

use crate::escape::markup;

/// A piece of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Html(String);

impl Html {
    /// Text.
    pub fn text(text: &str) -> Html {
        Html(markup(text))
    }

    /// What is markup already.
    pub fn of_markup(markup: String) -> Html {
        Html(markup)
    }

    /// A line break.
    pub fn line_break() -> Html {
        Html("<br/>".to_owned())
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As text for the document.
    pub fn into_text(self) -> String {
        self.0
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(parts: I) -> Html {
        parts.into_iter().fold(Html::default(), |mut all, part| {
            all.0.push_str(&part.0);
            all
        })
    }
}

impl From<&str> for Html {
    fn from(text: &str) -> Html {
        Html::text(text)
    }
}

impl From<String> for Html {
    fn from(text: String) -> Html {
        Html::text(&text)
    }
}

/// Parts one after the other.
pub(super) fn join<const N: usize>(parts: [Html; N]) -> Html {
    parts.into_iter().collect()
}

/// Parts with something between them.
pub(super) fn separated(parts: impl IntoIterator<Item = Html>, between: &Html) -> Html {
    let between = |at| if at > 0 { between.clone() } else { Html::default() };
    parts.into_iter().enumerate().flat_map(|(at, part)| [between(at), part]).collect()
}

/// An element without attributes.
pub(super) fn tag(name: &str, content: impl Into<Html>) -> Html {
    element(name, &[], content)
}

/// An element; attributes are name and value.
pub(super) fn element(name: &str, attributes: &[(&str, &str)], content: impl Into<Html>) -> Html {
    let attributes: String =
        attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", markup(value))).collect();
    Html(format!("<{name}{attributes}>{}</{name}>", content.into().0))
}

/// A link within the page.
pub(super) fn link(anchor: &str, content: impl Into<Html>) -> Html {
    element("a", &[("href", &format!("#{anchor}"))], content)
}

/// An unordered list; nothing without items.
pub(super) fn list(items: impl IntoIterator<Item = Html>) -> Html {
    let items: Html = items.into_iter().map(|item| tag("li", item)).collect();
    if items.is_empty() { items } else { tag("ul", items) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_elements_are_closed() {
        let content = join([tag("b", "a < b & \"c\""), Html::line_break(), link("x", "y")]);
        assert_eq!(
            element("p", &[("title", "\"<")], content).into_text(),
            "<p title=\"&quot;&lt;\"><b>a &lt; b &amp; &quot;c&quot;</b><br/><a href=\"#x\">y</a></p>"
        );
        assert_eq!(list([]), Html::default());
        let items = ["a", "b"].map(Html::from);
        assert_eq!(separated(items, &Html::from(", ")).into_text(), "a, b");
    }
}
