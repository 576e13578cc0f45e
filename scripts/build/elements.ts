import {readFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import type {Plugin, Rolldown} from 'vite';
import {version} from './assets.ts';
import {buildChunks, inlineRuntime, compileWhileLoading} from './chunks.ts';
import {minifyLiterals, trustedTypesPolicy} from './lit.ts';

const bundlePath = (name: string) => resolve(import.meta.dirname, '../../widgets/bundles', `${name}.ts`);

/**
 * Elements of one kind share their files, and none with other kinds: a page seldom has two, and what all have in common is
 * lightest in the file that is needed first. A page that has several kinds gets `all`. The name of a kind is in the name of
 * its Trusted Types policy, which merchants write into their headers.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  transfer: ['checkout', 'payment', 'hosted'],
  subscription: ['pin-subscribe', 'one-click', 'subscription'],
  vendor: ['vendor-form'],
  activity: ['activity'],
  all: ['all'],
};

/** Two later files of a transfer need it: without a place in the first file it would be a file, and a request, of its own. */
const SHARED_LATER = /\/widgets\/core\/return-url\.ts$/;

/** The first file of a kind holds all that its entry needs. Small files compress worse, each on its own. */
const firstGroup = (name = '') => ({
  name,
  test: (id: string) => id.endsWith(`/widgets/bundles/${name}.ts`) || SHARED_LATER.test(id),
});

/**
 * Two more files that hold all their entry needs. Without its group, `payment` would export every name twice. `hosted` has
 * the pay button and the payment notice: the status of a payment imports the notice alone, for the button imports the status.
 */
const LATER = ['payment', 'hosted'];
const LATER_GROUPS = LATER.map((name) => ({name, test: new RegExp(`/widgets/bundles/${name}\\.ts$`)}));

/** Which of them has no use for Lit. */
const WITHOUT_LIT = 'activity';

const ENTRIES: ReadonlySet<string> = new Set(
  Object.values(KINDS).flatMap((names) => names.map((name) => `./bundles/${name}.ts`)),
);

/** An `import()` as the bundler writes it, with the file. */
const IMPORT = /import\(([`'"])\.\/([^`'"]+)\1\)/g;

/**
 * The files of the elements, one build a kind, beside the script tag. Every `import()` of the script tag fetches all its file
 * needs in the same moment, instead of finding out one file after another. Not by `<link rel="modulepreload">`: a page's
 * policy may refuse those.
 */
export function elementChunks(): Plugin {
  const files = new Map<string, Rolldown.OutputChunk>();
  /** What the script tag's `import('./bundles/checkout.ts')` becomes. */
  const expressions = new Map<string, string>();
  return {
    name: 'element-files',
    enforce: 'pre',
    async buildStart() {
      files.clear();
      for (const [kind, entries] of Object.entries(KINDS)) {
        const chunks = await buildChunks(
          kind,
          [
            bundleEntry(kind, entries),
            ...(kind === WITHOUT_LIT ? [] : [trustedTypesPolicy(`vezne-${kind}`), minifyLiterals()]),
            inlineRuntime(),
            compileWhileLoading(),
          ],
          {
            chunkFileNames: `vezne/${version}/${kind}/[name]-[hash].js`,
            codeSplitting: {groups: [firstGroup(entries[0]), ...LATER_GROUPS]},
          },
        );
        for (const chunk of chunks) {
          for (const id of chunk.moduleIds) this.addWatchFile(id);
          if (!chunk.isEntry) files.set(chunk.fileName, chunk);
        }
        const imports = [...(chunks.find(({isEntry}) => isEntry)?.code.matchAll(IMPORT) ?? [])];
        for (const [index, [, , file = '']] of imports.entries()) {
          // What the bundler keeps for itself was put into the files that need it.
          const needs = files.get(file)?.imports.filter((need) => files.has(need)) ?? [];
          expressions.set(`./bundles/${entries[index]}.ts`, importExpression([file, ...needs]));
        }
      }
    },
    resolveId(source, importer) {
      return importer?.endsWith('/widgets/vezne.ts') && ENTRIES.has(source) ? {id: source, external: true} : null;
    },
    generateBundle(_options, bundle) {
      for (const {fileName, code} of files.values()) this.emitFile({type: 'asset', fileName, source: code});
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        if (chunk.imports.length > 0)
          this.error(`${chunk.fileName} must import nothing before it has looked for itself.`);
        chunk.code = chunk.code.replaceAll(
          /import\(([`'"])(\.\/bundles\/[\w-]+\.ts)\1\)/g,
          (_import: string, _quote: string, entry: string) => expressions.get(entry) ?? '',
        );
      }
    },
  };
}

/** Fetches files side by side. The script tag needs nothing of what is in them: bundles define their elements. */
function importExpression(files: readonly string[]): string {
  const imports = files.map((file) => `import("./${file}")`).join();
  return files.length > 1 ? `Promise.all([${imports}])` : imports;
}

/**
 * Stands for the script tag in the build of one kind: a file that others also need is shared, and none is made only to
 * lead to another.
 */
function bundleEntry(kind: string, names: readonly string[]): Plugin {
  const grouped = names.filter((name, index) => index === 0 || LATER.includes(name));
  return {
    name: 'imports-of',
    enforce: 'pre',
    resolveId: (_source, importer) => (importer ? null : kind),
    load: (id) =>
      id === kind
        ? [
            ...textsOf(grouped.map(bundlePath)).map((file) => `import ${JSON.stringify(file)};`),
            `export const files = [${names.map((name) => `() => import(${JSON.stringify(bundlePath(name))})`).join()}];`,
          ].join('\n')
        : null,
  };
}

const MESSAGES = /\/locales\//;
const STYLES = /\.styles\.ts$/;

/**
 * Messages and styles that these files need from the start. Imported first they stand side by side in the file that is
 * built: gzip looks back 32 kB, and scattered over the elements they cost the file of all elements 1.3 kB more.
 */
function textsOf(files: readonly string[]): string[] {
  const needed = [...staticImports(files)];
  return [...needed.filter((file) => MESSAGES.test(file)), ...needed.filter((file) => STYLES.test(file))];
}

const STATIC_IMPORT = /^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+)';/gm;

/** Files and all that they import, but for what is imported later. */
function staticImports(files: readonly string[], seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(STATIC_IMPORT);
    staticImports(
      Array.from(imports, ([, path = '']) => resolve(dirname(file), path)),
      seen,
    );
  }
  return seen;
}

/**
 * The tracker as one file of its own, beside the same code in the files of the script tag: a page that only counts loads
 * nothing else, and neither file waits for a third that both would share.
 */
export function standaloneTracker(): Plugin {
  let tracker: Rolldown.OutputChunk | undefined;
  return {
    name: 'tracker-alone',
    async buildStart() {
      [tracker] = await buildChunks('widgets/activity.ts', [], {entryFileNames: '[name].js'});
      for (const id of tracker?.moduleIds ?? []) this.addWatchFile(id);
    },
    generateBundle() {
      if (!tracker) return;
      if (tracker.imports.length > 0) this.error('activity.js must need nothing else.');
      this.emitFile({type: 'asset', fileName: 'activity.js', source: tracker.code});
    },
  };
}
