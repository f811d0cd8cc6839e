//! The file of a recording: a head, then a line of JSON for each question with its answer.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::library::{LIBRARIES, Library};
use super::question::Question;
use super::volatile;

/// The form of the file.
const FORM: u64 = 1;

/// Where the libraries lay.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Roots {
    pub go: PathBuf,
    pub python: PathBuf,
}

impl Roots {
    /// Those of this machine.
    pub fn find() -> Result<Roots> {
        Ok(Roots {
            go: Library::Go.find()?,
            python: Library::Python.find()?,
        })
    }

    /// Where a library lies.
    pub fn of(&self, library: Library) -> &Path {
        match library {
            Library::Go => &self.go,
            Library::Python => &self.python,
        }
    }

    /// An error where a library is not there.
    pub fn check(&self) -> Result<()> {
        for library in LIBRARIES {
            let root = self.of(library);
            if !root.is_dir() {
                bail!("{} is not there; it was asked about", root.display());
            }
        }
        Ok(())
    }
}

/// A question with its answer, in which volatile parts are replaced.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answered {
    #[serde(flatten)]
    pub question: Question,
    pub answer: String,
}

#[derive(Deserialize)]
struct Head {
    codeweft_answers: u64,
    roots: Roots,
}

/// Writes a recording line by line.
pub struct Writer(BufWriter<File>);

impl Writer {
    /// A new file with its head.
    pub fn create(file: &Path, roots: &Roots) -> Result<Writer> {
        let created =
            File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
        let mut out = BufWriter::new(created);
        let replaced: Vec<String> = volatile::listed().collect();
        let head = json!({"codeweft_answers": FORM, "roots": roots, "replaced": replaced});
        writeln!(out, "{head}")?;
        Ok(Writer(out))
    }

    /// Adds a line.
    pub fn add(&mut self, answered: &Answered) -> Result<()> {
        serde_json::to_writer(&mut self.0, answered)?;
        Ok(writeln!(self.0)?)
    }

    /// Ends the file.
    pub fn finish(mut self) -> Result<()> {
        Ok(self.0.flush()?)
    }
}

/// Reads a recording line by line.
pub struct Reader {
    pub roots: Roots,
    lines: std::io::Lines<BufReader<File>>,
}

impl Reader {
    /// Opens a file and reads its head.
    pub fn open(file: &Path) -> Result<Reader> {
        let opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut lines = BufReader::new(opened).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let head: Head = serde_json::from_str(&first)
            .with_context(|| format!("{} is no recording of answers", file.display()))?;
        if head.codeweft_answers != FORM {
            bail!("{} is a recording of another form", file.display());
        }
        Ok(Reader {
            roots: head.roots,
            lines,
        })
    }

    /// The questions alone.
    pub fn questions(self) -> Result<Vec<Question>> {
        self.map(|one| Ok(one?.question)).collect()
    }
}

impl Iterator for Reader {
    type Item = Result<Answered>;

    fn next(&mut self) -> Option<Result<Answered>> {
        let line = self.lines.next()?;
        Some(line.map_err(Into::into).and_then(|line| {
            serde_json::from_str(&line).context("a line of the recording is broken")
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::answers::compare;
    use crate::answers::drawn::handshakes;

    use super::*;

    fn written(name: &str, go: &str, answers: &[&str]) -> PathBuf {
        let file = std::env::temp_dir().join(format!("recording-{}-{name}", std::process::id()));
        let roots = Roots {
            go: go.into(),
            python: "/p".into(),
        };
        let mut writer = Writer::create(&file, &roots).unwrap();
        for (question, answer) in handshakes(Library::Go).into_iter().zip(answers) {
            let answer = (*answer).to_owned();
            writer.add(&Answered { question, answer }).unwrap();
        }
        writer.finish().unwrap();
        file
    }

    #[test]
    fn a_recording_is_read_as_it_was_written_and_files_are_compared() {
        let whole = written("whole", "/g", &["a\nb", "ä\"\\"]);
        let read: Vec<Answered> = Reader::open(&whole).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), 2);
        assert_eq!(read[1].answer, "ä\"\\");
        let questions = Reader::open(&whole).unwrap().questions().unwrap();
        assert_eq!(questions, handshakes(Library::Go)[..2]);

        let cut = written("cut", "/g", &["a\nb"]);
        let other = written("other", "/g", &["a\nb", "ä'\\"]);
        let elsewhere = written("elsewhere", "/h", &["a\nb", "ä\"\\"]);
        let differences = |file: &Path| compare::files(&whole, file).unwrap().differences.len();
        assert_eq!(differences(&whole), 0);
        assert_eq!(differences(&cut), 1);
        assert_eq!(differences(&other), 1);
        assert!(compare::files(&whole, &elsewhere).is_err());

        std::fs::write(&other, "{\"codeweft_answers\":2}\n").unwrap();
        assert!(Reader::open(&other).is_err());
        std::fs::write(&elsewhere, "").unwrap();
        assert!(compare::files(&elsewhere, &elsewhere).is_err());
        for file in [whole, cut, other, elsewhere] {
            std::fs::remove_file(file).unwrap();
        }
    }
}
