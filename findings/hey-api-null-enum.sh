#!/usr/bin/env bash
# @hey-api/openapi-ts 0.99.0 and typed-openapi 2.2.7 with an OpenAPI 3.1 description in which an order may lack its mark,
# so the `enum` of the mark has null beside "late". JSON Schema needs no `type` beside an `enum`, but it may be there.
# Expected: "late" or null, either way, as openapi-typescript 7.13.0 says. Seen: without `type`, the types of @hey-api have no
# null, so strict TypeScript accepts `order.mark.length`, which throws. With `type`, those of typed-openapi also have the text
# "null", which the server refuses.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0 @hey-api/openapi-ts@0.99.0 typed-openapi@2.2.7 \
  openapi-typescript@7.13.0 typescript@5.9.3
export PATH="$folder/node_modules/node/bin:$PATH"

cat >api.json <<'END'
{
  "openapi": "3.1.0",
  "info": {"title": "Pay", "version": "1"},
  "paths": {
    "/order": {
      "get": {
        "responses": {
          "200": {"description": "The order", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}
        }
      }
    }
  },
  "components": {
    "schemas": {
      "Order": {
        "type": "object",
        "required": ["mark", "typed"],
        "properties": {"mark": {"enum": ["late", null]}, "typed": {"type": ["string", "null"], "enum": ["late", null]}}
      }
    }
  }
}
END
npx openapi-ts -i api.json -o hey -p @hey-api/typescript >/dev/null
npx typed-openapi api.json -o typed.ts >/dev/null
npx openapi-typescript api.json -o plain.ts >/dev/null 2>&1
cat >show.mjs <<'END'
import ts from 'typescript';
const files = {'@hey-api/openapi-ts': 'hey/types.gen.ts', 'typed-openapi': 'typed.ts', 'openapi-typescript': 'plain.ts'};
const program = ts.createProgram(Object.values(files), {strict: true, noEmit: true, skipLibCheck: true});
const checker = program.getTypeChecker();
for (const [name, file] of Object.entries(files)) {
  const kinds = {};
  const visit = (node) => {
    if (ts.isPropertySignature(node) && ['mark', 'typed'].includes(node.name.text)) {
      const type = checker.getTypeAtLocation(node);
      kinds[node.name.text] = (type.types ?? [type]).map((part) => checker.typeToString(part)).sort().join(' | ');
    }
    ts.forEachChild(node, visit);
  };
  visit(program.getSourceFile(file));
  console.log(`${name}: mark ${kinds.mark}; typed ${kinds.typed}`);
}
END
for library in @hey-api/openapi-ts typed-openapi openapi-typescript; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node show.mjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == '@hey-api/openapi-ts: mark "late"; typed "late" | null' ]]
[[ $(sed -n 2p seen.txt) == 'typed-openapi: mark "late" | null; typed "late" | "null" | null' ]]
[[ $(sed -n 3p seen.txt) == 'openapi-typescript: mark "late" | null; typed "late" | null' ]]
