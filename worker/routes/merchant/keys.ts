/** Creates, lists and revokes API keys. */

import type {ApiKey} from '../../contract/merchant/keys.ts';
import {ApiError} from '../../http/errors.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {KeyRecord} from '../../objects/keys/api-keys.ts';
import {makeKey} from '../../objects/keys/key-text.ts';
import {requireServices} from '../services.ts';
import type {Handlers} from './handler.ts';
import {forgetKnownKeys} from './known-keys.ts';

export const keyHandlers = {
  async createKey({name, scopes, services = null}, {config, objects}) {
    requireServices(services, config);
    const {text, ...identity} = await makeKey();
    const record = await objects.apiKeys().create(identity, {name, scopes, services});
    if (!record) throw new ApiError('key_limit_reached');
    forgetKnownKeys(objects);
    return {...toApiKey(record), key: text};
  },

  async listKeys(_input, {objects}) {
    const records = await objects.apiKeys().list();
    return {items: records.map((record) => toApiKey(record)), next_cursor: null, total: records.length};
  },

  async revokeKey({id}, {objects}) {
    const record = await objects.apiKeys().revoke(id);
    if (!record) throw new ApiError('not_found');
    forgetKnownKeys(objects);
    return toApiKey(record);
  },
} satisfies Partial<Handlers>;

function toApiKey({createdAt, lastUsedDay, revokedAt, ...same}: KeyRecord): ApiKey {
  return {
    ...(same as Pick<ApiKey, 'id' | 'name' | 'scopes' | 'services'>),
    created_at: formatInstant(createdAt),
    last_used_on: lastUsedDay,
    revoked_at: formatInstantOrNull(revokedAt),
  };
}
