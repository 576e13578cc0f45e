/**
 * Who buys. Offers, sessions and bills may ask for it before there is an order code: the settings, the form that pages
 * get, and what pages send. `readers/buyer.ts` checks what a shopper filled in.
 */

import * as z from 'zod/mini';
import {lazily} from '../lib/lazily.ts';
import {localized, PageUrl, Seller, sensibleLine, sensibleText, text} from './fields.ts';

/** A field that is left out is not asked for. */
const Presence = lazily(() => z.optional(z.enum(['required', 'optional'])));

const MAX_OWN_FIELDS = 3;
const MIN_CHOICES = 2;

/** A field that the merchant names. */
export const OwnField = lazily(() =>
  z
    .strictObject({
      /** The key of the value in `buyer.own`. */
      id: z
        .string()
        .check(z.regex(/^[a-z][a-z0-9_]{0,31}$/, 'Expected up to 32 of a–z, digits and "_", beginning with a letter.')),
      type: z.enum(['text', 'choice', 'tick']),
      /** The name of the field; of a tick, the sentence beside it. */
      label: localized(500),
      /** A required tick must be ticked. No tick is ticked in advance. */
      required: z.optional(z.boolean()),
      /** What a `choice` offers. */
      choices: z.optional(
        z
          .array(z.strictObject({value: text(64), label: localized(200)}))
          .check(z.minLength(MIN_CHOICES), z.maxLength(20)),
      ),
      /** Pages that the sentence of a `tick` is about, such as the preliminary information of a distance sale. */
      links: z.optional(z.array(z.strictObject({text: localized(200), url: PageUrl()})).check(z.maxLength(2))),
    })
    .check(({value: {type, choices, links}, issues}) => {
      const refuse = (field: string, message: string) =>
        issues.push({code: 'custom', path: [field], input: undefined, message});
      if (type === 'choice' && !choices) refuse('choices', `A choice needs at least ${MIN_CHOICES} choices.`);
      if (type !== 'choice' && choices) refuse('choices', 'Only a field of the type "choice" has choices.');
      if (type !== 'tick' && links) refuse('links', 'Only a field of the type "tick" has links.');
      if (choices && !areDistinct(choices.map(({value}) => value)))
        refuse('choices', 'Two choices have the same value.');
    }),
);
export type OwnField = z.infer<ReturnType<typeof OwnField>>;

const areDistinct = (values: readonly string[]) => new Set(values).size === values.length;

const asked = lazily(() => ({
  email: Presence(),
  name: Presence(),
  phone: Presence(),
  address: Presence(),
  own: z.optional(
    z.array(OwnField()).check(
      z.maxLength(MAX_OWN_FIELDS, `Expected at most ${MAX_OWN_FIELDS} fields of your own.`),
      z.refine((fields) => areDistinct(fields.map(({id}) => id)), 'Two fields have the same id.'),
    ),
  ),
  /** The sentence of a tick for consent to marketing. The tick is never required, and never ticked in advance. */
  marketing: z.optional(localized(1_000)),
}));

/** `fields` of an offer, a session or a bill. */
const BuyerFields = lazily(() =>
  z
    .strictObject({
      ...asked(),
      /** How many days the order keeps the buyer; by default until the order is deleted. */
      keep_days: z.optional(z.int().check(z.minimum(1), z.maximum(400))),
    })
    .check(
      z.refine(
        (fields) => Object.entries(fields).some(([name, field]) => name !== 'keep_days' && field !== undefined),
        'Expected at least one field, such as email = "required".',
      ),
    ),
);

/** What offers, sessions and bills say about the buyer. */
export const buyerSettings = lazily(() => ({
  /** What a shopper fills in before the order code. */
  fields: z.optional(BuyerFields()),
  /** How the seller uses the shopper's data. */
  privacy_url: z.optional(PageUrl()),
  /** The seller's terms. */
  terms_url: z.optional(PageUrl()),
}));
export type BuyerSettings = z.output<z.ZodMiniObject<ReturnType<typeof buyerSettings>>> & {
  readonly seller?: Seller | undefined;
};

/** Whoever is asked for personal data must be told by whom, and for what (KVKK, article 10). */
export function requireNoticeOfFields({value, issues}: z.core.ParsePayload<BuyerSettings>): void {
  if (!value.fields) return;
  const refuse = (field: string, message: string) =>
    issues.push({code: 'custom', path: [field], input: undefined, message});
  if (!value.seller) refuse('seller', 'Fields need a seller with a name, which stands before the first field.');
  if (!value.privacy_url)
    refuse('privacy_url', 'Fields need privacy_url, the page that says how the seller uses the shopper’s data.');
}

/** The form of the buyer, as pages get it. */
export const BuyerForm = /* @__PURE__ */ lazily(() =>
  z.strictObject({
    ...asked(),
    privacy_url: z.string(),
    terms_url: z.optional(z.string()),
    seller: Seller(),
    /** Changes with every word of the form. Pages send it back as `buyer.form`. */
    version: z.string(),
  }),
);
export type BuyerForm = z.infer<ReturnType<typeof BuyerForm>>;

/** The form that these settings ask for; undefined if they ask for nothing. */
export function buyerFormOf({fields, privacy_url, terms_url, seller}: BuyerSettings): BuyerForm | undefined {
  if (!fields || !seller || privacy_url === undefined) return undefined;
  const {keep_days: _, ...asks} = fields;
  const form = {...asks, privacy_url, ...(terms_url !== undefined && {terms_url}), seller};
  return {...form, version: versionOf(form)};
}

/** FNV-1a. Nobody gains by two forms with one version, so it need not resist attackers. */
function versionOf(form: object): string {
  let version = 0x811c9dc5;
  for (const character of JSON.stringify(form))
    version = Math.imul(version ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (version >>> 0).toString(36);
}

/** One line that a shopper typed, without the directions that address books add. It may be empty. */
const line = (max: number, check = sensibleLine()) =>
  z.optional(
    z.string().check(
      z.overwrite((value) => value.replace(/[\u061c\u202a-\u202e\u2066-\u2069]/g, '')),
      z.trim(),
      z.maxLength(max),
      check,
    ),
  );

/** A buyer, as pages send them and merchants get them. */
export const buyerFields = lazily(() => ({
  email: line(254),
  name: line(100),
  /** A number in any usual spelling. Other countries’ numbers begin with `+`. */
  phone: line(32),
  address: z.optional(
    z.strictObject({
      line: line(500, sensibleText()),
      district: line(64),
      province: line(64),
      postal_code: line(16),
    }),
  ),
  /** The values of `own` by the ids of the fields: text, the value of a choice, or whether it is ticked. */
  own: z.optional(
    z.record(
      z.string().check(z.maxLength(32)),
      z.union([z.string().check(z.maxLength(500), sensibleText()), z.boolean()]),
    ),
  ),
  /** Whether the shopper ticked the consent to marketing. */
  marketing: z.optional(z.boolean()),
}));

/** What a page sends of the form; `readBuyer` checks the values. Fields that the form does not ask for are dropped. */
export const Buyer = lazily(() =>
  z.strictObject({
    ...buyerFields(),
    /** The `version` of the form that the shopper saw. With another one, nothing is read and the form is asked anew. */
    form: z.optional(z.string().check(z.maxLength(16))),
    /** The language in which the page showed the form, for the receipt of what was ticked. */
    language: z.optional(z.enum(['tr', 'en'])),
  }),
);
export type Buyer = z.infer<ReturnType<typeof Buyer>>;
