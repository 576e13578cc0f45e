/** Answers about API keys, with examples and descriptions. */

import * as z from 'zod';
import {SCOPES} from '../endpoint.ts';
import {keys} from '../keys.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {NullableText, pageOf} from './fields.ts';
import {describeFields} from './input-fields.ts';

describeFields(keys.createKey.input.shape, {
  name: {description: 'Which server has the key. Do not name a person.', examples: ['back office']},
  scopes: {description: 'What the key may do. Each endpoint says which scope it needs.', examples: [['read', 'money']]},
});
describeFields(keys.revokeKey.input.shape, {id: {examples: ['key_7Q2M9X4KHD0T']}});

export const ApiKey = z
  .strictObject({
    id: z.string().meta({description: 'Not secret. The log, commands and this list name the key by its id.'}),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    created_at: z.string(),
    last_used_on: NullableText.meta({
      description: 'The last day, in Turkey, on which the key was used. Null if it was never used.',
    }),
    revoked_at: NullableText,
  })
  .meta({id: 'ApiKey'});
export type ApiKey = z.output<typeof ApiKey>;

export const CreatedKey = z
  .strictObject({
    ...ApiKey.shape,
    key: z.string().meta({
      description:
        'The key. Store it now: no other request shows it. Every key matches `vezne_sk_[0-9A-Z]{44}[0-9a-f]{8}`, so ' +
        'that scanners find keys in source code.',
    }),
  })
  .meta({id: 'CreatedApiKey'});

const id = 'key_7Q2M9X4KHD0T';
const key = {
  id,
  name: 'back office',
  scopes: ['read', 'money'] as const,
  created_at: '2026-11-21T15:42:00+03:00',
  last_used_on: null,
  revoked_at: null,
};

export const keyDescriptions = describeEndpoints('API keys', keys, {
  createKey: {
    summary: 'Makes an API key.',
    description:
      'Give each server a key of its own, with the scopes that it needs. A new key is accepted everywhere within two ' +
      'seconds. There are at most 100 keys that are not revoked.',
    answer: CreatedKey,
    codes: ['key_limit_reached'],
    example: {
      input: {name: 'back office', scopes: ['read', 'money']},
      answer: {...key, scopes: [...key.scopes], key: 'vezne_sk_7Q2M9X4KHD0T…'},
    },
  },
  listKeys: {
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
  revokeKey: {
    summary: 'Revokes an API key.',
    description:
      'The key is refused everywhere within 30 seconds. Writes that have begun are finished. A key that is already ' +
      'revoked stays as it is.',
    answer: ApiKey,
    codes: ['not_found'],
    example: {input: {id}, answer: {...key, scopes: [...key.scopes], revoked_at: '2026-11-22T09:00:00+03:00'}},
  },
});
