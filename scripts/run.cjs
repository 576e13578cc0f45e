// What `npm start`, `npm run dev`, `npm test`, `npm run bench` and `npm run deploy` begin with: node scripts/run.cjs <name> …
// Old syntax on purpose: it must be able to say which Node is needed on any Node that reads it.
'use strict';

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error('Vezne needs Node 20 or newer; this is Node ' + process.versions.node + '.');
  process.exit(1);
}

import('./' + process.argv[2] + '.mjs').catch(function (error) {
  // A refusal is a sentence for people; anything else is a fault of ours and keeps its trace.
  console.error(error && error.name === 'UserError' ? error.message : error);
  process.exit(1);
});
