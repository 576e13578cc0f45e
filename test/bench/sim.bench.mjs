// @ts-check
// Plays histories of the Worker for an hour, each from a fresh seed, and prints what they met and what they found. A
// run fails if a history breaks a rule, or if a situation was never met (`sim/situations.ts`). The smallest run plays
// one history.

import process from 'node:process';
import {startNode} from '../../cli/child-process.mjs';
import {repoPath} from '../../scripts/lib/repo.mjs';

const scale = process.env['VEZNE_BENCH_SCALE'] ?? '1';
const sim = startNode(repoPath('sim', 'run.ts'), ['--hours', scale], {
  onOutput: (text) => void process.stdout.write(text),
});
process.exitCode = await sim.ended;
