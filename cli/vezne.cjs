#!/usr/bin/env node
// `npx vezne <command>`. The syntax is old on purpose, so that an old Node can run this file and print which is needed.
'use strict';

if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error('The commands of Vezne need Node 22 or newer; this is Node ' + process.versions.node + '.');
  process.exit(1);
}

import('./main.mjs').then(function (cli) {
  return cli.main(process.argv.slice(2));
});
