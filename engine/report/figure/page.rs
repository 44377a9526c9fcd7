//! The page of a figure: title, subtitle, panels, axis titles, legend and notes, from top to bottom.

use super::canvas::{Align, Canvas, Drawn, Pen, document};
use super::data::{Panel, Picture, Point};
use super::palette::{INK, LEVEL_DASH, SOFT, look};
use super::plot::{self, Place, TICK_SIZE, XAxis};
use super::scale::Scale;
use super::typeset;
use table::{FigureKind, FigureSpec, UNSTABLE};

const TITLE: Pen = Pen { size: 17.0, colour: INK, bold: true };
const SUBTITLE: Pen = Pen { size: 12.5, colour: SOFT, bold: false };
const AXIS: Pen = Pen { size: 13.0, colour: INK, bold: false };
const LEGEND: Pen = Pen { size: 12.5, colour: INK, bold: false };
const MARGIN: f64 = 18.0;
const PLOT_HEIGHT: f64 = 300.0;
const MOST_COLUMNS: usize = 3;
/// Panels whose largest values differ by more than this factor get y axes of their own.
const SHARED_UP_TO: f64 = 4.0;
/// Room for a sample of a line: four dashes and three gaps of a level line.
const SWATCH: f64 = 40.0;
const SMALL_SWATCH: f64 = 14.0;
const LEGEND_ROW: f64 = 20.0;
/// Width of a turned category of one line.
const LINE_OF_LABEL: f64 = 14.0;

/// Draws the picture: an SVG document.
pub(super) fn draw(spec: &FigureSpec, picture: &Picture) -> Result<String, String> {
    let page = Page::of(spec, picture)?;
    let title = format!("{} — {}", spec.title, mode_text(&picture.mode));
    document((page.width, page.height), &title, |canvas| {
        page.texts(canvas)?;
        page.panels(canvas)?;
        page.legend(canvas)
    })
}

struct Page<'a> {
    spec: &'a FigureSpec,
    picture: &'a Picture,
    columns: usize,
    panel_width: f64,
    /// One scale for all panels, or one each.
    y: Vec<Scale>,
    x: XAxis,
    tick_width: f64,
    title: Vec<String>,
    subtitle: Vec<String>,
    y_title: Vec<String>,
    legend: Vec<Item>,
    legend_columns: usize,
    legend_step: f64,
    left: f64,
    top: f64,
    heading: f64,
    width: f64,
    height: f64,
}

/// An entry of the legend.
struct Item {
    /// `None`: what a mark at the upper edge means.
    series: Option<usize>,
    lines: Vec<String>,
    level: bool,
}

