//! A progress bar on standard error, if that is a terminal.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::time::Duration;

use codeweft_workspace::{Phase, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that shows the progress of loading and indexing.
pub struct Bar {
    bar: ProgressBar,
    phase: Mutex<Option<Phase>>,
}

impl Bar {
    /// Returns a bar; hidden if `quiet` or if standard error is no terminal.
    pub fn new(quiet: bool) -> Bar {
        let hidden = quiet || !std::io::stderr().is_terminal();
        let target = if hidden {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(10)
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{msg:10} {wide_bar} {pos}/{len}") {
            bar.set_style(style);
        }
        if !hidden {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Bar {
            bar,
            phase: Mutex::new(None),
        }
    }

    /// Shows `progress`.
    pub fn show(&self, progress: Progress) {
        if self.bar.is_hidden() {
            return;
        }
        if let Ok(mut phase) = self.phase.lock()
            && *phase != Some(progress.phase)
        {
            *phase = Some(progress.phase);
            self.bar.set_message(progress.phase.word());
        }
        self.bar.set_length(progress.total as u64);
        self.bar.set_position(progress.done as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
