use super::{ask, history, index, paths};
use crate::{HistoryIndex, Profile, RetrievalQuery, Weights, rank};

const SHOP: &str = "\
== shop/cart.py shop/prices.py
\"\"\"The cart.\"\"\"
class Cart:
    def add_item(self, item):
        self.items.append(item)
    def total(self):
        return sum(price_of(item) for item in self.items)
== shop/prices.py
def price_of(item):
    return item.price * (1 - discount(item))
def discount(item):
    return 0.1
== shop/mail.py
def send_mail(to, body):
    connect().send(to, body)
== docs/discount.py
def discount(item):
    return item.price
== tests/test_prices.py shop/prices.py
def test_discount():
    assert discount(1) == 0.1
";

#[test]
fn the_same_query_gives_the_same_order_without_git_and_model() {
    let index = index(SHOP);
    let first = ask(
        &index,
        "Discount is wrong\nThe price of an item has no discount.",
    );
    assert_eq!(
        first,
        ask(
            &index,
            "Discount is wrong\nThe price of an item has no discount."
        )
    );
    assert_eq!(
        first.files.first().map(|file| &*file.path),
        Some("shop/prices.py")
    );
}

#[test]
fn the_parts_of_a_score_sum_to_it_and_large_ones_are_named() {
    let index = index(SHOP);
    let commits = history(&[(3, "Discount for all", &["shop/cart.py"])]);
    let query = RetrievalQuery {
        text: "Discount of `price_of`\nsee shop/prices.py",
        ..RetrievalQuery::default()
    };
    let ranking = rank(&index, Some(&commits), &Weights::default(), &query);
    for file in &ranking.files {
        let sum: f64 = file.parts.iter().map(|(_, part)| part).sum();
        assert!(
            (sum - file.score).abs() < 1e-9,
            "{}: {sum} {}",
            file.path,
            file.score
        );
    }
    let why = |path: &str| {
        let file = ranking.files.iter().find(|file| &*file.path == path);
        file.map_or(&[][..], |file| file.why.as_slice())
    };
    for word in [
        "title",
        "text",
        "path",
        "named in query",
        "near shop/cart.py in imports",
    ] {
        assert!(
            why("shop/prices.py").iter().any(|one| one == word),
            "{word}: {:?}",
            why("shop/prices.py")
        );
    }
    for word in ["commit 0000000", "recent", "near shop/prices.py in imports"] {
        assert!(
            why("shop/cart.py").iter().any(|one| one == word),
            "{word}: {:?}",
            why("shop/cart.py")
        );
    }
}

#[test]
fn names_are_found_by_their_words_in_any_form() {
    let index = index(
        "\
== a/user.py
def get_user_name(): pass
== a/account.py
def getAccountId(): pass
== a/other.py
def walk(): pass
",
    );
    assert_eq!(paths(&ask(&index, "getUserName").files)[0], "a/user.py");
    assert_eq!(
        paths(&ask(&index, "get_account_id").files)[0],
        "a/account.py"
    );
}

#[test]
fn the_title_leads_even_before_a_long_log() {
    let log = "retry: connection closed while reading body of message\n".repeat(200);
    let index = index(SHOP);
    let ranking = ask(&index, &format!("Cart total\n{log}"));
    assert_eq!(paths(&ranking.files)[0], "shop/cart.py");
}

#[test]
fn comments_of_templates_and_dumps_of_versions_change_nothing() {
    let index = index(SHOP);
    let plain = ask(&index, "Mail is lost\nThe body never arrives.\n");
    let noisy = ask(
        &index,
        "Mail is lost\n<!-- cart discount price_of(x) -->The body never arrives.\nINSTALLED VERSIONS\ncart: 1 shop/cart.py discount",
    );
    assert_eq!(plain, noisy);
}

#[test]
fn files_beside_the_program_fall_behind_their_equals() {
    let same = "def parse_header(text):\n    return text\n";
    let index = index(&format!(
        "== lib/a.py\n{same}== docs/a.py\n{same}== scripts/a.py\n{same}== lib/z.py\n{same}== lib/a_pb2.py\n{same}"
    ));
    let ranking = ask(&index, "parse_header fails");
    let ranked = paths(&ranking.files);
    let mut first = ranked[..2].to_vec();
    first.sort_unstable();
    assert_eq!(first, ["lib/a.py", "lib/z.py"], "{ranked:?}");
}

