/**
 * The bank list, which pages and merchants get. These are functions, so that the bundler drops them: the Worker does not
 * load the schemas of its answers.
 */

import * as z from 'zod/mini';
import {Instant, Localized} from './fields.ts';

/** One of the merchant's bank accounts that a shopper may pay into. */
export const bank = () =>
  z.strictObject({
    id: z.string(),
    /** Several accounts may have the same bank. */
    code: z.string(),
    /** Pages get the end of the IBAN with it if several accounts have banks of the same name. */
    name: z.string(),
    account_holder: z.string(),
    /** Without spaces. */
    iban: z.string(),
    branch_no: z.string(),
    account_no: z.string(),
    currency: z.string(),
    /** URL of the logo, which the Worker serves; null when the bank has no logo. */
    logo: z.nullable(z.string()),
    bank_no: z.string(),
    updated_at: z.nullable(Instant()),
    /** A link that opens the bank's app on a phone. Left out if the operator configured none for this bank. */
    app_url: z.optional(z.string()),
  });

/** The fields beside the banks. */
export const bankListFields = () => ({
  /** True when the platform does not answer, so that this is the last known list. */
  stale: z.boolean(),
  /** What the merchant configured about when money that is sent now will arrive; null when no rule applies now. */
  arrival: z.strictObject({same_bank: z.nullable(Localized()), other_bank: z.nullable(Localized())}),
});
