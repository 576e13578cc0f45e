/**
 * Vite plugins that build the scripts of the elements, one for each kind: `checkout.js`, `subscribe.js`, `vendor.js` and
 * `refund.js`. Each is a build of its own, because each has its own copy of Lit. A script is one file: the loader, Lit,
 * the elements that a page shows first, and in the first two scripts a placeholder that the Worker replaces with data.
 * The other elements of its kind are later files, which load when a page needs them. A pinned file is the same script
 * without data, in the folder of its later files.
 */

import {createHash} from 'node:crypto';
import {resolve} from 'node:path';
import {build, type InlineConfig, type Plugin, type Rolldown} from 'vite';
import type {ScriptName} from '../../widgets/core/script-tag.ts';
import type {PageDataPlaceholder} from '../../worker/contract/browser/page-data.ts';
import {version} from './assets.ts';
import {handOver} from './hand-over.ts';
import {modulesIn} from './licences.mjs';
import {minifyLiterals, modernLit, trustedTypesPolicy} from './lit.ts';

export interface PageScript {
  /** The entry in `widgets/` and the file that a page loads both have this name. */
  readonly name: Exclude<ScriptName, 'vezne' | 'activity'>;
  /**
   * The kind of elements that the script defines. It is part of the name of the script's Trusted Types policy, which
   * merchants write into their headers.
   */
  readonly kind: 'transfer' | 'subscription' | 'vendor' | 'refund';
  /** The files in `widgets/bundles/` that load later and contain everything that they import. */
  readonly later?: readonly string[];
  /** Whether the Worker writes data into the script. */
  readonly hasData?: boolean;
}

/** All modules of the scripts that were built. */
export const modulesOfScripts = new Set<string>();

const PLACEHOLDER: PageDataPlaceholder = '__VEZNE_PAGE_DATA__';

/**
 * A placeholder for the digest in the names of later files and in the code. All later files of a script have the same
 * digest, which changes whenever the script or one of these files changes. So a later file reads the variables of
 * exactly one version of the script.
 */
const DIGEST = '__DIGEST';

/** The folder of everything that belongs to this version. */
const FOLDER = `vezne/${version}/`;

/**
 * With this comment, Chromium compiles the script in another thread while the script downloads. Without it, Chromium
 * compiles each function when the function is first called, which delays a slow phone. Nearly all functions of a script
 * run during the page load: https://v8.dev/blog/explicit-compile-hints
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad';

const widget = (name: string) => resolve(import.meta.dirname, '../../widgets', name);

/**
 * Emits a page script as `<name>.js`, and its later files in `vezne/<version>/<name>/`. A script with data is emitted as
 * a template, `vezne/<version>/single/<name>.js`, and the Worker serves the script at `/<name>.js`. The script is also
 * emitted as a pinned file, `vezne/<version>/<name>.js`.
 */
export function pageScript(script: PageScript): Plugin {
  let files: ReadonlyMap<string, string> = new Map();
  return {
    name: `page-script-${script.name}`,
    async buildStart() {
      const chunks = await buildPageScript(script);
      for (const id of [...chunks.flatMap(({moduleIds}) => moduleIds), widget('pinned.ts')]) this.addWatchFile(id);
      files = withDigest(chunks, script);
    },
    generateBundle() {
      for (const [fileName, source] of files) this.emitFile({type: 'asset', fileName, source});
    },
  };
}

/** Emits the tracker as a pinned file. */
export function pinnedTracker(): Plugin {
  let code = '';
  return {
    name: 'pinned-tracker',
    async buildStart() {
      code = await buildOne('activity', {__VEZNE_ROOT__: '"../../"'}, {postBanner: await preambleOf('activity')});
    },
    generateBundle() {
      this.emitFile({type: 'asset', fileName: `${FOLDER}activity.js`, source: code});
    },
  };
}

/** The code that a pinned file runs first. The function keeps its variables apart from those of the script. */
const preambleOf = (name: ScriptName) =>
  buildOne(
    'pinned',
    {__VEZNE_SCRIPT__: JSON.stringify(name), __VEZNE_RELEASE__: JSON.stringify(version)},
    {intro: '(() => {', outro: '})();'},
  );

/** Builds an entry without later files. */
async function buildOne(
  entry: string,
  define: Readonly<Record<string, string>>,
  output: Rolldown.OutputOptions,
): Promise<string> {
  const [chunk, ...others] = await buildChunks(entry, {define}, [output]);
  if (!chunk || others.length > 0) throw new Error(`${entry}.js must be one file.`);
  return chunk.code;
}

