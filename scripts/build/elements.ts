/** Builds the files of the elements, with a separate build for each kind of element. */

import {readFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import type {Plugin, Rolldown} from 'vite';
import {version} from './assets.ts';
import {buildChunks, inlineRuntime, compileWhileLoading} from './chunks.ts';
import {minifyLiterals, trustedTypesPolicy} from './lit.ts';

const bundlePath = (name: string) => resolve(import.meta.dirname, '../../widgets/bundles', `${name}.ts`);

/**
 * The kinds of elements, with their entries in `widgets/bundles/`. Elements of one kind share files. Elements of
 * different kinds do not: most pages have only one kind, and the code that all kinds need compresses best inside each
 * kind's first file. A page with several kinds loads `all`. The name of a kind is part of the name of its Trusted Types
 * policy, which merchants write into their headers.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  transfer: ['checkout', 'payment', 'hosted'],
  subscription: ['pin-subscribe', 'one-click', 'subscription'],
  vendor: ['vendor-form'],
  activity: ['activity'],
  all: ['all'],
};

/**
 * Two files that load later import this module. The first file contains the module, so that no page has to request it
 * separately.
 */
const SHARED_LATER = /\/widgets\/core\/return-url\.ts$/;

/** The first file of a kind contains everything that its entry imports, because several small files compress worse. */
const firstGroup = (name = '') => ({
  name,
  test: (id: string) => id.endsWith(`/widgets/bundles/${name}.ts`) || SHARED_LATER.test(id),
});

/**
 * Two more entries whose files contain everything that they import. If `payment` were not a group, its file would
 * export every name twice. The file `hosted` contains the pay button and the payment notice. The payment status may
 * import only the notice from this file, because the pay button imports the payment status.
 */
const LATER_ENTRIES = ['payment', 'hosted'];
const LATER_GROUPS = LATER_ENTRIES.map((name) => ({name, test: new RegExp(`/widgets/bundles/${name}\\.ts$`)}));

/** The only kind whose elements do not use Lit. */
const WITHOUT_LIT = 'activity';

const ENTRIES: ReadonlySet<string> = new Set(
  Object.values(KINDS).flatMap((names) => names.map((name) => `./bundles/${name}.ts`)),
);

/** Matches an `import()` as the bundler writes it. The second group is the file name. */
const IMPORT = /import\(([`'"])\.\/([^`'"]+)\1\)/g;

/**
 * Builds the files of the elements, in addition to the script that a page's script tag loads. Every `import()` in this
 * script fetches a file, and all files that the file imports, in parallel. The script does not use
 * `<link rel="modulepreload">`, because a page's Content-Security-Policy may refuse such a link.
 */
export function elementChunks(): Plugin {
  const files = new Map<string, Rolldown.OutputChunk>();
  /** The replacement for each `import()` in the script, by the argument of the import (`./bundles/checkout.ts`). */
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
            withoutPageScript(),
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
          // `inlineRuntime` has deleted the file with the bundler's helpers.
          const dependencies = files.get(file)?.imports.filter((dependency) => files.has(dependency)) ?? [];
          expressions.set(`./bundles/${entries[index]}.ts`, importExpression([file, ...dependencies]));
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
        if (chunk.imports.length > 0) this.error(`${chunk.fileName} must have no static imports.`);
        chunk.code = chunk.code.replaceAll(
          /import\(([`'"])(\.\/bundles\/[\w-]+\.ts)\1\)/g,
          (_import: string, _quote: string, entry: string) => expressions.get(entry) ?? '',
        );
      }
    },
  };
}

const FLAG = 'IS_PAGE_SCRIPT: boolean = true';

/** Removes the code that only page scripts need. */
function withoutPageScript(): Plugin {
  return {
    name: 'without-page-script',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/widgets/core/script-tag.ts')) return null;
      if (!code.includes(FLAG)) this.error(`script-tag.ts must contain "${FLAG}".`);
      return {code: code.replace(FLAG, 'IS_PAGE_SCRIPT = false'), map: null};
    },
  };
}

/** An expression that fetches files in parallel. A bundle registers its elements by itself and exports nothing. */
function importExpression(files: readonly string[]): string {
  const imports = files.map((file) => `import("./${file}")`).join();
  return files.length > 1 ? `Promise.all([${imports}])` : imports;
}

/**
 * Generates an entry for the build of one kind, which takes the place of the script. Because this entry imports all
 * bundles of the kind, the bundles share files, and no file only re-exports another.
 */
function bundleEntry(kind: string, names: readonly string[]): Plugin {
  const grouped = names.filter((name, index) => index === 0 || LATER_ENTRIES.includes(name));
  return {
    name: 'imports-of',
    enforce: 'pre',
    resolveId: (_source, importer) => (importer ? null : kind),
    load: (id) =>
      id === kind
        ? [
            ...messagesAndStylesOf(grouped.map(bundlePath)).map((file) => `import ${JSON.stringify(file)};`),
            `export const files = [${names.map((name) => `() => import(${JSON.stringify(bundlePath(name))})`).join()}];`,
          ].join('\n')
        : null,
  };
}

const MESSAGES = /\/locales\//;
const STYLES = /\.styles\.ts$/;

/**
 * The messages and styles that these files import statically. The entry imports them first, so that they are next to
 * each other in the built file. gzip looks back only 32 kB: if the messages and styles were spread over the file with
 * all elements, that file would be 1.3 kB larger.
 */
export function messagesAndStylesOf(files: readonly string[]): string[] {
  const needed = [...staticImports(files)];
  return [...needed.filter((file) => MESSAGES.test(file)), ...needed.filter((file) => STYLES.test(file))];
}

const STATIC_IMPORT = /^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+)';/gm;

/** The given files, and everything that they import statically, directly or through other files. */
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
 * Builds the tracker as a single file, `activity.js`, so a page loads one file if it only counts visits. The files for
 * pages with the script tag contain the same code again, so that neither copy depends on a shared file.
 */
export function standaloneTracker(): Plugin {
  let tracker: Rolldown.OutputChunk | undefined;
  return {
    name: 'standalone-tracker',
    async buildStart() {
      [tracker] = await buildChunks('widgets/activity.ts', [], {entryFileNames: '[name].js'});
      for (const id of tracker?.moduleIds ?? []) this.addWatchFile(id);
    },
    generateBundle() {
      if (!tracker) return;
      if (tracker.imports.length > 0) this.error('activity.js must import no other file.');
      this.emitFile({type: 'asset', fileName: 'activity.js', source: tracker.code});
    },
  };
}
