//! What is a secret, and what is none. The secrets are put together here, so that no scanner finds them in this file.

use codeweft_secrets::{Allowed, scan};
use expect_test::{Expect, expect};

/// Random letters and digits, the same on each call.
fn random(length: usize, alphabet: &str) -> String {
    let letters = alphabet.as_bytes();
    let mut state = 0x2545_f491_4f6c_dd1d_u64 ^ length as u64;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(letters[(state % letters.len() as u64) as usize])
    };
    (0..length).map(next).collect()
}

const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const BASE64: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";
const HEX: &str = "0123456789abcdef";

/// Replaces `<letters:40>`, `<upper:16>`, `<base64:44>` and `<hex:64>` with random text.
fn filled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        let (hole, behind) = behind.split_once('>').expect("a hole ends");
        let (alphabet, length) = hole.split_once(':').expect("an alphabet and a length");
        let alphabet = match alphabet {
            "upper" => UPPER,
            "letters" => LETTERS,
            "base64" => BASE64,
            _ => HEX,
        };
        out.push_str(&random(length.parse().expect("a number"), alphabet));
        rest = behind;
    }
    out + rest
}

fn check(path: &str, text: &str, expected: &Expect) {
    let text = filled(text);
    let found = scan(path, &text, &Allowed::default());
    let mut lines = String::new();
    for one in &found {
        assert!(
            !format!("{one:?}").contains(&text[one.range.clone()]),
            "the text is printed"
        );
        lines.push_str(&format!("{}: {}\n", one.line, one.kind));
    }
    expected.assert_eq(&lines);
}

