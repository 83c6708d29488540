//! The picture of one finding as SVG, drawn from what the JSON report says of it and from nothing else.

use std::fmt::Write as _;

use super::document::{EventObject, FindingObject, PictureObject};
use super::markup::{clipped, escape, plain_words, wrapped};

/// Colours and lines of the picture; the page that holds several says it once.
pub const STYLE: &str = include_str!("html/picture.css");

/// Left of it stand the names of the lanes.
const LEFT: f64 = 150.0;
/// Width of a unit of time.
const UNIT: f64 = 84.0;
/// Units that something takes at least which never ends.
const FOR_EVER: u32 = 4;
const LANE: f64 = 118.0;
const TOP: f64 = 34.0;
const BAR: f64 = 48.0;
const POINT: f64 = 7.0;
/// Width of a letter in the two fonts.
const CODE_LETTER: f64 = 7.3;
const TEXT_LETTER: f64 = 6.1;

/// A picture that stands alone, with what it is about above it and its arrows told below.
pub fn alone(finding: &FindingObject) -> Option<String> {
    let picture = finding.picture.as_ref()?;
    let drawn = Drawn::new(picture);
    let width = drawn.width.max(640.0);
    let letters = ((width - 48.0) / (TEXT_LETTER * 1.22)) as usize;
    let title = format!("{} {}", finding.code, finding.rule);
    let message = wrapped(&plain_words(&finding.message), letters);
    let head = 52.0 + 19.0 * message.len() as f64;
    let told: Vec<(usize, Vec<String>)> = arrows(picture)
        .map(|(number, text)| (number, wrapped(&plain_words(text), letters.saturating_sub(6))))
        .collect();
    let lines: usize = told.iter().map(|(_, lines)| lines.len()).sum();
    let foot = 26.0 + 21.0 * lines as f64 + 8.0 * told.len() as f64;
    let height = head + drawn.height + foot;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cl-picture cl-alone\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n<style>\n{STYLE}</style>\n<rect class=\"cl-ground\" width=\"100%\" height=\"100%\"/>\n",
        escape(&format!("{title}: {}", plain_words(&finding.message))),
        escape(&told_in_words(picture)),
    );
    let _ = writeln!(
        svg,
        "<text class=\"cl-title\" x=\"24\" y=\"34\">{}</text>",
        escape(&title)
    );
    for (line, at) in message.iter().zip(0..) {
        let y = 58.0 + 19.0 * f64::from(at);
        let _ = writeln!(
            svg,
            "<text class=\"cl-message\" x=\"24\" y=\"{y:.0}\">{}</text>",
            escape(line)
        );
    }
    let _ = writeln!(
        svg,
        "<g transform=\"translate(0 {head:.0})\">\n{}</g>",
        drawn.body("p")
    );
    let mut y = head + drawn.height + 20.0;
    for (number, lines) in told {
        let _ = writeln!(
            svg,
            "<circle class=\"cl-badge\" cx=\"36\" cy=\"{:.0}\" r=\"10\"/><text class=\"cl-number\" x=\"36\" y=\"{:.0}\">{number}</text>",
            y - 5.0,
            y - 1.0
        );
        for line in lines {
            let _ = writeln!(
                svg,
                "<text class=\"cl-message\" x=\"56\" y=\"{y:.0}\">{}</text>",
                escape(&line)
            );
            y += 21.0;
        }
        y += 8.0;
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

/// A picture inside a page; `prefix` keeps its names apart from those of others.
pub fn inline(picture: &PictureObject, prefix: &str) -> String {
    let drawn = Drawn::new(picture);
    format!(
        "<svg class=\"cl-picture\" viewBox=\"0 0 {0:.0} {1:.0}\" style=\"max-width:{4:.0}px\" role=\"img\" aria-label=\"{2}\">\n{3}</svg>\n",
        drawn.width,
        drawn.height,
        escape(&told_in_words(picture)),
        drawn.body(prefix),
        1.3 * drawn.width,
    )
}

/// Number and sentence of every arrow that is told.
pub fn arrows(picture: &PictureObject) -> impl Iterator<Item = (usize, &str)> {
    let told = picture.edges.iter().filter(|it| it.kind != "enqueues");
    told.zip(1..).map(|(edge, number)| (number, edge.text.as_str()))
}

/// The arrows as sentences; without any, what happens.
fn told_in_words(picture: &PictureObject) -> String {
    let mut told: Vec<String> = arrows(picture)
        .map(|(number, text)| format!("{number}: {}", plain_words(text)))
        .collect();
    if told.is_empty() {
        let events = picture.events.iter();
        told = events
            .map(|it| format!("{}: {}", it.name, plain_words(&it.text)))
            .collect();
    }
    told.join("; ")
}

/// The box of an event.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    lane: usize,
}

