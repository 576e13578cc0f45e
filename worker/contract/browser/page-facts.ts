/**
 * What a page says of an order: its own reference, and the campaign that brought the shopper. Nobody has proven it, so
 * the merchant gets it apart from what the merchant's server has said.
 */

import * as z from 'zod/mini';
import {lazily} from '../../lib/lazily.ts';
import {Metadata, text} from '../fields.ts';

const MAX_LENGTH = 200;

/** A stranger may write any campaign into a link. It must not stop the sale, so it is cut and never refused. */
const linkText = lazily(() =>
  z.string().check(
    z.overwrite((value) =>
      value
        .slice(0, MAX_LENGTH)
        .replaceAll(/[\p{C}\u2028\u2029]/gu, '')
        .trim(),
    ),
  ),
);

/** `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content` of the page's address. */
export const Campaign = lazily(() => {
  const value = z.optional(linkText());
  return z.strictObject({source: value, medium: value, campaign: value, term: value, content: value});
});
export type Campaign = z.infer<ReturnType<typeof Campaign>>;

export const PageFactsInput = lazily(() =>
  z.strictObject({
    reference: z.optional(text(MAX_LENGTH)),
    metadata: z.optional(Metadata()),
    utm: z.optional(Campaign()),
    /** Click ids of the page's address by name, such as `gclid`. Sent only with the shopper's consent to tracking. */
    click_ids: z.optional(
      z
        .record(z.string().check(z.regex(/^\w{1,40}$/)), linkText())
        .check(z.refine((ids) => Object.keys(ids).length <= 10, 'Expected at most 10 entries.')),
    ),
    /** Sent only with the shopper's consent to tracking. */
    client_reference_id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,200}$/))),
  }),
);
export type PageFactsInput = z.infer<ReturnType<typeof PageFactsInput>>;

/** The same as it is stored with the order, and as the merchant gets it. */
export type PageFacts = Omit<PageFactsInput, 'utm'> & {readonly campaign?: Campaign | undefined};

/** Undefined if the page says nothing. */
export function toPageFacts({utm = {}, click_ids: ids = {}, ...others}: PageFactsInput = {}): PageFacts | undefined {
  const named = {...others, campaign: withoutEmpty(utm), click_ids: withoutEmpty(ids)};
  const facts = Object.entries(named).filter(([, value]) => value !== undefined);
  return facts.length > 0 ? (Object.fromEntries(facts) as PageFacts) : undefined;
}

function withoutEmpty<T extends Record<string, unknown>>(values: T): T | undefined {
  const filled = Object.entries(values).filter(([, value]) => value);
  return filled.length > 0 ? (Object.fromEntries(filled) as T) : undefined;
}
