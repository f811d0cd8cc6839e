//! Value flow in the toy language: one fragment per body.

use std::sync::{Arc, Mutex};

use codeweft_db::Semantics as _;
use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, FlowEdge, FlowInstance, FlowInstantiated, FlowNode,
    FlowRole, FlowSite, FlowSource, FlowTarget, FlowValue, Flows, NONE, NodeKind, Reason,
    SymbolClass, SymbolId, Unit, distinct,
};
use smallvec::{SmallVec, smallvec};

use super::Toy;
use super::text::{Line, declared, lines};

/// The kinds of unnamed nodes.
const ELEMENT: u16 = 0;
const PANIC: u16 = 1;

/// A type of the toy's type table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    /// A declared type, or a pointer to it.
    Declared { symbol: SymbolId, pointer: bool },
    /// A type parameter of a declaration.
    Parameter { owner: SymbolId, number: u16 },
}

/// The type table, by number.
#[derive(Default)]
struct Types(Mutex<Vec<Type>>);

impl Types {
    fn number(db: &dyn Db, ty: Type) -> u32 {
        let mut types = db.shared().language_tables.get::<Types>().0.lock().unwrap();
        let known = types.iter().position(|&other| other == ty);
        known.unwrap_or_else(|| {
            types.push(ty);
            types.len() - 1
        }) as u32
    }

    fn of(db: &dyn Db, number: u32) -> Type {
        db.shared().language_tables.get::<Types>().0.lock().unwrap()[number as usize]
    }
}

/// The names of a body's locals, by number.
type Locals<'t> = Vec<&'t str>;

impl Toy {
    /// Returns the fragments of a file, one for each body with value flow.
    pub(super) fn fragments(&self, db: &dyn Db, unit: Unit, file: File) -> Vec<Arc<Flows>> {
        let all = lines(file.text(db));
        let bodied = all.iter().filter(|line| line.body.is_some());
        let fragments = bodied.zip(0..).map(|(line, body)| {
            let owner = declared(line).filter(|it| it.class != SymbolClass::Variable);
            let owner = match owner {
                Some(it) => self.symbol(db, unit, file, &it, 0),
                None => self.package(db, unit),
            };
            self.fragment(db, unit, owner, body, line)
        });
        let fragments = fragments.filter(|flows| !flows.is_empty());
        fragments.map(Arc::new).collect()
    }

    fn fragment(
        &self,
        db: &dyn Db,
        unit: Unit,
        owner: SymbolId,
        body: u32,
        line: &Line<'_>,
    ) -> Flows {
        let (mut edges, mut sources) = (Vec::new(), Vec::new());
        let (mut sites, mut instances) = (Vec::new(), Vec::new());
        let mut locals = Locals::new();
        let ty = |written: &str| self.written_type(db, unit, written);
        for (item, occ) in line.body.iter().flatten().zip(0..) {
            let text = item.text;
            if let Some((call, at)) = text.split_once('<') {
                let call = call.trim_start_matches('~');
                let method = (!call.starts_with('@')).then(|| self.resolve(db, unit, call));
                sites.push(FlowSite {
                    body,
                    occ,
                    at: self.flow_node(db, unit, &mut locals, at),
                    method: method.flatten(),
                    in_literal: false,
                    is_exact: false,
                });
            } else if let Some(edge) = text.strip_prefix('-') {
                let (from, to) = edge.split_once('>').unwrap();
                let (to, pass) = match to.split_once('|') {
                    Some((to, pass)) => (to, ty(pass)),
                    None => (to, NONE),
                };
                edges.push(FlowEdge {
                    from: self.flow_node(db, unit, &mut locals, from),
                    to: self.flow_node(db, unit, &mut locals, to),
                    pass,
                });
            } else if let Some(instance) = text.strip_prefix("+[") {
                let (owner, args) = instance.trim_end_matches(']').split_once(':').unwrap();
                instances.push(FlowInstance {
                    owner: self.resolve(db, unit, owner).unwrap(),
                    args: args.split(',').map(ty).collect(),
                });
            } else if let Some(source) = text.strip_prefix('+') {
                let (value, to) = source.split_once('>').unwrap();
                let value = match value.split_at(1) {
                    ("&", function) => {
                        FlowValue::Function(self.resolve(db, unit, function).unwrap())
                    }
                    ("|", method) => {
                        FlowValue::InterfaceMethod(self.resolve(db, unit, method).unwrap())
                    }
                    ("\\", signature) => FlowValue::Literal(owner, signature.parse().unwrap()),
                    ("?", "") => FlowValue::Unknown(Reason::UnknownReceiver),
                    ("?", _) => FlowValue::Unknown(Reason::Cgo),
                    _ => FlowValue::Type(ty(value)),
                };
                sources.push(FlowSource {
                    value,
                    to: self.flow_node(db, unit, &mut locals, to),
                    body,
                    occ,
                    role: FlowRole::Assigned,
                });
            }
        }
        Flows {
            edges: distinct(edges),
            sources: distinct(sources),
            sites: distinct(sites),
            instances: distinct(instances),
            ..Flows::default()
        }
    }

