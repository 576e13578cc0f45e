// @ts-check
// Compares the throughput of two Workers that run in the same workerd. Each Worker gets every second round, so other
// work on the machine slows both alike. Each round of one Worker and the next round of the other give one ratio. The
// result is the median of these ratios.

import http from 'node:http';
import {median} from './bench.mjs';

/** @typedef {{port: number, path: string, method?: string, headers?: Record<string, string>, body?: string}} Call */
/** @typedef {{perSecond: number, p50: number}} Load */
/** @typedef {{vezne: Load, other: Load, ratio: number, addedMs: number}} Comparison */

export class WorkerComparison {
  #agent;

  /** @param {{rounds: number, requests: number, maxConcurrency: number}} options */
  constructor(options) {
    this.options = options;
    this.#agent = new http.Agent({keepAlive: true, maxSockets: options.maxConcurrency});
  }

  /**
   * Sends both calls in alternating rounds. The first round of each warms up and is not counted.
   * @param {Call} vezne
   * @param {Call} other
   * @param {number} [concurrency]
   * @returns {Promise<Comparison>} Medians.
   */
  async compare(vezne, other, concurrency = this.options.maxConcurrency) {
    /** @type {{vezne: Load, other: Load}[]} */
    const pairs = [];
    for (let round = 0; round <= this.options.rounds; round += 1)
      pairs.push({vezne: await this.#load(vezne, concurrency), other: await this.#load(other, concurrency)});
    pairs.shift();
    return {
      vezne: medianLoad(pairs.map((pair) => pair.vezne)),
      other: medianLoad(pairs.map((pair) => pair.other)),
      ratio: median(pairs.map((pair) => pair.vezne.perSecond / pair.other.perSecond)),
      addedMs: median(pairs.map((pair) => pair.vezne.p50 - pair.other.p50)),
    };
  }

  /**
   * @param {Call} call
   * @returns {Promise<string>} The body of the answer. @throws if the status is not 2xx.
   */
  send({port, path, method = 'GET', headers = {}, body}) {
    return new Promise((resolve, reject) => {
      const options = {host: '127.0.0.1', port, path, method, headers, agent: this.#agent};
      const request = http.request(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(text);
          else reject(new Error(`${method} ${path} answered ${status}: ${text}`));
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }

  /**
   * @param {Call} call
   * @param {number} concurrency
   * @returns {Promise<Load>}
   */
  async #load(call, concurrency) {
    /** @type {number[]} */
    const times = [];
    let next = 0;
    const startedAt = performance.now();
    const sendAll = async () => {
      while (next++ < this.options.requests) {
        const sentAt = performance.now();
        await this.send(call);
        times.push(performance.now() - sentAt);
      }
    };
    await Promise.all(Array.from({length: concurrency}, sendAll));
    return {perSecond: (times.length * 1000) / (performance.now() - startedAt), p50: median(times)};
  }
}

/** Prints the heads of the columns that `reportComparison` fills. @param {string} other - Name of the other Worker. */
export function reportHead(other) {
  const heads = ['vezne /s', `${other} /s`, 'ratio', 'vezne p50 ms', `${other} p50 ms`, 'added ms'];
  console.log('call'.padEnd(26) + heads.map((head) => head.padStart(head.length + 3)).join(''));
}

/**
 * @param {string} name
 * @param {string} otherName
 * @param {Comparison} comparison
 */
export function reportComparison(name, otherName, {vezne, other, ratio, addedMs}) {
  const columns = /** @type {const} */ ([
    [vezne.perSecond, 11, 0],
    [other.perSecond, otherName.length + 6, 0],
    [ratio, 8, 2],
    [vezne.p50, 15, 2],
    [other.p50, otherName.length + 10, 2],
    [addedMs, 11, 2],
  ]);
  console.log(
    name.padEnd(26) + columns.map(([value, width, digits]) => value.toFixed(digits).padStart(width)).join(''),
  );
}

/** @param {Load[]} loads @returns {Load} */
function medianLoad(loads) {
  return {perSecond: median(loads.map(({perSecond}) => perSecond)), p50: median(loads.map(({p50}) => p50))};
}
