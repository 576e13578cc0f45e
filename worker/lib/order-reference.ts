/** References of orders that the Worker names, because the merchant's server does not. */

import {deriveText, randomText} from './crypto.ts';

/** How many characters follow `VZ`. */
const LENGTH = 16;

export const newReference = (): string => `VZ${randomText(LENGTH)}`;

/** The same text always gives the same reference, from which nobody learns the text. */
export async function derivedReference(secret: string, text: string): Promise<string> {
  return `VZ${await deriveText(secret, 'order reference', text, LENGTH)}`;
}
