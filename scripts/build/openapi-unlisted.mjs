// @ts-check
// The page scripts and `/health` in the API description. The Worker serves them without a row in the contract, because
// they also work with a wrong configuration.

import {Health} from '../../worker/contract/browser/answers.ts';
import {version} from '../lib/repo.mjs';
import {COMMON_CODES, problems} from './openapi-problems.mjs';

const healthExample = {status: 'ok', version, bindings: [], webhooks: [], problems: [], notices: []};

/** The operations by path. */
export const unlistedPaths = () => ({
  '/checkout.js': {get: scriptOperation('checkout')},
  '/subscribe.js': {get: scriptOperation('subscribe')},
  '/health': {
    get: {
      operationId: 'showHealth',
      tags: ['Operation'],
      summary: 'Shows whether the Worker runs, its configuration is valid and the platform answers.',
      security: [],
      responses: {
        200: healthAnswer('Healthy, or degraded in a way that ends by itself.', {}),
        503: healthAnswer('Misconfigured, or degraded so that the operator has to act.', {
          status: 'misconfigured',
          bindings: ['MERCHANT_KEY'],
        }),
      },
    },
  },
});

/** @param {string} description @param {object} differing */
const healthAnswer = (description, differing) => ({
  description,
  content: {'application/json': {schema: Health, example: {...healthExample, ...differing}}},
});

/**
 * Describes a page script.
 * @param {'checkout' | 'subscribe'} script
 */
function scriptOperation(script) {
  const content =
    script === 'checkout'
      ? 'The elements of a checkout and the bank list'
      : 'The elements with which numbers subscribe';
  return {
    operationId: `${script}Script`,
    tags: ['Pages'],
    summary: `${content}, as one JavaScript module.`,
    description:
      'Any page may load the module, which is the same for every shopper. It also works while the platform does not ' +
      'answer. A request with `If-None-Match` gets 304 if nothing has changed.',
    security: [],
    parameters: [
      {
        name: 'offer',
        in: 'query',
        description: 'An offer, whose public terms the module then contains. Any other text is ignored.',
        schema: {type: 'string'},
        example: script === 'checkout' ? 'gold' : 'club',
      },
    ],
    responses: {
      200: {description: 'Done.', content: {'text/javascript': {schema: {type: 'string'}}}},
      304: {description: 'Not modified.'},
      ...problems(COMMON_CODES),
    },
  };
}
