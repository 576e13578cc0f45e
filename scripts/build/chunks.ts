import {build, type Plugin, type Rolldown} from 'vite';

/** Builds files without writing them. */
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
      // As a library, so that no preloading of the bundler's own gets in front of ours.
      lib: {entry, formats: ['es']},
      rolldownOptions: {checks: {ineffectiveDynamicImport: false}, output: {comments: false, minify: true, ...output}},
    },
  });
  return ([built].flat() as Rolldown.RolldownOutput[]).flatMap((files) =>
    files.output.filter((file) => file.type === 'chunk'),
  );
}

/** The bundler's helper makes the namespace of a module out of getters. */
const HELPER = '__exportAll';
const HELPER_CODE = 'all=>{let o={};for(let n in all)Object.defineProperty(o,n,{get:all[n],enumerable:!0});return o}';

/**
 * The bundler keeps its helper in a file of its own, and a page would make a request for it. Each file that needs it gets
 * it itself; the namespace of a module without exports needs none.
 */
export function inlineRuntime(): Plugin {
  return {
    name: 'inline-runtime',
    renderChunk(code) {
      const [statement] =
        new RegExp(`import \\{ \\w+ as ${HELPER} \\} from "\\./rolldown-runtime[^"]*";`).exec(code) ?? [];
      if (!statement) return null;
      const own = code.replace(statement, '').replaceAll(`${HELPER}({})`, '{}');
      return own.includes(HELPER) ? `const ${HELPER}=${HELPER_CODE};${own}` : own;
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && /from\s*["'`]\.\/rolldown-runtime/.test(chunk.code))
          this.error(`${chunk.fileName} takes something else from the bundler's helpers than it did.`);
      }
      const runtime = Object.values(bundle).find(({name}) => name === 'rolldown-runtime');
      if (runtime) delete bundle[runtime.fileName];
    },
  };
}

/** Where all that is shown first is: nearly every function of it runs at once. */
const EAGER_CHUNK = 'checkout';

/**
 * Has Chromium compile what is shown first while it still arrives, on another thread. Without the comment each function is
 * compiled when it is first called, while a slow phone waits: https://v8.dev/blog/explicit-compile-hints
 */
export function compileWhileLoading(): Plugin {
  const hint = '//# allFunctionsCalledOnLoad\n';
  return {
    name: 'compile-while-loading',
    augmentChunkHash: ({name}) => (name === EAGER_CHUNK ? hint : undefined),
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.name === EAGER_CHUNK) chunk.code = hint + chunk.code;
      }
    },
  };
}