impl Area {
    fn middle(self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }
}

struct Drawn<'a> {
    picture: &'a PictureObject,
    areas: Vec<Area>,
    width: f64,
    height: f64,
}

impl<'a> Drawn<'a> {
    fn new(picture: &'a PictureObject) -> Self {
        let latest = |it: &EventObject| match it.end {
            Some(end) if it.state == "unreached" => end + 3,
            Some(end) => end.max(it.start + if is_point(it) { 2 } else { 1 }),
            None => it.start + FOR_EVER,
        };
        // What a report claims is bounded here: a picture is never wider than a few screens.
        let last = picture
            .events
            .iter()
            .map(latest)
            .max()
            .unwrap_or(FOR_EVER)
            .min(64);
        let width = LEFT + UNIT * (f64::from(last) + 0.5) + 20.0;
        let areas = picture
            .events
            .iter()
            .map(|event| {
                let lane = event.lane.min(picture.lanes.len().saturating_sub(1));
                let line = TOP + LANE * (lane as f64 + 0.5);
                let x = LEFT + UNIT * (f64::from(event.start.min(64)) + 0.4);
                match is_point(event) {
                    true => Area {
                        left: x - POINT,
                        right: x + POINT,
                        top: line - POINT,
                        bottom: line + POINT,
                        lane,
                    },
                    false => {
                        let end = event
                            .end
                            .map(|it| LEFT + UNIT * (f64::from(it.min(64)) + 0.4) - 22.0);
                        Area {
                            left: x,
                            right: end.unwrap_or(width - 20.0).max(x + 40.0),
                            top: line - BAR / 2.0,
                            bottom: line + BAR / 2.0,
                            lane,
                        }
                    }
                }
            })
            .collect();
        Drawn {
            picture,
            areas,
            width,
            height: TOP + LANE * picture.lanes.len() as f64 + 6.0,
        }
    }

    fn body(&self, prefix: &str) -> String {
        let mut svg = String::new();
        self.marks(&mut svg, prefix);
        self.lanes(&mut svg);
        for edge in self.picture.edges.iter().filter(|it| it.kind == "enqueues") {
            self.enqueues(&mut svg, prefix, edge.from, edge.to);
        }
        for (index, event) in self.picture.events.iter().enumerate() {
            self.event(&mut svg, prefix, event, self.areas[index]);
        }
        let told = self.picture.edges.iter().filter(|it| it.kind != "enqueues");
        for (edge, number) in told.zip(1..) {
            if edge.from < self.areas.len() && edge.to < self.areas.len() {
                self.arrow(&mut svg, prefix, (edge.from, edge.to), &edge.kind, number);
            }
        }
        svg
    }

    /// Arrow heads and the hatching of what never starts.
    fn marks(&self, svg: &mut String, prefix: &str) {
        let head = |name: &str| {
            format!(
                "<marker id=\"{prefix}-{name}\" class=\"cl-head-{name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\"/></marker>"
            )
        };
        let _ = writeln!(
            svg,
            "<defs>{}{}<pattern id=\"{prefix}-hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect class=\"cl-hatch-ground\" width=\"8\" height=\"8\"/><path class=\"cl-hatch\" d=\"M0 0V8\"/></pattern></defs>",
            head("needs"),
            head("enqueues"),
        );
    }

    fn lanes(&self, svg: &mut String) {
        let right = self.width - 20.0;
        let _ = writeln!(
            svg,
            "<text class=\"cl-time\" x=\"{right:.0}\" y=\"18\" text-anchor=\"end\">time →</text>"
        );
        for (lane, at) in self.picture.lanes.iter().zip(0..) {
            let top = TOP + LANE * f64::from(at);
            let line = top + LANE / 2.0;
            let kind = if lane.kind == "host" { "host" } else { "stream" };
            let _ = writeln!(
                svg,
                "<rect class=\"cl-lane cl-lane-{kind}\" x=\"8\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/><path class=\"cl-line\" d=\"M{LEFT} {line:.1}H{right:.1}\"/>",
                top + 4.0,
                self.width - 16.0,
                LANE - 8.0,
            );
            let what = if kind == "host" { "CPU" } else { "GPU" };
            let name = wrapped(&lane.name, 18);
            let first = line - 8.0 * name.len() as f64;
            let _ = writeln!(
                svg,
                "<text class=\"cl-kind\" x=\"22\" y=\"{first:.1}\">{what}</text>"
            );
            for (part, row) in name.iter().take(3).zip(1..) {
                let y = first + 17.0 * f64::from(row);
                let _ = writeln!(
                    svg,
                    "<text class=\"cl-name\" x=\"22\" y=\"{y:.1}\">{}</text>",
                    escape(part)
                );
            }
        }
    }

