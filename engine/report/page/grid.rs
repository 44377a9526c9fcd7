//! Tables of the page. Every one has a caption, headings with a scope, and rows that the page's program can sort by any column: by
//! number if all cells of the column are numbers, else as people sort text; cells without a value come last.

use super::html::{Html, element, join, tag};

/// A cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    content: Html,
    /// What it is sorted by, where that is not its text.
    key: Option<String>,
    class: Option<&'static str>,
}

/// A column's heading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub label: &'a str,
    /// Classes of its cells, beside their own.
    pub class: &'static str,
}

/// A table; the first cell of each row is its heading.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid<'a> {
    /// The name of its place on the page.
    pub anchor: String,
    pub caption: Html,
    pub heads: Vec<Head<'a>>,
    pub rows: Vec<Vec<Cell>>,
    /// Rows that stay below.
    pub foot: Vec<Vec<Cell>>,
}

impl Cell {
    /// A cell that is sorted by its text.
    pub fn of(content: impl Into<Html>) -> Cell {
        Cell { content: content.into(), ..Cell::default() }
    }

    /// A number as it is shown; a dash where there is none.
    pub fn number(value: Option<f64>, shown: impl Into<Html>) -> Cell {
        match value {
            Some(value) => Cell::of(shown).keyed(value.to_string()),
            None => Cell::none(),
        }
    }

    /// A count.
    pub fn count(value: usize) -> Cell {
        Cell::of(crate::number::grouped(value as f64, 0)).keyed(value.to_string())
    }

    /// No value.
    pub fn none() -> Cell {
        Cell::of("—").keyed("")
    }

    /// The same, sorted by something else.
    pub fn keyed(self, key: impl Into<String>) -> Cell {
        Cell { key: Some(key.into()), ..self }
    }

    /// The same with a class.
    pub fn class(self, class: &'static str) -> Cell {
        Cell { class: Some(class), ..self }
    }

    fn html(self, head: &Head<'_>, is_heading: bool) -> Html {
        let classes = [head.class, self.class.unwrap_or("")].join(" ");
        let mut attributes = Vec::new();
        if is_heading {
            attributes.push(("scope", "row"));
        }
        if !classes.trim().is_empty() {
            attributes.push(("class", classes.trim()));
        }
        if let Some(key) = &self.key {
            attributes.push(("data-key", key));
        }
        element(if is_heading { "th" } else { "td" }, &attributes, self.content)
    }
}

impl<'a> Head<'a> {
    /// A column of text.
    pub fn text(label: &'a str) -> Head<'a> {
        Head { label, class: "" }
    }

    /// A column of numbers.
    pub fn number(label: &'a str) -> Head<'a> {
        Head { label, class: "n" }
    }

    /// A column of sentences, which needs room.
    pub fn sentence(label: &'a str) -> Head<'a> {
        Head { label, class: "wide" }
    }
}

impl Grid<'_> {
    /// The table in a box of its own, which scrolls where the page is narrow.
    pub fn html(self) -> Html {
        let Grid { anchor, caption, heads, rows, foot } = self;
        let caption_anchor = format!("{anchor}-caption");
        let head: Html = heads
            .iter()
            .map(|head| match head.class {
                "n" => element("th", &[("scope", "col"), ("class", "n")], head.label),
                _ => element("th", &[("scope", "col")], head.label),
            })
            .collect();
        let body = |rows: Vec<Vec<Cell>>| -> Html {
            let row = |cells: Vec<Cell>| {
                let cells = cells.into_iter().zip(&heads).enumerate();
                tag("tr", cells.map(|(at, (cell, head))| cell.html(head, at == 0)).collect::<Html>())
            };
            rows.into_iter().map(row).collect()
        };
        let foot = if foot.is_empty() { Html::default() } else { tag("tfoot", body(foot)) };
        let parts = join([
            element("caption", &[("id", &caption_anchor)], caption),
            tag("thead", tag("tr", head)),
            tag("tbody", body(rows)),
            foot,
        ]);
        let table = element("table", &[("id", &anchor)], parts);
        element("div", &[("class", "scroll"), ("role", "group"), ("aria-labelledby", &caption_anchor)], table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_table_has_headings_with_scopes_and_keys_to_sort_by() {
        let grid = Grid {
            anchor: "t".to_owned(),
            caption: "Waits".into(),
            heads: vec![Head::text("policy"), Head::number("wait")],
            rows: vec![
                vec![Cell::of("EASY"), Cell::number(Some(1234.5), "1,235")],
                vec![Cell::of("FCFS"), Cell::number(None, "never")],
            ],
            foot: vec![vec![Cell::of("both"), Cell::count(2).class("sum")]],
        };
        expect![[r#"
            <div class="scroll" role="group" aria-labelledby="t-caption"><table id="t"><caption id="t-caption">Waits</caption><thead><tr><th scope="col">policy</th><th scope="col" class="n">wait</th></tr></thead><tbody><tr><th scope="row">EASY</th><td class="n" data-key="1234.5">1,235</td></tr><tr><th scope="row">FCFS</th><td class="n" data-key="">—</td></tr></tbody><tfoot><tr><th scope="row">both</th><td class="n sum" data-key="2">2</td></tr></tfoot></table></div>"#]]
        .assert_eq(&grid.html().into_text());
    }
}
