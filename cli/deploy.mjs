// @ts-check
// `vezne deploy`: checks the settings, builds the files that pages load if this is a clone, deploys the Worker with its
// secrets, and examines it. Arguments are passed to `wrangler deploy`.

import {spawnSync} from 'node:child_process';
import {checkSettings} from './check-settings.mjs';
import {DEPLOYED_FILE, isClone, nodeBinary, projectPath, requireOwnFile, UserError, wranglerFile} from './project.mjs';

/** @param {string[]} args @param {import('./main.mjs').Builder | null} builder */
export async function deploy(args, builder) {
  if (!isClone) requireOwnFile();
  checkSettings(args);
  if (builder) {
    console.log('Building …');
    await builder.buildSite();
  }
  const {status} = spawnSync(
    nodeBinary(),
    ['--no-warnings', wranglerFile(), 'deploy', '-c', DEPLOYED_FILE, '--minify', ...args],
    {cwd: projectPath(), stdio: 'inherit'},
  );
  if (status !== 0) throw new UserError('Not deployed: see what wrangler says above.');
}
