//! `definition`.

use codeweft_db::SymbolId;

use super::Found;
use crate::answer::{GraphRequest, GraphResult};
use crate::completeness::Openings;
use crate::context::context;
use crate::node::put_place;
use crate::question::Question;
use crate::shown::Draft;
use crate::targets::Target;
use crate::verdict::Speech;

impl Question<'_> {
    /// Where the target is declared.
    pub(super) fn definition(&self, request: &GraphRequest, target: &Target) -> Found {
        let speech = Speech {
            one: "definition",
            many: "definitions",
            could: "could declare it",
        };
        let Some(local) = &target.local else {
            let at = self.place_named(&request.target);
            let meant = |&symbol: &SymbolId| {
                let embedded = at.and_then(|(file, at)| self.embedded_at(symbol, file, at));
                embedded.unwrap_or(symbol)
            };
            let drafts = target.symbols.iter().map(meant).map(Draft::plain);
            return Found::list(drafts.collect(), Openings::default(), speech);
        };
        let owner = target.symbols.first().map(|&owner| self.facts(owner));
        let mut node = match owner {
            Some(facts) => facts.node(self.db, None).0,
            None => Default::default(),
        };
        node.id = target.printed.clone();
        node.kind = local.kind.wire_name().to_owned();
        node.name = local.name.clone();
        node.visibility = if local.public { "public" } else { "private" }.to_owned();
        put_place(self.db, &mut node, &local.place);
        let code = request
            .include_context
            .then(|| context(self.db, &local.place, request.context_lines));
        Found {
            printed: vec![GraphResult {
                node,
                context: code.flatten(),
                depth: None,
                receiver: None,
                type_args: Vec::new(),
                sites: Vec::new(),
                site_count: 0,
                impact_type: None,
                severity: None,
            }],
            ..Found::list(Vec::new(), Openings::default(), speech)
        }
    }
}
