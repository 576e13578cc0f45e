import {parsePlatformTime} from '../lib/time.ts';
import {parseObject} from '../platform/reply-json.ts';

/** When mobile billing gave a reply (subscriptions 2.1), as epoch milliseconds; NaN where it does not say. Three spellings were seen. */
export function readResponseTime(text: string): number {
  const {responseTime, responsetime, respnseTime} = (parseObject(text)?.['response'] ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const time = String(responseTime ?? responsetime ?? respnseTime ?? '');
  return (/^\d{12,14}$/.test(time) ? Number(time) : parsePlatformTime(time)) ?? Number.NaN;
}
