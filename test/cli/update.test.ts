/** What `vezne update` and `vezne rollback` decide, and in which order they act. */

import process from 'node:process';
import {PassThrough} from 'node:stream';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {requireConsent} from '../../cli/consent.mjs';
import type {Deployed} from '../../cli/deployments.mjs';
import {changesBetween} from '../../cli/releases.mjs';
import {activate, planRollback, updateProject, updateSteps, type UpdateSteps} from '../../cli/update.mjs';
import type {runWrangler} from '../../cli/wrangler.mjs';

const CHANGELOG = `# Changes

## Unreleased

Stores: not yet.

## 1.10.0 (2026-12-09)

Stores: \`Order\` has a further step,
and so has \`Sweep\`.

Text.

## 1.9.0 (2026-12-02)

No line about stores.

## 1.2.0 (2026-12-01)

Stores: unchanged.
`;

const between = (from: string, to: string) =>
  changesBetween(CHANGELOG, from, to).map(({version, stores}) => [version, stores]);

test('an update shows the versions after the installed one, in the order of their numbers, with what their stores do', () => {
  expect(between('1.2.0', '1.10.0')).toEqual([
    ['1.10.0', '`Order` has a further step, and so has `Sweep`.'],
    // Without the line, a rollback is refused.
    ['1.9.0', 'unknown'],
  ]);
  expect(between('1.1.0', '1.2.0')).toEqual([['1.2.0', 'unchanged.']]);
  expect(between('1.10.0', '1.10.0')).toEqual([]);
});

test('a version without a section may have changed its stores', () => {
  expect(between('1.9.0', '1.11.0')).toEqual([
    ['1.11.0', 'unknown'],
    ['1.10.0', '`Order` has a further step, and so has `Sweep`.'],
  ]);
});

/** Calls, and returns what was printed and the error's message. */
async function ended(call: () => Promise<void>) {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((text: string) => void lines.push(text));
  const error = await call().then(
    () => null,
    ({message}: Error) => message,
  );
  spy.mockRestore();
  return {printed: lines.join('\n'), error};
}

interface Project {
  readonly version?: string;
  readonly installed?: string;
  readonly released?: string;
  readonly hasPlatform?: boolean;
  /** The step that fails. */
  readonly failing?: 'requireConsent' | 'check' | 'deploy';
}

/** Updates a project, whose steps are recorded. */
async function update({version = '1.10.0', installed = '1.9.0', released, hasPlatform = true, failing}: Project) {
  const done: string[] = [];
  const act = (step: string) => {
    done.push(step);
    return step !== failing;
  };
  const steps: UpdateSteps = {
    installed,
    fetchNext: () => ({spec: 'spec', folder: 'folder', version, wrangler: '4.0.0', changelog: CHANGELOG}),
    hasPlatform: () => hasPlatform,
    readRelease: () => {
      done.push('readRelease');
      return released;
    },
    requireConsent: async () => {
      if (!act('requireConsent')) throw new Error('Nothing has changed.');
    },
    check: () => act('check'),
    install: () => void act('install'),
    deploy: () => act('deploy'),
  };
  return {...(await ended(() => updateProject('latest', steps))), done};
}

