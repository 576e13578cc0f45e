/**
 * What a page says of an order: its own reference, and the campaign that brought the shopper. Nobody has proven it, so
 * the merchant gets it apart from what the merchant's server has said.
 */

import * as z from 'zod/mini';
import {lazily} from '../../lib/lazily.ts';
import {metadataOf} from '../fields.ts';

const MAX_LENGTH = 200;

/**
 * A text of a page, as it is stored: one line, cut, without characters that show nothing. The same campaign is the same
 * text for a visit and a sale.
 */
export const pageLine = (text: string): string =>
  text
    .slice(0, MAX_LENGTH)
    .replace(/(?!\s)\p{C}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A stranger may write any campaign into a link, and a page any text. No text may stop the sale, so none is refused. */
const PageLine = lazily(() => z.string().check(z.overwrite(pageLine)));

/** `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content` of the page's address. */
export const Campaign = lazily(() => {
  const value = z.optional(PageLine());
  return z.strictObject({source: value, medium: value, campaign: value, term: value, content: value});
});
export type Campaign = z.infer<ReturnType<typeof Campaign>>;

export const PageFactsInput = lazily(() =>
  z.strictObject({
    reference: z.optional(PageLine()),
    metadata: z.optional(metadataOf(PageLine())),
    utm: z.optional(Campaign()),
    /** Click ids of the page's address by name, such as `gclid`. Sent only with the shopper's consent to tracking. */
    click_ids: z.optional(
      z
        .record(z.string().check(z.regex(/^\w{1,40}$/)), PageLine())
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
export function toPageFacts({utm, ...others}: PageFactsInput = {}): PageFacts | undefined {
  const {metadata, click_ids: ids} = others;
  return withoutEmpty<PageFacts>({
    ...others,
    metadata: withoutEmpty(metadata),
    campaign: withoutEmpty(utm),
    click_ids: withoutEmpty(ids),
  });
}

function withoutEmpty<T extends object>(values: T | undefined): T | undefined {
  const filled = Object.entries(values ?? {}).filter(([, value]) => value);
  return filled.length > 0 ? (Object.fromEntries(filled) as T) : undefined;
}
