//! How much memory there is in use.

use serde::Serialize;

use super::database::ProjectDatabase;

/// What the system says of this process, in bytes; 0 where it says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Memory {
    /// Resident pages without those of mapped files.
    pub rss_bytes: u64,
    /// The most that was ever resident, mapped files included.
    pub peak_rss_bytes: u64,
}

/// The memory of this process, from `/proc/self/status`.
pub fn process_memory() -> Memory {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
            .and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok())
            .unwrap_or(0)
            * 1024
    };
    Memory {
        rss_bytes: of("RssAnon"),
        peak_rss_bytes: of("VmHWM"),
    }
}

impl ProjectDatabase {
    /// The memory of this process.
    pub fn memory(&self) -> Memory {
        process_memory()
    }
}
