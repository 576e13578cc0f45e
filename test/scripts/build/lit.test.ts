/** A build changes one thing in Lit: the name of Lit's Trusted Types policy. */

import {build, type Plugin, type Rolldown} from 'vite';
import {expect, test} from 'vitest';
import {trustedTypesPolicy} from '../../../scripts/build/lit.ts';

const LIT = '/node_modules/lit-html/lit-html.js';

/** A Vite plugin with two modules: one imports Lit, and Lit has the given code. */
const moduleWithLit = (code: string): Plugin => ({
  name: 'module-with-lit',
  enforce: 'pre',
  resolveId: (id) => id,
  load: (id) => (id === LIT ? code : `import '${LIT}';`),
});

async function buildWith(code: string): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    plugins: [moduleWithLit(code), trustedTypesPolicy('vezne-transfer')],
    build: {write: false, lib: {entry: 'page', formats: ['es']}, rolldownOptions: {output: {minify: true}}},
  });
  const [{output}] = built as [Rolldown.RolldownOutput];
  return output[0].code;
}

test('a build changes the name of Lit’s policy to the given name', async () => {
  const code = await buildWith('trustedTypes.createPolicy("lit-html", {});');
  expect(code).toContain('trustedTypes.createPolicy(`vezne-transfer`');
  expect(code).not.toContain('lit-html');
});

for (const [what, code] of [
  ['no policy', 'trustedTypes.createPolicy("lit", {});'],
  ['two policies', 'trustedTypes.createPolicy("lit-html", {}); trustedTypes.createPolicy("lit-html", {});'],
] as const) {
  test(`a build fails if Lit creates ${what} with the name "lit-html"`, async () => {
    await expect(buildWith(code)).rejects.toThrow(/to be renamed to vezne-transfer/);
  });
}
