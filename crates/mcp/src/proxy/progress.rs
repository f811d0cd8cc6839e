//! The progress of requests that a second server goes on with: the values of one token only grow
//! (MCP, "Progress"), and each server begins at 0.

use std::collections::BTreeMap;

use serde_json::Value;

/// The number of tokens whose progress is known. The reports of more are forwarded as they are.
const MAX_TOKENS: usize = 4096;

/// The progress reported to the client, by token.
#[derive(Default)]
pub(super) struct ProgressTokens(BTreeMap<String, ReportedProgress>);

#[derive(Default)]
struct ReportedProgress {
    /// The last value that the client got.
    last: f64,
    /// What earlier servers had reported.
    before: f64,
}

impl ProgressTokens {
    /// Returns a server's notification of progress as the client gets it.
    pub(super) fn forwarded(&mut self, line: Vec<u8>) -> Vec<u8> {
        self.continued(&line).unwrap_or(line)
    }

    /// Returns the notification with the values that go on from those of earlier servers; `None` if
    /// it can be forwarded as it is.
    fn continued(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let mut message: Value = serde_json::from_slice(line).ok()?;
        let params = message.get_mut("params")?;
        let token = params.get("progressToken")?.to_string();
        let progress = params.get("progress")?.as_f64()?;
        if !self.0.contains_key(&token) && self.0.len() >= MAX_TOKENS {
            return None;
        }
        let reported = self.0.entry(token).or_default();
        reported.last = reported.before + progress;
        if reported.before == 0.0 {
            return None;
        }
        let total = params.get("total").and_then(Value::as_f64);
        if let Some(total) = total {
            params["total"] = (reported.before + total).into();
        }
        params["progress"] = reported.last.into();
        serde_json::to_vec(&message).ok()
    }

    /// Records that another server begins with the requests anew.
    pub(super) fn begin_anew(&mut self) {
        for reported in self.0.values_mut() {
            reported.before = reported.last;
        }
    }

    /// Forgets all tokens: no request is in flight.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(token: &str, progress: f64) -> Vec<u8> {
        let params = json!({"progressToken": token, "progress": progress, "total": 60.0});
        let message =
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        message.to_string().into_bytes()
    }

    fn values(line: &[u8]) -> (f64, f64) {
        let message: Value = serde_json::from_slice(line).expect("JSON");
        let value = |name: &str| message["params"][name].as_f64().expect("a number");
        (value("progress"), value("total"))
    }

    #[test]
    fn the_progress_of_a_token_goes_on_under_another_server() {
        let mut tokens = ProgressTokens::default();
        assert_eq!(tokens.forwarded(line("a", 7.0)), line("a", 7.0));
        assert_eq!(tokens.forwarded(line("a", 9.0)), line("a", 9.0));
        tokens.begin_anew();
        assert_eq!(values(&tokens.forwarded(line("a", 2.0))), (11.0, 69.0));
        assert_eq!(tokens.forwarded(line("b", 1.0)), line("b", 1.0));
        tokens.begin_anew();
        assert_eq!(values(&tokens.forwarded(line("a", 1.0))), (12.0, 71.0));
        assert_eq!(values(&tokens.forwarded(line("b", 3.0))), (4.0, 61.0));
        tokens.clear();
        assert_eq!(tokens.forwarded(line("a", 1.0)), line("a", 1.0));
    }

    #[test]
    fn what_is_no_progress_is_forwarded_as_it_is() {
        let mut tokens = ProgressTokens::default();
        for line in ["", "{}", r#"{"params":{"progressToken":1,"progress":"x"}}"#] {
            assert_eq!(tokens.forwarded(line.into()), line.as_bytes());
        }
    }
}
