/**
 * The doctor's check of the limits: whether limits refuse shoppers, and whether offers lack a human check. The
 * sentences are in `limit-notices.ts`, because `/health` shows them too, without loading the doctor.
 */

import type {Config} from '../config/config.ts';
import type {LimitRefusals} from '../http/refusal-reporter.ts';
import {type Finding, ok, skipped, warning} from './explain.ts';
import {describeMissingHumanCheck, describeRefusals} from './limit-notices.ts';

/** @param refusals - Null if the object that counts them does not answer. */
export function checkLimits(config: Config, refusals: readonly LimitRefusals[] | null): Finding {
  const missing = describeMissingHumanCheck(config);
  const sentences = [...describeRefusals(refusals ?? []), ...(missing === null ? [] : [missing])];
  if (sentences.length > 0) {
    return warning(
      sentences.join(' '),
      missing === null
        ? 'Somebody sends too many requests, or a limit in LIMITS is too low. docs/operations.md says how to find out.'
        : 'Set TURNSTILE_SITEKEY and TURNSTILE_SECRET (docs/deploy.md), and raise limits in LIMITS that are too low.',
    );
  }
  if (refusals === null) return skipped('The Durable Object that counts refused requests does not answer.');
  return ok('No limit refused a shopper in the last five minutes.');
}