#[test]
fn tests_are_a_list_of_their_own_unless_the_query_wants_them() {
    let index = index(SHOP);
    let ranking = ask(&index, "discount");
    assert_eq!(paths(&ranking.tests), ["tests/test_prices.py"]);
    assert!(!paths(&ranking.files).contains(&"tests/test_prices.py"));
    let included = RetrievalQuery {
        text: "discount",
        include_tests: true,
        ..RetrievalQuery::default()
    };
    let ranking = rank(&index, None, &Weights::default(), &included);
    assert!(paths(&ranking.files).contains(&"tests/test_prices.py"));
    assert!(ranking.tests.is_empty());
    let named = ask(&index, "discount\nin tests/test_prices.py");
    assert!(paths(&named.files).contains(&"tests/test_prices.py"));
}

#[test]
fn what_is_known_of_the_history_is_said() {
    let index = index(SHOP);
    let query = RetrievalQuery {
        text: "discount",
        ..RetrievalQuery::default()
    };
    let hints =
        |history: Option<&HistoryIndex>| rank(&index, history, &Weights::default(), &query).hints;
    assert_eq!(
        hints(None),
        ["the git history has not been read yet: ranked without it"]
    );
    assert!(hints(Some(&history(&[]))).is_empty());
}

#[test]
fn messages_of_commits_lift_the_files_that_they_touched() {
    let index = index(SHOP);
    let commits = history(&[
        (900, "Unicode in subjects", &["shop/mail.py"]),
        (901, "Faster sums", &["shop/cart.py"]),
    ]);
    let query = RetrievalQuery {
        text: "Unicode subjects",
        ..RetrievalQuery::default()
    };
    let ranking = rank(&index, Some(&commits), &Weights::default(), &query);
    assert_eq!(paths(&ranking.files)[0], "shop/mail.py");
}

#[test]
fn a_query_without_words_gets_a_hint_and_no_file() {
    let index = index(SHOP);
    for text in ["", "  \n", "the of and to", "??? 12 34"] {
        let ranking = ask(&index, text);
        assert!(
            ranking.files.is_empty() && ranking.tests.is_empty(),
            "{text}"
        );
        assert!(
            ranking.hints[0].starts_with("the query has no word"),
            "{:?}",
            ranking.hints
        );
    }
    let none = ask(&crate::Index::default(), "discount");
    assert_eq!(none.hints[0], "no source file is indexed");
}

#[test]
fn a_query_that_fits_no_file_gets_a_hint_and_no_file() {
    let commits = history(&[(1, "Sums", &["shop/cart.py"])]);
    let query = RetrievalQuery {
        text: "zygote quagmire",
        cursor_file: Some("shop/cart.py"),
        ..RetrievalQuery::default()
    };
    let ranking = rank(&index(SHOP), Some(&commits), &Weights::default(), &query);
    assert_eq!(paths(&ranking.files), [""; 0]);
    assert!(ranking.hints[0].starts_with("no file has a word of the query"));
}

#[test]
fn line_ends_and_letters_of_other_scripts_change_nothing_of_the_words() {
    let index = index(SHOP);
    let unix = ask(&index, "Größe – discount\nof prices 漢字\n");
    let windows = ask(&index, "Größe – discount\r\nof prices 漢字\r\n");
    assert_eq!(paths(&unix.files), paths(&windows.files));
    let long = "discount ".repeat(20_000);
    assert!(!ask(&index, &long).files.is_empty());
}

#[test]
fn where_any_file_has_a_score_one_is_likely_and_likely_files_come_first() {
    let ranking = ask(&index(SHOP), "discount");
    assert!(ranking.files[0].likely);
    assert!(ranking.files.is_sorted_by_key(|file| !file.likely));
}

#[test]
fn the_file_at_hand_lifts_its_neighbours_and_removes_nothing() {
    let index = index(SHOP);
    let query = RetrievalQuery {
        text: "send",
        cursor_file: Some("shop/cart.py"),
        explain: true,
        ..RetrievalQuery::default()
    };
    let with = rank(&index, None, &Weights::default(), &query);
    let without = ask(&index, "send");
    let mut paths_with = paths(&with.files);
    let mut paths_without = paths(&without.files);
    let at = |paths: &[&str]| paths.iter().position(|path| *path == "shop/prices.py");
    assert!(
        at(&paths_with) <= at(&paths_without),
        "{paths_with:?} {paths_without:?}"
    );
    let prices = with
        .files
        .iter()
        .find(|file| &*file.path == "shop/prices.py");
    assert!(prices.is_some_and(|file| file.parts.contains(&("cursor", 1.0))));
    paths_with.sort_unstable();
    paths_without.sort_unstable();
    assert_eq!(paths_with, paths_without);
}

