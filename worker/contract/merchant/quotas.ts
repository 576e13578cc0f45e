/** `GET /merchant/v1/quotas`: how much of the platform's limits is left. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';

export const quotas = {
  showQuotas: endpoint({
    method: 'GET',
    path: '/merchant/v1/quotas',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({}),
  }),
};
