// @ts-check
// `npm run looks`: checks every page of the demo and every state of every element with axe in every look. A look is a
// phone or desktop screen with light or dark colors. Saves a screenshot of each to .cache/looks. `npm test` checks a
// sample of the looks.

import {mkdirSync, readdirSync, rmSync} from 'node:fs';
import process from 'node:process';
import {startNode} from './lib/child-process.mjs';
import {findOrInstallChromium} from './lib/chromium.mjs';
import {install} from './lib/install.mjs';
import {repoPath, tools} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

install();
const folder = repoPath('.cache', 'looks');
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const env = {
  CI: '1',
  CHROME_PATH: findOrInstallChromium(),
  TMPDIR: makeScratchFolder(),
  VEZNE_LOOKS: folder,
};

/** @type {[tool: string, args: string[]][]} */
const runs = [
  [tools.vitest, ['run', '--project', 'looks', '--testTimeout', '180000']],
  [tools.elements, [repoPath('.cache', 'looks.json'), '--files', 'test/widgets/accessibility.test.ts']],
];
for (const [tool, args] of runs) {
  const child = startNode(tool, args, {env, onOutput: (text) => void process.stdout.write(text)});
  if ((await child.ended) !== 0) process.exitCode = 1;
}
console.log(`\n${readdirSync(folder).length} screenshots in ${folder}`);
process.exit();
