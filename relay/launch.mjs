#!/usr/bin/env node
// @ts-check
// `npx vezne-relay` in a clone: runs what `npm run build` made, or else the sources as they are, which newer Nodes read.

import {existsSync} from 'node:fs';

const built = new URL('../dist/relay/vezne-relay.mjs', import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (existsSync(built)) {
  await import(built.href);
} else if (major > 22 || (major === 22 && minor >= 18)) {
  await import('./vezne-relay.ts');
} else {
  process.stderr.write(
    'vezne-relay does not start: Build it first with npm run build; this Node cannot run its sources.\n',
  );
  process.exit(1);
}
