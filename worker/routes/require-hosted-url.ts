import type {Config} from '../config/config.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';

/**
 * Where the platform's hosted pages are, asked for before anything is made that is of no use without.
 * @throws {ApiError} `misconfigured` where `PAYMENT_PAGE_URL` is not set.
 */
export function requireHostedUrlForPage({hostedUrl}: Config): string {
  if (hostedUrl !== null) return hostedUrl;
  log('error', 'misconfigured', {names: ['PAYMENT_PAGE_URL']});
  throw new ApiError('misconfigured');
}
