#!/usr/bin/env node
// @ts-check
// `npx vezne-relay` in a clone: runs the output of `npm run build`, or else the TypeScript sources, which Node 22.18
// and newer can run.

import {existsSync} from 'node:fs';

const built = new URL('../dist/relay/vezne-relay.mjs', import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (existsSync(built)) {
  await import(built.href);
} else if (major > 22 || (major === 22 && minor >= 18)) {
  await import('./vezne-relay.ts');
} else {
  process.stderr.write(
    'vezne-relay does not start: Run npm run build first. This version of Node cannot run the sources.\n',
  );
  process.exit(1);
}
