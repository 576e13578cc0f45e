import {ApiError} from '../../api-error.ts';
import type {Config} from '../../config.ts';
import {log} from '../../log.ts';

interface Returns {
  readonly redirect_url?: string | undefined;
  readonly back_url?: string | undefined;
}

/**
 * The way to the platform's hosted pages (orders 4.2, 4.4), asked for before anything is made that is of no use without.
 * @throws {ApiError} `misconfigured` where `PAYMENT_PAGE_URL` is not set.
 */
export function hostedPages({hostedUrl}: Config): (path: '/phs/banks/' | '/phs/yonlendir/', code: string, returns: Returns) => string {
  if (hostedUrl === null) {
    log('error', 'misconfigured', {names: ['PAYMENT_PAGE_URL']});
    throw new ApiError('misconfigured');
  }
  return (path, code, {redirect_url, back_url}) => {
    const url = new URL(`${hostedUrl}${path}${encodeURIComponent(code)}`);
    if (redirect_url !== undefined) url.searchParams.set('redirect', redirect_url);
    if (back_url !== undefined) url.searchParams.set('backUrl', back_url);
    return url.href;
  };
}