    fn event(&self, svg: &mut String, prefix: &str, event: &EventObject, area: Area) {
        let state = match event.state.as_str() {
            state @ ("issued" | "runs" | "waits" | "held" | "stuck" | "unreached") => state,
            _ => "runs",
        };
        let step = event
            .step
            .map(|it| format!(" data-step=\"{it}\""))
            .unwrap_or_default();
        let whole = format!(
            "{}:{}: {}",
            event.place.path,
            event.place.line,
            plain_words(&event.text)
        );
        let _ = writeln!(
            svg,
            "<g class=\"cl-event cl-{state}\"{step}><title>{}</title>",
            escape(&whole)
        );
        let (x, y) = area.middle();
        if is_point(event) {
            let room = self.room(event, area);
            let (left, above) = match state {
                "unreached" => (area.right + 7.0, y - 2.0),
                _ => (area.left, area.top - 9.0),
            };
            let name = clipped(&event.name, (room / CODE_LETTER) as usize);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{POINT}\"/><text class=\"cl-code\" x=\"{left:.1}\" y=\"{above:.1}\">{}</text>",
                escape(&name)
            );
            if state == "unreached" {
                let _ = writeln!(
                    svg,
                    "<path class=\"cl-cross\" d=\"M{0:.1} {1:.1}l8 8m0 -8l-8 8\"/><text class=\"cl-small\" x=\"{left:.1}\" y=\"{2:.1}\">never reached</text>",
                    x - 4.0,
                    y - 4.0,
                    y + 13.0
                );
            }
        } else {
            let width = area.right - area.left;
            let name = clipped(&event.name, ((width - 22.0) / CODE_LETTER) as usize);
            let text = fate(event);
            let text = clipped(&text, ((width - 22.0) / TEXT_LETTER) as usize);
            let fill = match state {
                "held" => format!(" style=\"fill:url(#{prefix}-hatch)\""),
                _ => String::new(),
            };
            let _ = writeln!(
                svg,
                "<rect class=\"cl-bar\"{fill} x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{BAR}\" rx=\"7\"/><text class=\"cl-code cl-strong\" x=\"{2:.1}\" y=\"{3:.1}\">{4}</text><text class=\"cl-small\" x=\"{2:.1}\" y=\"{5:.1}\">{6}</text>",
                area.left,
                area.top,
                area.left + 11.0,
                area.top + 19.0,
                escape(&name),
                area.top + 36.0,
                escape(&text),
            );
            let takes = CODE_LETTER * name.chars().count() as f64 + 90.0;
            if event.end.is_none() && matches!(state, "waits" | "stuck") && takes < width {
                let _ = writeln!(
                    svg,
                    "<text class=\"cl-small cl-ever\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">for ever →</text>",
                    area.right - 10.0,
                    area.top + 19.0
                );
            }
        }
        svg.push_str("</g>\n");
    }

    /// Width up to the next thing in the lane.
    fn room(&self, event: &EventObject, area: Area) -> f64 {
        let after = self
            .picture
            .events
            .iter()
            .zip(&self.areas)
            .filter(|(other, it)| it.lane == area.lane && other.start > event.start)
            .map(|(other, it)| match is_point(other) {
                true => it.left,
                // The name of a bar stands inside of it, lower than that of a point.
                false => it.left + 60.0,
            })
            .fold(self.width - 20.0, f64::min);
        (after - area.left - 10.0).max(40.0)
    }

    fn is_host(&self, lane: usize) -> bool {
        self.picture.lanes.get(lane).is_some_and(|it| it.kind == "host")
    }

    fn enqueues(&self, svg: &mut String, prefix: &str, from: usize, to: usize) {
        let (Some(from), Some(to)) = (self.areas.get(from), self.areas.get(to)) else {
            return;
        };
        let x = (from.left + POINT).min(from.middle().0);
        let (_, y) = to.middle();
        let begin = if to.top > from.bottom {
            from.bottom
        } else {
            from.top
        };
        let _ = writeln!(
            svg,
            "<path class=\"cl-enqueues\" marker-end=\"url(#{prefix}-enqueues)\" d=\"M{x:.1} {begin:.1}V{y:.1}H{:.1}\"/>",
            to.left - 1.0
        );
    }

    /// An arrow of the cycle, or the conflict of a race, with its number.
    fn arrow(&self, svg: &mut String, prefix: &str, ends: (usize, usize), kind: &str, number: usize) {
        let (from, to) = (self.areas[ends.0], self.areas[ends.1]);
        let (path, at) = match from.lane == to.lane {
            true => arc(from, to, self.is_host(from.lane)),
            false => self.across(from, to, ends, number),
        };
        let (class, start) = match kind {
            "races" => ("cl-races", format!(" marker-start=\"url(#{prefix}-needs)\"")),
            _ => ("cl-needs", String::new()),
        };
        let _ = writeln!(
            svg,
            "<path class=\"cl-halo\" d=\"{path}\"/><path class=\"{class}\"{start} marker-end=\"url(#{prefix}-needs)\" d=\"{path}\"/><g class=\"cl-arrow-number\" data-arrow=\"{number}\"><circle class=\"cl-badge\" cx=\"{0:.1}\" cy=\"{1:.1}\" r=\"10\"/><text class=\"cl-number\" x=\"{0:.1}\" y=\"{2:.1}\">{number}</text></g>",
            at.0,
            at.1,
            at.1 + 4.0
        );
    }

    /// From lane to lane: straight where the two are there at one time, each arrow at a place of its own.
    fn across(&self, from: Area, to: Area, ends: (usize, usize), number: usize) -> (String, (f64, f64)) {
        let (low, high) = (from.left.max(to.left), from.right.min(to.right));
        let down = to.top > from.top;
        let (y0, y1) = match down {
            true => (from.bottom, to.top - 2.0),
            false => (from.top, to.bottom + 2.0),
        };
        if high - low >= 12.0 {
            let between = |a: usize, b: usize| {
                let (a, b) = (self.areas.get(a), self.areas.get(b));
                a.zip(b).is_some_and(|(a, b)| {
                    let wide = a.right.min(b.right) - a.left.max(b.left) > 40.0;
                    a.lane != b.lane && wide
                })
            };
            let told: Vec<_> = self
                .picture
                .edges
                .iter()
                .filter(|it| it.kind != "enqueues")
                .collect();
            let wide = told.iter().filter(|it| between(it.from, it.to)).count().max(1);
            let rank = told[..number - 1]
                .iter()
                .filter(|it| between(it.from, it.to))
                .count();
            let x = match between(ends.0, ends.1) {
                true => low + (high - low) * (rank as f64 + 1.0) / (wide as f64 + 1.0),
                false => (low + high) / 2.0,
            };
            return (format!("M{x:.1} {y0:.1}V{y1:.1}"), (x, (y0 + y1) / 2.0));
        }
        let (x0, x1) = match from.middle().0 < to.middle().0 {
            true => (
                from.right - 10.0_f64.min((from.right - from.left) / 2.0),
                to.left + 14.0_f64.min((to.right - to.left) / 2.0),
            ),
            false => (
                from.left + 10.0_f64.min((from.right - from.left) / 2.0),
                to.right - 14.0_f64.min((to.right - to.left) / 2.0),
            ),
        };
        let bend = (y0 + y1) / 2.0;
        (
            format!("M{x0:.1} {y0:.1}C{x0:.1} {bend:.1} {x1:.1} {bend:.1} {x1:.1} {y1:.1}"),
            ((x0 + x1) / 2.0, bend),
        )
    }
}

