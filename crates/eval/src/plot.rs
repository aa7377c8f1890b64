//! Plots as SVG text: no script, no font, nothing to load.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 56.0;

/// Told apart by people who see colours differently, too.
const COLOURS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933",
    "#882255", "#44aa99", "#777777", "#332288",
];

/// A named series of points.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it is called in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// What the axes show.
#[derive(Clone, Debug)]
pub struct Axes<'t> {
    /// Above the plot.
    pub title: &'t str,
    /// Below it; the scale is logarithmic.
    pub x: &'t str,
    /// Beside it; from 0 to 1.
    pub y: &'t str,
}

/// Points, and lines between those of a series that has several. The
/// horizontal scale is logarithmic, the vertical one from 0 to 1.
pub fn lines(axes: &Axes, series: &[Series]) -> String {
    let positive = series
        .iter()
        .flat_map(|s| &s.points)
        .map(|p| p.0)
        .filter(|x| *x > 0.0);
    let (low, high) = decades(positive);
    let x = |value: f64| {
        let share = (value.max(low).log10() - low.log10()) / (high.log10() - low.log10());
        LEFT + share * (WIDTH - LEFT - RIGHT)
    };
    let mut svg = begin(axes);
    let mut tick = low;
    while tick <= high * 1.001 {
        vertical(&mut svg, x(tick), &short(tick));
        tick *= 10.0;
    }
    for (at, one) in series.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let places: Vec<String> = one
            .points
            .iter()
            .map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1)))
            .collect();
        if places.len() > 1 {
            let _ = writeln!(
                svg,
                r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"/>"#,
                places.join(" ")
            );
        }
        for (px, py) in &one.points {
            let tip = escaped(&format!("{}: {} / {py:.3}", one.name, short(*px)));
            let _ = writeln!(
                svg,
                r#"<circle cx="{:.1}" cy="{:.1}" r="4" fill="{colour}"><title>{tip}</title></circle>"#,
                x(*px),
                y(*py)
            );
        }
        legend(&mut svg, at, &one.name, colour);
    }
    svg + "</svg>\n"
}

/// Bars in groups: for each label one bar a series, whose points are at the
/// positions of the labels.
pub fn bars(axes: &Axes, labels: &[String], series: &[Series]) -> String {
    let mut svg = begin(axes);
    let group = (WIDTH - LEFT - RIGHT) / labels.len().max(1) as f64;
    let bar = group * 0.8 / series.len().max(1) as f64;
    for (at, label) in labels.iter().enumerate() {
        let middle = LEFT + group * (at as f64 + 0.5);
        let _ = writeln!(
            svg,
            r#"<text x="{middle:.1}" y="{:.1}" text-anchor="end" transform="rotate(-35 {middle:.1} {:.1})">{}</text>"#,
            HEIGHT - BOTTOM + 14.0,
            HEIGHT - BOTTOM + 14.0,
            escaped(label)
        );
    }
    for (at, one) in series.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        for (px, py) in &one.points {
            let left = LEFT + group * px + group * 0.1 + bar * at as f64;
            let tip = escaped(&format!("{}: {py:.3}", one.name));
            let _ = writeln!(
                svg,
                r#"<rect x="{left:.1}" y="{:.1}" width="{bar:.1}" height="{:.1}" fill="{colour}"><title>{tip}</title></rect>"#,
                y(*py),
                HEIGHT - BOTTOM - y(*py)
            );
        }
        legend(&mut svg, at, &one.name, colour);
    }
    svg + "</svg>\n"
}

fn y(value: f64) -> f64 {
    HEIGHT - BOTTOM - value.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
}

/// The powers of ten around all values.
fn decades(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    for value in values {
        low = low.min(value);
        high = high.max(value);
    }
    if !low.is_finite() {
        return (1.0, 10.0);
    }
    let low = 10f64.powf(low.log10().floor());
    let high = 10f64.powf(high.log10().ceil());
    (low, if high > low { high } else { low * 10.0 })
}

fn begin(axes: &Axes) -> String {
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12" fill="#222222">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<text x="{LEFT}" y="22" font-size="15">{}</text>
<text x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>
<text x="16" y="{:.1}" text-anchor="middle" transform="rotate(-90 16 {:.1})">{}</text>"##,
        escaped(axes.title),
        LEFT + (WIDTH - LEFT - RIGHT) / 2.0,
        HEIGHT - 8.0,
        escaped(axes.x),
        (TOP + HEIGHT - BOTTOM) / 2.0,
        (TOP + HEIGHT - BOTTOM) / 2.0,
        escaped(axes.y),
    );
    for step in 0..=5 {
        let value = f64::from(step) / 5.0;
        let _ = writeln!(
            svg,
            r##"<line x1="{LEFT}" x2="{:.1}" y1="{:.1}" y2="{:.1}" stroke="#dddddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{value:.1}</text>"##,
            WIDTH - RIGHT,
            y(value),
            y(value),
            LEFT - 8.0,
            y(value) + 4.0
        );
    }
    svg
}

fn vertical(svg: &mut String, x: f64, label: &str) {
    let _ = writeln!(
        svg,
        r##"<line x1="{x:.1}" x2="{x:.1}" y1="{TOP}" y2="{:.1}" stroke="#eeeeee"/><text x="{x:.1}" y="{:.1}" text-anchor="middle">{label}</text>"##,
        HEIGHT - BOTTOM,
        HEIGHT - BOTTOM + 16.0
    );
}

fn legend(svg: &mut String, at: usize, name: &str, colour: &str) {
    let top = TOP + 18.0 * at as f64;
    let _ = writeln!(
        svg,
        r#"<rect x="{:.1}" y="{:.1}" width="10" height="10" fill="{colour}"/><text x="{:.1}" y="{:.1}">{}</text>"#,
        WIDTH - RIGHT + 14.0,
        top - 9.0,
        WIDTH - RIGHT + 30.0,
        top,
        escaped(name)
    );
}

/// 12000 as 12k.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e3 => format!("{}k", (v / 1e2).round() / 10.0),
        v if v >= 1.0 => format!("{}", (v * 10.0).round() / 10.0),
        v => format!("{}", (v * 1e4).round() / 1e4),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: Axes = Axes {
        title: "a < b",
        x: "ms",
        y: "NDCG",
    };

    #[test]
    fn a_plot_is_whole_and_escapes_names() {
        let series = [Series {
            name: "x & y".into(),
            points: vec![(1.0, 0.5), (100.0, 0.9)],
        }];
        let svg = lines(&AXES, &series);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("a &lt; b") && svg.contains("x &amp; y") && !svg.contains("NaN"));
        assert_eq!(svg.matches("<circle").count(), 2);
    }

    #[test]
    fn nothing_to_show_is_still_a_plot() {
        for series in [
            vec![],
            vec![Series {
                name: "x".into(),
                points: vec![(0.0, 0.0)],
            }],
        ] {
            let svg = lines(&AXES, &series);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        assert!(!bars(&AXES, &[], &[]).contains("NaN"));
    }
}