/** Builds a script, its later files, and the pinned file, for which the later files are the same. */
async function buildPageScript({name, kind, later = []}: PageScript): Promise<readonly Rolldown.OutputChunk[]> {
  const output: Rolldown.OutputOptions = {
    chunkFileNames: `${FOLDER}${name}/[name]-${DIGEST}.js`,
    codeSplitting: {
      groups: [
        // Everything that the script imports: several small files would compress worse.
        {name, tags: ['$initial']},
        ...later.map((file) => ({name: file, test: (id: string) => id === widget(`bundles/${file}.ts`)})),
      ],
    },
  };
  const preamble = await preambleOf(name);
  return buildChunks(
    name,
    {
      define: {__VEZNE_DIGEST__: JSON.stringify(DIGEST)},
      plugins: [ownCopies(), modernLit(), trustedTypesPolicy(`vezne-${kind}`), minifyLiterals()],
    },
    [
      {
        ...output,
        entryFileNames: '[name].js',
        postBanner: ({isEntry}) => (isEntry ? COMPILE_HINT : ''),
        plugins: [handOver({name, digest: DIGEST, warns: true})],
      },
      {
        ...output,
        entryFileNames: `${FOLDER}[name].js`,
        intro: ({isEntry}) => (isEntry ? `const ${PLACEHOLDER} = {};` : ''),
        postBanner: ({isEntry}) => (isEntry ? `${COMPILE_HINT}\n${preamble}` : ''),
        plugins: [handOver({name, digest: DIGEST, warns: false})],
      },
    ],
  );
}

/** The modules of which a later file contains copies, with the modules that import them there. */
const COPIES = [
  {
    suffix: '?buyer',
    importer: /\/transfer\/buyer\/|\?buyer$/,
    copied: /\/(?:contract\/readers|core\/styles)\/[\w-]+(?:\.styles)?\.ts$|\/core\/field-error\.ts$/,
  },
  {
    suffix: '?hosted',
    importer: /\/transfer\/(?:pay-button|payment-notice)\/|\/return-url\.ts$/,
    copied: /\/(?:ignore-errors|plain-amount|session-order)\.ts$/,
  },
  {suffix: '?outcome', importer: /\/payment-status\/purchases\.ts$|\?outcome$/, copied: /\/(?:may-track|ids)\.ts$/},
];

/** Gives later files copies of small modules of another later file. They would load that file otherwise. */
function ownCopies(): Plugin {
  return {
    name: 'own-copies',
    enforce: 'pre',
    async resolveId(source, importer = '', options) {
      const copies = COPIES.find((each) => each.importer.test(importer));
      if (!copies) return null;
      const found = await this.resolve(source, importer, {...options, skipSelf: true});
      return found && copies.copied.test(found.id) ? found.id + copies.suffix : null;
    },
  };
}

/** Builds an entry of `widgets/` without writing files. */
async function buildChunks(
  name: string,
  config: InlineConfig,
  outputs: readonly Rolldown.OutputOptions[],
): Promise<readonly Rolldown.OutputChunk[]> {
  const built = await build({
    ...config,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: ['chrome103', 'firefox102', 'safari16.4'],
      // Vite adds its preload code to other builds, but not to a library build.
      lib: {entry: {[name]: widget(`${name}.ts`)}},
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        checks: {ineffectiveDynamicImport: false, bundlerTimings: false},
        output: outputs.map((output) => ({format: 'es', comments: false, minify: true, ...output})),
      },
    },
  });
  const chunks = ([built].flat() as Rolldown.RolldownOutput[]).flatMap(({output}) =>
    output.filter((file) => file.type === 'chunk'),
  );
  for (const module of chunks.flatMap(modulesIn)) modulesOfScripts.add(module);
  return chunks;
}

/** The files of a script by name, with the digest of all of them. */
function withDigest(
  chunks: readonly Rolldown.OutputChunk[],
  {name, hasData = false}: PageScript,
): ReadonlyMap<string, string> {
  const digest = createHash('sha256')
    .update(chunks.map(({code}) => code).join('\0'))
    .digest('base64url')
    .slice(0, DIGEST.length)
    // A digest that begins with a dash would be harder to recognize in a file name.
    .replaceAll('-', '_');
  const files = new Map<string, string>();
  for (const {fileName, code} of chunks) {
    const isTemplate = hasData && fileName === `${name}.js`;
    const file = (isTemplate ? `${FOLDER}single/${fileName}` : fileName).replace(DIGEST, digest);
    const source = (isTemplate ? template(code) : code).replaceAll(DIGEST, digest);
    if ((files.get(file) ?? source) !== source) throw new Error(`${file} differs for the pinned file of ${name}.js.`);
    files.set(file, source);
  }
  return files;
}

/** Puts the placeholder of the data into quotation marks, as the Worker expects it. */
function template(code: string): string {
  const parts = code.split(PLACEHOLDER);
  if (parts.length !== 2) throw new Error(`Expected a page script with data to contain ${PLACEHOLDER} exactly once.`);
  return parts.join(`"${PLACEHOLDER}"`);
}
