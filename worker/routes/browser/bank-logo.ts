/** Fetches a bank's logo from the address the platform's bank list gives: a public file, asked for without our credentials and past `EGRESS`. */

import {isLoopback} from '../../config/origins.ts';
import {log} from '../../lib/log.ts';
import {readBytes} from '../../platform/transport.ts';

const TYPES = new Set(['image/svg+xml', 'image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAX_BYTES = 65_536;
const DEADLINE_MS = 5_000;

export interface Logo {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Null when there is no such image, or one that is too large or of a kind we do not show; the log says why. */
export async function fetchLogo(address: string, platformUrl: string): Promise<Logo | null> {
  if (!isPublicAddress(address, platformUrl)) return failed({fault: 'address'});
  try {
    const response = await fetch(address, {redirect: 'manual', signal: AbortSignal.timeout(DEADLINE_MS)});
    const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    if (!response.ok || !TYPES.has(type)) {
      await response.body?.cancel();
      return failed({status: response.status, fault: response.ok ? 'type' : 'status'});
    }
    const bytes = await readBytes(response, MAX_BYTES);
    return bytes ? {type, bytes} : failed({fault: 'size'});
  } catch (error) {
    return failed({fault: error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'connection'});
  }
}

function failed(why: {status?: number; fault: string}): null {
  log('warn', 'logo_failed', {operation: 'bankLogo', ...why});
  return null;
}

/** The platform's own host, or any other over https. */
function isPublicAddress(address: string, platformUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.origin === new URL(platformUrl).origin || (url.protocol === 'https:' && !isLoopback(url));
}
