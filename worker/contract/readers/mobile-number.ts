/**
 * Reads mobile numbers. In code a Turkish one has ten digits, of which the first is 5; people write it in many forms,
 * which `test/worker/contract/readers/spellings.ts` lists.
 */

import {compactText} from './characters.ts';

/** Without the words and signs before a number, such as `tel:` and `GSM:`, and without all marks between its digits. */
function compactNumber(text: string): string {
  return compactText(text)
    .replace(/[()[\]./~·]/g, '')
    .replace(/^[\p{L}\p{So}:]+(?=[+\d])/u, '');
}

/** A Turkish mobile number as the platform writes it. */
export const MSISDN = /^5\d{9}$/;

/** The ten places of a Turkish mobile number, of which some may be masked with `*`. */
function readPlaces(text: string): string | undefined {
  return /^(?:(?:\+|00)?90)?0?(5[\d*]{9})$/.exec(compactNumber(text))?.[1];
}

/**
 * `0532 123 45 67`, `+90 (0532) 123-45-67`, `00905321234567` → `5321234567`. Returns undefined if the text is no
 * Turkish mobile number.
 */
export function readMsisdn(text: string): string | undefined {
  const places = readPlaces(text);
  return places?.includes('*') ? undefined : places;
}

/**
 * Reads a Turkish mobile number as ten digits, and a number of another country as `+4915112345678`. Returns undefined
 * for anything else, such as a Turkish number that is not mobile.
 */
export function readPhone(text: string): string | undefined {
  return readMsisdn(text) ?? /^\+(?!90)[1-9]\d{6,14}$/.exec(compactNumber(text))?.[0];
}

/**
 * Masks a number as `532*****67`: enough for its owner to recognize it. The number may be masked already, with `*`, `X`
 * or `•`, and may have any form that `readMsisdn` reads. Returns null for anything else.
 */
export function maskMsisdn(text: string): string | null {
  const places = readPlaces(text.replace(/[Xx•]/g, '*'));
  return places === undefined ? null : `${places.slice(0, 3)}*****${places.slice(8)}`;
}

/** Returns a copy of the record with its number masked. A number that cannot be masked becomes null. */
export function withMaskedMsisdn<T extends {readonly msisdn: string | null}>(record: T): T {
  const {msisdn} = record;
  return {...record, msisdn: msisdn === null ? null : maskMsisdn(msisdn)};
}
