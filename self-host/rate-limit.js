// @ts-check
// What a rate-limit binding is on the edge: counts by key in whole windows, in memory, for one process.

import {WorkerEntrypoint} from 'cloudflare:workers';

/** @typedef {{LIMIT: number, PERIOD_SECONDS: number}} Env */

let window = 0;
/** @type {Map<string, number>} */
let counts = new Map();

/** @extends {WorkerEntrypoint<Env>} */
export class RateLimit extends WorkerEntrypoint {
  /** @param {{key: string}} of @returns {{success: boolean}} */
  limit({key}) {
    const now = Math.floor(Date.now() / 1000 / this.env.PERIOD_SECONDS);
    if (now !== window) [window, counts] = [now, new Map()];
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return {success: count <= this.env.LIMIT};
  }
}

export default {
  /** Nobody asks it by HTTP. */
  fetch: () => new Response(null, {status: 404}),
};