impl<'a> Page<'a> {
    fn of(spec: &'a FigureSpec, picture: &'a Picture) -> Result<Page<'a>, String> {
        let columns = picture.panels.len().clamp(1, MOST_COLUMNS);
        let panel_width = panel_width(spec, picture, columns);
        let y = y_scales(spec, picture)?;
        let x = XAxis::of(picture, spec.kind, panel_width);
        let labels = y.iter().flat_map(|scale| &scale.ticks);
        let tick_width = labels.map(|(_, label)| typeset::width(label, TICK_SIZE)).fold(0.0, f64::max);
        let y_title = typeset::lines(&spec.y_label, AXIS.size, PLOT_HEIGHT);
        let left = MARGIN + 16.0 * y_title.len() as f64 + tick_width + 12.0;
        let heading =
            picture.panels.iter().map(|panel| plot::heading_height(panel, panel_width)).fold(0.0, f64::max);
        let mut page = Page {
            spec,
            picture,
            columns,
            panel_width,
            y,
            x,
            tick_width,
            title: Vec::new(),
            subtitle: Vec::new(),
            y_title,
            legend: Vec::new(),
            legend_columns: 1,
            legend_step: 0.0,
            left,
            top: 0.0,
            heading,
            width: 0.0,
            height: 0.0,
        };
        page.settle();
        Ok(page)
    }

    /// Decides what depends on the page's width, then its height.
    fn settle(&mut self) {
        self.width =
            self.left + self.columns as f64 * (self.panel_width + self.gap()) - self.gap() + MARGIN + 8.0;
        let inner = self.width - 2.0 * MARGIN;
        self.title = typeset::lines(&self.spec.title, TITLE.size * typeset::BOLD, inner);
        self.subtitle = typeset::lines(&self.subtitle_text(), SUBTITLE.size, inner);
        self.top = MARGIN + 22.0 * self.title.len() as f64 + 17.0 * self.subtitle.len() as f64 + 6.0;
        self.legend = items(self.picture, inner - self.swatch_width() - 8.0);
        let widths =
            self.legend.iter().flat_map(|item| &item.lines).map(|line| typeset::width(line, LEGEND.size));
        let widest = widths.fold(0.0, f64::max) + self.swatch_width() + 28.0;
        self.legend_step = widest;
        let fit = (((inner + 22.0) / widest) as usize).clamp(1, self.legend.len().max(1));
        // Even rows look better than a last row with one item.
        self.legend_columns = self.legend.len().max(1).div_ceil(self.legend.len().max(1).div_ceil(fit));
        let rows = self.legend.chunks(self.legend_columns).map(row_height).sum::<f64>();
        let legend = if rows > 0.0 { rows + 12.0 } else { 0.0 };
        self.height = self.legend_top() + legend + MARGIN - 4.0;
    }

    fn gap(&self) -> f64 {
        if self.y.len() > 1 { self.tick_width + 26.0 } else { 24.0 }
    }

    fn row_height(&self) -> f64 {
        self.heading + PLOT_HEIGHT + 8.0 + self.x.height()
    }

    fn rows(&self) -> usize {
        self.picture.panels.len().div_ceil(self.columns)
    }

    fn legend_top(&self) -> f64 {
        self.top + self.rows() as f64 * (self.row_height() + 8.0) + 24.0
    }

    fn subtitle_text(&self) -> String {
        let replications = match self.picture.replications {
            (_, most) if most <= 1 => "one run per point".to_owned(),
            (fewest, most) if fewest == most => format!("means of {most} replications with 95 % intervals"),
            (fewest, most) => format!("means of {fewest} to {most} replications with 95 % intervals"),
        };
        let mut parts = vec![mode_text(&self.picture.mode), replications];
        if self.y.len() > 1 {
            parts.push("panels have different scales".to_owned());
        }
        let hidden = self.picture.points().filter(|point| self.spec.log_y && point.y <= 0.0).count();
        match hidden {
            0 => {}
            1 => parts.push("1 value not above 0 is not shown".to_owned()),
            n => parts.push(format!("{n} values not above 0 are not shown")),
        }
        match self.picture.undefined {
            0 => {}
            1 => parts.push("1 value of unstable runs is not defined".to_owned()),
            n => parts.push(format!("{n} values of unstable runs are not defined")),
        }
        match self.picture.left_out {
            0 => {}
            1 => parts.push("1 value without a divisor is not shown".to_owned()),
            n => parts.push(format!("{n} values without a divisor are not shown")),
        }
        parts.join(" · ")
    }

    fn texts(&self, canvas: &mut Canvas<'_>) -> Drawn {
        let mut y = MARGIN + 8.0;
        for line in &self.title {
            canvas.text(line, (MARGIN, y), TITLE, Align::Left)?;
            y += 22.0;
        }
        for line in &self.subtitle {
            canvas.text(line, (MARGIN, y), SUBTITLE, Align::Left)?;
            y += 17.0;
        }
        let inner = self.width - MARGIN - 8.0 - self.left;
        let x_label = self.spec.x_label.as_ref().unwrap_or(&self.spec.x);
        canvas.text(x_label, (self.left + inner / 2.0, self.legend_top() - 18.0), AXIS, Align::Centre)?;
        for row in 0..self.rows() {
            let middle = self.plot_top(row) + PLOT_HEIGHT / 2.0;
            for (index, line) in self.y_title.iter().enumerate() {
                canvas.upwards(line, (MARGIN + 6.0 + 16.0 * index as f64, middle), AXIS, Align::Centre)?;
            }
        }
        Ok(())
    }

    fn plot_top(&self, row: usize) -> f64 {
        self.top + row as f64 * (self.row_height() + 8.0) + self.heading
    }

    fn panels(&self, canvas: &mut Canvas<'_>) -> Drawn {
        for (index, panel) in self.picture.panels.iter().enumerate() {
            let (row, column) = (index / self.columns, index % self.columns);
            let Some(y) = self.y.get(index).or(self.y.first()) else { continue };
            let place = Place {
                left: self.left + column as f64 * (self.panel_width + self.gap()),
                top: self.plot_top(row),
                width: self.panel_width,
                height: PLOT_HEIGHT,
                y,
                x: &self.x,
                labelled: column == 0 || self.y.len() > 1,
                ratios: self.spec.normalise_by.is_some(),
            };
            plot::draw(canvas, self.picture, panel, &place, self.spec.kind, self.spec.log_y)?;
        }
        Ok(())
    }

    fn legend(&self, canvas: &mut Canvas<'_>) -> Drawn {
        let mut y = self.legend_top() + 12.0;
        for row in self.legend.chunks(self.legend_columns) {
            for (column, item) in row.iter().enumerate() {
                let x = MARGIN + self.legend_step * column as f64;
                self.swatch(canvas, item, (x, y))?;
                for (index, line) in item.lines.iter().enumerate() {
                    canvas.text(
                        line,
                        (x + self.swatch_width() + 6.0, y + 15.0 * index as f64),
                        LEGEND,
                        Align::Left,
                    )?;
                }
            }
            y += row_height(row);
        }
        Ok(())
    }

    fn swatch(&self, canvas: &mut Canvas<'_>, item: &Item, (x, y): (f64, f64)) -> Drawn {
        let Some(series) = item.series else {
            return canvas.beyond((x + self.swatch_width() / 2.0, y), INK);
        };
        let look = look(series);
        if self.spec.kind == FigureKind::Bars {
            return canvas.rectangle((x, y - 6.0), (x + SMALL_SWATCH, y + 6.0), look.colour, look.fill);
        }
        let dash = if item.level { Some(LEVEL_DASH) } else { look.dash };
        canvas.path(&[(x, y), (x + SWATCH, y)], look.colour, 1.8, dash)?;
        canvas.halo((x + SWATCH / 2.0, y), look)?;
        canvas.marker((x + SWATCH / 2.0, y), look)
    }

    fn swatch_width(&self) -> f64 {
        match self.spec.kind {
            FigureKind::Bars => SMALL_SWATCH,
            _ => SWATCH,
        }
    }
}

