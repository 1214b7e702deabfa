//! CSV parser that keeps the line number of every field and rejects malformed quoting.

/// A row of a CSV text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CsvRow {
    /// The line on which the row begins, counted from 1.
    pub(super) line: usize,
    pub(super) fields: Vec<CsvCell>,
}

/// One field of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CsvCell {
    /// The line on which the field begins: quoted fields may span several lines.
    pub(super) line: usize,
    /// The text without quotes and surrounding blanks, or a description of the error.
    pub(super) text: Result<String, &'static str>,
}

/// The rows of a CSV text. Skips a byte order mark and blank rows; accepts `\n`, `\r\n` and `\r` as line
/// ends.
pub(super) fn rows(text: &str) -> impl Iterator<Item = CsvRow> {
    let mut reader = CsvReader { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1 };
    let rows = std::iter::from_fn(move || reader.row());
    // Exported spreadsheets often end in rows of commas.
    rows.filter(|row| row.fields.iter().any(|cell| cell.text.as_ref().map_or(true, |text| !text.is_empty())))
}

struct CsvReader<'a> {
    rest: &'a str,
    line: usize,
}

impl CsvReader<'_> {
    fn row(&mut self) -> Option<CsvRow> {
        if self.rest.is_empty() {
            return None;
        }
        let mut row = CsvRow { line: self.line, fields: Vec::new() };
        loop {
            row.fields.push(self.cell());
            if !self.skip(",") {
                self.end_line();
                return Some(row);
            }
        }
    }

    /// Reads up to the next comma or line end without consuming it.
    fn cell(&mut self) -> CsvCell {
        let line = self.line;
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let text = if self.skip("\"") { self.quoted() } else { self.plain() };
        CsvCell { line, text }
    }

    fn plain(&mut self) -> Result<String, &'static str> {
        let text = self.up_to_separator();
        if text.contains('"') {
            return Err("has a quote in the middle; put the whole field in quotes, and a quote in it twice");
        }
        Ok(text.trim().to_owned())
    }

    fn quoted(&mut self) -> Result<String, &'static str> {
        let mut text = String::new();
        loop {
            let Some((inside, after)) = self.rest.split_once('"') else {
                self.rest = "";
                return Err("begins with a quote that is not closed");
            };
            text.push_str(inside);
            self.line += line_ends(inside);
            self.rest = after;
            if !self.skip("\"") {
                break;
            }
            text.push('"');
        }
        let after = self.up_to_separator();
        if after.trim().is_empty() {
            Ok(text.trim().to_owned())
        } else {
            Err("goes on after its closing quote; a quote within a field is written twice")
        }
    }

    fn up_to_separator(&mut self) -> &str {
        let end = self.rest.find([',', '\n', '\r']).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        text
    }

    fn end_line(&mut self) {
        if self.skip("\r\n") || self.skip("\n") || self.skip("\r") {
            self.line += 1;
        }
    }

    fn skip(&mut self, expected: &str) -> bool {
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

/// Counts line ends; `\r\n` counts once.
fn line_ends(text: &str) -> usize {
    text.matches(['\n', '\r']).count() - text.matches("\r\n").count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &[&str])]) {
        let read: Vec<(usize, Vec<String>)> = rows(text)
            .map(|row| (row.line, row.fields.into_iter().map(|cell| cell.text.unwrap()).collect()))
            .collect();
        let expected: Vec<(usize, Vec<String>)> = expected
            .iter()
            .map(|(line, fields)| (*line, fields.iter().map(|field| (*field).to_owned()).collect()))
            .collect();
        assert_eq!(read, expected, "{text:?}");
    }

    #[test]
    fn lines_end_in_any_of_the_three_ways_and_blank_ones_count() {
        check("\u{feff}a,b\r\n\r\n c , d\n,,\r e,\n", &[(1, &["a", "b"]), (3, &["c", "d"]), (5, &["e", ""])]);
        check("", &[]);
        check("\n \n", &[]);
        check("last", &[(1, &["last"])]);
    }

    #[test]
    fn quotes_keep_commas_quotes_and_line_ends_together() {
        check("a, \"1,2\" ,\"say \"\"hi\"\"\"\n", &[(1, &["a", "1,2", "say \"hi\""])]);
        check("\"one\r\ntwo\",x\nnext", &[(1, &["one\r\ntwo", "x"]), (3, &["next"])]);
    }

    #[test]
    fn what_is_wrong_with_quotes_is_said_where_it_stands() {
        let wrong = |text| {
            let cells = rows(text).flat_map(|row| row.fields);
            cells.filter_map(|cell| cell.text.err().map(|_| cell.line)).collect::<Vec<_>>()
        };
        assert_eq!(wrong("a\nb\"c,d\n"), [2]);
        assert_eq!(wrong("a\n\"b\" c,d\n"), [2]);
        assert_eq!(wrong("a\nb,\"c\nd\n"), [2]);
        assert_eq!(wrong("\"a\nb\",\"c\" d\n"), [2]);
    }
}
