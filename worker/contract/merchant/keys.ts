/** The endpoints that make, list and revoke API keys. Only the root key may call them. */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint, SCOPES} from './endpoint.ts';

const KeyId = z.string().regex(/^key_[0-9A-HJKMNP-TV-Z]{12}$/, 'Expected the id of an API key.');

export const keys = {
  createKey: endpoint({
    method: 'POST',
    path: '/merchant/v1/keys',
    operation: null,
    scope: 'root',
    write: true,
    status: 201,
    input: z.strictObject({
      name: text(64),
      scopes: z
        .array(z.enum(SCOPES))
        .min(1)
        .refine((scopes) => new Set(scopes).size === scopes.length, 'Expected each scope once.'),
    }),
  }),
  listKeys: endpoint({
    method: 'GET',
    path: '/merchant/v1/keys',
    operation: null,
    scope: 'root',
    write: false,
    status: 200,
    input: z.strictObject({}),
  }),
  revokeKey: endpoint({
    method: 'POST',
    path: '/merchant/v1/keys/{id}/revoke',
    operation: null,
    scope: 'root',
    write: true,
    status: 200,
    input: z.strictObject({id: KeyId}),
  }),
};
