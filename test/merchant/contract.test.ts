/** Tests that the client's routes and doc comments match the contract. */

import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import type {EndpointName} from '../../merchant/index.ts';
import {routes} from '../../merchant/routes.ts';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {describedEndpoints} from '../../worker/contract/merchant/descriptions.ts';
import type {DescribedEndpoint} from '../../worker/contract/merchant/descriptions/described-endpoint.ts';
import {operations} from '../../worker/platform/operations/index.ts';

const rows = Object.entries(describedEndpoints) as [EndpointName, DescribedEndpoint][];

/** For each endpoint, the doc comment of the method that calls it, on one line. */
const comments = new Map(
  readdirSync(repoPath('merchant', 'resources')).flatMap((file) => {
    const source = readFileSync(path.join(repoPath('merchant', 'resources'), file), 'utf8');
    return [...source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n  \w+[(<](?:(?!\n  })[^])*?this\.call\('(\w+)'/g)].map(
      ([, comment = '', name = '']) => [name, comment.replaceAll(/\s*\n\s*\*\s*/g, ' ')] as const,
    );
  }),
);

test.for(rows)(
  'the client’s route for %s has the HTTP method, the path and the `write` flag of the contract',
  ([name, {method, path: address, write}]) => {
    expect(routes[name]).toEqual({method, path: address.replace('/merchant/v1/', ''), write});
  },
);

test.for(rows)(
  'the doc comment of %s names its HTTP method, its path, the spec section of its operation and its own error codes',
  ([name, {method, path: address, operation, codes}]) => {
    const comment = comments.get(name) ?? '';
    expect(comment).toContain(`\`${method} ${address}\``);
    if (operation) expect(comment).toContain(`(${operations[operation].spec})`);
    expect(
      [...(/@throws \{VezneError\} (.*)/.exec(comment)?.[1] ?? '').matchAll(/`(\w+)`/g)]
        .map(([, code]) => code)
        .toSorted(),
    ).toEqual(codes.toSorted());
  },
);

test('besides the error codes of single calls, the client’s file names every error code that calls share', () => {
  const description = JSON.parse(readFileSync(repoPath('worker', 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, {responses: Record<string, {description?: string; $ref?: string}>}>>;
    components: {responses: Record<string, {description: string}>};
  };
  const shared = rows.flatMap(([, {method, path: address, codes}]) => {
    const responses = Object.values(description.paths[address]?.[method.toLowerCase()]?.responses ?? {});
    const descriptions = responses
      .map(
        (response) =>
          response.description ??
          description.components.responses[response.$ref?.split('/').at(-1) ?? '']?.description ??
          '',
      )
      .join('\n');
    return [...descriptions.matchAll(/^`(\w+)`: /gm)]
      .map(([, code = '']) => code)
      .filter((code) => !(codes as readonly string[]).includes(code));
  });
  const source = readFileSync(repoPath('merchant', 'client.ts'), 'utf8');
  // The client always sends an idempotency key, so no call of the client returns `idempotency_key_missing`.
  const missing = [...new Set(shared)].filter(
    (code) => code !== 'idempotency_key_missing' && !source.includes(`\`${code}\``),
  );
  expect(shared.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
