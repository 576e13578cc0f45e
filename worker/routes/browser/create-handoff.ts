import * as z from 'zod';
import type {Handoff} from '../../contract/browser/answers.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {formatInstant} from '../../lib/time.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';
import {formatHandoff} from './handoff-code.ts';

/**
 * POST /v1/handoffs: a code for the QR that opens this order on a phone. Single use, ten minutes. A session that only
 * reads came from one itself and makes none: who was shown an order once does not hand it on.
 */
export async function createHandoff(request: Request, context: RouteContext): Promise<Response> {
  const {terms, origin, createUntil, readUntil, offer} = await sessionOf(request, context);
  if (createUntil === 0) throw new ApiError('session_kind');
  await readJson(request, z.strictObject({}));
  const {service, order, hours} = terms;
  const made = await context.objects.order(service, order).createHandoff({origin, readUntil, offer, hours});
  if (!made) throw new ApiError('not_found');
  const code = formatHandoff({secret: made.secret, service, order});
  return json<Handoff>({code, expires_at: formatInstant(made.expiresAt)}, {status: 201});
}
