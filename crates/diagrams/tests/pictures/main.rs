//! The formats of small and large diagrams, as text and in a browser.

mod browser;
mod formats;
mod gallery;
