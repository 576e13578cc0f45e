/**
 * Builds the scripts of the elements, one for each kind: `checkout.js`, `subscribe.js`, `vendor.js` and `refund.js`. A script is one
 * file: the loader, Lit, the elements that a page shows first, and in the first two scripts a placeholder that the
 * Worker replaces with data. The other elements of its kind are later files, which load when a page needs them. A
 * pinned file is the same script without data, in the folder of its later files.
 */

import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {basename, dirname, resolve} from 'node:path';
import type {Plugin, Rolldown} from 'vite';
import type {ScriptName} from '../../widgets/core/script-tag.ts';
import type {PageDataPlaceholder} from '../../worker/contract/browser/page-data.ts';
import {version} from './assets.ts';
import {buildChunks, inlineRuntime} from './chunks.ts';
import {minifyLiterals, trustedTypesPolicy} from './lit.ts';

interface PageScript {
  /**
   * The kind of elements that the script defines. It is part of the name of the script's Trusted Types policy, which
   * merchants write into their headers.
   */
  readonly kind: 'transfer' | 'subscription' | 'vendor' | 'refund';
  /** The files in `widgets/bundles/` that load later and contain everything that they import. */
  readonly later: readonly string[];
  /** Whether the Worker writes data into the script. */
  readonly hasData: boolean;
}

/** The page scripts, by name. The entry in `widgets/` and the file that a page loads both have this name. */
const PAGE_SCRIPTS: Readonly<Record<Exclude<ScriptName, 'vezne' | 'activity'>, PageScript>> = {
  checkout: {kind: 'transfer', later: ['payment', 'hosted'], hasData: true},
  subscribe: {kind: 'subscription', later: [], hasData: true},
  vendor: {kind: 'vendor', later: [], hasData: false},
  refund: {kind: 'refund', later: [], hasData: false},
};

const PLACEHOLDER: PageDataPlaceholder = '__VEZNE_PAGE_DATA__';

/**
 * A placeholder for the digest in the names of later files and in the code. All later files of a script have the same
 * digest, which changes whenever the script or one of these files changes. So a later file reads the variables of
 * exactly one version of the script.
 */
const DIGEST = '__DIGEST';

/** The folder of everything that belongs to this version. */
const FOLDER = `vezne/${version}/`;

const widget = (name: string) => resolve(import.meta.dirname, '../../widgets', name);

/**
 * Emits each page script as `<name>.js`, and its later files in `vezne/<version>/<name>/`. A script with data is emitted
 * as a template, `vezne/<version>/single/<name>.js`, and the Worker serves the script at `/<name>.js`. Each script is
 * also emitted as a pinned file, `vezne/<version>/<name>.js`.
 */
export function pageScripts(): Plugin {
  const files = new Map<string, string>();
  let preamble = '';
  return {
    name: 'page-scripts',
    async buildStart() {
      files.clear();
      preamble = await onlyChunk('pinned');
      this.addWatchFile(widget('pinned.ts'));
      for (const [name, script] of Object.entries(PAGE_SCRIPTS)) {
        const chunks = await buildPageScript(name, script);
        for (const chunk of chunks) for (const id of chunk.moduleIds) this.addWatchFile(id);
        for (const pinned of [undefined, preamble])
          for (const [file, code] of finishChunks(name, script, chunks, pinned)) files.set(file, code);
      }
    },
    generateBundle(_options, bundle) {
      for (const [fileName, source] of files) this.emitFile({type: 'asset', fileName, source});
      const tracker = bundle['activity.js'];
      const parts = tracker?.type === 'chunk' ? tracker.code.split('new URL(`.`,') : [];
      if (parts.length !== 2) this.error('Expected the tracker to read the address of its Worker once.');
      const source = withPreamble(preamble, 'activity', parts.join('new URL(`../../`,'));
      this.emitFile({type: 'asset', fileName: `${FOLDER}activity.js`, source});
    },
  };
}

/** The code of an entry that is one file. */
async function onlyChunk(name: string): Promise<string> {
  const [chunk, ...others] = await buildChunks(widget(`${name}.ts`), [], {});
  if (!chunk || others.length > 0) throw new Error(`${name}.js must be one file.`);
  return chunk.code;
}

function buildPageScript(name: string, {kind, later}: PageScript): Promise<Rolldown.OutputChunk[]> {
  return buildChunks(
    name,
    [pageScriptEntry(name), trustedTypesPolicy(`vezne-${kind}`), minifyLiterals(), inlineRuntime()],
    {
      chunkFileNames: (chunk) => (chunk.name === name ? `${name}.js` : `${FOLDER}${name}/[name]-${DIGEST}.js`),
      codeSplitting: {
        // The first group contains everything that the script imports, because several small files compress worse.
        groups: [`${name}.ts`, ...later.map((file) => `bundles/${file}.ts`)].map((file) => ({
          name: basename(file, '.ts'),
          test: (id: string) => id === widget(file),
        })),
      },
    },
  );
}

/**
 * Generates an entry that imports a page script. It imports the messages and the styles first, so that they are next to
 * each other in the script.
 */
function pageScriptEntry(name: string): Plugin {
  return {
    name: 'page-script-entry',
    enforce: 'pre',
    resolveId: (_source, importer) => (importer ? null : name),
    load(id) {
      if (id !== name) return null;
      const entry = widget(`${name}.ts`);
      return [
        ...messagesAndStylesOf([entry]).map((file) => `import ${JSON.stringify(file)};`),
        `export const load = () => import(${JSON.stringify(entry)});`,
      ].join('\n');
    },
  };
}

