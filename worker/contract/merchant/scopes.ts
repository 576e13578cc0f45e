/** What API keys may do. */

import type {ErrorCode} from '../codes.ts';

/**
 * What an API key may do. `sessions` allows what a shop's server does for a shopper in the shop: creating sessions,
 * order codes, payment notices, pages of the platform, PINs and subscriptions. `read` allows only reads. `money` allows
 * refunds, and changing or ending orders and subscriptions. `webhooks` allows changing which servers get events. `offers`
 * allows making, changing and reading offers; to name the order of a bill, a key also needs `sessions`.
 */
export const SCOPES = ['sessions', 'read', 'money', 'webhooks', 'offers'] as const;
export type Scope = (typeof SCOPES)[number];

/** The problem of a request whose key lacks the endpoint's scope. */
export const scopeCode = (scope: Scope | 'root') =>
  (scope === 'root' ? 'root_key_required' : `${scope}_scope_missing`) satisfies ErrorCode;
