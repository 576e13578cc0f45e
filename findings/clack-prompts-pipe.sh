#!/usr/bin/env bash
# @clack/prompts 1.9.0, `text()` with answers from a pipe, as scripts send them to a wizard. Expected: a line is an answer.
# Seen: a line feed takes back what was typed, no prompt is answered, and at the end of the input the promise stays
# pending, so that Node ends with code 13. A carriage return answers one prompt.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @clack/prompts@1.9.0

cat >ask.mjs <<'END'
import {text} from '@clack/prompts';
import {appendFileSync} from 'node:fs';
for (const message of ['Name?', 'Address?']) appendFileSync('answers.txt', `${await text({message, defaultValue: '-'})};`);
END
try() {
  : >answers.txt
  local code=0
  printf "$1" | timeout 20 node ask.mjs >/dev/null 2>&1 || code=$?
  echo "$2: answers '$(cat answers.txt)', code $code"
}
echo '@clack/prompts 1.9.0'
{
  try 'shop\nshop.example\n' 'line feeds'
  try 'shop\rshop.example\r' 'carriage returns'
} | tee seen.txt
[[ $(cat seen.txt) == $'line feeds: answers \'\', code 13\ncarriage returns: answers \'shop;\', code 13' ]]
