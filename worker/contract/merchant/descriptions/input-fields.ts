/**
 * Descriptions and examples of input fields. They are not in the rows, because the Worker does not need them. This file
 * adds them to zod's registry, where the generators of the API's description and of the client's types find them.
 */

import * as z from 'zod';
import * as fields from '../fields.ts';

interface FieldText {
  /** The name of one option of a union. */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: unknown[];
  readonly deprecated?: boolean;
}

/** Adds a description to each of the named schemas, such as the fields of an input. */
export function describeFields<S extends object>(
  schemas: S,
  texts: {readonly [N in keyof S]?: S[N] extends z.ZodType ? FieldText : never},
): void {
  for (const name of Object.keys(texts) as (keyof S & string)[]) {
    const schema = schemas[name] as z.ZodType;
    if (z.globalRegistry.has(schema))
      throw new Error(`The schema of ${name} already has a description, because another field uses it too.`);
    z.globalRegistry.add(schema, {...texts[name]});
  }
}

/** Adds the description of a field `limit`. */
export function describeLimit(limit: z.ZodOptional, max: number): void {
  z.globalRegistry.add(limit.unwrap() as z.ZodType, {
    description: `Number of items per page, at most ${max}.`,
    examples: [50],
  });
}

describeFields(fields, {
  Amount: {
    description: 'Decimal text in lira with at most two places, from 0.01 to 99999999.99.',
    examples: ['149.90'],
  },
  AmountOrZero: {description: 'Decimal text in lira with at most two places, at most 99999999.99.', examples: ['9.90']},
  Id: {description: 'One of the platform’s ids. It is text, because ids may exceed 2^53.', examples: ['77001']},
  Service: {description: 'Service code, as in `SERVICES`.', examples: ['DEMO']},
  BillingService: {description: 'Service code, or the service’s numeric id in mobile billing.', examples: ['DEMO']},
  Order: {description: 'The merchant’s reference for the order.', examples: ['S-1009']},
  NewOrder: {
    description: 'The merchant’s reference for the order. It has no control characters.',
    examples: ['S-1009'],
  },
  Msisdn: {description: 'Mobile number: ten digits beginning with 5.', examples: ['5321234567']},
  Operator: {description: 'Mobile operator, 1 to 7.', examples: [1]},
  Product: {description: 'Id of a product of the landing interface.', examples: [77]},
  Day: {description: 'A date in Turkey, formatted `YYYY-MM-DD`.', examples: ['2026-11-21']},
  Instant: {description: 'ISO 8601 with an offset, to the second.', examples: ['2026-11-21T15:42:00+03:00']},
  Url: {examples: ['https://shop.example/thanks']},
  Iban: {
    description: 'A Turkish IBAN with correct check digits. Spaces are accepted.',
    examples: ['TR330006100519786457841326'],
  },
  Cursor: {
    description:
      '`next_cursor` of the previous page. All other fields must be the same as in the request for that page.',
    examples: ['MS41MC5hYmNkZWY'],
  },
});