/**
 * Connects the files of a page script. A later file cannot import the script, because the script's URL may have a
 * query, and the script at this URL may change while the page is open. So the script puts the variables that later
 * files need into a global property, from which the later files read them.
 * @param preamble - The code that a pinned file runs first; without it, the script is not pinned.
 * @returns The content of each file, by path.
 */
function finishChunks(
  name: string,
  {hasData}: PageScript,
  chunks: readonly Rolldown.OutputChunk[],
  preamble?: string,
): ReadonlyMap<string, string> {
  const digest = createHash('sha256')
    .update(chunks.map(({code}) => code).join('\0'))
    .digest('base64url')
    .slice(0, DIGEST.length)
    // A digest that begins with a dash would be harder to recognize in a file name.
    .replaceAll('-', '_');
  const key = `Symbol.for(\`vezne ${name} ${digest}\`)`;
  const script = chunks.find(({fileName}) => fileName === `${name}.js`);
  const names = exportedNames(script?.code ?? '');
  const finished = chunks
    .filter(({isEntry}) => !isEntry)
    .map(({fileName, code}): readonly [string, string] => {
      if (fileName !== `${name}.js`) return [fileName, connectLaterFile(code, name, key, names)];
      const connected = connectScript(code, {name, hasData}, key, [...names.values()]);
      if (preamble !== undefined) return [FOLDER + fileName, pinScript(preamble, connected, name)];
      return [hasData ? `${FOLDER}single/${fileName}` : fileName, connected];
    });
  return new Map(finished.map(([file, code]) => [file.replace(DIGEST, digest), code.replaceAll(DIGEST, digest)]));
}

/**
 * With this comment, Chromium compiles the script in another thread while the script downloads. Without it, Chromium
 * compiles each function when the function is first called, which delays a slow phone. Nearly all functions of a script
 * run during the page load: https://v8.dev/blog/explicit-compile-hints
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

const EXPORTS = /export\{([^}]*)\};?\s*$/;

/** The variables that the script exports, by the name of the export. */
function exportedNames(code: string): ReadonlyMap<string, string> {
  const [, names = ''] = EXPORTS.exec(code) ?? [];
  return new Map(
    names.split(',').map((each) => {
      const [variable = '', exported = variable] = each.split(' as ');
      return [exported, variable];
    }),
  );
}

/**
 * Replaces the exports of the script with a global property. Also puts the script into a block that runs only if no
 * other script has defined the elements of this kind, because a second copy of Lit could not create its Trusted Types
 * policy. A second script only says so on the console.
 */
function connectScript(
  code: string,
  {name, hasData}: {readonly name: string; readonly hasData: boolean},
  key: string,
  variables: readonly string[],
): string {
  // The replacement is a function, because in a text, a name such as `$1` would have a special meaning.
  const body = code.replace(EXPORTS, () => `globalThis[${key}]={${variables.join()}};`);
  const guard = `if(!globalThis[Symbol.for(\`vezne\`)]?.scripts.has(\`${name}\`))`;
  const template = `${COMPILE_HINT}${guard}{${body.trim()}}else console.warn(\`Vezne: second ${name}.js\`)`
    .replaceAll(PLACEHOLDER, `"${PLACEHOLDER}"`)
    .replaceAll('__VEZNE_DIGEST__', `\`${DIGEST}\``);
  if (template.split(PLACEHOLDER).length - 1 !== Number(hasData))
    throw new Error(`Expected a page script with data to contain ${PLACEHOLDER} exactly once.`);
  if (/[;}](?:import|export)[ {*]/.test(template)) throw new Error('A page script must not import or export anything.');
  return template;
}

/** Makes a pinned file of a script: without data, and next to the folder of its later files. */
function pinScript(preamble: string, script: string, name: string): string {
  const body = script
    .slice(COMPILE_HINT.length)
    .replace(`"${PLACEHOLDER}"`, '{}')
    // The preamble says it in more words.
    .replace(/else console\.warn\([^)]*\)$/, '')
    .replaceAll(`import(\`./${FOLDER}`, 'import(`./');
  if (body.includes(FOLDER)) throw new Error(`${name}.js would load files from a wrong folder.`);
  return COMPILE_HINT + withPreamble(preamble, name, body);
}

function withPreamble(preamble: string, name: string, code: string): string {
  const named = preamble
    .replaceAll('__VEZNE_SCRIPT__', JSON.stringify(name))
    .replaceAll('__VEZNE_RELEASE__', JSON.stringify(version));
  // A function of its own, because variables of `var` would otherwise be those of the script.
  return `(()=>{${named.trim()}})();${code}`;
}

/** Replaces the import of the script with a read from the global property. */
function connectLaterFile(code: string, name: string, key: string, names: ReadonlyMap<string, string>): string {
  const connected = code.replace(
    new RegExp(`import\\{([^}]*)\\}from["']\\.\\./\\.\\./\\.\\./${name}\\.js["'];`),
    (_import, imports: string) => {
      const variables = imports.split(',').map((each) => {
        const [exported = '', local = exported] = each.split(' as ');
        return `${names.get(exported)}:${local}`;
      });
      return `const{${variables.join()}}=globalThis[${key}];`;
    },
  );
  if (connected.includes(`/${name}.js`)) throw new Error(`A later file of ${name}.js imports the script.`);
  return connected;
}

const MESSAGES = /\/locales\//;
const STYLES = /\.styles\.ts$/;

/**
 * The messages and styles that these files import statically. The entry imports them first, so that they are next to
 * each other in the built file, which compresses better.
 */
function messagesAndStylesOf(files: readonly string[]): string[] {
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