    fn written_type(&self, db: &dyn Db, unit: Unit, written: &str) -> u32 {
        let ty = match written.split_once('$') {
            Some((owner, number)) => Type::Parameter {
                owner: self.resolve(db, unit, owner).unwrap(),
                number: number.parse().unwrap(),
            },
            None => {
                let plain = written.trim_start_matches('*');
                Type::Declared {
                    symbol: self.resolve(db, unit, plain).unwrap(),
                    pointer: plain != written,
                }
            }
        };
        Types::number(db, ty)
    }

    fn flow_node<'t>(
        &self,
        db: &dyn Db,
        unit: Unit,
        locals: &mut Locals<'t>,
        written: &'t str,
    ) -> FlowNode {
        let Some((class, rest)) = written.split_once(':') else {
            let known = locals.iter().position(|&other| other == written);
            let number = known.unwrap_or_else(|| {
                locals.push(written);
                locals.len() - 1
            });
            return FlowNode::Local(number as u32);
        };
        let (name, number) = rest.split_once('/').unwrap_or((rest, "0"));
        let symbol = || match self.resolve(db, unit, name) {
            Some(symbol) => symbol,
            None => panic!("no {name}"),
        };
        let number = match number {
            "r" => FlowNode::RECEIVER,
            number => number.parse().unwrap(),
        };
        match class {
            "v" => FlowNode::Variable(symbol()),
            "p" => FlowNode::Parameter(symbol(), number),
            "r" => FlowNode::Result(symbol(), number),
            "t" => FlowNode::TypeParameter(symbol(), number),
            "s" => FlowNode::SignatureParameter(name.parse().unwrap(), number),
            "e" => FlowNode::Unnamed(ELEMENT, self.written_type(db, unit, name)),
            _ => FlowNode::Unnamed(PANIC, NONE),
        }
    }

    pub(super) fn passes(&self, db: &dyn Db, value: FlowValue, through: u32) -> bool {
        let (FlowValue::Type(ty), Type::Declared { symbol, .. }) = (value, Types::of(db, through))
        else {
            return false;
        };
        let DeclaredIn::Unit(unit) = db.shared().symbols.key(symbol).declared_in else {
            return false;
        };
        let wanted = self.methods(db, unit, symbol, 0);
        wanted
            .iter()
            .all(|wanted| self.dispatch_targets(db, ty, wanted.symbol).is_some())
    }

    pub(super) fn dispatch_targets(
        &self,
        db: &dyn Db,
        ty: u32,
        method: SymbolId,
    ) -> Option<FlowTarget> {
        let Type::Declared { symbol, pointer } = Types::of(db, ty) else {
            return None;
        };
        let symbols = &db.shared().symbols;
        let DeclaredIn::Unit(unit) = symbols.key(symbol).declared_in else {
            return None;
        };
        let methods = self.methods(db, unit, symbol, 0);
        let name = symbols.key(method).name;
        let found = methods.iter().find(|row| row.name == name)?;
        if !found.by_value && !pointer {
            return None;
        }
        let declarer = symbols.key(found.symbol).parent?;
        if declarer == symbol || self.kind(db, declarer) != Some(NodeKind::Interface) {
            return Some(FlowTarget::Method(found.symbol));
        }
        let embedded = db
            .shared()
            .names
            .text(symbols.key(declarer).name)
            .to_owned();
        let class = SymbolClass::Field;
        let field = self.intern(
            db,
            unit,
            Some(symbol),
            class,
            &embedded,
            Disambiguator::ONLY,
        );
        Some(FlowTarget::Through(field, found.symbol))
    }

    pub(super) fn interface_of(&self, db: &dyn Db, method: SymbolId) -> Option<u32> {
        let symbol = db.shared().symbols.key(method).parent?;
        let pointer = false;
        Some(Types::number(db, Type::Declared { symbol, pointer }))
    }

    pub(super) fn owners(&self, db: &dyn Db, node: FlowNode) -> SmallVec<[SymbolId; 2]> {
        match node {
            FlowNode::TypeParameter(owner, _) => smallvec![owner],
            FlowNode::Unnamed(ELEMENT, ty) => match Types::of(db, ty) {
                Type::Parameter { owner, .. } => smallvec![owner],
                Type::Declared { .. } => SmallVec::new(),
            },
            _ => SmallVec::new(),
        }
    }

    pub(super) fn instantiate(
        &self,
        db: &dyn Db,
        node: FlowNode,
        args: &[u32],
    ) -> FlowInstantiated {
        let arg = |number: u16| args[number as usize];
        match node {
            FlowNode::TypeParameter(_, number) => match Types::of(db, arg(number)) {
                Type::Parameter { owner, number } => {
                    FlowInstantiated::From(FlowNode::TypeParameter(owner, number))
                }
                Type::Declared { symbol, .. }
                    if self.kind(db, symbol) == Some(NodeKind::Interface) =>
                {
                    FlowInstantiated::Nothing
                }
                Type::Declared { .. } => FlowInstantiated::Value(FlowValue::Type(arg(number))),
            },
            FlowNode::Unnamed(ELEMENT, ty) => match Types::of(db, ty) {
                Type::Parameter { number, .. } => {
                    FlowInstantiated::Node(FlowNode::Unnamed(ELEMENT, arg(number)), NONE)
                }
                Type::Declared { .. } => FlowInstantiated::Nothing,
            },
            _ => FlowInstantiated::Nothing,
        }
    }

    pub(super) fn printed_unnamed(&self, db: &dyn Db, kind: u16, ty: u32) -> String {
        match kind {
            ELEMENT => format!("elements of type {}", self.printed_type(db, ty)),
            _ => "panic".to_owned(),
        }
    }

    pub(super) fn printed_type(&self, db: &dyn Db, ty: u32) -> String {
        let name = |symbol| {
            db.shared()
                .names
                .text(db.shared().symbols.key(symbol).name)
                .to_owned()
        };
        match Types::of(db, ty) {
            Type::Declared { symbol, pointer } => {
                if pointer {
                    format!("*{}", name(symbol))
                } else {
                    name(symbol)
                }
            }
            Type::Parameter { owner, number } => format!("{}${number}", name(owner)),
        }
    }

    pub(super) fn escapes(&self, db: &dyn Db, node: FlowNode) -> Option<Reason> {
        let FlowNode::Parameter(function, _) = node else {
            return None;
        };
        let name = db
            .shared()
            .names
            .text(db.shared().symbols.key(function).name);
        name.starts_with("reflected").then_some(Reason::Reflection)
    }
}
