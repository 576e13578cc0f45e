/** The endpoints that make, list and revoke API keys. Only the root key may call them. */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {text} from '../fields.ts';
import {NullableText, pageOf} from './answer-fields.ts';
import {ServiceList} from './fields.ts';
import {SCOPES} from './scopes.ts';

const KeyId = z.string().check(z.regex(/^key_[0-9A-HJKMNP-TV-Z]{12}$/, 'Expected the id of an API key.'));

export const ApiKey =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string().check(z.describe('Not secret. The log, commands and this list name the key by its id.')),
      name: z.string(),
      scopes: z.array(z.enum(SCOPES)),
      services: z.nullable(z.array(z.string())).check(z.describe('Null for all services.')),
      created_at: z.string(),
      last_used_on: NullableText.check(
        z.describe('The last day, in Turkey, on which the key was used. Null if it was never used.'),
      ),
      revoked_at: NullableText,
    })
    .check(z.meta({id: 'ApiKey'}));
export type ApiKey = z.output<typeof ApiKey>;

export const CreatedKey =
  DESCRIBED &&
  z
    .strictObject({
      ...ApiKey.shape,
      key: z
        .string()
        .check(
          z.describe(
            'The key. Store it now: no other request shows it. Every key matches `vezne_sk_[0-9A-Z]{44}[0-9a-f]{8}`, so ' +
              'that scanners find keys in source code.',
          ),
        ),
    })
    .check(z.meta({id: 'CreatedApiKey'}));

const id = 'key_7Q2M9X4KHD0T';
const key = {
  id,
  name: 'back office',
  scopes: ['read', 'money'] as const,
  services: null,
  created_at: '2026-11-21T15:42:00+03:00',
  last_used_on: null,
  revoked_at: null,
};

export const keys = {
  createKey: endpoint({
    method: 'POST',
    path: '/merchant/v1/keys',
    scope: 'root',
    service: 'all',
    write: true,
    status: 201,
    input: z.strictObject({
      name: text(64),
      scopes: z.array(z.enum(SCOPES)).check(
        z.minLength(1),
        z.refine((scopes) => new Set(scopes).size === scopes.length, 'Expected each scope once.'),
      ),
      services: z.optional(z.nullable(ServiceList)),
    }),
    docs: DESCRIBED && {
      client: 'keys.create',
      summary: 'Makes an API key.',
      description:
        'Give each server a key of its own, with the scopes that it needs. A new key is accepted everywhere within two ' +
        'seconds. There are at most 100 keys that are not revoked.\n\n' +
        '`offers` is for making, changing and reading offers. `sessions` is for what a shop’s server does for a shopper: sessions, order codes, payment notices, pages of the ' +
        'platform, PINs and subscriptions. `read` is for reads, `money` for refunds and for changing or ending orders ' +
        'and subscriptions, `webhooks` for changing which servers get events.',
      fields: {
        name: {description: 'Which server has the key. Do not name a person.', examples: ['back office']},
        scopes: {
          description: 'What the key may do. Each endpoint says which scope it needs.',
          examples: [['read', 'money']],
        },
        services: {
          description:
            'The services that exist for this key; null for all, which is the default. Endpoints that are about all ' +
            'services answer `all_services_required`.',
          examples: [['DEMO']],
        },
      },
      answer: CreatedKey,
      codes: ['key_limit_reached', 'unknown_service'],
      example: {
        input: {name: 'back office', scopes: ['read', 'money']},
        answer: {...key, scopes: [...key.scopes], key: 'vezne_sk_7Q2M9X4KHD0T…'},
      },
    },
  }),
  listKeys: endpoint({
    method: 'GET',
    path: '/merchant/v1/keys',
    scope: 'root',
    service: 'all',
    input: z.strictObject({}),
    docs: DESCRIBED && {
      client: 'keys.list',
      summary: 'Lists the API keys, without the keys themselves.',
      description: 'The newest key comes first. A revoked key is listed for 400 days.',
      answer: pageOf(ApiKey),
      codes: [],
      example: {
        input: {},
        answer: {
          items: [{...key, scopes: [...key.scopes], last_used_on: '2026-11-21'}],
          next_cursor: null,
          total: 1,
        },
      },
    },
  }),
  revokeKey: endpoint({
    method: 'POST',
    path: '/merchant/v1/keys/{id}/revoke',
    scope: 'root',
    service: 'all',
    write: true,
    input: z.strictObject({id: KeyId}),
    docs: DESCRIBED && {
      client: 'keys.revoke',
      summary: 'Revokes an API key.',
      description:
        'The key is refused everywhere within 30 seconds. Writes that have begun are finished. A key that is already ' +
        'revoked stays as it is.',
      fields: {
        id: {examples: ['key_7Q2M9X4KHD0T']},
      },
      answer: ApiKey,
      codes: ['not_found'],
      example: {input: {id}, answer: {...key, scopes: [...key.scopes], revoked_at: '2026-11-22T09:00:00+03:00'}},
    },
  }),
};