#[test]
fn the_other_profile_keeps_only_what_the_file_at_hand_imports() {
    let index = index(SHOP);
    let query = RetrievalQuery {
        text: "discount send",
        cursor_file: Some("shop/cart.py"),
        profile: Profile::Codegrapher,
        ..RetrievalQuery::default()
    };
    let ranking = rank(&index, None, &Weights::default(), &query);
    let mut kept = paths(&ranking.files);
    kept.sort_unstable();
    assert_eq!(kept, ["shop/cart.py", "shop/prices.py"]);
}

#[test]
fn weights_are_by_name_and_unknown_names_are_refused() {
    let mut weights = Weights::default();
    let wrong = weights.set("bm", 1.0).expect_err("no such term");
    assert!(
        wrong.starts_with("no term of the ranking is named bm; there are bmf, bmf_title"),
        "{wrong}"
    );
    assert!(weights.set("bmf", f64::NAN).is_err());
    for name in crate::WEIGHT_NAMES {
        weights.set(name, 0.0).expect(name);
    }
    weights.set("len", -1.0).expect("it is a term");
    let query = RetrievalQuery {
        text: "discount",
        ..RetrievalQuery::default()
    };
    let ranking = rank(&index(SHOP), None, &weights, &query);
    // The shortest file is first.
    assert_eq!(
        paths(&ranking.files)[..2],
        ["docs/discount.py", "shop/mail.py"]
    );
}

#[test]
fn an_explained_score_has_every_part() {
    let ranking = ask(&index(SHOP), "discount");
    for file in &ranking.files {
        let names: Vec<&str> = file.parts.iter().map(|&(name, _)| name).collect();
        assert_eq!(names, crate::WEIGHT_NAMES);
    }
}

#[test]
fn one_file_and_a_long_one_are_ranked_and_the_cut_is_said() {
    let one = index("== a.py\ndef only(): pass\n");
    assert_eq!(paths(&ask(&one, "only").files), ["a.py"]);
    let long = format!(
        "== a.py\n{}def last_name(): pass\n",
        "first = 1\n".repeat(70_000)
    );
    let index = index(&long);
    let ranking = ask(&index, "first");
    assert!(
        ranking
            .hints
            .iter()
            .any(|hint| hint.starts_with("a.py: only the first 600000 bytes"))
    );
    assert!(index.defining("last_name").is_empty());
}

#[test]
fn in_eight_thousand_files_the_one_that_the_text_is_about_is_first_and_hubs_change_nothing() {
    let mut text = String::from("== pkg/hub.py\ndef shared(): pass\n");
    for file in 0..8_000 {
        text.push_str(&format!(
            "== pkg/part{}/f{file}.py pkg/hub.py\ndef work{file}(item): return shared(item, {file})\n",
            file % 90
        ));
    }
    text.push_str(
        "== pkg/part7/refunds.py pkg/hub.py\ndef refund_order(item): return shared(item)\n",
    );
    let index = index(&text);
    assert_eq!(index.len(), 8_002);
    let ranking = ask(&index, "refund of an order is shared twice");
    assert_eq!(&*ranking.files[0].path, "pkg/part7/refunds.py");
    let again = ask(&index, "refund of an order is shared twice");
    assert_eq!(paths(&ranking.files), paths(&again.files));
}

#[test]
fn meaning_leads_the_other_profile_and_weighs_nothing_in_the_measured_one_unless_it_has_a_weight() {
    let index = index(SHOP);
    let meaning: crate::Meaning = [("shop/mail.py".into(), 0.9), ("shop/cart.py".into(), 0.1)]
        .into_iter()
        .collect();
    let ask = |profile, weight, meaning| {
        let query = RetrievalQuery {
            text: "discount of an item",
            profile,
            meaning,
            ..RetrievalQuery::default()
        };
        let mut weights = Weights::default();
        weights.set("meaning", weight).expect("a term");
        rank(&index, None, &weights, &query).files
    };
    let first = |files: &[crate::RankedFile]| files[0].path.to_string();
    let without = ask(Profile::Measured, 0.0, None);
    assert_eq!(ask(Profile::Measured, 0.0, Some(&meaning)), without);
    assert_ne!(first(&without), "shop/mail.py");
    assert_eq!(
        first(&ask(Profile::Measured, 30.0, Some(&meaning))),
        "shop/mail.py"
    );
    assert_ne!(first(&ask(Profile::Codegrapher, 0.0, None)), "shop/mail.py");
    assert_eq!(
        first(&ask(Profile::Codegrapher, 0.0, Some(&meaning))),
        "shop/mail.py"
    );
}
