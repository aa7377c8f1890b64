//! A pattern looked for in the files themselves: across lines, or also in
//! files that are not indexed. What is found is listed by path and line; the
//! index only says which unit encloses it.

use crate::classify::is_binary;
use crate::counts::counted;
use crate::error::EngineError;
use crate::hits::common_root;
use crate::os;
use crate::project::Project;
use crate::searched::Searched;
use crate::walk::Entry;
use rayon::prelude::*;
use scent_index::{Snapshot, State, StoredUnit};
use scent_search::{FileFilter, Matcher, SearchError, is_inside, is_of_unit, is_secret};
use scent_types::{
    Context, FileClass, FileCount, Hit, Kind, Line, Lines, Note, Request, Response, Scan, Source,
};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// Larger files are not read, in bytes.
const LARGEST: u64 = 64 << 20;

pub(crate) fn respond(
    searched: &Searched,
    request: &Request,
    scan: Scan,
) -> Result<Response, EngineError> {
    let Some(pattern) = &request.pattern else {
        return Err(SearchError::EmptyQuery.into());
    };
    let matcher = match scan.multiline {
        true => Matcher::across_lines(pattern)?,
        false => Matcher::new(pattern)?,
    };
    let scanner = Scanner {
        request,
        matcher: &matcher,
        scan,
        filter: FileFilter::new(&request.filters)?,
    };
    let mut files = 0;
    let mut all = Vec::new();
    for (project, snapshot) in searched.projects.iter().zip(&searched.snapshots) {
        let entries = scanner.entries(project, snapshot);
        files += entries.len();
        let found = entries.into_par_iter();
        let found: Result<Vec<Vec<Found>>, EngineError> = found
            .map(|entry| scanner.found(project, snapshot, &entry))
            .collect();
        all.extend(found?.into_iter().flatten());
    }
    let common = common_root(&searched.roots());
    let mut response = if request.count {
        counted(searched, request, counts(&all, &common))
    } else {
        scanner.listed(searched, all, &common)?
    };
    response.notes.push(Note::FilesScanned { count: files });
    Ok(response)
}

/// Matches in a file, in one unit where that is known.
struct Found<'p> {
    project: &'p Project,
    entry: Entry,
    language: String,
    unit: Option<StoredUnit>,
    /// The lines that match, in order.
    lines: Vec<u32>,
}

impl Found<'_> {
    fn path(&self, common: &Path) -> String {
        let native = os::native(&self.entry.path, self.entry.raw_path.as_deref());
        let file = self.project.root().join(native);
        os::portable(file.strip_prefix(common).unwrap_or(&file)).0
    }
}

fn counts(all: &[Found], common: &Path) -> Vec<FileCount> {
    let mut counts: Vec<FileCount> = Vec::new();
    for found in all {
        let path = found.path(common);
        match counts.last_mut().filter(|last| last.path == path) {
            Some(last) => last.units += 1,
            None => counts.push(FileCount { path, units: 1 }),
        }
    }
    counts
}

/// A text that may match.
struct Text {
    text: String,
    language: &'static str,
    hash: u128,
}

struct Scanner<'r> {
    request: &'r Request,
    matcher: &'r Matcher,
    scan: Scan,
    filter: FileFilter<'r>,
}

