#!/usr/bin/env node
// @ts-check
// `npx vezne-relay` in a clone of the repository: runs the output of `npm run build`. Without this output, it runs the
// TypeScript sources, which needs Node 22.18 or newer.

import {existsSync} from 'node:fs';

const built = new URL('../dist/relay/vezne-relay.mjs', import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
  process.stdout.write(
    'vezne-relay sends a Worker’s calls from a host whose address the platform knows. It takes no arguments: the ' +
      'variables RELAY_SECRET, RELAY_LISTEN, … configure it (docs/fixed-address.md).\n',
  );
} else if (existsSync(built)) {
  await import(built.href);
} else if (major > 22 || (major === 22 && minor >= 18)) {
  await import('./vezne-relay.ts');
} else {
  process.stderr.write(
    'vezne-relay does not start: run "npm run build" first, because this version of Node cannot run the sources.\n',
  );
  process.exit(1);
}
