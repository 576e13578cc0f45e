// @ts-check
// The page scripts, the pages of offers and `/health` in the API description. They have no row in the contract, because
// the Worker also answers with a wrong configuration.

import {Health} from '../../worker/contract/browser/answers.ts';
import {version} from '../lib/repo.mjs';
import {COMMON_CODES, problems} from './openapi-problems.mjs';

const healthExample = {status: 'ok', version, bindings: [], webhooks: [], problems: [], notices: []};

/** The operations by path. */
export const unlistedPaths = () => ({
  '/checkout.js': {get: scriptOperation('checkout')},
  '/subscribe.js': {get: scriptOperation('subscribe')},
  '/p/{name}': {get: linkOperation()},
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

/** Describes the page of an offer. A form of the page itself uses POST. */
function linkOperation() {
  const page = {'text/html': {schema: {type: 'string'}}};
  return {
    operationId: 'offerPage',
    tags: ['Pages'],
    summary: 'The page of an offer, in Turkish or English.',
    description: 'The link that a merchant sends. Problems are pages too.',
    security: [],
    parameters: [
      {name: 'name', in: 'path', required: true, schema: {type: 'string'}, example: 'gold'},
      {
        name: 'lang',
        in: 'query',
        description: 'By default the browser’s.',
        schema: {type: 'string', enum: ['tr', 'en']},
        example: 'en',
      },
    ],
    responses: {200: {description: 'Done.', content: page}, default: {description: 'A problem.', content: page}},
  };
}

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