impl Scanner<'_> {
    /// The files to look into.
    fn entries(&self, project: &Project, snapshot: &Snapshot) -> Vec<Entry> {
        let mut entries = match self.scan.no_ignore {
            true => project.tree().list_ignored(),
            false => project.tree().list(),
        };
        entries.retain(|entry| {
            let record = snapshot.table().find(&entry.path);
            let is_left_out =
                record.is_some_and(|record| matches!(record.state, State::Skipped(_)));
            let is_wanted = self.scan.no_ignore || !is_left_out;
            let is_hidden = self.request.hide_secrets && is_secret(&entry.path);
            let is_wanted = is_wanted && !is_hidden;
            entry.skip.is_none() && is_wanted && is_inside(&entry.path, project.scope())
        });
        entries
    }

    /// None where a file cannot be read, holds no text, or fails the filters.
    fn read(&self, project: &Project, entry: &Entry) -> Option<Text> {
        let bytes = project.tree().read(entry.into(), LARGEST).ok()?;
        if is_binary(&bytes) {
            return None;
        }
        let hash = xxh3_128(&bytes);
        let text = scent_syntax::text_of(&entry.path, bytes);
        let found = scent_syntax::detect(&entry.path, text.as_bytes());
        let language = found.map_or("", |language| language.id);
        let class = found.map_or(FileClass::Docs, |language| language.class);
        let fits = self.filter.fits(&entry.path, language, class);
        fits.then_some(Text {
            text,
            language,
            hash,
        })
    }

    fn found<'p>(
        &self,
        project: &'p Project,
        snapshot: &Snapshot,
        entry: &Entry,
    ) -> Result<Vec<Found<'p>>, EngineError> {
        self.request.deadline.check().map_err(SearchError::from)?;
        let Some(text) = self.read(project, entry) else {
            return Ok(Vec::new());
        };
        let lines = self.matching_lines(&text.text);
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let mut all: Vec<Found> = Vec::new();
        for (unit, lines) in by_unit(snapshot, entry, text.hash, lines)? {
            if !self.passes(unit.as_ref())? {
                continue;
            }
            all.push(Found {
                project,
                entry: entry.clone(),
                language: text.language.to_owned(),
                unit,
                lines,
            });
        }
        Ok(all)
    }

    /// Whether a unit passes the filters; matches outside of units only pass
    /// where there are none.
    fn passes(&self, unit: Option<&StoredUnit>) -> Result<bool, EngineError> {
        let filters = &self.request.filters;
        Ok(match unit {
            Some(unit) => is_of_unit(filters, unit.kind, &unit.name)?,
            None => filters.kinds.is_empty() && filters.names.is_empty(),
        })
    }

    /// Where a text matches, as byte ranges.
    fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        if self.scan.multiline {
            return self.matcher.find_iter(text).collect();
        }
        let mut ranges = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            let plain = line.strip_suffix('\r').unwrap_or(line);
            for range in self.matcher.find_iter(plain) {
                ranges.push(start + range.start..start + range.end);
            }
            start += line.len() + 1;
        }
        ranges
    }

    /// The numbers of the lines that a match touches.
    fn matching_lines(&self, text: &str) -> Vec<u32> {
        let starts = line_starts(text);
        let mut lines: Vec<u32> = Vec::new();
        for range in self.ranges(text) {
            let Lines { start, end } = lines_of(&starts, &range);
            let after_last = lines.last().map_or(start, |last| start.max(last + 1));
            lines.extend(after_last..=end);
        }
        lines
    }

    /// As many as the request wants, with their lines.
    fn listed(
        &self,
        searched: &Searched,
        mut all: Vec<Found>,
        common: &Path,
    ) -> Result<Response, EngineError> {
        let request = self.request;
        let most = if request.files_only {
            1
        } else {
            request.per_file.unwrap_or(usize::MAX)
        };
        keep_per_file(&mut all, most, common);
        let total = all.len();
        let end = request.offset.saturating_add(request.limit);
        all.drain(..request.offset.min(total));
        all.truncate(request.limit);
        let mut hits = Vec::with_capacity(all.len());
        for found in all {
            hits.push(self.hit(found, common));
        }
        Ok(Response {
            total,
            hits,
            offset: request.offset,
            next_offset: (total > end).then_some(end),
            ..counted(searched, request, Vec::new())
        })
    }

    fn hit(&self, found: Found, common: &Path) -> Hit {
        let path = found.path(common);
        let first = found.lines.first().copied().unwrap_or(1);
        let last = found.lines.last().copied().unwrap_or(1);
        let text = self.read(found.project, &found.entry);
        let text = text.map_or_else(String::new, |text| text.text);
        let excerpt = self.excerpt(&text, &found.lines);
        let language = match found.language.as_str() {
            "" => "text".to_owned(),
            language => language.to_owned(),
        };
        let mut hit = Hit {
            path,
            lines: Lines::new(first, last),
            kind: Kind::Text,
            name: String::new(),
            qualified: String::new(),
            signature: String::new(),
            language,
            score: 0.0,
            lanes: Default::default(),
            parts: Vec::new(),
            passages: Vec::new(),
            also_here: Vec::new(),
            also_in: Vec::new(),
            excerpt,
        };
        if let Some(unit) = found.unit {
            hit.kind = unit.kind;
            hit.name = unit.name;
            hit.qualified = unit.qualified;
            hit.signature = unit.signature;
        }
        hit
    }

    /// The lines that match, with those around them that the request wants.
    fn excerpt(&self, text: &str, matching: &[u32]) -> Vec<Line> {
        let wanted = &self.request.excerpt;
        if self.request.files_only || wanted.context == Context::None {
            return Vec::new();
        }
        let source = Source::new(text.to_owned());
        let starts = line_starts(text);
        let mut excerpt: Vec<Line> = Vec::new();
        for &line in matching {
            let after_last = excerpt.last().map_or(1, |last| last.number + 1);
            let first = line.saturating_sub(wanted.before).max(after_last);
            let last = line.saturating_add(wanted.after).min(source.count());
            for number in first..=last {
                let text = source.line(number).unwrap_or("");
                excerpt.push(Line::new(number, text, wanted.max_columns));
            }
        }
        if wanted.context != Context::Full {
            excerpt.truncate(wanted.max_lines as usize);
        }
        for range in self.ranges(text) {
            mark(&mut excerpt, &starts, &range);
        }
        excerpt
    }
}

