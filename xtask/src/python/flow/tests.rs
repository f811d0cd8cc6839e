use super::super::packages::PACKAGES;
use super::*;

#[test]
fn the_list_has_sixteen_packages_and_every_fourth_by_hash_is_a_test() {
    let all = read(LIST).unwrap();
    let names = |is_test: bool| -> Vec<&str> {
        let found = all.iter().filter(|one| one.is_test == is_test);
        found.map(|one| one.package.name).collect()
    };
    assert_eq!(names(true), ["voluptuous", "falcon", "anyio", "pluggy"]);
    assert_eq!(names(false).len(), 12);
    for one in &all {
        let name = one.package.name;
        assert!(
            PACKAGES.iter().all(|known| known.name != name),
            "{name} was traced before"
        );
    }
}

#[test]
fn every_requirement_has_a_version() {
    let list = std::fs::read_to_string(Requirements::Flow.file()).unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        assert!(line.contains("=="), "{line}");
    }
}

#[test]
fn a_line_of_the_list_is_read() {
    let list = "# words\na-b\t1.0\tparser\tsrc\tt/u t/v\t-x --y=z\nc\t2\tasync\t.\ttests\t-\n";
    let mut all = read(list).unwrap();
    all.sort_by_key(|one| one.package.name);
    let package = &all[0].package;
    assert_eq!((package.module, package.path), ("a_b", "src"));
    assert_eq!(package.tests, ["t/u", "t/v"]);
    assert_eq!(package.traced, Some(&["-x", "--y=z"][..]));
    assert_eq!(
        (all[1].package.path, all[1].package.traced),
        ("", Some(&[][..]))
    );
    assert!(read("a\tb\n").is_err());
}

#[test]
fn a_package_of_the_test_set_is_not_judged_with_the_others() {
    let flow = |name: &str, test_set| Flow {
        test_set,
        package: Some(name.to_owned()),
        completeness: false,
        fetch: false,
        show: 0,
        binary: None,
    };
    assert!(wanted(&flow("pluggy", false)).is_err());
    assert_eq!(wanted(&flow("pluggy", true)).unwrap().len(), 1);
    assert_eq!(wanted(&flow("lark", false)).unwrap().len(), 1);
}

#[test]
fn pooled_figures_are_sums_of_counts() {
    let read = |text: &str| -> Figures { serde_json::from_str(text).unwrap() };
    let mut pooled = read(
        r#"{"recall call": {"part": 9, "whole": 10},
            "targets a site": {"part": 3, "whole": 2, "widths": {"1": 1, "2": 1}}}"#,
    );
    pooled.add(&read(
        r#"{"recall call": {"part": 0, "whole": 90}, "recall via_c": {"part": 1, "whole": 1},
            "targets a site": {"part": 41, "whole": 2, "widths": {"1": 1, "40": 1}}}"#,
    ));
    assert_eq!(
        pooled.cells(),
        [
            "9.0", "-", "-", "-", "-", "100.0", "-", "-", "11.00/40", "1.33/2", "1", "100"
        ]
    );
    assert_eq!(headings().len(), pooled.cells().len());
    assert_eq!(Widths(BTreeMap::new()).words(), "-");
}
