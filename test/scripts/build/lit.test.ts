/** The one thing that a build changes in Lit: the name of its Trusted Types policy. */

import type {Plugin} from 'vite';
import {expect, test} from 'vitest';
import {buildChunks} from '../../../scripts/build/chunks.ts';
import {trustedTypesPolicy} from '../../../scripts/build/lit.ts';

const LIT = '/node_modules/lit-html/lit-html.js';

/** A module that imports a Lit with this code. */
const moduleWithLit = (code: string): Plugin => ({
  name: 'module-with-lit',
  enforce: 'pre',
  resolveId: (id) => id,
  load: (id) => (id === LIT ? code : `import '${LIT}';`),
});

const build = (code: string) => buildChunks('page', [moduleWithLit(code), trustedTypesPolicy('vezne-transfer')], {});

test('a build gives the policy of Lit the name it is told', async () => {
  const [chunk] = await build('trustedTypes.createPolicy("lit-html", {});');
  expect(chunk?.code).toContain('trustedTypes.createPolicy(`vezne-transfer`');
  expect(chunk?.code).not.toContain('lit-html');
});

for (const [what, code] of [
  ['no policy', 'trustedTypes.createPolicy("lit", {});'],
  ['two policies', 'trustedTypes.createPolicy("lit-html", {}); trustedTypes.createPolicy("lit-html", {});'],
] as const) {
  test(`a build fails where Lit makes ${what} of the name it is known by`, async () => {
    await expect(build(code)).rejects.toThrow(/so none can be named vezne-transfer/);
  });
}
