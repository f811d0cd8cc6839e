//! The bars of the live database: both frontends, unsaved text, start-up, cancellation.

use super::list::{Bar, Limit, Source};

use Limit::{AtLeast, AtMost, Reported, True};
use Source::{BinaryTests, LiveBench};

const fn bar(name: &'static str, what: &'static str, floor: Limit, source: Source) -> Bar {
    Bar {
        issue: 4,
        name,
        what,
        floor,
        goal: Reported,
        source,
    }
}

/// Defines the bars of edits and their undo, by the size of the file.
macro_rules! typed {
    ($name:literal, $words:literal) => {
        [
            bar(
                concat!($name, "-lost"),
                concat!($words, ": sites that did not come or go"),
                AtMost(0.0),
                LiveBench(concat!($name, "-lost")),
            ),
            bar(
                concat!($name, "-under-50kb"),
                concat!(
                    $words,
                    ", files under 50 KB: didChange to the agent's answer, p99, ms"
                ),
                AtMost(50.0),
                LiveBench(concat!($name, "-under-50kb")),
            ),
            bar(
                concat!($name, "-under-150kb"),
                concat!($words, ", files of 50 to 150 KB, p99, ms"),
                AtMost(50.0),
                LiveBench(concat!($name, "-under-150kb")),
            ),
            bar(
                concat!($name, "-above-150kb"),
                concat!($words, ", files above, p99, ms"),
                AtMost(100.0),
                LiveBench(concat!($name, "-above-150kb")),
            ),
            bar(
                concat!($name, "-undo-under-50kb"),
                concat!($words, ", undone, files under 50 KB, p99, ms"),
                AtMost(50.0),
                LiveBench(concat!($name, "-undo-under-50kb")),
            ),
            bar(
                concat!($name, "-undo-under-150kb"),
                concat!($words, ", undone, files of 50 to 150 KB, p99, ms"),
                AtMost(50.0),
                LiveBench(concat!($name, "-undo-under-150kb")),
            ),
            bar(
                concat!($name, "-undo-above-150kb"),
                concat!($words, ", undone, files above, p99, ms"),
                AtMost(100.0),
                LiveBench(concat!($name, "-undo-above-150kb")),
            ),
        ]
    };
}

const HERE: [Bar; 7] = typed!("typed-here", "one process");
const PROCESSES: [Bar; 7] = typed!("typed", "three processes");

