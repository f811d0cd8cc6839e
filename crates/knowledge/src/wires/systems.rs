//! Systems of events behind an interface: that of the library which makes what has it.
//!
//! ```go
//! var p message.Publisher = kafka.NewPublisher(…)  // events of Kafka
//! p = gochannel.NewGoChannel(…)                    // none: they do not leave the process
//! ```

use super::arguments::CallSite;
use super::facts::Composer;
use super::value::{Abstract, Class, Site};
use crate::recognisers::Event;

impl Composer<'_> {
    /// Returns the system of an event of a call; `None` if it does not leave the process.
    pub(super) fn system(&self, site: &CallSite, event: &Event) -> Option<String> {
        let file = site.file();
        let lang = self.file(file).map(|source| source.lang);
        let (Some(by), Some(lang)) = (&event.by, lang) else {
            return Some(event.system.clone());
        };
        let mut found: Vec<&str> = Vec::new();
        for value in self.arguments(site, by) {
            for of in self.evaluate(file, value, &site.frame).iter() {
                let Abstract::Object(made, class, _) = of else {
                    continue;
                };
                let package = match (made, class) {
                    (Site::Call(made), _) => self.of_library(*made).map(|(package, _)| package),
                    (_, Class::Path(path)) => Some(path.to_string()),
                    _ => None,
                };
                found.extend(package.and_then(|package| self.resolved.system_of(lang, &package)));
            }
        }
        let leaving = found.iter().find(|system| !system.is_empty());
        match (leaving, found.is_empty()) {
            (Some(system), _) => Some((*system).to_owned()),
            (None, true) => Some(event.system.clone()),
            (None, false) => None,
        }
    }
}
