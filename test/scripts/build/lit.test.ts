/** A build changes one thing in Lit: the name of Lit's Trusted Types policy. */

import type {Plugin} from 'vite';
import {expect, test} from 'vitest';
import {buildChunks} from '../../../scripts/build/chunks.ts';
import {trustedTypesPolicy} from '../../../scripts/build/lit.ts';

const LIT = '/node_modules/lit-html/lit-html.js';

/** A Vite plugin with two modules: one imports Lit, and Lit has the given code. */
const moduleWithLit = (code: string): Plugin => ({
  name: 'module-with-lit',
  enforce: 'pre',
  resolveId: (id) => id,
  load: (id) => (id === LIT ? code : `import '${LIT}';`),
});

const build = (code: string) => buildChunks('page', [moduleWithLit(code), trustedTypesPolicy('vezne-transfer')], {});

test('a build changes the name of Lit’s policy to the given name', async () => {
  const [chunk] = await build('trustedTypes.createPolicy("lit-html", {});');
  expect(chunk?.code).toContain('trustedTypes.createPolicy(`vezne-transfer`');
  expect(chunk?.code).not.toContain('lit-html');
});

for (const [what, code] of [
  ['no policy', 'trustedTypes.createPolicy("lit", {});'],
  ['two policies', 'trustedTypes.createPolicy("lit-html", {}); trustedTypes.createPolicy("lit-html", {});'],
] as const) {
  test(`a build fails if Lit creates ${what} with the name "lit-html"`, async () => {
    await expect(build(code)).rejects.toThrow(/to be renamed to vezne-transfer/);
  });
}