/// Marks what of a match is in some lines.
fn mark(lines: &mut [Line], starts: &[usize], range: &Range<usize>) {
    let touched = lines_of(starts, range);
    for line in lines {
        if !touched.contains(line.number) {
            continue;
        }
        let at = starts[line.number as usize - 1];
        let start = range.start.max(at) - at;
        let end = (range.end - at).min(line.text.len());
        if start < end {
            line.matches.push(start as u32..end as u32);
        }
    }
}

/// Lines that match, and the unit that answers for them.
type InUnit = (Option<StoredUnit>, Vec<u32>);

/// The lines of an indexed file by the unit that answers for them; all together
/// where the index does not know the file as it is.
fn by_unit(
    snapshot: &Snapshot,
    entry: &Entry,
    hash: u128,
    lines: Vec<u32>,
) -> Result<Vec<InUnit>, EngineError> {
    let record = snapshot.table().find(&entry.path);
    let id = record.filter(|record| record.hash == hash);
    let Some(id) = id.and_then(|record| record.id()) else {
        return Ok(vec![(None, lines)]);
    };
    let mut all = Vec::new();
    for (_, unit) in snapshot.text().units_of(id)? {
        let from = lines.partition_point(|&line| line < unit.cover.start);
        let to = lines.partition_point(|&line| line <= unit.cover.end);
        if from < to {
            let lines = lines[from..to].to_vec();
            all.push((Some(unit), lines));
        }
    }
    Ok(all)
}

fn keep_per_file(all: &mut Vec<Found>, most: usize, common: &Path) {
    let mut last = (String::new(), 0);
    all.retain(|found| {
        let path = found.path(common);
        last = match last.0 == path {
            true => (path, last.1 + 1),
            false => (path, 1),
        };
        last.1 <= most
    });
}

/// Where each line begins.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes());
    std::iter::once(0).chain(ends.map(|at| at + 1)).collect()
}

/// The lines that a range touches.
fn lines_of(starts: &[usize], range: &Range<usize>) -> Lines {
    let last = range.end.saturating_sub(1).max(range.start);
    Lines::new(line_at(starts, range.start), line_at(starts, last))
}

fn line_at(starts: &[usize], at: usize) -> u32 {
    starts.partition_point(|&start| start <= at).max(1) as u32
}
