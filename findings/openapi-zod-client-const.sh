#!/usr/bin/env bash
# openapi-zod-client 1.18.3 with an OpenAPI 3.1 description in which `const` tells the options of a union apart.
# Expected: the client knows the values. Seen: it ignores `const`, so the client compiles under strict TypeScript, and
# throws as soon as it is loaded. With `enum` of one value beside `const`, it works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund openapi-zod-client@1.18.3 @zodios/core@10.9.6 axios@1.21.1 zod@3.25.76 \
  typescript@5.9.3 tsx@4.20.6

# Writes a description whose union has the options `$1` and `$2`, and makes its client.
generate() {
  cat >openapi.json <<JSON
{"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
 "paths": {"/pay": {"post": {"operationId": "pay",
  "requestBody": {"content": {"application/json": {"schema": {"\$ref": "#/components/schemas/Means"}}}},
  "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": {"type": "string"}}}}}}}},
 "components": {"schemas": {
  "Card": {"type": "object", "required": ["kind"], "properties": {"kind": $1}},
  "Cash": {"type": "object", "required": ["kind"], "properties": {"kind": $2}},
  "Means": {"oneOf": [{"\$ref": "#/components/schemas/Card"}, {"\$ref": "#/components/schemas/Cash"}],
   "discriminator": {"propertyName": "kind"}}}}}
JSON
  npx openapi-zod-client openapi.json -o client.ts >/dev/null
  npx tsc --strict --noEmit --skipLibCheck --module nodenext --target es2022 client.ts
  echo 'compiles: yes'
}
load() {
  npx tsx client.ts >output 2>&1 || true
  grep -m1 'Error:' output || echo 'no error'
}

echo "openapi-zod-client $(node -p 'require("openapi-zod-client/package.json").version')"
echo '"const":'
generate '{"type": "string", "const": "card"}' '{"type": "string", "const": "cash"}'
seen=$(load)
echo "loaded: $seen"
echo '"const" and "enum":'
generate '{"type": "string", "const": "card", "enum": ["card"]}' '{"type": "string", "const": "cash", "enum": ["cash"]}'
fixed=$(load)
echo "loaded: $fixed"
[[ $seen == *'could not be extracted'* && $fixed == 'no error' ]]
