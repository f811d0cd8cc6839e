//! Implicit calls: special methods that builtins, operations and attribute references run (Python
//! reference, "Data model"), and constructors run by `raise`.
//!
//! ```python
//! len(basket)          # Basket.__len__
//! sorted(baskets)      # Basket.__lt__ of the elements
//! basket.colour        # Basket.__getattr__, if it has one
//! "%s" % basket        # Basket.__str__
//! ```

use codeweft_db::{NameId, Resolution, Role, SymbolClass, SymbolId};
use codeweft_python_syntax::{self as python, Access, BindingKind, NONE, Node, NodeId};

use super::UseReader;
use super::specials::{SpecialReceiver, builtin_name, called_by, iterated_by, rows_of};
use crate::classes::{OwnMember, class_info, find_in_mro};
use crate::infer::{
    Callee, Frame, ImportTarget, attribute, binding_values, callees, class_of, element,
    import_target, is_declared, is_modelled, module_hook, special_method, special_values,
};
use crate::keys::ClassKey;
use crate::values::{Shape, Value, Values, shape};

/// The functions that one operation runs. At most one edge of a site is exact, so several functions
/// count as followed values.
#[derive(Default)]
pub(super) struct OperationTargets {
    functions: Vec<(SymbolId, bool)>,
    /// Whether the class was followed to, or may be another.
    loose: bool,
}

impl OperationTargets {
    fn add(&mut self, function: SymbolId, direct: bool) {
        if !self.functions.contains(&(function, direct)) {
            self.functions.push((function, direct));
        }
    }

    fn run_builtin(&mut self, frame: &Frame<'_>, call: &python::Call, builtin: &str) {
        let db = frame.db;
        let arguments = frame.code.list(call.positional);
        let argument = |number: usize| arguments.get(number).map(|&node| frame.node(node));
        // With `key=` the keys are compared instead.
        let by_key = || {
            let mut keywords = call.keywords.iter();
            keywords.any(|(name, _)| db.shared().names.text(*name) == "key")
        };
        for row in rows_of(builtin) {
            match row.on {
                SpecialReceiver::Argument(number) => {
                    if let Some(values) = argument(number) {
                        self.first(frame, values, row.methods);
                    }
                }
                SpecialReceiver::Arguments => {
                    for &node in arguments {
                        self.first(frame, frame.node(node), row.methods);
                    }
                }
                SpecialReceiver::Element(number) => {
                    if let Some(values) = argument(number).filter(|_| !by_key()) {
                        self.first(frame, &element(frame, values), row.methods);
                    }
                }
                SpecialReceiver::Elements if by_key() => {}
                SpecialReceiver::Elements => match arguments {
                    [only] => {
                        let elements = element(frame, frame.node(*only));
                        self.first(frame, &elements, row.methods);
                    }
                    _ => {
                        for &node in arguments {
                            self.first(frame, frame.node(node), row.methods);
                        }
                    }
                },
                SpecialReceiver::Classes(number) => {
                    if let Some(values) = argument(number) {
                        self.first(frame, &frame.expand_tuples(values), row.methods);
                    }
                }
                SpecialReceiver::Own if by_key() => {}
                SpecialReceiver::Own => {
                    if let Node::Attr { base, .. } = frame.kind(call.callee) {
                        let elements = element(frame, frame.node(base));
                        self.first(frame, &elements, row.methods);
                    }
                }
            }
        }
        let Some((from, count)) = iterated_by(builtin) else {
            return;
        };
        let iterated = match builtin {
            // With several arguments none is iterated.
            "max" | "min" if arguments.len() > 1 => &[],
            _ => arguments.get(from..).unwrap_or(&[]),
        };
        for &node in iterated.iter().take(count) {
            let values = frame.node(node);
            match builtin {
                "next" => self.first(frame, values, &["__next__"]),
                "iter" => self.first(frame, values, &["__iter__", "__getitem__"]),
                "dict" | "dict.update" => {
                    // A mapping (an object with `keys`) is not iterated.
                    let mut rest = values.clone();
                    rest.retain(|one| special_method(frame, one, "keys").is_none());
                    let mut mappings = values.clone();
                    mappings.retain(|one| special_method(frame, one, "keys").is_some());
                    self.first(frame, &mappings, &["keys"]);
                    self.first(frame, &mappings, &["__getitem__"]);
                    self.iterated(frame, &rest);
                }
                _ => self.iterated(frame, values),
            }
        }
    }

