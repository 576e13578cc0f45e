/**
 * A plugin for an output of Rolldown that makes a page script and its later files independent of each other's URLs. A
 * later file cannot import the script, because the script's URL may have a query, and the script at this URL may change
 * while the page is open. So the script puts what later files import into a global property, from which they read it.
 */

import {posix} from 'node:path';
import type {ESTree, Rolldown} from 'vite';

export interface HandOver {
  /** The name of the script, which is the only entry of its build. */
  readonly name: string;
  /** Ends the name of the global property. It differs between two builds, so a later file reads its own script. */
  readonly digest: string;
  /** Whether a second script on a page says so on the console. A pinned file says it in more words. */
  readonly warns: boolean;
}

/** A statement of the bundler, and the code that replaces it. */
type Replacement = readonly [node: ESTree.Node, text: string];

/** Rolldown's name of the chunk with its helpers. No group of `codeSplitting` can take them. */
const RUNTIME = 'rolldown-runtime';
/** The only helper that the scripts need. It makes the object with the exports of a module. */
const EXPORT_ALL = '__exportAll';

/**
 * Connects the files of a build. Puts the script into a block that runs only if no other script has defined the elements
 * of this kind, because a second copy of Lit could not create its Trusted Types policy. Does the work of the bundler's
 * helper, which would be one more file, and one more round trip.
 */
export function handOver({name, digest, warns}: HandOver): Rolldown.Plugin {
  const property = `globalThis[Symbol.for("vezne ${name} ${digest}")]`;
  const isFirst = `!globalThis[Symbol.for("vezne")]?.scripts.has("${name}")`;
  return {
    name: 'hand-over',
    renderChunk(code, chunk, _options, {chunks}) {
      const all = Object.values(chunks);
      const script = all.find(({isEntry}) => isEntry);
      if (!script) return this.error(`${name}.js has no entry.`);
      const isScript = chunk.fileName === script.fileName;
      if (isScript && chunk.imports.length > 0) this.error(`${name}.js must have no static imports.`);
      const importer = all.find(({dynamicImports}) => dynamicImports.includes(script.fileName));
      if (importer) this.error(`${importer.fileName} imports ${name}.js.`);

      const runtime = all.find((each) => each.name === RUNTIME);
      const {body} = this.parse(code);
      const objects = body.flatMap((node) => exportAll(node, code) ?? []);
      const replacements = body.flatMap((node): readonly Replacement[] => {
        if (isScript && node.type === 'ExportNamedDeclaration') {
          const variables = new Map(node.specifiers.map(({exported, local}) => [nameOf(exported), nameOf(local)]));
          return [[node, `${property} = [${script.exports.map((each) => variables.get(each)).join(', ')}];`]];
        }
        // At the end of the file, all exports have their values. They are copied: no file changes an export later.
        if (node.type === 'ExportNamedDeclaration' && objects.length > 0)
          return [[node, `var ${objects.join(', ')};\n${code.slice(node.start, node.end)}`]];
        if (exportAll(node, code)) return [[node, '']];
        if (node.type !== 'ImportDeclaration') return [];
        const file = posix.join(posix.dirname(chunk.fileName), node.source.value);
        if (file === runtime?.fileName) {
          if (node.specifiers.some(({local}) => local.name !== EXPORT_ALL))
            this.error(`${chunk.fileName} needs more than ${EXPORT_ALL} of the bundler.`);
          return [[node, '']];
        }
        if (file !== script.fileName) return [];
        const variables: string[] = [];
        for (const each of node.specifiers) {
          if (each.type !== 'ImportSpecifier') return this.error(`${chunk.fileName} imports all of ${name}.js.`);
          variables[script.exports.indexOf(nameOf(each.imported))] = each.local.name;
        }
        // What the file does not import is a hole.
        return [[node, `const [${variables.join(', ')}] = ${property};`]];
      });
      const isPlaced = !isScript && body.some(({type}) => type === 'ExportNamedDeclaration');
      if (objects.length > 0 && !isPlaced) this.error(`${chunk.fileName} has no place for the exports of a module.`);
      const connected = replacements.reduceRight(
        (text, [{start, end}, by]) => text.slice(0, start) + by + text.slice(end),
        code,
      );
      if (!isScript) return connected;
      const otherwise = warns ? ` else console.warn("Vezne: second ${name}.js");` : '';
      return `if (${isFirst}) {\n${connected}\n}${otherwise}\n`;
    },
    generateBundle(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) if (file.name === RUNTIME) delete bundle[fileName];
    },
  };
}

/** For `var exports = __exportAll({next: () => next});`, `exports = {next: next}`; undefined for other statements. */
function exportAll(node: ESTree.Node, code: string): string | undefined {
  const [declared] = node.type === 'VariableDeclaration' ? node.declarations : [];
  const {id, init} = declared ?? {};
  if (init?.type !== 'CallExpression' || id?.type !== 'Identifier') return undefined;
  if (init.callee.type !== 'Identifier' || init.callee.name !== EXPORT_ALL) return undefined;
  const [exported] = init.arguments;
  return exported && `${id.name} = ${code.slice(exported.start, exported.end).replaceAll('() => ', '')}`;
}

const nameOf = (node: ESTree.ModuleExportName) => (node.type === 'Literal' ? node.value : node.name);
