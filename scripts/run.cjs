// Runs a command of this folder: node scripts/run.cjs <name> … The scripts in package.json call it.
// The syntax is old on purpose, so that Node 10 or newer can run this file and print which Node is needed.
'use strict';

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error('Vezne needs Node 20 or newer; this is Node ' + process.versions.node + '.');
  process.exit(1);
}

// Node keeps what it compiles, so that wrangler, which most commands start more than once, starts faster.
process.env.NODE_COMPILE_CACHE =
  process.env.NODE_COMPILE_CACHE || require('path').join(__dirname, '..', '.cache', 'node');

// `vezne.mjs` runs the commands that a shop's project has too.
const name = String(process.argv[2]);
const isShared = ['start', 'init', 'deploy', 'doctor', 'orders', 'pay'].includes(name);

// The comment at the beginning of a command's file says what it does.
if (!isShared && process.argv.slice(3).some((arg) => arg === '--help' || arg === '-h')) {
  const file = require('path').join(__dirname, name + '.mjs');
  const comment = /^(?:\/\/.*\n|\/\*\*\n(?: \*.*\n)+)+/.exec(require('fs').readFileSync(file, 'utf8'));
  console.log(
    (comment ? comment[0] : '').replace(/^\/\/ @ts-check\n|^(?:\/\*\*| \*\/)\n|^(?:\/\/| \*) ?/gm, '').trim(),
  );
  process.exit(0);
}

import('./' + (isShared ? 'vezne' : name) + '.mjs').catch(function (error) {
  // A UserError is a message for the user. Any other error is a bug, so its stack trace is printed.
  console.error(error && error.name === 'UserError' ? error.message : error);
  process.exit(1);
});
