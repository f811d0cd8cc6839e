//! The facts that a program's wires are: routes, events, requests, servers of rpcs.

use std::ops::Deref;

use codeweft_db::{SymbolId, ValueId};

use super::arguments::CallSite;
use super::clients::ClientFact;
use super::commands::Commands;
use super::evaluate::Evaluator;
use super::handlers::RouteHandler;
use super::library_rpcs::LibraryRpcFact;
use super::mentions::MentionFact;
use super::program::Program;
use super::readers::Readers;
use super::routers::{Mounted, Mounts, empty};
use super::served::ServedFact;
use super::text::{Part, Text, below, setting_key};
use super::value::{Around, CallAt, Site};
use crate::recognisers::{Argument, Match, Mount, Refine, Route, SettingOf};

/// A route: a handler that is registered for a method and a path.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RouteFact {
    /// The method; `ANY` for all.
    pub(crate) method: String,
    pub(crate) path: Text,
    pub(crate) handler: Option<RouteHandler>,
    pub(crate) operation_id: String,
    /// The file and the number of the registration, or of the call of the function around it that gives its path.
    pub(crate) file: u32,
    pub(crate) call: u32,
    /// Whether it is known by the names of a library that is not loaded.
    pub(crate) is_assumed: bool,
}

/// An event that is published or consumed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EventFact {
    pub(crate) is_publish: bool,
    pub(crate) system: String,
    pub(crate) channel: Text,
    /// Whether the channel is the last part of an address.
    pub(crate) is_last: bool,
    /// Whether it is a task, which workers run.
    pub(crate) is_task: bool,
    /// Whether a scheduler publishes it.
    pub(crate) is_scheduled: bool,
    /// The function that publishes or consumes it.
    pub(crate) around: Option<SymbolId>,
    /// Where its channel is a field: its call, and that where the object comes from. Other events of both are of the same field.
    pub(crate) of_field: Option<(CallAt, CallAt)>,
    /// The code that calls the function around it that is given its channel; the same without one.
    pub(crate) origin: Around,
    pub(crate) handler: Option<RouteHandler>,
    /// The file of the origin, and the number of its call; `None` for the file as a whole.
    pub(crate) file: u32,
    pub(crate) call: Option<u32>,
    pub(crate) is_assumed: bool,
}

/// A request to another service.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RequestFact {
    pub(crate) method: String,
    pub(crate) url: Text,
    /// The code that makes it, or that calls the function around it that is given its address; the file of that.
    pub(crate) around: Around,
    pub(crate) file: u32,
    /// Whether the address is an rpc instead: its service and name.
    pub(crate) is_rpc: bool,
    /// Whether it is a connection, over which requests are made elsewhere.
    pub(crate) is_connection: bool,
    pub(crate) is_assumed: bool,
}

/// All of them, in the order of files and texts.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct WireFacts {
    pub(crate) routes: Vec<RouteFact>,
    pub(crate) events: Vec<EventFact>,
    pub(crate) requests: Vec<RequestFact>,
    pub(crate) served: Vec<ServedFact>,
    pub(crate) clients: Vec<ClientFact>,
    pub(crate) library_rpcs: Vec<LibraryRpcFact>,
    pub(crate) mentions: Vec<MentionFact>,
    pub(crate) bound: Vec<BoundFact>,
    pub(crate) settings: Vec<SettingFact>,
    pub(crate) commands: Commands,
    pub(crate) readers: Readers,
}

/// The value that the code gives a setting for the case that no document does.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SettingFact {
    /// The key, as [`super::text::setting_key`] makes it.
    pub(crate) key: String,
    pub(crate) value: String,
    /// The file, by number, and the code that gives it.
    pub(crate) file: u32,
    pub(crate) origin: Around,
}

/// A channel from which a system passes on to another: an exchange with a key, and a queue.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct BoundFact {
    pub(crate) system: String,
    pub(crate) from: Text,
    pub(crate) to: Text,
    /// See [`EventFact::of_field`].
    pub(crate) of_field: Option<(CallAt, CallAt)>,
    /// The file, by number, and the code that binds them.
    pub(crate) file: u32,
    pub(crate) origin: Around,
}

/// A route before it is composed.
struct Registered {
    at: CallAt,
    /// The call where its arguments come from.
    origin: CallAt,
    /// The routers that it is on; `None` for the root.
    on: Option<Vec<Site>>,
    methods: Vec<String>,
    paths: Vec<Text>,
    handlers: Vec<RouteHandler>,
    operation_id: String,
    is_assumed: bool,
}