fn row_height(row: &[Item]) -> f64 {
    let lines = row.iter().map(|item| item.lines.len()).max().unwrap_or(1);
    LEGEND_ROW + 15.0 * lines.saturating_sub(1) as f64
}

fn panel_width(spec: &FigureSpec, picture: &Picture, columns: usize) -> f64 {
    let usual = match columns {
        1 => 620.0,
        2 => 380.0,
        _ => 300.0,
    };
    if spec.kind == FigureKind::Lines {
        return usual;
    }
    let series = picture.panels.iter().map(|panel| panel.curves.len()).max().unwrap_or(1);
    let bars = if spec.kind == FigureKind::Bars { series as f64 * 12.0 } else { LINE_OF_LABEL };
    let needed = picture.categories.len() as f64 * (bars + 14.0);
    f64::max(usual, needed.min(1_200.0))
}

fn mode_text(mode: &str) -> String {
    match mode {
        "twin" => "twin (synthetic stand-in)".to_owned(),
        "model" => "model (synthetic workload)".to_owned(),
        other => other.to_owned(),
    }
}

fn y_scales(spec: &FigureSpec, picture: &Picture) -> Result<Vec<Scale>, String> {
    let scale = |values: &[f64]| {
        if spec.log_y {
            // Where bars of ratios start must be on the axis.
            let start = (spec.kind == FigureKind::Bars && spec.normalise_by.is_some()).then_some(1.0);
            // Where all are unstable, nothing has a place on the axis.
            let nowhere = (values.is_empty() && picture.has_unstable()).then_some(1.0);
            let values: Vec<f64> = values.iter().copied().chain(start).chain(nowhere).collect();
            return Scale::logarithmic(&values)
                .ok_or("no value is above 0, as a logarithmic axis needs".to_owned());
        }
        Ok(Scale::linear(values, spec.kind == FigureKind::Bars, 5))
    };
    let reach = |panel: &Panel| panel.points().map(|point| point.y.abs()).fold(0.0, f64::max);
    let reaches = picture.panels.iter().map(reach);
    let (least, most) = (reaches.clone().fold(f64::INFINITY, f64::min), reaches.fold(0.0, f64::max));
    if spec.log_y || most <= least * SHARED_UP_TO {
        return Ok(vec![scale(&extents(picture.points(), spec.log_y))?]);
    }
    let own = |panel: &Panel| scale(&extents(panel.points(), spec.log_y));
    picture.panels.iter().map(own).collect()
}

/// The values that an axis must show. Where no mean is negative, neither is what was measured, and an interval that reaches
/// below zero is cut off there.
fn extents<'a>(points: impl Iterator<Item = &'a Point> + Clone, log: bool) -> Vec<f64> {
    let floor = if points.clone().all(|point| point.y >= 0.0) { 0.0 } else { f64::NEG_INFINITY };
    points.flat_map(|point| extent(point, log)).map(|value| value.max(floor)).collect()
}

/// The values that an axis must show for a point. On a logarithmic axis an interval that reaches towards zero is cut off at a
/// tenth of the mean, for else it would flatten everything.
fn extent(point: &Point, log: bool) -> Vec<f64> {
    let Some((low, high)) = point.interval else { return vec![point.y] };
    let low = if log { low.max(point.y / 10.0) } else { low };
    vec![point.y, low, high]
}

/// The series of the picture for the legend, none if there is but one without a name; then what the mark of unstable values is.
fn items(picture: &Picture, limit: f64) -> Vec<Item> {
    let curves = || picture.panels.iter().flat_map(|panel| &panel.curves);
    let item = |(series, name): (usize, &String)| {
        curves().find(|curve| curve.series == series)?;
        let level = curves().any(|curve| curve.series == series && plot::is_level(curve, picture));
        Some(Item { series: Some(series), lines: typeset::lines(name, LEGEND.size, limit), level })
    };
    let mut items: Vec<Item> = picture.series.iter().enumerate().filter_map(item).collect();
    if items.iter().all(|item| item.lines.is_empty()) {
        items.clear();
    }
    if picture.has_unstable() {
        items.push(Item { series: None, lines: typeset::lines(UNSTABLE, LEGEND.size, limit), level: false });
    }
    items
}
