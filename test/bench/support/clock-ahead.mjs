// @ts-check
// Runs a process whose clock is ahead of the machine's. Its timers keep their speed.

import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';

/** Replaces the function of the C library by one that adds seconds to the time of day. `faketime` stops workerd. */
const SOURCE = `
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *at) {
  long result = syscall(SYS_clock_gettime, id, at);
  const char *ahead = getenv("SECONDS_AHEAD");
  if (result == 0 && ahead && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) at->tv_sec += atol(ahead);
  return result;
}
`;

/**
 * Needs a C compiler, and Linux.
 * @param {string} folder
 * @returns {(seconds: number) => Record<string, string>} the environment of a process that is so many seconds ahead.
 */
export function buildClock(folder) {
  const source = path.join(folder, 'clock.c');
  const library = path.join(folder, 'clock.so');
  writeFileSync(source, SOURCE);
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source]);
  return (seconds) => ({LD_PRELOAD: library, SECONDS_AHEAD: String(Math.round(seconds))});
}