/// The method of a route that has none.
pub(crate) const ANY: &str = "ANY";

/// Composes the facts of an evaluated program.
pub(crate) struct Composer<'e> {
    evaluator: &'e Evaluator<'e>,
    /// The commands of programs.
    pub(super) commands: Commands,
}

impl<'e> Deref for Composer<'e> {
    type Target = Evaluator<'e>;

    fn deref(&self) -> &Evaluator<'e> {
        self.evaluator
    }
}

/// Returns the facts of a program.
pub(crate) fn facts(program: &Program<'_>) -> WireFacts {
    let evaluator = Evaluator::new(program);
    let mut composer = Composer {
        evaluator: &evaluator,
        commands: Commands::default(),
    };
    composer.commands = composer.find_commands();
    let facts = composer.facts();
    WireFacts {
        commands: composer.commands,
        ..facts
    }
}

impl Composer<'_> {
    /// Returns the facts of the workspace.
    fn facts(&self) -> WireFacts {
        let mut facts = WireFacts::default();
        let mut registered: Vec<Registered> = Vec::new();
        let mut refinements: Vec<(CallSite, Match)> = Vec::new();
        let mut mounts = Mounts::default();
        for file in self.relevant_files() {
            let loaded = self.loaded(file);
            for (number, call) in (0..).zip(&loaded.wires.calls) {
                let at = (file, number);
                let matches = self.matches(at);
                let rows = matches.iter().filter_map(|of| Some((*of, self.row(*of)?)));
                let rows = rows.filter(|(_, row)| {
                    row.decorator.is_some() == call.decorates.is_some()
                        && (!row.is_value() || row.reads_environment())
                });
                let rows: Vec<_> = rows.collect();
                if rows.is_empty() {
                    continue;
                }
                let channel: Vec<ValueId> = rows
                    .iter()
                    .flat_map(|(_, row)| self.channel_values(at, row))
                    .collect();
                let frames = self.frames_by_need(at, &channel);
                for (frame, origin) in frames.unwrap_or_else(|| self.frames(at, call)) {
                    for &(of, row) in &rows {
                        let site = CallSite {
                            at,
                            call: call.clone(),
                            frame: frame.clone(),
                            name: self.name(of.name).to_owned(),
                        };
                        if let Some(mount) = &row.mount {
                            self.add_mount(&mut mounts, &site, mount);
                        }
                        if let Some(route) = &row.route {
                            let registered_here = self.registered(&site, of, route, origin);
                            registered.extend(registered_here);
                        }
                        if row.refine.is_some() {
                            refinements.push((site.clone(), of));
                        }
                        if let Some(event) = &row.publish {
                            self.add_events(&mut facts.events, (&site, origin), of, event, true);
                        }
                        if let Some(event) = &row.consume {
                            if let Some(from) = &event.bound {
                                self.add_bound(&mut facts.bound, (&site, origin), event, from);
                                continue;
                            }
                            self.add_events(&mut facts.events, (&site, origin), of, event, false);
                        }
                        if row.reads_environment() {
                            self.add_variables(&mut facts.mentions, (&site, origin), of);
                        }
                        if let Some(setting) = &row.setting {
                            self.add_setting(&mut facts.settings, (&site, origin), setting);
                        }
                        if let Some(request) = &row.request {
                            self.add_requests(&mut facts.requests, (&site, origin), of, request);
                        }
                    }
                }
            }
            self.add_keys(&mut facts, file);
            self.add_entries(&mut facts.events, file);
            self.add_mentions(&mut facts.mentions, file);
            self.add_given_names(&mut facts.mentions, file);
        }
        for (site, of) in &refinements {
            self.refine(&mut registered, site, *of);
        }
        for route in &registered {
            self.compose(&mut facts.routes, route, &mounts);
        }
        facts.served = self.served();
        facts.clients = self.clients();
        facts.library_rpcs = self.library_rpcs();
        facts.mentions.sort_unstable();
        facts.mentions.dedup();
        facts.readers = self.readers(&facts.mentions);
        facts
    }

    fn add_setting(
        &self,
        settings: &mut Vec<SettingFact>,
        (site, origin): (&CallSite, CallAt),
        of: &SettingOf,
    ) {
        let known = |argument: &Option<Argument>| {
            let texts = argument.as_ref().map(|of| self.argument_texts(site, of));
            let texts = texts.unwrap_or_default();
            let known = texts.iter().filter_map(|text| text.known(&|_| None));
            known.collect::<Vec<String>>()
        };
        for key in known(&of.key) {
            for value in known(&of.value) {
                settings.push(SettingFact {
                    key: setting_key(key.split('.')),
                    value,
                    file: origin.0,
                    origin: self.around_call(origin),
                });
            }
        }
    }

    fn add_mount(&self, mounts: &mut Mounts, site: &CallSite, mount: &Mount) {
        let Some(child) = &mount.child else {
            return;
        };
        let prefixes = self.prefixes(site, mount.prefix.as_ref());
        let on: Vec<Option<Site>> = match &mount.on {
            Some(on) => self.sites(site, on).into_iter().map(Some).collect(),
            None => vec![None],
        };
        for child in self.sites(site, child) {
            for &on in &on {
                if on == Some(child) {
                    continue;
                }
                let mounted = Mounted {
                    on,
                    prefixes: prefixes.clone(),
                    replaces: mount.replaces,
                };
                let known = mounts.entry(child).or_default();
                if !known.contains(&mounted) {
                    known.push(mounted);
                }
            }
        }
    }

    fn registered(
        &self,
        site: &CallSite,
        of: Match,
        route: &Route,
        origin: CallAt,
    ) -> Option<Registered> {
        let texts = |spec: &Option<Argument>| {
            let texts = spec.as_ref().map(|spec| self.argument_texts(site, spec));
            texts.unwrap_or_default()
        };
        let methods = route
            .method
            .as_ref()
            .map(|method| self.methods(site, method));
        let mut methods = methods.unwrap_or_default();
        let mut paths = texts(&route.path);
        for text in texts(&route.pattern) {
            let (method, path) = pattern_parts(&text);
            methods.extend(method);
            paths.push(path);
        }
        if route.regex {
            paths = paths.iter().map(without_regex).collect();
        }
        let mut handlers: Vec<RouteHandler> = Vec::new();
        if let Some(symbol) = site.call.decorates {
            handlers.push(RouteHandler {
                symbol,
                in_literal: false,
            });
        }
        if let Some(handler) = &route.handler {
            // What is registered may be a router of its own: that is a mount.
            let sites = self.sites(site, handler);
            let is_router = sites.into_iter().any(|site| self.is_router(site));
            if is_router {
                return None;
            }
            for value in self.arguments(site, handler) {
                handlers.extend(self.handlers(site.file(), value, &site.frame));
            }
        }
        let operation_id = texts(&route.operation_id);
        let operation_id = operation_id.first().and_then(|text| text.known(&|_| None));
        Some(Registered {
            at: site.at,
            origin,
            on: route.on.as_ref().map(|on| self.sites(site, on)),
            methods,
            paths,
            handlers,
            operation_id: operation_id.unwrap_or_default(),
            is_assumed: of.is_assumed,
        })
    }

    /// Returns the methods that an argument names, in capital letters.
    pub(super) fn methods(&self, site: &CallSite, spec: &Argument) -> Vec<String> {
        let texts = self.argument_texts(site, spec);
        let methods = texts.iter().filter_map(|text| text.known(&|_| None));
        let methods = methods.filter_map(|method| {
            let upper = method.to_ascii_uppercase();
            // `add_get`, `PostForm`
            let upper = upper.strip_prefix("ADD_").unwrap_or(&upper);
            let upper = upper.strip_suffix("FORM").unwrap_or(upper);
            codeweft_documents::contract::METHODS
                .contains(&upper)
                .then(|| upper.to_owned())
        });
        let mut methods: Vec<String> = methods.collect();
        methods.dedup();
        methods
    }

    /// Completes the routes that a later link of a chain is called on.
    fn refine(&self, registered: &mut [Registered], link: &CallSite, of: Match) {
        let Some(row) = self.row(of) else {
            return;
        };
        let Some(Refine {
            on: Some(on),
            method,
            path,
            handler,
        }) = &row.refine
        else {
            return;
        };
        for site in self.sites(link, on) {
            let same = registered
                .iter_mut()
                .filter(|route| Site::Call(route.at) == site);
            for route in same {
                if let Some(method) = method {
                    route.methods.extend(self.methods(link, method));
                }
                if let Some(path) = path {
                    route.paths.extend(self.argument_texts(link, path));
                }
                if let Some(handler) = handler {
                    for value in self.arguments(link, handler) {
                        let handlers = self.handlers(link.file(), value, &link.frame);
                        route.handlers.extend(handlers);
                    }
                }
            }
        }
    }

    /// Adds a route for each way to its router, path and method.
    fn compose(&self, routes: &mut Vec<RouteFact>, route: &Registered, mounts: &Mounts) {
        let file = route.at.0;
        // A route that is an element of a mounted list is below that.
        let own = Site::Call(route.at);
        let sites = if mounts.contains_key(&own) {
            Some(vec![own])
        } else {
            route.on.clone()
        };
        let mut ways: Vec<Text> = Vec::new();
        match sites {
            None => ways.push(empty(file)),
            Some(sites) if sites.is_empty() => ways.push(Text::of(Part::Hole, file)),
            Some(sites) => {
                for site in sites {
                    for way in self.ways(site, mounts) {
                        if !ways.contains(&way) {
                            ways.push(way);
                        }
                    }
                }
            }
        }
        let class = route.handlers.iter().find_map(|handler| {
            let methods = self.methods_of_class(handler.symbol);
            (!methods.is_empty()).then_some(methods)
        });
        let mut handled: Vec<(String, Option<RouteHandler>)> = Vec::new();
        if let Some(methods) = class {
            handled.extend(methods.into_iter().map(|(method, symbol)| {
                let handler = RouteHandler {
                    symbol,
                    in_literal: false,
                };
                (method.to_owned(), Some(handler))
            }));
        } else {
            let handler = route.handlers.first().copied();
            handled.extend(route.methods.iter().map(|method| (method.clone(), handler)));
            if handled.is_empty() {
                handled.push((ANY.to_owned(), handler));
            }
        }
        for way in &ways {
            for path in &route.paths {
                let path = below(way, path);
                for (method, handler) in &handled {
                    let fact = RouteFact {
                        method: method.clone(),
                        path: path.clone(),
                        handler: *handler,
                        operation_id: route.operation_id.clone(),
                        file: route.origin.0,
                        call: route.origin.1,
                        is_assumed: route.is_assumed,
                    };
                    if !routes.contains(&fact) {
                        routes.push(fact);
                    }
                }
            }
        }
    }
}

