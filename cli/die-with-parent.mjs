// @ts-check
// Preloaded into every child process (`node --import`). Ends the child process when its parent process has ended, even
// by `kill -9`: the system then closes the parent's end of the child's stdin. Tells the parent the exit code before Node
// shuts down.

import {writeSync} from 'node:fs';
import process from 'node:process';

// A process that the child forks preloads this file too. It is in the child's group, and ends with it.
if (!process.channel) watchParent();

function watchParent() {
  process.stdin.on('end', () => {
    if (process.platform === 'win32') process.exit(1);
    else process.kill(-process.pid, 'SIGKILL');
  });
  process.stdin.on('error', () => {});
  process.stdin.resume();
  // Without this, the open stdin would keep a finished child process running.
  process.stdin.unref();
  process.on('exit', (code) => {
    try {
      writeSync(3, String(code));
    } catch {
      // The parent has ended.
    }
  });
}