const OTHERS: [Bar; 23] = [
    bar(
        "kill",
        "kill -9 of the editor to the disk's text in the agent's answer, p99, ms",
        AtMost(250.0),
        LiveBench("kill"),
    ),
    bar(
        "kill-lost",
        "of them, texts that did not come or go",
        AtMost(0.0),
        LiveBench("kill-lost"),
    ),
    bar(
        "own-write-missed",
        "an agent's writes to a file open in an editor, not in its next answer",
        AtMost(0.0),
        LiveBench("own-write-missed"),
    ),
    bar(
        "doors-symbols",
        "symbols asked at both doors",
        AtLeast(500.0),
        LiveBench("doors-symbols"),
    ),
    bar(
        "doors-whole",
        "of them compared whole",
        AtLeast(400.0),
        LiveBench("doors-whole"),
    ),
    bar(
        "doors-methods",
        "of them methods of interfaces",
        AtLeast(100.0),
        LiveBench("doors-methods"),
    ),
    bar(
        "doors-differences",
        "differences between the doors",
        AtMost(0.0),
        LiveBench("doors-differences"),
    ),
    bar(
        "neovim",
        "Neovim: three callers, one unsaved, and a jump to an implementation",
        True,
        BinaryTests("neovim"),
    ),
    bar(
        "pytest-lsp",
        "pytest-lsp: three encodings, type hierarchies",
        True,
        BinaryTests("lsp_client_slow"),
    ),
    bar(
        "random-is-fresh",
        "1,000 random edits at both doors: answers as of a fresh database",
        True,
        BinaryTests("live_random"),
    ),
    bar(
        "library-random-differences",
        "50 random edits in Go's library, 200 questions after each tenth: differences from fresh",
        AtMost(0.0),
        LiveBench("library-random-differences"),
    ),
    bar(
        "library-random-changed",
        "of them, edits that changed an answer, %",
        AtLeast(50.0),
        LiveBench("library-random-changed"),
    ),
    bar(
        "initialize-lsp",
        "codeweft lsp, no server: start to the answer of initialize, p99, ms",
        AtMost(50.0),
        LiveBench("initialize-lsp"),
    ),
    bar(
        "initialize-mcp",
        "codeweft mcp, no server: the same, p99, ms",
        AtMost(50.0),
        LiveBench("initialize-mcp"),
    ),
    bar(
        "tool-size",
        "cortex_graph in tools/list, characters",
        AtMost(1999.0),
        LiveBench("tool-size"),
    ),
    bar(
        "race-wrong",
        "20 clients start at one instant, 100 times: not exactly one server",
        AtMost(0.0),
        LiveBench("race-wrong"),
    ),
    bar(
        "race-unanswered",
        "of them, clients without an answer",
        AtMost(0.0),
        LiveBench("race-unanswered"),
    ),
    bar(
        "race-left",
        "processes left over",
        AtMost(0.0),
        LiveBench("race-left"),
    ),
    bar(
        "other-uid",
        "another uid is refused before a byte is read; folders of others, links",
        True,
        BinaryTests("serve_private"),
    ),
    bar(
        "one-server",
        "start on demand, stale and forged files, hello, idle exit, the end",
        True,
        BinaryTests("serve"),
    ),
    bar(
        "cancel-working",
        "impact to depth 10 cancelled 200 times: at work 50 ms later",
        AtMost(0.0),
        LiveBench("cancel-working"),
    ),
    bar(
        "write-while-parsing",
        "a write while 8 MiB are parsed, p99, ms",
        AtMost(15.0),
        LiveBench("write-while-parsing"),
    ),
    bar(
        "first-touch",
        "open a file of Go's library and ask, p99, ms",
        Reported,
        LiveBench("first-touch"),
    ),
];

const KILLS: [Bar; 1] = [Bar {
    issue: 13,
    name: "kill-transcript",
    what: "the server killed at each of 40 steps of an editor and an agent: the same answers, \
           nothing left",
    floor: True,
    goal: Reported,
    source: BinaryTests("kill_transcript"),
}];

/// A question on a small project, with no server and nothing kept.
const QUERIES: [Bar; 4] = [
    query(
        "query-go-seconds",
        "query callers on 11 Go files, no server: from exec to the last byte, the slowest of three \
         questions, s",
        2.0,
    ),
    query(
        "query-go-ratio",
        "the same against the bare parse of its build",
        4.0,
    ),
    query(
        "query-python-seconds",
        "query callers on 20 Python files, no server: from exec to the last byte, the slowest of three \
         questions, s",
        2.0,
    ),
    query(
        "query-python-ratio",
        "the same against the bare parse of its build",
        4.0,
    ),
];

/// The first answer of a new server on the same projects.
const FIRST_ANSWERS: [Bar; 2] = [
    Bar {
        issue: 14,
        goal: AtMost(300.0),
        ..bar(
            "first-answer-go",
            "a new server on 11 Go files: from exec to its first callers, p99, ms",
            AtMost(1000.0),
            LiveBench("first-answer-go"),
        )
    },
    Bar {
        issue: 14,
        ..bar(
            "first-answer-python",
            "a new server on 20 Python files: from exec to its first callers, p99, ms",
            Reported,
            LiveBench("first-answer-python"),
        )
    },
];

const fn query(name: &'static str, what: &'static str, most: f64) -> Bar {
    Bar {
        issue: 13,
        ..bar(name, what, AtMost(most), LiveBench(name))
    }
}

/// Returns all bars.
pub fn bars() -> impl Iterator<Item = &'static Bar> {
    let small = OTHERS
        .iter()
        .chain(&QUERIES)
        .chain(&FIRST_ANSWERS)
        .chain(&KILLS);
    HERE.iter().chain(&PROCESSES).chain(small)
}
