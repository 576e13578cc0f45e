#!/usr/bin/env bash
# swagger-typescript-api 13.13.0 with an OpenAPI 3.1 description of an endpoint that answers `text/csv`.
# Expected: the client returns the text, as the type `string` of its answer says, and as that of oazapfts 7.5.0 does. Seen:
# `data` is null, and nothing reports it: only for types that it knows, such as JSON, does it read the body. Strict
# TypeScript accepts `data.split`, which throws.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund swagger-typescript-api@13.13.0 oazapfts@7.5.0 @oazapfts/runtime@1.2.0 tsx@4.20.6 \
  typescript@5.9.3 @types/node@20.19.0

cat >openapi.json <<'END'
{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "/"}],
 "paths": {"/day": {"get": {"operationId": "day",
  "responses": {"200": {"description": "OK", "content": {"text/csv": {"schema": {"type": "string"}}}}}}}}}
END
npx swagger-typescript-api generate --path openapi.json --output . --name swagger.ts >/dev/null 2>&1
npx oazapfts openapi.json oazapfts.ts >/dev/null

cat >read.mts <<'END'
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Api} from './swagger.js';
import {day, defaults} from './oazapfts.js';
const server = createServer((_, res) => res.writeHead(200, {'content-type': 'text/csv'}).end('order;amount\nS-1;149,90\n'));
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const {data}: {data: string} = await new Api({baseUrl}).day.day();
console.log(`swagger-typescript-api: ${JSON.stringify(data)}`);
defaults.baseUrl = baseUrl;
console.log(`oazapfts: ${JSON.stringify((await day()).data)}`);
server.closeAllConnections();
server.close();
END
for library in swagger-typescript-api oazapfts; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
npx tsc --strict --noEmit --skipLibCheck --module nodenext --target es2022 read.mts
echo 'compiles: yes'
npx tsx read.mts | tee seen.txt
[[ $(cat seen.txt) == $'swagger-typescript-api: null\noazapfts: "order;amount\\nS-1;149,90\\n"' ]]
