// @ts-check
// Preloaded into every child process (`node --import`): ends the child when its parent has ended for any reason.
// The parent holds the other end of the child's stdin, and the system closes that end even after `kill -9`.

import process from 'node:process';

process.stdin.on('end', () => {
  if (process.platform === 'win32') process.exit(1);
  else process.kill(-process.pid, 'SIGKILL');
});
process.stdin.on('error', () => {});
process.stdin.resume();
// The open stdin must not keep a child alive that has finished its work.
process.stdin.unref();
