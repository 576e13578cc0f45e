/** What the commands read of what is deployed, and what follows from it. */

import {describe, expect, test} from 'vitest';
import {deploy, requireNotOlder} from '../../cli/deploy.mjs';
import {type Deployed, deployedRelease, lastDeployments, readWorker} from '../../cli/deployments.mjs';
import type {runWrangler} from '../../cli/wrangler.mjs';

/** @param stderr - What wrangler says. */
const failure = (stderr: string) => (() => ({status: 1, stdout: '', stderr})) as unknown as typeof runWrangler;
const unreachable = () => {
  throw new Error('It was read.');
};

/** Answers as wrangler does, by the words of the command before `--json`. */
function wrangler(answers: Readonly<Record<string, unknown>>) {
  const started: string[] = [];
  const run = (args: readonly string[]) => {
    started.push(args.join(' '));
    const answer = answers[args.slice(0, args.indexOf('--json')).join(' ')];
    return {status: 0, stdout: JSON.stringify(answer), stderr: ''};
  };
  return {run: run as unknown as typeof runWrangler, started};
}

const deployment = (minute: number, ...ids: string[]) => ({
  created_on: `2026-12-01T10:0${minute}:00.000Z`,
  versions: ids.map((id) => ({version_id: id, percentage: 100 / ids.length})),
});
const tagged = (id: string, tag: string) => ({id, annotations: {'workers/tag': tag}});

/** @param versions - The release of each version; null if it was not made by `vezne deploy`. The newest comes first. */
function deployed(deployments: readonly (readonly string[])[], versions: Readonly<Record<string, string | null>>) {
  return {
    deployments: deployments.map((ids, index) => ({at: `minute ${deployments.length - index}`, ids})),
    releaseOf: (id) => versions[id] ?? undefined,
  } satisfies Deployed;
}

describe('What is deployed', () => {
  test('is read with two starts of wrangler, however many deployments there are', () => {
    const {run, started} = wrangler({
      'deployments list': [deployment(1, 'a'), deployment(3, 'c'), deployment(2, 'b', 'a')],
      'versions list': [tagged('a', 'vezne-1.2.0'), tagged('b', 'not-of-vezne'), tagged('c', 'vezne-1.10.0')],
    });
    const {deployments, releaseOf} = readWorker([], run);
    expect(deployments).toEqual([
      {at: '2026-12-01T10:03:00.000Z', ids: ['c']},
      {at: '2026-12-01T10:02:00.000Z', ids: ['b', 'a']},
      {at: '2026-12-01T10:01:00.000Z', ids: ['a']},
    ]);
    expect(['a', 'b', 'c', 'a'].map(releaseOf)).toEqual(['1.2.0', undefined, '1.10.0', '1.2.0']);
    expect(started).toEqual(['deployments list --json', 'versions list --json']);
  });

  test('has the releases of versions that wrangler does not list, or lists without annotations', () => {
    const {run, started} = wrangler({
      'deployments list': [deployment(1, 'old')],
      'versions list': [{id: 'bare'}],
      'versions view old': tagged('old', 'vezne-1.2.0'),
      'versions view bare': tagged('bare', 'vezne-1.3.0'),
    });
    const {releaseOf} = readWorker([], run);
    expect(['old', 'bare', 'old'].map(releaseOf)).toEqual(['1.2.0', '1.3.0', '1.2.0']);
    expect(started.slice(2)).toEqual(['versions view old --json', 'versions view bare --json']);
  });

  test('is read of the Worker that the arguments of the deployment name', () => {
    const {run, started} = wrangler({'deployments list': [], 'versions list': [tagged('a', 'vezne-1.2.0')]});
    readWorker(['--minify', '--name', 'club', '--var', 'A:1'], run).releaseOf('a');
    expect(started).toEqual(['deployments list --json --name club', 'versions list --json --name club']);
  });

  test('is nothing if there is no such Worker, and any other failure of wrangler is shown', () => {
    expect(readWorker([], failure('This Worker does not exist. [code: 10007]')).deployments).toEqual([]);
    expect(() => readWorker([], failure('Not logged in. [code: 10000]'))).toThrow(
      'wrangler cannot read what is deployed.\nNot logged in. [code: 10000]',
    );
  });

  test.each([
    ['no deployment', [], undefined],
    ['the newest deployment', [['b'], ['a']], '1.10.0'],
    ['the deployment before a changed secret', [['secret'], ['a'], ['b']], '1.9.0'],
    ['the later one of two releases with split traffic', [['a', 'b']], '1.10.0'],
    ['the release beside a version of another tool', [['secret', 'a']], '1.9.0'],
    ['only deployments of another tool', [['secret']], undefined],
  ])('is the release of: %s', (_, deployments, release) => {
    expect(deployedRelease(deployed(deployments, {a: '1.9.0', b: '1.10.0', secret: null}))).toBe(release);
  });
});

