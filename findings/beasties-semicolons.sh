#!/usr/bin/env bash
# beasties 0.5.4, default options, with a style sheet in one line whose rules end with a semicolon.
# Expected: the critical CSS is the sheet. Seen: the semicolon between two declarations is gone, so both are lost. With
# spaces between the declarations, or without the last semicolon, it works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund beasties@0.5.4

# Prints the critical CSS of a page with the sheet `$1`.
inline() {
  printf '%s' "$1" >sheet.css
  node -e '
    const {default: Beasties = require("beasties")} = require("beasties");
    const page = "<!doctype html><html><head><link rel=stylesheet href=/sheet.css></head><body><h1>A</h1></body></html>";
    new Beasties({path: ".", logLevel: "silent"}).process(page).then((html) => console.log(/<style>(.*?)<\/style>/s.exec(html)[1]));
  '
}

echo "beasties $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/beasties/package.json", "utf8")).version')"
seen=$(inline 'h1{color:red;margin:0;padding:0;}')
echo "one line, last semicolon:    $seen"
spaced=$(inline 'h1 { color: red; margin: 0; padding: 0; }')
echo "spaces, last semicolon:      $spaced"
without=$(inline 'h1{color:red;margin:0;padding:0}')
echo "one line, no last semicolon: $without"
[[ $seen != *'margin:0;padding'* && $spaced == *'margin:0;padding:0'* && $without == *'margin:0;padding:0'* ]]
