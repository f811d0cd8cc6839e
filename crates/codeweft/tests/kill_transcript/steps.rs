//! The steps of the exchange, and the workspace in which it happens.

/// The files of the workspace, beside `go.mod` and `a.go`.
pub const FILES: [(&str, &str); 3] = [
    (
        "shop/shop.go",
        "package shop

// Price is what a thing costs.
type Price interface{ Amount() int }

type Fixed struct{ n int }

func (f Fixed) Amount() int { return f.n }

func Total(all []Price) int {
\tsum := 0
\tfor _, one := range all {
\t\tsum += one.Amount()
\t}
\treturn sum
}

func Double(p Price) int { return Total([]Price{p, p}) }
",
    ),
    ("desk/__init__.py", ""),
    (
        "desk/till.py",
        "class Till:
    def take(self, amount):
        return self.count(amount)

    def count(self, amount):
        return amount


class Drawer(Till):
    def count(self, amount):
        return amount + 1


def pay(amount):
    return Drawer().take(amount)
",
    ),
];

/// One step. Lines and characters are 0-based.
pub enum Step {
    /// The editor opens a file.
    Open(&'static str),
    /// The editor inserts a text.
    Insert(&'static str, (u32, u32), &'static str),
    /// The editor takes over the text on disk.
    Reload(&'static str),
    /// The editor saves a file.
    Save(&'static str),
    /// The editor closes a file.
    Close(&'static str),
    /// The agent appends to a file on disk.
    Append(&'static str, &'static str),
    /// The editor requests something at a position.
    At(&'static str, &'static str, (u32, u32)),
    /// The editor requests something about the first item of its last answer.
    Item(&'static str),
    /// The editor looks for a symbol.
    Find(&'static str),
    /// The agent calls `cortex_graph`: operation, target, depth.
    Call(&'static str, &'static str, u32),
}

use Step::{Append, At, Call, Close, Find, Insert, Item, Open, Reload, Save};

const SYMBOLS: &str = "textDocument/documentSymbol";

/// The exchange. After each notification of the editor it requests something, so that the agent's
/// next question is asked when the server has read the notification.
pub const STEPS: [Step; 40] = [
    Call("callers", "m.B", 1),
    Open("a.go"),
    At(SYMBOLS, "a.go", (0, 0)),
    At("textDocument/hover", "a.go", (4, 5)),
    At("textDocument/prepareCallHierarchy", "a.go", (4, 5)),
    Item("callHierarchy/incomingCalls"),
    Insert("a.go", (4, 0), "func C() { B() }\n\n"),
    At(SYMBOLS, "a.go", (0, 0)),
    Call("callers", "m.B", 1),
    At("textDocument/references", "a.go", (6, 5)),
    Open("shop/shop.go"),
    At("textDocument/implementation", "shop/shop.go", (3, 5)),
    Call("callees", "m/shop.Total", 1),
    Insert("shop/shop.go", (2, 0), "// \u{1d11e}\n"),
    // After two UTF-16 code units of one character.
    Insert("shop/shop.go", (2, 5), " tune"),
    At("textDocument/hover", "shop/shop.go", (10, 6)),
    At("textDocument/definition", "shop/shop.go", (18, 36)),
    Save("a.go"),
    At("textDocument/references", "a.go", (6, 5)),
    Call("callers", "m.B", 2),
    Open("desk/till.py"),
    At(SYMBOLS, "desk/till.py", (0, 0)),
    At("textDocument/prepareTypeHierarchy", "shop/shop.go", (4, 5)),
    Item("typeHierarchy/subtypes"),
    Call("callees", "desk.till.pay", 2),
    Insert(
        "desk/till.py",
        (15, 0),
        "\n\ndef refund(amount):\n    return pay(-amount)\n",
    ),
    At(SYMBOLS, "desk/till.py", (0, 0)),
    Call("callers", "desk.till.pay", 1),
    Call("impact", "desk.till.Till.count", 3),
    Append("a.go", "\nfunc W() { B() }\n"),
    Call("callers", "m.B", 1),
    // Refused: the editor has not reloaded the file.
    At("textDocument/hover", "a.go", (6, 5)),
    Reload("a.go"),
    At(SYMBOLS, "a.go", (0, 0)),
    Close("shop/shop.go"),
    Find("Total"),
    Call("callees", "m/shop.Double", 1),
    Close("desk/till.py"),
    At(SYMBOLS, "desk/till.py", (0, 0)),
    Call("callers", "desk.till.pay", 1),
];
