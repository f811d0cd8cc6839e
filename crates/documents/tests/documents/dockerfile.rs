//! Dockerfiles.

use codeweft_documents::read_dockerfile;
use expect_test::expect;

use crate::check;

#[test]
fn instructions_have_arguments_over_lines_comments_and_here_documents() {
    check(
        &read_dockerfile(
            r#"# syntax=docker/dockerfile:1
FROM golang:1.26 AS build
RUN go build \
    # a comment inside
    -o /bin/server ./cmd/server
copy --from=build /bin/server /bin/
RUN <<EOF
FROM nothing
EOF
ENV ADDR="a b" PORT=8080
ENTRYPOINT ["/bin/server", "--port", "80"]
"#,
        ),
        expect![[r#"
            [] 1:1
              - {} 2:1
                instruction: Some("FROM") 2:1
                arguments: [] 2:1
                  - Some("golang:1.26") 2:1
                  - Some("AS") 2:1
                  - Some("build") 2:1
              - {} 3:1
                instruction: Some("RUN") 3:1
                arguments: [] 3:1
                  - Some("go") 3:1
                  - Some("build") 3:1
                  - Some("-o") 3:1
                  - Some("/bin/server") 3:1
                  - Some("./cmd/server") 3:1
              - {} 6:1
                instruction: Some("COPY") 6:1
                arguments: [] 6:1
                  - Some("--from=build") 6:1
                  - Some("/bin/server") 6:1
                  - Some("/bin/") 6:1
              - {} 7:1
                instruction: Some("RUN") 7:1
                arguments: [] 7:1
                  - Some("<<EOF") 7:1
              - {} 10:1
                instruction: Some("ENV") 10:1
                arguments: [] 10:1
                  - Some("ADDR=a b") 10:1
                  - Some("PORT=8080") 10:1
              - {} 11:1
                instruction: Some("ENTRYPOINT") 11:1
                arguments: [] 11:1
                  - Some("/bin/server") 11:1
                  - Some("--port") 11:1
                  - Some("80") 11:1
        "#]],
    );
}
