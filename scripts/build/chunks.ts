/** Builds chunks in memory, and defines the plugins that change these chunks. */

import {build, type Plugin, type Rolldown} from 'vite';

/** Builds an entry, and returns its chunks without writing files. */
export async function buildChunks(
  entry: string,
  plugins: Plugin[],
  output: Rolldown.OutputOptions,
): Promise<Rolldown.OutputChunk[]> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins,
    build: {
      write: false,
      target: 'es2022',
      // Vite adds its preload code to other builds, but not to a library build.
      lib: {entry, formats: ['es']},
      rolldownOptions: {checks: {ineffectiveDynamicImport: false}, output: {comments: false, minify: true, ...output}},
    },
  });
  return ([built].flat() as Rolldown.RolldownOutput[]).flatMap((files) =>
    files.output.filter((file) => file.type === 'chunk'),
  );
}

/** The name of the bundler's helper that creates a module's namespace object from getters. */
const HELPER = '__exportAll';
const HELPER_CODE = 'all=>{let o={};for(let n in all)Object.defineProperty(o,n,{get:all[n],enumerable:!0});return o}';

/**
 * Copies the bundler's helper into each file that uses the helper. Otherwise the helper would be a separate file, which
 * costs a page one more request. For a module without exports, an empty object replaces the call of the helper.
 */
export function inlineRuntime(): Plugin {
  return {
    name: 'inline-runtime',
    renderChunk(code) {
      const [statement] =
        new RegExp(`import \\{ \\w+ as ${HELPER} \\} from "\\./[^"]*rolldown-runtime[^"]*";`).exec(code) ?? [];
      if (!statement) return null;
      const inlined = code.replace(statement, '').replaceAll(`${HELPER}({})`, '{}');
      return inlined.includes(HELPER) ? `const ${HELPER}=${HELPER_CODE};${inlined}` : inlined;
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && /from\s*["'`][^"'`]*\/rolldown-runtime/.test(chunk.code))
          this.error(`${chunk.fileName} imports one of the bundler's helpers other than ${HELPER}.`);
      }
      const runtime = Object.values(bundle).find(({name}) => name === 'rolldown-runtime');
      if (runtime) delete bundle[runtime.fileName];
    },
  };
}
