/**
 * Builds the page scripts `checkout.js` and `subscribe.js`. A page script is one file: the loader, Lit, the elements
 * that a page shows first, and a placeholder that the Worker replaces with data. The other elements of its kind are
 * later files, which load when a page needs them.
 */

import {createHash} from 'node:crypto';
import {basename, resolve} from 'node:path';
import type {Plugin, Rolldown} from 'vite';
import type {PageDataPlaceholder} from '../../worker/contract/browser/page-data.ts';
import {version} from './assets.ts';
import {buildChunks, compileWhileLoading, inlineRuntime} from './chunks.ts';
import {messagesAndStylesOf} from './elements.ts';
import {minifyLiterals, trustedTypesPolicy} from './lit.ts';

interface PageScript {
  /** The kind of elements that the script defines, as in `widgets/vezne.ts`. */
  readonly kind: 'transfer' | 'subscription';
  /** The files in `widgets/bundles/` that load later and contain everything that they import. */
  readonly later: readonly string[];
}

/** The page scripts, by name. The entry in `widgets/` and the file that a page loads both have this name. */
const PAGE_SCRIPTS: Readonly<Record<string, PageScript>> = {
  checkout: {kind: 'transfer', later: ['payment', 'hosted']},
  subscribe: {kind: 'subscription', later: []},
};

const PLACEHOLDER: PageDataPlaceholder = '__VEZNE_PAGE_DATA__';

/**
 * A placeholder for the digest in the names of later files and in the code. All later files of a script have the same
 * digest, which changes whenever the script or one of these files changes. So a later file reads the variables of
 * exactly one version of the script.
 */
const DIGEST = '__DIGEST';

const widget = (name: string) => resolve(import.meta.dirname, '../../widgets', name);

/**
 * Emits the template of each page script as `vezne/<version>/single/<name>.js`, and its later files in
 * `vezne/<version>/<name>/`. A browser loads the script from `/<name>.js`, where the Worker serves it.
 */
export function pageScripts(): Plugin {
  const files = new Map<string, string>();
  return {
    name: 'page-scripts',
    async buildStart() {
      files.clear();
      for (const [name, script] of Object.entries(PAGE_SCRIPTS)) {
        const chunks = await buildPageScript(name, script);
        for (const chunk of chunks) for (const id of chunk.moduleIds) this.addWatchFile(id);
        for (const [file, code] of finishChunks(name, script, chunks)) files.set(file, code);
      }
    },
    generateBundle() {
      for (const [fileName, source] of files) this.emitFile({type: 'asset', fileName, source});
    },
  };
}

function buildPageScript(name: string, {kind, later}: PageScript): Promise<Rolldown.OutputChunk[]> {
  return buildChunks(
    name,
    [
      pageScriptEntry(name),
      trustedTypesPolicy(`vezne-${kind}`),
      minifyLiterals(),
      inlineRuntime(),
      compileWhileLoading(),
    ],
    {
      chunkFileNames: (chunk) => (chunk.name === name ? `${name}.js` : `vezne/${version}/${name}/[name]-${DIGEST}.js`),
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
 * @returns The content of each file, by path.
 */
function finishChunks(
  name: string,
  {kind}: PageScript,
  chunks: readonly Rolldown.OutputChunk[],
): ReadonlyMap<string, string> {
  const digest = createHash('sha256')
    .update(chunks.map(({code}) => code).join('\0'))
    .digest('base64url')
    .slice(0, DIGEST.length)
    // A digest that begins with a dash would be harder to recognize in a file name.
    .replaceAll('-', '_');
  const key = `Symbol.for("vezne ${name} ${digest}")`;
  const script = chunks.find(({fileName}) => fileName === `${name}.js`);
  const names = exportedNames(script?.code ?? '');
  const finished = chunks
    .filter(({isEntry}) => !isEntry)
    .map(({fileName, code}): readonly [string, string] =>
      fileName === `${name}.js`
        ? [`vezne/${version}/single/${fileName}`, connectScript(code, kind, key, [...names.values()])]
        : [fileName, connectLaterFile(code, name, key, names)],
    );
  return new Map(finished.map(([file, code]) => [file.replace(DIGEST, digest), code.replaceAll(DIGEST, digest)]));
}

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
 * policy.
 */
function connectScript(code: string, kind: PageScript['kind'], key: string, variables: readonly string[]): string {
  const [hint = ''] = /^\/\/#.*\n/.exec(code) ?? [];
  // The replacement is a function, because in a text, a name such as `$1` would have a special meaning.
  const body = code.slice(hint.length).replace(EXPORTS, () => `globalThis[${key}]={${variables.join()}};`);
  const guard = `if((globalThis[Symbol.for("vezne")]??{kinds:new Set}).kinds?.has("${kind}")===false)`;
  const template = `${hint}${guard}{${body.trim()}}\n`
    .replaceAll(PLACEHOLDER, `"${PLACEHOLDER}"`)
    .replaceAll('__VEZNE_DIGEST__', `"${DIGEST}"`);
  if (template.split(PLACEHOLDER).length !== 2)
    throw new Error(`Expected a page script to contain ${PLACEHOLDER} exactly once.`);
  if (/[;}](?:import|export)[ {*]/.test(template)) throw new Error('A page script must not import or export anything.');
  return template;
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