describe('An update', () => {
  test('says what changes, asks, checks, installs and deploys, in this order', async () => {
    expect(await update({})).toEqual({
      printed:
        'Vezne 1.9.0 → 1.10.0\n\n## 1.10.0 (2026-12-09)\n\nStores: `Order` has a further step,\nand so has `Sweep`.\n\nText.\n\n' +
        'Stores change in 1.10.0: after this you cannot go back to 1.9.0.',
      error: null,
      done: ['readRelease', 'requireConsent', 'check', 'install', 'deploy'],
    });
  });

  test('says whether a rollback can go back to the deployed release, which may be another than the installed one', async () => {
    expect((await update({version: '1.2.0', installed: '1.1.0'})).printed).toContain(
      'No store changes, so `npx vezne rollback` can go back.',
    );
    expect((await update({installed: '1.9.0', released: '1.2.0'})).printed).toContain(
      'Stores change in 1.10.0, 1.9.0: after this you cannot go back to 1.2.0.',
    );
    expect((await update({installed: '1.9.0', released: '1.10.0'})).printed).toContain('No store changes');
  });

  test('changes nothing without consent', async () => {
    const {error, done} = await update({failing: 'requireConsent'});
    expect({error, done}).toEqual({error: 'Nothing has changed.', done: ['readRelease', 'requireConsent']});
  });

  test('has consent only with --yes or in a terminal', async () => {
    const before = process.stdin.isTTY;
    process.stdin.isTTY = false;
    onTestFinished(() => void (process.stdin.isTTY = before));
    await expect(updateSteps('latest', true).requireConsent()).resolves.toBeUndefined();
    await expect(updateSteps('latest', false).requireConsent()).rejects.toThrow('Nothing has changed. With --yes');
  });

  test('changes nothing if the new version does not accept the settings', async () => {
    const {error, done} = await update({failing: 'check'});
    expect(error).toBe('Nothing has changed. Correct this, and run `npx vezne update` again.');
    expect(done).toEqual(['readRelease', 'requireConsent', 'check']);
  });

  test('that was installed but not deployed says how to go on or back', async () => {
    expect((await update({failing: 'deploy'})).error).toBe(
      'Vezne 1.10.0 is installed, but not deployed. Correct what is named above and run `npx vezne deploy`, or ' +
        'install the version before: npm install vezne@1.9.0',
    );
  });

  test('of a project without a platform only installs', async () => {
    const {printed, error, done} = await update({hasPlatform: false});
    expect({error, done}).toEqual({error: null, done: ['requireConsent', 'install']});
    expect(printed).toContain('Updated to 1.10.0. Nothing is deployed, because no platform is set.');
  });

  test.each([
    [{installed: '1.10.0'}, null],
    [{version: '1.2.0'}, '1.2.0 is older than 1.9.0. To go back: npx vezne rollback'],
  ])('to the installed version or an older one reads and changes nothing: %j', async (project, message) => {
    const {error, done, printed} = await update(project);
    expect({error, done}).toEqual({error: message, done: []});
    expect(printed).toBe(message === null ? 'Vezne 1.10.0 is what latest names: there is nothing to update.' : '');
  });

  test('to a version before the deployed release is refused', async () => {
    const {error, done} = await update({released: '1.11.0'});
    expect(error).toBe('Release 1.11.0 is deployed, which is later than 1.10.0: npx vezne update 1.11.0');
    expect(done).toEqual(['readRelease']);
  });
});

/** @param releases - The deployed ones, the newest first. */
const plan = (installed: string, ...releases: string[]) =>
  planRollback(
    {
      deployments: releases.map((release, index) => ({at: `day ${-index}`, ids: [`id of ${release}`]})),
      releaseOf: (id) => id.replace('id of ', ''),
    } satisfies Deployed,
    installed,
    CHANGELOG,
  );

describe('A rollback', () => {
  test('goes back if no store has changed', () => {
    expect(plan('1.2.0', '1.2.0', '1.1.0')).toEqual({
      current: {id: 'id of 1.2.0', at: 'day 0', release: '1.2.0'},
      previous: {id: 'id of 1.1.0', at: 'day -1', release: '1.1.0'},
    });
  });

  test('never goes back over changed stores', () => {
    expect(() => plan('1.10.0', '1.10.0', '1.9.0')).toThrow(
      'Vezne cannot go back from 1.10.0 to 1.9.0, because stores have changed:\n  1.10.0: `Order` has a further step, and so has `Sweep`.\n',
    );
    expect(() => plan('1.10.0', '1.9.0', '1.2.0')).toThrow('because stores have changed:\n  1.9.0: unknown\n');
  });

  test('from a release that is not installed is refused, because its stores are not known', () => {
    expect(() => plan('1.2.0', '1.10.0', '1.2.0')).toThrow(
      'Release 1.10.0 is deployed, and 1.2.0 does not know its stores. First: npm install vezne@1.10.0',
    );
  });

  test('never goes on to a later release', () => {
    expect(() => plan('1.2.0', '1.2.0', '1.10.0')).toThrow(
      'The deployment before is of a later release, 1.10.0. Go on to it: npx vezne update',
    );
  });
});

