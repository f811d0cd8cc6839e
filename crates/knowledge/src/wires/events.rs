//! Events and requests.

use codeweft_db::{SymbolClass, SymbolId, ValueId, WireValue};

use super::arguments::CallSite;
use super::facts::Composer;
use super::facts::{BoundFact, EventFact, RequestFact, WireFacts};
use super::handlers::RouteHandler;
use super::text::{Part, Text};
use super::value::{Abstract, Around, CallAt, FrameRef, Site};
use crate::recognisers::{Argument, Event, Match, One, Recogniser, Request};

impl Composer<'_> {
    /// Adds the events that a call publishes or consumes.
    pub(super) fn add_events(
        &self,
        events: &mut Vec<EventFact>,
        (site, origin): (&CallSite, CallAt),
        of: Match,
        event: &Event,
        is_publish: bool,
    ) {
        let (file, call) = (site.file(), &site.call);
        let mut handlers: Vec<RouteHandler> = Vec::new();
        if let Some(handler) = &event.handler {
            for value in self.arguments(site, handler) {
                handlers.extend(self.handlers(file, value, &site.frame));
            }
        }
        let mut channels = Vec::new();
        if event.task.is_some() {
            if let Some(symbol) = call.decorates {
                channels = self.task_name(site.at, symbol).into_iter().collect();
                handlers.push(RouteHandler {
                    symbol,
                    in_literal: false,
                });
            }
        } else if let Some(channel) = &event.channel {
            channels = self.argument_texts(site, channel);
        } else if let Some(receiver) = self.receiver(file, call) {
            // A method of a task publishes the event that the task is.
            for of in self.evaluate(file, receiver, &site.frame).iter() {
                if let Abstract::Function(symbol) = of
                    && let Some(task) = self.task(*symbol)
                {
                    let name = self.task_name(task.decorator, *symbol);
                    channels.extend(name.map(|name| Text { file, ..name }));
                }
            }
        }
        let Some(system) = self.system(site, event) else {
            return;
        };
        let of_field = event.channel.as_ref();
        let of_field = of_field.filter(|channel| self.names_field(site, channel));
        let of_field = of_field.map(|_| (site.at, origin));
        for channel in channels.into_iter().filter(|channel| !channel.is_hole()) {
            events.push(EventFact {
                is_publish,
                system: system.clone(),
                channel,
                is_last: event.last,
                is_task: event.task.is_some(),
                is_scheduled: event.scheduled,
                around: self.around(file, call.function),
                of_field,
                origin: self.around_call(origin),
                handler: handlers.first().copied(),
                file: origin.0,
                call: Some(origin.1),
                is_assumed: of.is_assumed,
            });
        }
    }

    /// Returns whether an argument is a field of an object.
    fn names_field(&self, site: &CallSite, argument: &Argument) -> bool {
        let mut values = argument.0.iter().flat_map(|one| match one {
            One::Joined(several) => {
                let values = several.iter().map(|one| self.one_argument(site, one));
                values.flatten().collect()
            }
            one => self.one_argument(site, one),
        });
        values.any(|value| match self.value(site.file(), value) {
            WireValue::Member { symbol, .. } => {
                symbol.is_some_and(|symbol| self.class(symbol) == SymbolClass::Field)
            }
            _ => false,
        })
    }

    /// Returns the arguments of a call that say the channel of an event.
    pub(super) fn channel_values(&self, at: CallAt, row: &Recogniser) -> Vec<ValueId> {
        let event = row.publish.as_ref().or(row.consume.as_ref());
        let channel = event.filter(|event| event.bound.is_none());
        let channel = channel.and_then(|event| event.channel.as_ref());
        match (channel, self.site(at)) {
            (Some(channel), Some(site)) => self.arguments(&site, channel),
            _ => Vec::new(),
        }
    }

    /// Adds the channels that a call binds.
    pub(super) fn add_bound(
        &self,
        bound: &mut Vec<BoundFact>,
        (site, origin): (&CallSite, CallAt),
        event: &Event,
        from: &Argument,
    ) {
        let channels = event.channel.as_ref();
        let mut arguments = channels.into_iter().chain([from]);
        let of_field = arguments.any(|argument| self.names_field(site, argument));
        let of_field = of_field.then_some((site.at, origin));
        let channels = channels.map(|channel| self.argument_texts(site, channel));
        for to in channels.into_iter().flatten() {
            for from in self.argument_texts(site, from) {
                bound.push(BoundFact {
                    system: event.system.clone(),
                    from,
                    to: to.clone(),
                    of_field,
                    file: origin.0,
                    origin: self.around_call(origin),
                });
            }
        }
    }

    /// Returns the name of a task: what its decorator says, else its own.
    fn task_name(&self, decorator: CallAt, symbol: SymbolId) -> Option<Text> {
        let site = self.site(decorator)?;
        let named = Argument(vec![One::Keyword("name".to_owned())]);
        let texts = self.argument_texts(&site, &named);
        if let Some(text) = texts.into_iter().find(|text| !text.is_hole()) {
            return Some(text);
        }
        let id = &self.code.symbol(self.code.number_of(symbol)?)?.id;
        Some(Text::literal(id, decorator.0))
    }

    /// Returns the code around a call.
    pub(super) fn around_call(&self, at: CallAt) -> Around {
        Around {
            function: self
                .call(at)
                .and_then(|call| self.around(at.0, call.function)),
            command: self.commands.of_call(at),
        }
    }

    /// Returns the function with a name around the code of a function.
    fn around(&self, file: u32, function: u32) -> Option<SymbolId> {
        let loaded = self.loaded(file);
        let functions = &loaded.wires.functions;
        let around = functions.get(function as usize).or(functions.first());
        around.map(|function| function.symbol)
    }

    /// Adds the events and requests of objects that are written with their fields. A field that callers fill belongs to the
    /// calls that it comes from, another to the function that the object is of.
    pub(super) fn add_keys(&self, facts: &mut WireFacts, file: u32) {
        let loaded = self.loaded(file);
        for (object, made) in (0..).zip(&loaded.wires.values) {
            let WireValue::Object { class, fields } = made else {
                continue;
            };
            for (name, symbol, value) in fields {
                let class = loaded.wires.value(*class);
                for of in self.rows_of_field(file, class, (*name, *symbol)) {
                    let Some(row) = self.row(*of).filter(|row| row.key.is_some()) else {
                        continue;
                    };
                    for key in self.key_sites(file, object, *value) {
                        let channels = self.listed_texts(file, *value, &key.frame);
                        let known: Vec<Text> =
                            channels.into_iter().filter(|one| !one.is_hole()).collect();
                        if row.request.is_some() {
                            add_key_requests(&mut facts.requests, &key, &known, *of);
                        }
                        let verbs = [(&row.publish, true), (&row.consume, false)];
                        for (event, is_publish) in verbs {
                            let Some(event) = event else {
                                continue;
                            };
                            let of_key = known.iter().map(|channel| EventFact {
                                is_publish,
                                system: event.system.clone(),
                                channel: channel.clone(),
                                is_last: event.last,
                                is_task: false,
                                is_scheduled: event.scheduled,
                                around: key.origin.function,
                                of_field: None,
                                origin: key.origin,
                                handler: None,
                                file: key.file,
                                call: key.call,
                                is_assumed: of.is_assumed,
                            });
                            facts.events.extend(of_key);
                        }
                    }
                }
            }
        }
    }

    /// Returns where the value of a field of an object comes from.
    fn key_sites(&self, file: u32, object: ValueId, value: ValueId) -> Vec<KeySite> {
        if let Some(frames) = self.frames_by_need((file, 0), &[value]) {
            let sites = frames.into_iter().map(|(frame, origin)| KeySite {
                frame,
                origin: self.around_call(origin),
                file: origin.0,
                call: Some(origin.1),
            });
            return sites.collect();
        }
        let commands: Vec<u32> = self.commands_using(file, object).into_iter().collect();
        let function = self.function_using(file, object);
        vec![KeySite {
            frame: None,
            origin: Around {
                function: function.or_else(|| self.around(file, 0)),
                command: match commands[..] {
                    [command] => Some(command),
                    _ => None,
                },
            },
            file,
            call: None,
        }]
    }

    /// Adds the events of maps that are written out.
    pub(super) fn add_entries(&self, events: &mut Vec<EventFact>, file: u32) {
        let lang = self.file(file).map(|source| source.lang.spec().wire_name);
        let rows = self.resolved.rows.iter().filter(|row| {
            !row.entry.is_empty() && row.publish.is_some() && Some(&*row.language) == lang
        });
        let rows: Vec<&Recogniser> = rows.collect();
        let loaded = self.loaded(file);
        for value in loaded.wires.values.iter().filter(|_| !rows.is_empty()) {
            let WireValue::Pairs(pairs) = value else {
                continue;
            };
            let value_of = |key: &String| {
                let mut pairs = pairs.iter();
                let is_key = |of: ValueId| matches!(loaded.wires.value(of), WireValue::Text(text) if **text == **key);
                pairs.find_map(|(of, value)| is_key(*of).then_some(*value))
            };
            for row in &rows {
                let values: Option<Vec<ValueId>> = row.entry.iter().map(value_of).collect();
                let value = values.and_then(|values| values.first().copied());
                let (Some(value), Some(event)) = (value, &row.publish) else {
                    continue;
                };
                for channel in self.listed_texts(file, value, &None) {
                    if channel.is_hole() {
                        continue;
                    }
                    events.push(EventFact {
                        is_publish: true,
                        system: event.system.clone(),
                        channel,
                        is_last: event.last,
                        is_task: false,
                        is_scheduled: event.scheduled,
                        around: None,
                        of_field: None,
                        origin: Around::default(),
                        handler: None,
                        file,
                        call: None,
                        is_assumed: true,
                    });
                }
            }
        }
    }

    /// Adds the requests of a call.
    pub(super) fn add_requests(
        &self,
        requests: &mut Vec<RequestFact>,
        (site, origin): (&CallSite, CallAt),
        of: Match,
        request: &Request,
    ) {
        for variable in &request.variables {
            requests.push(RequestFact {
                method: String::new(),
                url: Text::of(Part::Environment(variable.clone(), None), site.file()),
                around: self.around_call(origin),
                file: origin.0,
                is_rpc: false,
                is_connection: true,
                is_assumed: of.is_assumed,
            });
        }
        let rpcs = request
            .rpc
            .as_ref()
            .map(|rpc| self.argument_texts(site, rpc));
        for url in rpcs.into_iter().flatten().filter(|rpc| !rpc.is_hole()) {
            requests.push(RequestFact {
                method: String::new(),
                url,
                around: self.around_call(origin),
                file: origin.0,
                is_rpc: true,
                is_connection: false,
                is_assumed: of.is_assumed,
            });
        }
        let Some(url) = &request.url else {
            return;
        };
        let methods = request
            .method
            .as_ref()
            .map(|method| self.methods(site, method));
        let method = methods.and_then(|methods| methods.first().cloned());
        let bases = self.bases(site, request);
        for url in self.argument_texts(site, url) {
            let is_whole =
                matches!(url.parts.first(), Some(Part::Literal(first)) if first.contains("://"));
            let urls = if is_whole || bases.is_empty() {
                vec![url]
            } else {
                bases
                    .iter()
                    .map(|base| super::text::below(base, &url))
                    .collect()
            };
            for url in urls.into_iter().filter(|url| !url.is_hole()) {
                requests.push(RequestFact {
                    method: method.clone().unwrap_or_default(),
                    url,
                    around: self.around_call(origin),
                    file: origin.0,
                    is_rpc: false,
                    is_connection: request.connection,
                    is_assumed: of.is_assumed,
                });
            }
        }
    }

    /// Returns what addresses without a host begin with: an argument of the call that made the client.
    fn bases(&self, site: &CallSite, request: &Request) -> Vec<Text> {
        let receiver = self.receiver(site.file(), &site.call);
        let (Some(base), Some(receiver)) = (&request.base, receiver) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for of in self.evaluate(site.file(), receiver, &site.frame).iter() {
            if let Abstract::Object(Site::Call(made), ..) = of
                && let Some(made) = self.site(*made)
            {
                let texts = self.argument_texts(&made, base);
                all.extend(texts.into_iter().filter(|text| !text.is_hole()));
            }
        }
        all
    }
}

/// Where the value of a field of an object comes from.
struct KeySite {
    /// The calls that fill it.
    frame: FrameRef,
    origin: Around,
    /// The file of the outermost call, else of the object.
    file: u32,
    /// The outermost call, if calls fill it.
    call: Option<u32>,
}

/// Adds the requests to the addresses that a field has.
fn add_key_requests(requests: &mut Vec<RequestFact>, key: &KeySite, urls: &[Text], of: Match) {
    requests.extend(urls.iter().map(|url| RequestFact {
        method: String::new(),
        url: url.clone(),
        around: key.origin,
        file: key.file,
        is_rpc: false,
        is_connection: true,
        is_assumed: of.is_assumed,
    }));
}
