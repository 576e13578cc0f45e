/**
 * A Vite plugin that builds the desk: its scripts and its style sheet, which have a digest in their names, and its document,
 * into which the Worker writes who is signed in. The picture of a day loads later.
 */

import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {build, type Plugin, type Rolldown} from 'vite';
import {shorten} from './assets.ts';
import {modulesIn} from './licences.mjs';
import {minifyLiterals, modernLit, trustedTypesPolicy} from './lit.ts';
import {modulesOfScripts} from './page-scripts.ts';

const SOURCES = resolve(import.meta.dirname, '../../desk');
const FOLDER = 'desk/';

const source = (name: string) => readFileSync(resolve(SOURCES, name), 'utf8');

export function desk(): Plugin {
  let chunks: readonly Rolldown.OutputChunk[] = [];
  return {
    name: 'desk',
    async buildStart() {
      chunks = await buildDesk();
      for (const id of chunks.flatMap(({moduleIds}) => moduleIds)) if (!id.startsWith('\0')) this.addWatchFile(id);
      for (const name of ['page.html', 'desk.css']) this.addWatchFile(resolve(SOURCES, name));
      for (const module of chunks.flatMap(modulesIn)) modulesOfScripts.add(module);
    },
    generateBundle() {
      for (const {fileName, code} of chunks) this.emitFile({type: 'asset', fileName, source: code});
      const sheet = shorten(source('desk.css'));
      const style = `${FOLDER}desk-${createHash('sha256').update(sheet).digest('hex').slice(0, 8)}.css`;
      this.emitFile({type: 'asset', fileName: style, source: sheet});
      const script = chunks.find(({isEntry}) => isEntry)?.fileName ?? '';
      const page = source('page.html')
        .replace('/desk/__STYLE__', `/${style}`)
        .replace('/desk/__SCRIPT__', `/${script}`);
      this.emitFile({type: 'asset', fileName: `${FOLDER}page.txt`, source: page});
    },
  };
}

async function buildDesk(): Promise<readonly Rolldown.OutputChunk[]> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [modernLit(), trustedTypesPolicy('vezne-desk'), minifyLiterals()],
    build: {
      write: false,
      target: ['chrome111', 'firefox113', 'safari16.4'],
      lib: {entry: {desk: resolve(SOURCES, 'desk.ts')}, formats: ['es']},
      rolldownOptions: {
        checks: {bundlerTimings: false},
        output: {
          comments: false,
          minify: true,
          entryFileNames: `${FOLDER}desk-[hash].js`,
          chunkFileNames: `${FOLDER}desk-[name]-[hash].js`,
        },
      },
    },
  });
  return ([built].flat() as Rolldown.RolldownOutput[]).flatMap(({output}) =>
    output.filter((file) => file.type === 'chunk'),
  );
}
