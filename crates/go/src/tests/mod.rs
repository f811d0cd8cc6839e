//! The rules of Go, a test each, on small fixtures: `//- path` starts a file of the module `m`.

mod fixture;
mod smoke;

use fixture::Fixture;