#[test]
fn tokens_of_a_documented_format_are_secrets_wherever_they_are() {
    check(
        "src/config.py",
        "a = 1\n\
         aws = 'AKIA<upper:16>'\n\
         # ghp_<letters:36>\n\
         x = glpat-<letters:20>\n\
         'xoxb-281937465012-<letters:24>'\n\
         sk_live_<letters:24>\n\
         AIza<letters:35>\n\
         npm_<letters:36>\n\
         pypi-AgEIcHlwaS5vcmc<letters:60>\n\
         SG.<letters:22>.<letters:43>\n\
         'AC<hex:32>'\n\
         'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=<base64:86>=='\n\
         'eyJ<letters:30>.eyJ<letters:60>.<letters:43>'\n\
         'https://hooks.slack.com/services/T<upper:8>/B<upper:8>/<letters:24>'\n\
         'postgres://app:<letters:14>@db/orders'\n",
        &expect![[r#"
            2: AWS key
            3: GitHub token
            4: GitLab token
            5: Slack token
            6: Stripe key
            7: Google API key
            8: npm token
            9: PyPI token
            10: SendGrid key
            11: Twilio key
            12: Azure key
            13: JSON web token
            14: Slack webhook
            15: password in a URL
        "#]],
    );
}

#[test]
fn a_private_key_is_one_with_its_content_alone() {
    check(
        "main.go",
        "const a = `-----BEGIN RSA PRIVATE KEY-----\n<base64:64>\n-----END`\n\
         const b = \"-----BEGIN PRIVATE KEY-----\\n<base64:64>\"\n\
         const c = \"-----BEGIN EC PRIVATE KEY-----\"\n\
         x := \"-----BEGIN RSA TESTING KEY-----\\n<base64:64>\"\n\
         if strings.Contains(text, \"-----BEGIN PRIVATE KEY-----\") { return errNoKeyInThisText }\n",
        &expect![[r#"
            1: private key
            4: private key
        "#]],
    );
}

#[test]
fn a_value_that_is_assigned_to_a_name_of_secrets_is_one_unless_it_is_words() {
    check(
        "a.py",
        "password = 'kX9v2Lq8'\n\
         db_password: str = \"kX9v2Lq8\"\n\
         connect(user='u', passwd='kX9v2Lq8')\n\
         {'api_key': '<letters:16>'}\n\
         os.environ.setdefault('APP_TOKEN', '<letters:20>')\n\
         if token == '<letters:20>': pass\n\
         secret = b'<letters:20>'\n\
         token = 'kX9v2L'\n\
         api_key = '<letters:15>'\n\
         password = 'password'\n\
         token = 'tokenType'\n\
         token_type = '<letters:20>'\n\
         secret = os.environ['<letters:20>']\n\
         password = '${DB_PASSWORD_9x}'\n\
         password = 'your-password-8k'\n\
         token = 'NB_PROXY_TOKEN_2'\n\
         secret = 'webhook-x9-secret'\n\
         token = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'\n\
         password = 'pbkdf2_sha256$720000$<letters:20>'\n\
         unittest.mock.patch.object(pwd, 'getpwuid9x')\n",
        &expect![[r#"
            1: password
            2: password
            3: password
            4: API key
            5: token
            6: token
            7: secret
        "#]],
    );
}

#[test]
fn values_need_no_quotes_where_the_syntax_has_none() {
    let text = "DB_PASSWORD=<letters:12>\nname: x\ntoken: <letters:20> # why\nsecret: ${SECRET}\nSIGNING=<base64:43>=\n";
    let secrets = expect![[r#"
        1: password
        3: token
        5: high-entropy base64
    "#]];
    check("deploy/.env", text, &secrets);
    check("compose.yaml", text, &secrets);
    check("a.go", text, &expect![""]);
}

#[test]
fn random_bytes_are_a_secret_by_their_name_and_outside_of_tests() {
    let text = "var signingKey = \"<hex:64>\"\n\
                var material = \"<base64:43>=\"\n\
                var commit = \"<hex:40>\"\n\
                var checksum = \"<hex:64>\"\n";
    check(
        "a.go",
        text,
        &expect![[r#"
            1: key
            2: high-entropy base64
        "#]],
    );
    check(
        "a_test.go",
        text,
        &expect![[r#"
            1: key
        "#]],
    );
}

#[test]
fn in_tests_a_random_literal_is_a_secret_if_it_is_alone_and_its_name_says_something() {
    let material = "var material = \"<base64:43>=\"\n";
    check(
        "a_test.go",
        material,
        &expect![[r#"
            1: high-entropy base64
        "#]],
    );
    check("a_test.go", "var value = \"<base64:43>=\"\n", &expect![""]);
    let two = format!("{material}var expected = \"<hex:64>\"\n");
    check("a_test.go", &two, &expect![""]);
}

#[test]
fn a_value_with_a_sign_in_front_is_an_option_unless_it_is_random() {
    check(
        "a.py",
        "auth_token = \"-6VVDP6E7GR64soIe*\"\n\
         token_option = \"--auth-token-file\"\n\
         password_selector = \"#Password1-Field\"\n",
        &expect![[r#"
            1: token
        "#]],
    );
}

#[test]
fn bytes_that_count_up_and_a_uuid_are_no_secrets() {
    check(
        "a.go",
        "var resetToken = \"000102030405060708090a0b0c0d0e0f\"\n\
         var lockToken = \"urn:uuid:8d3c5a0e-7b1f-4c2d-9e6a-5f4b3c2d1e0f\"\n",
        &expect![""],
    );
}

#[test]
fn many_random_literals_are_a_table_and_in_tests_its_keys_are_test_vectors() {
    let row = "{secretKey: \"<hex:64>\", in: \"<hex:64>\"},\n";
    check("vectors_test.go", &row.repeat(4), &expect![""]);
    check(
        "vectors_test.go",
        row,
        &expect![[r#"
        1: secret
    "#]],
    );
}

#[test]
fn lock_files_have_tokens_alone() {
    check(
        "go.sum",
        "secret: <base64:43>=\nghp_<letters:36>\n",
        &expect![[r#"
            2: GitHub token
        "#]],
    );
}

#[test]
fn examples_of_documentation_are_no_secrets() {
    check(
        "a.py",
        "aws = 'AKIAIOSFODNN7EXAMPLE'\ntoken = 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'\n",
        &expect![""],
    );
}

#[test]
fn text_in_base64_is_judged_by_what_it_encodes() {
    check(
        "secret.yaml",
        "password: c29tZV9wYXNzd29yZA==\nsecret: ZXhhbXBsZS1hcHAtc2VjcmV0\n",
        &expect![""],
    );
}

#[test]
fn a_pragma_allows_the_secret_of_its_line_or_of_the_next() {
    check(
        "a.py",
        "password = 'kX9v2Lq8'  # pragma: allowlist secret\n\
         # pragma: allowlist nextline secret\n\
         password = 'kX9v2Lq8'\n\
         password = 'kX9v2Lq8'\n",
        &expect![[r#"
            4: password
        "#]],
    );
}

#[test]
fn a_baseline_allows_the_secrets_of_a_file_by_hash() {
    // The SHA-1 of the value below.
    let baseline = r#"{"version": "1.5.0", "results": {"src/a.py": [
        {"type": "Secret Keyword", "filename": "src/a.py",
         "hashed_secret": "HASH", "is_verified": false, "line_number": 1}]}}"#;
    let value = "kX9v2Lq8";
    let baseline = baseline.replace("HASH", "69eafc61b65928d2f1cc4ab5dc30717e29ecfda9");
    let allowed = Allowed::new(Some(&baseline), &[]).expect("a baseline");
    let text = format!("password = '{value}'\ntoken = '{value}x'\n");
    let lines = |path| -> Vec<u32> {
        let found = scan(path, &text, &allowed);
        found.iter().map(|one| one.line).collect()
    };
    assert_eq!(lines("src/a.py"), [2]);
    assert_eq!(lines("src/b.py"), [1, 2]);
}

#[test]
fn a_pattern_of_the_settings_allows_what_it_matches() {
    let allowed = Allowed::new(None, &["^kX9".to_owned()]).expect("a pattern");
    assert!(scan("a.py", "password = 'kX9v2Lq8'", &allowed).is_empty());
    assert_eq!(scan("a.py", "password = 'jX9v2Lq8'", &allowed).len(), 1);
    assert_ne!(allowed.fingerprint(), Allowed::default().fingerprint());
    let wrong = Allowed::new(None, &["(".to_owned()]).expect_err("no pattern");
    assert_eq!(wrong.to_string(), "pattern 1 is no regular expression");
    let wrong = Allowed::new(Some("{}"), &[]).expect_err("no results");
    assert_eq!(
        wrong.to_string(),
        "not a baseline of detect-secrets, line 1"
    );
}

proptest::proptest! {
    #[test]
    fn any_text_is_scanned_in_order(text in "(?s).{0,400}", path in "[a-z./]{0,20}") {
        let found = scan(&path, &text, &Allowed::default());
        proptest::prop_assert!(found.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
    }
}
