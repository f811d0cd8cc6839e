//! AsyncAPI 2 and 3.

use super::reference::Trees;
use super::{Action, ChannelOperation, Contract, ContractKind, empty, schema};
use crate::value::Value;

/// Reads a contract.
pub(super) fn contract(path: &str, root: Value<'_>, trees: &Trees<'_>) -> Contract {
    let version = root.text_of("asyncapi").unwrap_or_default();
    let mut contract = empty(ContractKind::AsyncApi, version, root);
    if version.starts_with("2.") {
        version_2(&mut contract, path, root, trees)
    } else {
        version_3(&mut contract, path, root, trees)
    }
    let components = root.get("components");
    if let Some(schemas) = components.and_then(|components| components.get("schemas")) {
        schema::add_all(&mut contract, path, schemas, trees);
    }
    contract.check_ids();
    contract
}

/// Channels by address, each with its operations (AsyncAPI 2.6, Channel Item Object).
fn version_2(contract: &mut Contract, path: &str, root: Value<'_>, trees: &Trees<'_>) {
    let channels = root.get("channels").map(Value::entries).unwrap_or_default();
    for (address, channel) in channels {
        let item = match trees.resolve(path, channel) {
            Ok(item) => item,
            Err(message) => {
                contract.error(channel.node(), message);
                continue;
            }
        };
        for (key, action) in [("publish", Action::Publish), ("subscribe", Action::Consume)] {
            let Some(operation) = item.value.get(key) else {
                continue;
            };
            let node = if item.path == path {
                operation.node()
            } else {
                channel.node()
            };
            if !operation.is_mapping() {
                contract.error(node, format!("{key} of `{address}` is no mapping"));
                continue;
            }
            let mut found = ChannelOperation {
                channel: address.to_owned(),
                action,
                operation_id: operation.text_of("operationId").map(str::to_owned),
                messages: Vec::new(),
                required: Vec::new(),
                node,
            };
            let message = operation.get("message");
            let several = message.and_then(|message| message.get("oneOf"));
            let messages = several
                .map(Value::items)
                .unwrap_or_else(|| message.into_iter().collect());
            for message in messages {
                add_message(contract, &mut found, &item.path, message, trees);
            }
            contract.channels.push(found);
        }
    }
}

/// Operations that refer to channels (AsyncAPI 3.0, Operation Object).
fn version_3(contract: &mut Contract, path: &str, root: Value<'_>, trees: &Trees<'_>) {
    let operations = root
        .get("operations")
        .map(Value::entries)
        .unwrap_or_default();
    for (id, written) in operations {
        let node = written.node();
        let operation = match trees.resolve(path, written) {
            Ok(operation) => operation,
            Err(message) => {
                contract.error(node, message);
                continue;
            }
        };
        let action = match operation.value.text_of("action") {
            Some("send") => Action::Publish,
            Some("receive") => Action::Consume,
            _ => {
                contract.error(
                    node,
                    format!("the action of `{id}` is neither send nor receive"),
                );
                continue;
            }
        };
        add_operation(
            contract,
            &operation.path,
            (id, action, node),
            operation.value,
            trees,
        );
        // What the service sends as the answer to what it receives, or receives as the answer to what it sends.
        if let Some(reply) = operation
            .value
            .get("reply")
            .filter(|reply| reply.get("channel").is_some())
        {
            let action = match action {
                Action::Publish => Action::Consume,
                Action::Consume => Action::Publish,
            };
            let id = format!("{id}.reply");
            add_operation(contract, &operation.path, (&id, action, node), reply, trees);
        }
    }
}

/// Adds an operation of version 3, or its reply, on its channel.
fn add_operation(
    contract: &mut Contract,
    path: &str,
    (id, action, node): (&str, Action, crate::tree::NodeId),
    operation: Value<'_>,
    trees: &Trees<'_>,
) {
    let Some(channel) = operation.get("channel") else {
        contract.error(node, format!("`{id}` has no channel"));
        return;
    };
    let channel = match trees.resolve(path, channel) {
        Ok(channel) => channel,
        Err(message) => return contract.error(node, message),
    };
    // Without an address the name of the channel is one (AsyncAPI 3.0, Channel Object: unknown address).
    let address = channel.value.text_of("address").map(str::to_owned);
    let mut found = ChannelOperation {
        channel: address.or(channel.name).unwrap_or_default(),
        action,
        operation_id: Some(id.to_owned()),
        messages: Vec::new(),
        required: Vec::new(),
        node,
    };
    match operation.get("messages") {
        Some(messages) => {
            for message in messages.items() {
                add_message(contract, &mut found, path, message, trees);
            }
        }
        None => {
            let messages = channel
                .value
                .get("messages")
                .map(Value::entries)
                .unwrap_or_default();
            for (name, message) in messages {
                let before = found.messages.len();
                add_message(contract, &mut found, &channel.path, message, trees);
                if found.messages.len() == before {
                    found.messages.push(name.to_owned());
                }
            }
        }
    }
    contract.channels.push(found);
}

/// Adds the name of a message and the required fields of its payload.
fn add_message(
    contract: &mut Contract,
    operation: &mut ChannelOperation,
    path: &str,
    message: Value<'_>,
    trees: &Trees<'_>,
) {
    let found = match trees.resolve(path, message) {
        Ok(found) => found,
        Err(words) => return contract.error(operation.node, words),
    };
    let name = found.value.text_of("name").map(str::to_owned);
    operation.messages.extend(name.or(found.name));
    if let Some(payload) = found.value.get("payload") {
        let required = schema::required_of(&found.path, payload, trees);
        operation.required.extend(required);
        operation.required.sort_unstable();
        operation.required.dedup();
    }
}
