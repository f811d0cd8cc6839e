#!/bin/sh
# Makes page.min.js of page.js: pages carry the short one. Needs npx; a test finds that it was forgotten.
set -eu
cd "$(dirname "$0")"
short=$(npx --yes terser@5 page.js --compress passes=2 --mangle --toplevel)
printf '// page.js %s\n%s\n' "$(cksum < page.js)" "$short" > page.min.js