/// Returns the method and the path of a pattern `[METHOD ][HOST]/[PATH]` (package net/http, Patterns).
fn pattern_parts(pattern: &Text) -> (Option<String>, Text) {
    let mut path = pattern.clone();
    let mut method = None;
    if let Some(Part::Literal(first)) = path.parts.first_mut() {
        if let Some((word, rest)) = first.split_once([' ', '\t'])
            && word.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            method = Some(word.to_owned());
            *first = rest.trim_start().to_owned();
        }
        if let Some(slash) = first.find('/') {
            first.drain(..slash);
        }
    }
    if let Some(Part::Literal(last)) = path.parts.last_mut()
        && let Some(rest) = last.strip_suffix("{$}")
    {
        *last = rest.to_owned();
    }
    (method, path)
}

/// Returns the path that a regular expression of routes matches: groups are parameters, anchors nothing.
fn without_regex(pattern: &Text) -> Text {
    let mut path = pattern.clone();
    for part in &mut path.parts {
        let Part::Literal(text) = part else {
            continue;
        };
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        while let Some(letter) = rest.next() {
            match letter {
                '^' | '$' | '?' => {}
                '\\' => plain.extend(rest.next()),
                '(' => {
                    let mut group = String::new();
                    let mut depth = 1;
                    for inner in rest.by_ref() {
                        match inner {
                            '(' => depth += 1,
                            ')' => depth -= 1,
                            _ => {}
                        }
                        if depth == 0 {
                            break;
                        }
                        group.push(inner);
                    }
                    let name = group
                        .strip_prefix("?P<")
                        .and_then(|group| group.split_once('>'));
                    plain.push('{');
                    plain.push_str(name.map_or("", |(name, _)| name));
                    plain.push('}');
                }
                other => plain.push(other),
            }
        }
        *text = plain;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{Text, pattern_parts, without_regex};

    #[test]
    fn a_pattern_has_a_method_a_host_and_a_path() {
        let parts = |pattern: &str| {
            let (method, path) = pattern_parts(&Text::literal(pattern, 0));
            (method, path.path(&|_| None).0)
        };
        assert_eq!(
            parts("GET /a/{id}"),
            (Some("GET".to_owned()), "/a/{id}".to_owned())
        );
        assert_eq!(parts("example.com/a"), (None, "/a".to_owned()));
        assert_eq!(
            parts("POST  h/x/{$}"),
            (Some("POST".to_owned()), "/x/".to_owned())
        );
        assert_eq!(parts("/"), (None, "/".to_owned()));
    }

    #[test]
    fn groups_of_a_regular_expression_are_parameters() {
        let path = without_regex(&Text::literal(r"^a/(?P<year>[0-9]{4})/(\d+)/$", 0));
        assert_eq!(path.path(&|_| None).0, "a/{year}/{}/");
    }
}