/// Within a lane: above what stands in that of a host, below what stands in that of a stream.
fn arc(from: Area, to: Area, above: bool) -> (String, (f64, f64)) {
    let inner = |area: Area, towards: f64| {
        let reach = ((area.right - area.left) / 2.0).min(46.0);
        match towards < area.left {
            true => area.left + reach.min(10.0),
            false if towards > area.right => area.right - reach,
            false => area.middle().0,
        }
    };
    let (x0, x1) = (inner(from, to.middle().0), inner(to, from.middle().0));
    let (y0, y1, bend) = match above {
        true => (from.top, to.top - 2.0, from.top.min(to.top) - 30.0),
        false => (from.bottom, to.bottom + 2.0, from.bottom.max(to.bottom) + 30.0),
    };
    let middle = ((x0 + x1) / 2.0, (y0 + y1) * 0.125 + bend * 0.75);
    (
        format!("M{x0:.1} {y0:.1}C{x0:.1} {bend:.1} {x1:.1} {bend:.1} {x1:.1} {y1:.1}"),
        middle,
    )
}

fn is_point(event: &EventObject) -> bool {
    matches!(event.state.as_str(), "issued" | "unreached")
}

/// What becomes of it, without its name in front.
fn fate(event: &EventObject) -> String {
    let text = event.text.strip_prefix(&format!("`{}` ", event.name));
    plain_words(text.unwrap_or(&event.text))
}