    fn first(&mut self, frame: &Frame<'_>, values: &Values, methods: &[&'static str]) {
        let object = frame.object_class();
        self.loose |= values.is_unknown() || values.is_loose();
        for one in values.iter() {
            if matches!(shape(frame.db, one), Shape::None | Shape::Str(_)) {
                continue;
            }
            for method in methods {
                let Some((function, exact, _)) = special_method(frame, one, method) else {
                    continue;
                };
                if frame.db.shared().symbols.key(function).parent == object {
                    continue;
                }
                if !is_modelled(frame.db, function) {
                    self.add(function, exact);
                }
                break;
            }
        }
    }

    /// Adds what iterating runs: `__iter__`, then `__next__` of its result (Python library,
    /// "Iterator Types").
    fn iterated(&mut self, frame: &Frame<'_>, values: &Values) {
        self.first(frame, values, &["__iter__", "__getitem__"]);
        self.advance(frame, values);
    }

    fn advance(&mut self, frame: &Frame<'_>, values: &Values) {
        for one in values.iter() {
            let iterators = match special_method(frame, one, "__iter__") {
                Some((function, _, with)) if !is_modelled(frame.db, function) => {
                    let mut iterators = special_values(frame.db, function, &with);
                    if iterators.is_unknown() {
                        iterators.add(one);
                    }
                    iterators
                }
                // An object that is its own iterator.
                Some(_) => Values::one(one),
                None => continue,
            };
            self.first(frame, &iterators, &["__next__"]);
        }
    }
}