const CHANGED = 'A request failed.\nThe following secrets have changed: MERCHANT_KEY, PUSH_KEY [code: 10220]\n';

/** @param stderr - What wrangler says if it refuses. */
async function activated({isAgreed = false, stderr = '', agrees = true, isRefusedAgain = false}) {
  const done: string[] = [];
  const run = ([command = '', , id = '']: readonly string[]) => {
    done.push(command === 'versions' ? `deploy ${id}` : command);
    const isRefused = command === 'versions' ? stderr !== '' : isRefusedAgain;
    return {status: isRefused ? 1 : 0, stdout: '', stderr};
  };
  const ask = async (what: string) => {
    done.push(what);
    if (!agrees) throw new Error('Nothing has changed.');
  };
  const steps = {run: run as unknown as typeof runWrangler, ask};
  return {...(await ended(() => activate('an-id', 'a message', isAgreed, steps))), done};
}

describe('Activating a version', () => {
  test('is one call if no secret has changed', async () => {
    expect(await activated({isAgreed: true})).toEqual({printed: '', error: null, done: ['deploy an-id@100%']});
  });

  test('gives changed secrets their old values only if a person agrees, never for --yes', async () => {
    const printed = 'These secrets have changed since, and would get their old values: MERCHANT_KEY, PUSH_KEY';
    expect(await activated({isAgreed: true, stderr: CHANGED})).toEqual({
      printed,
      error: 'Nothing has changed. --yes does not allow this; in a terminal, without it, the command asks.',
      done: ['deploy an-id@100%'],
    });
    expect(await activated({stderr: CHANGED, agrees: false})).toEqual({
      printed,
      error: 'Nothing has changed.',
      done: ['deploy an-id@100%', 'Use the old values'],
    });
    expect(await activated({stderr: CHANGED})).toEqual({
      printed,
      error: null,
      done: ['deploy an-id@100%', 'Use the old values', 'rollback'],
    });
  });

  test('that Cloudflare refuses for another reason says so, and what to do', async () => {
    const refusal = 'Cloudflare refused it. Deploy a repaired later version: npx vezne update';
    const {error, done} = await activated({stderr: 'The exports have changed.'});
    expect({error, done}).toEqual({error: `The exports have changed.\n${refusal}`, done: ['deploy an-id@100%']});
    expect((await activated({stderr: CHANGED, isRefusedAgain: true})).error).toBe(refusal);
  });
});

/** @param answer - What the person types; null without a terminal. */
const ask = async (answer: string | null, isAgreed = false) => {
  const [input, output] = [Object.assign(new PassThrough(), {isTTY: answer !== null}), new PassThrough()];
  input.end(`${answer}\n`);
  const {error} = await ended(() => requireConsent('Update', isAgreed, {input, output}));
  return {error, asked: String(output.read() ?? '')};
};

describe('Consent', () => {
  test.each([
    ['y', null],
    ['Yes', null],
    ['n', 'Nothing has changed.'],
    ['', 'Nothing has changed.'],
  ])('is given in a terminal with y: %j', async (answer, error) => {
    expect(await ask(answer)).toEqual({error, asked: 'Update? [y/N] '});
  });

  test('is given elsewhere with --yes, which asks nothing', async () => {
    expect(await ask(null)).toEqual({error: 'Nothing has changed. With --yes the command goes on.', asked: ''});
    expect(await ask(null, true)).toEqual({error: null, asked: ''});
  });
});
