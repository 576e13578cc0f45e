import {encodeForm} from './form.ts';
import type {Family} from './interface.ts';
import {readStatusEnvelope} from './status-envelope.ts';

/** Orders 1 and 5: a form with brackets, and the headers `merchant` and `token`. */
export function phsFamily({baseUrl, merchantId}: {readonly baseUrl: string; readonly merchantId: string}): Family {
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
