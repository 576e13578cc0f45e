/**
 * Builds the elements into what a page loads: `vezne.js`, and under `vezne/<version>/` what it fetches, named by
 * content. The demo builds into another folder and adds its pages there.
 */
import {readFileSync} from 'node:fs';
import {minifyHTMLLiterals} from 'minify-literals';
import {minify} from 'terser';
import {build, defineConfig, type Plugin, type Rolldown} from 'vite';

const {version} = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {version: string};

/** Takes the layout out of the templates and style sheets written as literals. */
function minifyLiterals(): Plugin {
  return {
    name: 'minify-literals',
    enforce: 'post',
    async transform(code, id) {
      if (!id.includes('/widgets/') || !/(html|svg|css)`/.test(code)) return null;
      const result = await minifyHTMLLiterals(code, {
        fileName: id,
        // Marks of an SVG's own: without their slash the next would become their child.
        html: {keepClosingSlash: true, removeAttributeQuotes: true},
      });
      return result && {code: result.code, map: null};
    },
  };
}

/**
 * Lit makes a Trusted Types policy named `lit-html`; a page would have to allow a name it has never heard of. Ours
 * says whose it is, and a page's own copy of Lit keeps its own.
 */
function nameTrustedTypesPolicy(): Plugin {
  let renamed = false;
  return {
    name: 'name-trusted-types-policy',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      const ours = code.replace('createPolicy("lit-html"', 'createPolicy("vezne"');
      renamed = ours !== code;
      return {code: ours, map: null};
    },
    buildEnd(error) {
      if (!error && !renamed) this.error('The Trusted Types policy of Lit was not found, so it is not named `vezne`.');
    },
  };
}

/**
 * Style sheets as Lit makes them, less what a page here never needs: the way by `<style>` tags, which a strict policy
 * refuses. Every browser with form-associated elements adopts style sheets.
 */
function leanCssTag(): Plugin {
  let replaced = false;
  return {
    name: 'lean-css-tag',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/@lit/reactive-element/css-tag.js')) return null;
      replaced = true;
      return `
        export const supportsAdoptingStyleSheets = true;
        export class CSSResult {
          constructor(cssText) { this.cssText = cssText; }
          get styleSheet() {
            if (!this.sheet) (this.sheet = new CSSStyleSheet()).replaceSync(this.cssText);
            return this.sheet;
          }
          toString() { return this.cssText; }
        }
        export const unsafeCSS = (text) => new CSSResult(text);
        export const css = (strings, ...values) => new CSSResult(String.raw({raw: strings}, ...values));
        export const adoptStyles = (root, styles) => { root.adoptedStyleSheets = styles.map((style) => style.styleSheet ?? style); };
        export const getCompatibleStyle = (style) => style;`;
    },
    buildEnd(error) {
      if (!error && !replaced) this.error('The css tag of Lit was not found, so it is not replaced by ours.');
    },
  };
}

/** The compiler's helper for decorators, less what only decorators of methods and classes need: ours are of fields. */
function leanDecorate(): Plugin {
  return {
    name: 'lean-decorate',
    transform(_code, id) {
      if (!/oxc-project.runtime.*decorate\.js$/.test(id)) return null;
      return {code: 'export default (decorators, target, key) => decorators.forEach((decorate) => decorate(target, key));', map: null};
    },
  };
}

/**
 * The bundler keeps a helper of a few lines, which makes a module's namespace out of getters, in a file of its own, and a
 * page would make a request for it. Each file that needs it gets it itself.
 */
function inlineRuntime(): Plugin {
  const namespaceOf = 'all=>{let o={};for(let n in all)Object.defineProperty(o,n,{get:all[n],enumerable:!0});return o}';
  return {
    name: 'inline-runtime',
    generateBundle(_options, bundle) {
      const runtime = Object.values(bundle).find(({name}) => name === 'rolldown-runtime');
      if (!runtime) return;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.imports.includes(runtime.fileName)) continue;
        const code = chunk.code.replace(/import\s*\{\s*\w+ as ([\w$]+)\s*\}\s*from\s*["']\.\/rolldown-runtime[^"']*["'];?/, `var $1=${namespaceOf};`);
        if (code === chunk.code) this.error(`${chunk.fileName} takes something else from the bundler's helpers than it did.`);
        chunk.code = code;
      }
      delete bundle[runtime.fileName];
    },
  };
}

/**
 * Lets every `import()` of the script tag fetch all its chunk needs in the same moment, instead of finding out one
 * file after another. Not by `<link rel="modulepreload">`: a page's policy may refuse those.
 */
function parallelImports(): Plugin {
  return {
    name: 'parallel-imports',
    generateBundle(_options, bundle) {
      for (const entry of Object.values(bundle)) {
        if (entry.type !== 'chunk' || !entry.isEntry) continue;
        if (entry.imports.length > 0) this.error(`${entry.fileName} must import nothing before it has looked for itself.`);
        entry.code = entry.code.replaceAll(/import\(([`'"])\.\/([^`'"]+)\1\)/g, (one: string, _quote: string, file: string) => {
          const chunk = bundle[file];
          const needs = chunk?.type === 'chunk' ? chunk.imports.filter((need) => need in bundle) : [];
          const all = [one, ...needs.map((need) => `import("./${need}")`)];
          return needs.length > 0 ? `Promise.all([${all.join()}]).then(a=>a[0])` : one;
        });
      }
    },
  };
}

/**
 * A second minifier after the bundler's own: each finds what the other leaves, and a page loads 200 bytes less. Its
 * version counts for the names of files, which say what is in them.
 */
function minifyAgain(): Plugin {
  const terser = JSON.parse(readFileSync(new URL('node_modules/terser/package.json', import.meta.url), 'utf8')) as {version: string};
  return {
    name: 'minify-again',
    augmentChunkHash: () => terser.version,
    async generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const {code} = await minify(chunk.code, {module: true, ecma: 2020, compress: {passes: 3}, format: {comments: false}});
        if (code) chunk.code = code;
      }
    },
  };
}

