/** Schemas of texts that have a format. Each says only what the Worker needs, so it is smaller than Zod's own. */

import * as z from 'zod/mini';
import {isExistingDay} from './time.ts';

/**
 * The URL of a website. URLs with another scheme are refused, because such a URL could run code in the page. The parsed
 * URL has no white space around it and no line breaks.
 */
export const webUrl = (scheme = /^https?:\/\//i) =>
  z
    .stringFormat('url', (text) => scheme.test(text.trim()) && URL.canParse(text.trim()))
    .check(z.overwrite((text) => text.trim().replace(/[\t\n\r]/g, '')));

/** An existing date, `YYYY-MM-DD`. */
export const existingDay = (params?: {readonly abort: boolean}) =>
  z.stringFormat('date', (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isExistingDay(text), params);

/** An IPv4 or IPv6 address. The URL parser checks the text. */
export const ipAddress = () =>
  z.union([
    z.stringFormat('ipv4', (text) => /^[\d.]+$/.test(text) && URL.parse(`http://${text}`)?.hostname === text),
    z.stringFormat('ipv6', (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`)),
  ]);
