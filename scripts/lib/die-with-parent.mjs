// @ts-check
// Preloaded into every child that serves (`node --import`): when the parent is gone, however it went, so is the child.
// The parent holds the other end of the child's stdin; the system closes it even after `kill -9`.

import process from 'node:process';

process.stdin.on('end', () => {
  if (process.platform === 'win32') process.exit(1);
  else process.kill(-process.pid, 'SIGKILL');
});
process.stdin.on('error', () => {});
process.stdin.resume();
// Being held is no reason to stay.
process.stdin.unref();
