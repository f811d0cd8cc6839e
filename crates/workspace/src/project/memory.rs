//! The memory that this process uses.

use serde::Serialize;

/// Memory of a process in bytes; 0 for a figure that the system does not report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Memory {
    /// Resident pages without those of mapped files.
    pub rss_bytes: u64,
    /// The largest resident size so far, mapped files included.
    pub peak_rss_bytes: u64,
}

/// Returns the memory of this process, from `/proc/self/status` (`RssAnon`, `VmHWM`).
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
