//! Build tags and build constraints (`go help buildconstraint`, `go/build`).
//!
//! ```go
//! //go:build (linux || darwin) && !cgo && go1.21
//! ```

use crate::settings::GoSettings;
use codeweft_go_syntax::Constraint;

/// The GOOS values, past ones too: the operating systems in file names (`internal/syslist`).
pub(super) const KNOWN_OS: [&str; 18] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];

/// The GOARCH values, past ones too: the architectures in file names (`internal/syslist`).
pub(super) const KNOWN_ARCH: [&str; 24] = [
    "386",
    "amd64",
    "amd64p32",
    "arm",
    "arm64",
    "arm64be",
    "armbe",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "mipsle",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "sparc",
    "sparc64",
    "wasm",
];

/// The GOOS values for which the tag `unix` holds (`internal/syslist`).
const UNIX_OS: [&str; 12] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "linux",
    "netbsd",
    "openbsd",
    "solaris",
];

/// Returns whether a tag holds (`go/build`, `Context.matchTag`; the compiler is `gc`).
pub(super) fn holds(tag: &str, settings: &GoSettings) -> bool {
    let goos = settings.goos.as_str();
    match tag {
        "cgo" if settings.cgo => return true,
        "gc" => return true,
        "linux" if goos == "android" => return true,
        "solaris" if goos == "illumos" => return true,
        "darwin" if goos == "ios" => return true,
        "unix" if UNIX_OS.contains(&goos) => return true,
        _ => {}
    }
    if tag == goos || tag == settings.goarch || settings.tags.iter().any(|set| set == tag) {
        return true;
    }
    let tag = match tag {
        "boringcrypto" => "goexperiment.boringcrypto",
        tag => tag,
    };
    if let Some(experiment) = tag.strip_prefix("goexperiment.") {
        return settings.experiments.iter().any(|on| on == experiment);
    }
    if let Some(release) = tag.strip_prefix("go1.") {
        // The tags are go1.1 to go1.N without leading zeros: `go1.01` is none.
        return !release.starts_with('0')
            && release.bytes().all(|byte| byte.is_ascii_digit())
            && release
                .parse()
                .is_ok_and(|n: u32| (1..=settings.release).contains(&n));
    }
    tag.strip_prefix(settings.goarch.as_str())
        .and_then(|rest| rest.strip_prefix('.'))
        .is_some_and(|feature| holds_by_default(&settings.goarch, feature))
}

/// Returns whether a feature of an architecture is on by default (`internal/buildcfg`,
/// `gogoarchTags` with the default GOAMD64 and its counterparts).
fn holds_by_default(goarch: &str, feature: &str) -> bool {
    match goarch {
        "386" => feature == "sse2",
        "amd64" => feature == "v1",
        "arm" => matches!(feature, "5" | "6" | "7"),
        "arm64" => feature == "v8.0",
        "mips" | "mipsle" | "mips64" | "mips64le" => feature == "hardfloat",
        "ppc64" | "ppc64le" => feature == "power8",
        "riscv64" => feature == "rva20u64",
        "wasm" => matches!(feature, "satconv" | "signext"),
        _ => false,
    }
}

/// Returns whether a build constraint holds under a configuration (`go help buildconstraint`).
pub fn eval(constraint: &Constraint, settings: &GoSettings) -> bool {
    enum Step<'a> {
        Visit(&'a Constraint),
        Not,
        And,
        Or,
    }
    let mut steps = vec![Step::Visit(constraint)];
    let mut values: Vec<bool> = Vec::new();
    // An explicit stack, because an adversarial line nests as deep as it is long.
    while let Some(step) = steps.pop() {
        let value = match step {
            Step::Visit(Constraint::Tag(tag)) => holds(tag, settings),
            Step::Visit(Constraint::Not(inner)) => {
                steps.extend([Step::Not, Step::Visit(inner)]);
                continue;
            }
            Step::Visit(Constraint::And(left, right)) => {
                steps.extend([Step::And, Step::Visit(left), Step::Visit(right)]);
                continue;
            }
            Step::Visit(Constraint::Or(left, right)) => {
                steps.extend([Step::Or, Step::Visit(left), Step::Visit(right)]);
                continue;
            }
            Step::Not => !values.pop().unwrap_or(false),
            Step::And | Step::Or => {
                let left = values.pop().unwrap_or(false);
                let right = values.pop().unwrap_or(false);
                match step {
                    Step::And => left && right,
                    _ => left || right,
                }
            }
        };
        values.push(value);
    }
    values.pop().unwrap_or(false)
}

/// Returns whether a constraint can hold only with the tag `ignore`, which by convention marks
/// files that belong to no package.
pub(super) fn wants_ignore(constraint: &Constraint) -> bool {
    let mut stack = vec![constraint];
    while let Some(constraint) = stack.pop() {
        match constraint {
            Constraint::Tag(tag) if &**tag == "ignore" => return true,
            Constraint::And(left, right) => stack.extend([&**left, &**right]),
            _ => {}
        }
    }
    false
}
