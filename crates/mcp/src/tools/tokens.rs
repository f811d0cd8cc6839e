//! Tokens, as the models of agents count them.

pub(super) use codeweft_ide::api::count_tokens as count;
pub(super) use codeweft_ide::api::load_vocabulary as load;