impl UseReader<'_> {
    fn emit(&mut self, occ: u32, runs: OperationTargets) {
        let is_sure = runs.functions.len() == 1 && !runs.loose;
        for (function, direct) in runs.functions {
            let resolution = if is_sure {
                Resolution::Exact
            } else {
                Resolution::Value
            };
            self.record
                .add(occ, function, Role::Call, resolution, direct);
        }
    }

    /// Adds what a call of a builtin runs on its arguments.
    pub(super) fn run_builtin_call(&mut self, frame: &Frame<'_>, occ: u32, call: &python::Call) {
        let db = frame.db;
        let callee = frame.node(call.callee);
        for one in callee.iter() {
            let symbol = match shape(db, one) {
                Shape::Function(function) | Shape::Bound { function, .. } => *function,
                Shape::Class(class) => class.symbol,
                _ => continue,
            };
            if !is_modelled(db, symbol) {
                continue;
            }
            let builtin = builtin_name(db, symbol);
            let mut runs = OperationTargets::default();
            runs.run_builtin(frame, call, &builtin);
            self.emit(occ, runs);
            self.call_back(frame, occ, call, &builtin);
        }
    }

    /// Adds the functions that a builtin calls back.
    fn call_back(&mut self, frame: &Frame<'_>, occ: u32, call: &python::Call, builtin: &str) {
        let db = frame.db;
        let arguments = frame.code.list(call.positional);
        if let Some((number, keyword)) = called_by(builtin) {
            let mut keywords = call.keywords.iter();
            let by_keyword = keywords.find(|(name, _)| db.shared().names.text(*name) == keyword);
            let by_number = number.and_then(|number| arguments.get(number).copied());
            if let Some(node) = by_number.or(by_keyword.map(|&(_, node)| node)) {
                self.called_back(frame, occ, node);
            }
        }
    }

    /// Adds what a callback runs that is itself a builtin.
    fn called_back(&mut self, frame: &Frame<'_>, occ: u32, function: NodeId) {
        let mut targets: Vec<Callee> = Vec::new();
        for one in frame.node(function).iter() {
            callees(frame, one, &mut targets);
        }
        for target in targets {
            if !is_modelled(self.db, target.symbol) {
                let (symbol, direct) = (target.symbol, target.direct);
                self.record
                    .add(occ, symbol, Role::Call, Resolution::Value, direct);
            }
        }
    }

    /// Adds the first of several special methods that a value's class has; a method of `object`
    /// itself yields to the next.
    pub(super) fn first_of(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        values: &Values,
        methods: &[&'static str],
    ) {
        let mut runs = OperationTargets::default();
        runs.first(frame, values, methods);
        self.emit(occ, runs);
    }

    /// Adds `__next__` of the iterators of what a loop iterates; `__iter__` is added separately.
    pub(super) fn iterators(&mut self, frame: &Frame<'_>, occ: u32, values: &Values) {
        let mut runs = OperationTargets::default();
        runs.advance(frame, values);
        for (function, direct) in runs.functions {
            self.record
                .add(occ, function, Role::Call, Resolution::Value, direct);
        }
    }

    /// Adds what a builtin container runs on the index of a subscript: `__index__` for a sequence;
    /// `__hash__` and `__eq__` for a mapping, and the mapping's own `__missing__`.
    pub(super) fn by_index(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        containers: &Values,
        method: &'static str,
        index: &Values,
    ) {
        let db = frame.db;
        let names = &db.shared().names;
        let mut runs = OperationTargets::default();
        let (mut of_sequence, mut of_mapping) = (false, false);
        for one in containers.iter() {
            if let Some((function, _, _)) = special_method(frame, one, method)
                && is_modelled(db, function)
                && let Some(owner) = db.shared().symbols.key(function).parent
            {
                match names.text(db.shared().symbols.key(owner).name) {
                    "dict" | "defaultdict" | "OrderedDict" => {
                        of_mapping = true;
                        if method == "__getitem__" {
                            runs.first(frame, &Values::one(one), &["__missing__"]);
                        }
                    }
                    _ => of_sequence = true,
                }
            }
        }
        if of_sequence {
            runs.first(frame, index, &["__index__"]);
        }
        if of_mapping {
            runs.first(frame, index, &["__hash__"]);
            runs.first(frame, index, &["__eq__"]);
        }
        self.emit(occ, runs);
    }

    /// Adds what `left in right` compares: elements of a builtin container, or of an iteration.
    pub(super) fn compared_inside(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        left: &Values,
        right: &Values,
    ) {
        let compares = right.iter().any(|one| {
            let contains = special_method(frame, one, "__contains__");
            contains.is_none_or(|(function, _, _)| is_modelled(frame.db, function))
        });
        if compares {
            let mut runs = OperationTargets::default();
            runs.first(frame, left, &["__eq__"]);
            runs.first(frame, left, &["__hash__"]);
            runs.first(frame, &element(frame, right), &["__eq__"]);
            self.emit(occ, runs);
        }
    }

    /// Adds what `"%s" % right` runs.
    pub(super) fn formatted(&mut self, frame: &Frame<'_>, occ: u32, left: &Values, right: &Values) {
        let db = frame.db;
        let is_text = |one: Value| match shape(db, one) {
            Shape::Str(_) => true,
            _ => class_of(frame, one).is_some_and(|class| {
                let name = db.shared().symbols.key(class.symbol).name;
                db.shared().names.text(name) == "str" && is_modelled(db, class.symbol)
            }),
        };
        if !left.iter().any(is_text) {
            return;
        }
        let mut runs = OperationTargets::default();
        runs.loose |= right.is_unknown() || right.is_loose();
        for one in right.iter() {
            match shape(db, one) {
                Shape::Tuple(parts) => {
                    for part in parts {
                        runs.first(frame, part, &["__str__", "__repr__"]);
                    }
                }
                _ => runs.first(frame, &Values::one(one), &["__str__", "__repr__"]),
            }
        }
        self.emit(occ, runs);
    }

    /// Adds the class's own hook that an attribute reference runs whatever the name (Python
    /// reference, "Customizing attribute access").
    pub(super) fn hooked(&mut self, frame: &Frame<'_>, occ: u32, of: &Values, access: Access) {
        let methods: &[&'static str] = match access {
            Access::Load | Access::Callee => &["__getattribute__"],
            Access::Store => &["__setattr__"],
            Access::Augment => &["__getattribute__", "__setattr__"],
            Access::Delete => &["__delattr__"],
        };
        for &method in methods {
            let mut found: Vec<(SymbolId, bool)> = Vec::new();
            for one in of.iter() {
                let (class, exact) = match shape(frame.db, one) {
                    Shape::Instance { class, exact } => (class.symbol, *exact),
                    Shape::Receiver(class) => (*class, false),
                    _ => continue,
                };
                if let Some(function) = self.hook(class, method) {
                    found.push((function, exact));
                }
            }
            found.sort_unstable();
            found.dedup();
            // The attribute's callee or property is added at the same token.
            let mut runs = OperationTargets {
                functions: found,
                loose: of.is_unknown() || of.is_loose(),
            };
            runs.loose |= matches!(access, Access::Load | Access::Callee | Access::Augment);
            self.emit(occ, runs);
        }
    }

    /// Returns whether what a node evaluates to may be an object whose class decides by itself what its attributes are
    /// (Python reference, Data model, `object.__getattribute__`).
    pub(super) fn has_hook(&mut self, frame: &Frame<'_>, node: NodeId) -> bool {
        let classes = frame.node(node);
        let classes = classes.iter().filter_map(|one| match shape(frame.db, one) {
            Shape::Instance { class, .. } => Some(class.symbol),
            Shape::Receiver(class) => Some(*class),
            _ => None,
        });
        let classes: Vec<SymbolId> = classes.collect();
        let mut classes = classes.into_iter();
        classes.any(|class| self.hook(class, "__getattribute__").is_some())
    }

    fn hook(&mut self, class: SymbolId, method: &'static str) -> Option<SymbolId> {
        let db = self.db;
        let look_up = || {
            let info = class_info(db, ClassKey::new(db, class));
            match find_in_mro(db, &info, db.shared().names.intern(method), 0)? {
                (_, OwnMember::Function { function, .. }) if !is_modelled(db, function) => {
                    Some(function)
                }
                _ => None,
            }
        };
        *self.hooks.entry((class, method)).or_insert_with(look_up)
    }

    /// Adds the constructor that `raise C` and `raise … from C` call without arguments (Python
    /// reference, "The raise statement").
    pub(super) fn raised(&mut self, frame: &Frame<'_>, occ: u32, raised: NodeId) {
        let values = frame.node(raised);
        let mut targets: Vec<Callee> = Vec::new();
        let mut others = values.is_unknown();
        for one in values.iter() {
            match shape(self.db, one) {
                Shape::Class(_) | Shape::Subclass(_) | Shape::ReceiverClass(_) => {
                    callees(frame, one, &mut targets);
                }
                _ => others = true,
            }
        }
        let classes: Vec<SymbolId> = targets
            .iter()
            .filter(|target| !target.of_class)
            .map(|target| target.symbol)
            .collect();
        let is_sure = !others
            && !values.is_loose()
            && classes.len() == 1
            && is_declared(frame, raised, classes[0]);
        for target in targets {
            let resolution = if is_sure {
                Resolution::Exact
            } else {
                Resolution::Value
            };
            self.record
                .add(occ, target.symbol, Role::Call, resolution, target.direct);
        }
        // As the callee of the implicit call the attribute got no site of its own.
        if let Node::Attr { base, name } = frame.kind(raised) {
            let bases = frame.node(base);
            let is_open = |one| attribute(frame, one, name).unresolved;
            if bases.is_unknown() || bases.iter().any(is_open) {
                let reason = codeweft_db::Reason::UnknownReceiver;
                self.record.add_unresolved(
                    occ,
                    name,
                    codeweft_db::UnresolvedSite::ANY_COUNT,
                    reason,
                    false,
                );
            }
        }
    }

    /// Adds `__set_name__` of call results that a class body binds (Python reference, "Creating the
    /// class object").
    pub(super) fn set_names(&mut self, frame: &Frame<'_>, occ: u32, item: u32) {
        let db = frame.db;
        let Some(&class) = frame.symbols.get(item as usize) else {
            return;
        };
        let body = Frame::of_items(db, frame.file, item);
        let Some(declared) = frame.items.items.get(item as usize) else {
            return;
        };
        let mut found: Vec<(SymbolId, bool)> = Vec::new();
        for number in declared.bindings.iter() {
            let Some(binding) = frame.items.bindings.get(number) else {
                continue;
            };
            let BindingKind::Value { value, .. } = binding.kind else {
                continue;
            };
            if value == NONE || !matches!(body.kind(value), Node::Call(_)) {
                continue;
            }
            let Some(values) = binding_values(db, class, binding.name) else {
                continue;
            };
            for one in values.iter() {
                if let Some((function, exact, _)) = special_method(frame, one, "__set_name__")
                    && !is_modelled(db, function)
                    && !found.contains(&(function, exact))
                {
                    found.push((function, exact));
                }
            }
        }
        for (function, direct) in found {
            self.record
                .add(occ, function, Role::Call, Resolution::Value, direct);
        }
    }

    /// Adds the module's `__getattr__` for `from m import name` if the module does not bind the
    /// name (Python reference, "Customizing module attribute access").
    pub(super) fn missing_in_module(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        import: u32,
        which: u32,
    ) {
        if let Some(ImportTarget::Name(module, _)) =
            import_target(frame.db, frame.file, import, which)
            && let Some(function) = module_hook(frame.db, module)
        {
            self.record
                .add(occ, function, Role::Call, Resolution::Value, true);
        }
    }
}

/// Clears `direct` of the callees of `base.name(…)` that a subclass may override because the
/// object's class is not known exactly. Functions that are not bound do not record that
/// themselves.
pub(super) fn overridable(frame: &Frame<'_>, base: NodeId, name: NameId, targets: &mut [Callee]) {
    for one in frame.node(base).iter() {
        if !targets.iter().any(|target| target.direct) {
            return;
        }
        let found = attribute(frame, one, name);
        for target in targets.iter_mut() {
            let class = frame.db.shared().symbols.key(target.symbol).class;
            if found.symbol == Some(target.symbol) && class == SymbolClass::Method {
                target.direct &= found.direct;
            }
        }
    }
}
