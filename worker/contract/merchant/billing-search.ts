/** What the three searches of mobile billing take: `docs/spec/subscriptions.md` 2.5 and 4.A. */

import * as z from 'zod';
import {BillingService, Cursor, Limit, text} from './fields.ts';

export const BillingSearch = z
  .strictObject({
    service: BillingService,
    search: z
      .array(z.strictObject({column: text(64), term: text(255), condition: text(16).optional()}))
      .max(3)
      .optional()
      .meta({description: 'Up to three criteria; without `condition` a column equals its term.'}),
    sort: z
      .array(z.strictObject({column: text(64), asc: z.boolean()}))
      .max(3)
      .optional(),
    limit: Limit(100).optional(),
    cursor: Cursor.optional(),
  })
  .meta({id: 'BillingSearch'});
