/** What a command leaves behind when it is stopped. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';

/** A command with a server and with the driver of a browser, which listens for signals. */
const COMMAND = `
  import {createServer} from 'node:http';
  import {makeScratchFolder} from ${JSON.stringify(pathToFileURL(repoPath('scripts', 'lib', 'scratch-folder.mjs')).href)};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  createServer().listen(0, () => console.log(process.pid, makeScratchFolder()));`;
const ENV = {...process.env, NODE_OPTIONS: '', npm_command: 'run-script', COMMAND};

test.for([
  ['SIGINT', 'of a command', 'exec "$0" --input-type=module -e "$COMMAND"'],
  ['SIGTERM', 'of a command', 'exec "$0" --input-type=module -e "$COMMAND"'],
  ['SIGHUP', 'of a command', 'exec "$0" --input-type=module -e "$COMMAND"'],
  ['SIGTERM', 'of the shell of npm', '"$0" --input-type=module -e "$COMMAND" & wait'],
] as const)('%s %s ends the command, and its folder is deleted', async ([signal, , script]) => {
  const child = spawn('sh', ['-c', script, process.execPath], {env: ENV, stdio: ['ignore', 'pipe', 'inherit']});
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [pid = '', folder = ''] = line.toString().trim().split(' ');
  onTestFinished(() => void (existsSync(folder) && process.kill(Number(pid), 'SIGKILL')));
  expect(existsSync(folder)).toBe(true);
  child.kill(signal);
  // The end of the command closes its output.
  await once(child.stdout, 'close');
  expect(existsSync(folder)).toBe(false);
});
