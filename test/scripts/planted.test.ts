/** A planted fault that no longer fits the code says nothing about the tests. */

import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {mutations} from '../../sim/mutations.ts';

test('each fault of test/planted can be planted', () => {
  const folder = repoPath('test', 'planted');
  const patches = readdirSync(folder).filter((name) => name.endsWith('.patch'));
  expect(patches.length).toBeGreaterThan(0);
  const unfit = patches.filter((name) => {
    try {
      execFileSync('git', ['apply', '--check', path.join(folder, name)], {cwd: repoPath(), stdio: 'ignore'});
      return false;
    } catch {
      return true;
    }
  });
  expect(unfit).toEqual([]);
});

test('each fault of the simulator has its line once', () => {
  const unfit = mutations().filter(
    ({edit: {file, find}}) => readFileSync(repoPath(file), 'utf8').split(find).length !== 2,
  );
  expect(unfit.map(({name}) => name)).toEqual([]);
});