describe('A deployment', () => {
  test.each([
    ['1.10.0', '1.9.0'],
    ['1.9.0', '1.9.0'],
    ['1.9.0', undefined],
  ])('of %s is made if the deployed release is %s', (version, release) => {
    expect(() => requireNotOlder([], version, () => release)).not.toThrow();
  });

  test('of an older release than the deployed one is made only if the command says so', () => {
    expect(() => requireNotOlder(['--minify'], '1.9.0', () => '1.10.0')).toThrow(
      'Not deployed: release 1.10.0 is deployed, and this is 1.9.0, which may refuse what is stored.',
    );
    expect(() => requireNotOlder(['--allow-older'], '1.9.0', () => '1.10.0')).not.toThrow();
  });

  test.each([
    ['--dryrun', '--dry-run'],
    ['--allow-oldest', '--allow-older'],
  ])('with the misspelt argument %s is refused before anything is read', async (given, meant) => {
    await expect(deploy(['--minify', given], null)).rejects.toThrow(
      `Not deployed: there is no argument ${given}. Did you mean ${meant}?`,
    );
  });

  test('that only checks, or that may be older, does not read what is deployed', () => {
    for (const option of ['--dry-run', '--allow-older'])
      expect(() => requireNotOlder([option], '1.9.0', unreachable)).not.toThrow();
    expect(() => requireNotOlder([], '1.9.0', unreachable)).toThrow('It was read.');
  });
});

describe('A rollback goes back', () => {
  const versions = {a: '1.2.0', b: '1.3.0', c: '1.4.0', secret: null};

  test.each([
    ['to the deployment before', [['b'], ['a']], ['b', 'a']],
    ['to the deployment before of the same release', [['c'], ['b'], ['a']], ['c', 'b']],
    ['over the deployment that was taken back, to the one before', [['b'], ['c'], ['b'], ['a']], ['b', 'a']],
  ])('%s', (_, deployments, ids) => {
    const {current, previous} = lastDeployments(deployed(deployments, versions));
    expect([current.id, previous.id]).toEqual(ids);
  });

  test('and says when both were deployed', () => {
    expect(lastDeployments(deployed([['b'], ['a']], versions))).toEqual({
      current: {id: 'b', at: 'minute 2', release: '1.3.0'},
      previous: {id: 'a', at: 'minute 1', release: '1.2.0'},
    });
  });

  test.each([
    ['nothing is deployed', [], 'There is no earlier deployment to go back to.'],
    ['there is one deployment', [['a']], 'There is no earlier deployment to go back to.'],
    ['the earlier deployment runs again', [['a'], ['b'], ['a']], 'There is no earlier deployment to go back to.'],
    ['a secret was set since', [['secret'], ['a']], 'The deployment of minute 2 was not made by `vezne deploy`'],
    ['the one before is of another tool', [['a'], ['secret']], 'The deployment of minute 1 was not made by'],
    ['traffic is split', [['b', 'a'], ['c']], 'The deployment of minute 2 was not made by'],
    ['traffic was split before', [['c'], ['b', 'a']], 'The deployment of minute 1 was not made by'],
  ])('not if %s', (_, deployments, message) => {
    expect(() => lastDeployments(deployed(deployments, versions))).toThrow(message);
  });
});