/**
 * What lies in one file although several need it: each group takes with it whatever it needs itself and no group above has.
 * Small files compress worse, each on its own; a file somebody does not need is worse still.
 */
const GROUPS = [
  // The tracker needs no more than this of what others have.
  {name: 'tracking', test: /widgets\/internal\/tracking-id\.ts$/, priority: 5},
  // What elements of several kinds need.
  {name: 'core', test: /widgets\/(define|internal\/(vezne-element|worker-client|lazy-elements|bones|button|watching|property|fault|form\.styles|msisdn|money|time|plain-amount))\.ts$|decorate\.js$/, priority: 4},
  {name: 'choosing', test: /widgets\/choosing\.ts$/, priority: 2},
  {name: 'subscribing', test: /widgets\/subscribing\.ts$/, priority: 1},
];

/** Where all that is shown first is: nearly every function of it runs at once. */
const FIRST = new Set(['core', 'choosing']);

/**
 * Has Chromium compile what is shown first while it still arrives, on another thread. Without the comment each function is
 * compiled when it is first called, while a slow phone waits: https://v8.dev/blog/explicit-compile-hints
 */
function compileWhileLoading(): Plugin {
  const hint = '//# allFunctionsCalledOnLoad\n';
  return {
    name: 'compile-while-loading',
    augmentChunkHash: ({name}) => (FIRST.has(name) ? hint : undefined),
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && FIRST.has(chunk.name)) chunk.code = hint + chunk.code;
      }
    },
  };
}

/**
 * The tracker as one file of its own, beside the same code in the files of the script tag: a page that only counts loads
 * nothing else, and neither file waits for a third that both would share.
 */
function trackerAlone(): Plugin {
  let tracker: Rolldown.OutputChunk | undefined;
  return {
    name: 'tracker-alone',
    async buildStart() {
      const built = await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        plugins: [minifyAgain()],
        build: {
          write: false,
          target: 'es2022',
          lib: {entry: 'widgets/activity.ts', formats: ['es'], fileName: 'activity'},
          rolldownOptions: {output: {comments: false, minify: true}},
        },
      });
      [tracker] = ([built].flat() as Rolldown.RolldownOutput[]).flatMap(({output}) => output.filter((file) => file.type === 'chunk'));
      for (const id of tracker?.moduleIds ?? []) this.addWatchFile(id);
    },
    generateBundle() {
      if (!tracker) return;
      if (tracker.imports.length > 0) this.error('activity.js must need nothing else.');
      this.emitFile({type: 'asset', fileName: 'activity.js', source: tracker.code});
    },
  };
}

/** The licence of what is not ours goes where the code goes. */
function licence(): Plugin {
  return {
    name: 'licence',
    generateBundle() {
      const source = readFileSync(new URL('node_modules/lit/LICENSE', import.meta.url), 'utf8');
      this.emitFile({type: 'asset', fileName: `vezne/${version}/lit-licence.txt`, source});
    },
  };
}

/** How the edge serves the files: to any origin, the script briefly, what is named by its content forever. */
function headers(): Plugin {
  const any = ['Access-Control-Allow-Origin: *', 'Cross-Origin-Resource-Policy: cross-origin', 'X-Content-Type-Options: nosniff'];
  const rules = {
    '/vezne.js': [...any, 'Cache-Control: public, max-age=300'],
    '/activity.js': [...any, 'Cache-Control: public, max-age=300'],
    '/vezne/*': [...any, 'Cache-Control: public, max-age=31536000, immutable'],
  };
  const source = Object.entries(rules).map(([path, lines]) => [path, ...lines.map((line) => `  ${line}`)].join('\n'));
  return {
    name: 'headers',
    generateBundle() {
      this.emitFile({type: 'asset', fileName: '_headers', source: `${source.join('\n')}\n`});
    },
  };
}

export default defineConfig({
  publicDir: false,
  plugins: [leanCssTag(), leanDecorate(), nameTrustedTypesPolicy(), minifyLiterals(), inlineRuntime(), parallelImports(), minifyAgain(), trackerAlone(), compileWhileLoading(), licence(), headers()],
  build: {
    outDir: 'dist/site',
    target: 'es2022',
    reportCompressedSize: false,
    // As a library, so that no preloading of the bundler's own gets in front of ours.
    lib: {entry: {vezne: 'widgets/vezne.ts'}, formats: ['es'], fileName: (_format, name) => `${name}.js`},
    rolldownOptions: {
      output: {
        comments: false,
        minify: true,
        chunkFileNames: `vezne/${version}/[name]-[hash].js`,
        // What all elements share comes with those a shopper meets first: small files compress worse, each on its own.
        codeSplitting: {groups: GROUPS},
      },
    },
  },
});
