// @ts-check
// `npm run looks`: checks every state of every page and of every element with axe in every look. A look is a phone or
// desktop screen with light or dark colors. Saves a screenshot of each state in each look and language to .cache/looks,
// and a page with all of them. `npm test` checks a sample.

import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import process from 'node:process';
import {startNode} from '../cli/child-process.mjs';
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
  [tools.elements, ['--files', 'test/widgets/accessibility.test.ts']],
];
for (const [tool, args] of runs) {
  const child = startNode(tool, args, {env, onOutput: (text) => void process.stdout.write(text)});
  if ((await child.ended) !== 0) process.exitCode = 1;
}
const pictures = readdirSync(folder).toSorted();
const figures = pictures.map(
  (name) =>
    `<figure><a href="${name}"><img src="${name}" loading="lazy" alt=""></a><figcaption>${name}</figcaption></figure>`,
);
writeFileSync(
  repoPath('.cache', 'looks', 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Looks</title>
<style>body { columns: 20rem; font: 0.8rem system-ui } figure { margin: 0 0 1rem; break-inside: avoid } img { max-width: 100%; border: 1px solid #999 }</style>
${figures.join('\n')}
`,
);
console.log(`\n${pictures.length} screenshots, shown by ${repoPath('.cache', 'looks', 'index.html')}`);
process.exit();
