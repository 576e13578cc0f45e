import {build, type Plugin, type Rolldown} from 'vite';

/** Builds files without writing them. */
export async function buildFiles(
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
