// @ts-check
// Reads what a server answers, within bounds of size and time, because pages and servers of others may send anything.

/** The largest text that is read, after decompression. */
const MAX_BYTES = 2_000_000;

/** @typedef {{url: string, status: number, ok: boolean, headers: Headers, text: string}} Answer */

/** A reason why there is no answer. Its message completes "It cannot be read: …". */
export class Unreadable extends Error {}

/**
 * @param {URL} url
 * @param {{method?: string, body?: string, headers?: Record<string, string>, redirect?: RequestRedirect, timeoutMs?: number, maxBytes?: number}} [options]
 *   The time includes the body.
 * @returns {Promise<Answer>} Throws `Unreadable`.
 */
export async function readText(url, {timeoutMs = 10_000, maxBytes = MAX_BYTES, ...init} = {}) {
  try {
    const response = await fetch(url, {...init, signal: AbortSignal.timeout(timeoutMs)});
    const {status, ok, headers} = response;
    return {url: response.url, status, ok, headers, text: await readBody(response, maxBytes)};
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(reasonOf(error, timeoutMs));
  }
}

/** @param {Response} response @param {number} maxBytes */
async function readBody({body}, maxBytes) {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Unreadable(`the answer is larger than ${maxBytes / 1e6} MB`);
    text += decoder.decode(chunk, {stream: true});
  }
  return text + decoder.decode();
}

/** The system's error code, such as ECONNREFUSED. @param {unknown} error @param {number} timeoutMs */
function reasonOf(error, timeoutMs) {
  if (!(error instanceof Error)) return 'no connection';
  if (error.name === 'TimeoutError') return `no whole answer within ${timeoutMs / 1000} s`;
  return error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : 'no connection';
}

/** The same, read as JSON; undefined if it is none. @param {Answer} answer @returns {any} */
export function toJson({text}) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
