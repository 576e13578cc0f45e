import {readStatusEnvelope} from './envelope.ts';
import type {PlatformInterface} from './interface.ts';

/** Orders 1 and 5: a form with brackets, and the headers `merchant` and `token`. */
export function phsInterface({
  baseUrl,
  merchantId,
}: {
  readonly baseUrl: string;
  readonly merchantId: string;
}): PlatformInterface {
  return {
    request({method, path}, input, token) {
      const form = encodeForm(input);
      const headers: Record<string, string> = token === null ? {} : {merchant: merchantId, token};
      const url = `${baseUrl}${path}`;
      if (method === 'POST') return {url, method, headers, body: form};
      return {url: form.size > 0 ? `${url}?${form}` : url, method, headers};
    },
    read: readStatusEnvelope,
  };
}

/** Orders 1: nested fields use brackets (`Transaction[startDate]`), a list repeats `field[]`. */
export function encodeForm(input: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) append(form, name, value);
  return form;
}

function append(form: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (Array.isArray(value)) for (const item of value) append(form, `${name}[]`, item);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) append(form, `${name}[${key}]`, item);
  } else form.append(name, String(value));
}
