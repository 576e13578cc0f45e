/**
 * The end of a day: the platform notifies the Worker of the results of refunds, while the Worker's calls to the
 * platform fail and the Worker is killed repeatedly. A notification has one result or several, in any format and any
 * order. Sometimes the platform sends the same notification twice at the same time. It repeats a notification until the
 * Worker answers `OK`, and never after that. An attacker who has seen a notification sends forged notifications, in
 * which characters have moved from one value to another so that the key still fits. The forged notifications arrive
 * before the true notification, at the same time, or mixed with true results.
 */

import {createHash} from 'node:crypto';
import {readdirSync} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as wait} from 'node:timers/promises';
import {mapConcurrent} from '../../../worker/lib/async.ts';
import {type FaultProxy, startFaultProxy} from '../../support/fault-proxy.ts';
import type {Bundles} from './bundles.ts';
import {sendRequest} from './http-request.ts';
import {IBAN, type Refund, type Fields, eventOf, toFields, forge, pick} from './refund-results.ts';
import {SandboxControls} from './sandbox-controls.ts';
import {planSandbox, planWorker} from './worker-plans.ts';
import {Workerd} from './workerd.ts';

const PRIVATE_KEYS = {
  MERCHANT_PRIVATE_KEY: 'sandbox-merchant-private-key',
  SERVICE_PRIVATE_KEYS: '{"DEMO":"sandbox-service-private-key"}',
};
const API_KEY = 'sandbox-merchant-api-key';
const CONCURRENCY = 16;

export interface RefundDayPlan {
  readonly refunds: number;
  readonly kills: number;
  /** The fraction of the Worker's calls to the platform that fail, 0 to 1. */
  readonly faults: number;
  readonly forged: number;
}

export interface RefundDayFigures {
  /** The number of notifications that were sent until all were answered `OK`. */
  readonly sent: number;
  /** Calls of the Worker that read a refund from the platform. */
  readonly calls: number;
  /** Refunds whose result the Worker answered with `OK` but did not report as an event. */
  readonly lost: number;
  /** Refunds whose result the Worker reported more than once. */
  readonly twice: number;
  /** Refunds whose reported result differs from the platform's result, or was reported before the platform had one. */
  readonly wrong: number;
  /** Refunds that changed when old notifications came again. */
  readonly changedByRepetition: number;
  /** Refunds that changed when forged notifications came. */
  readonly changedByForgery: number;
  /** The number of forged notifications that got each answer. */
  readonly answersToForgeries: Readonly<Record<string, number>>;
}

export class RefundDay {
  readonly #sandbox: Workerd;
  readonly #worker: Workerd;
  readonly #line: FaultProxy;
  readonly #platform: SandboxControls;
  #token = '';
  /** Resolves when the Worker runs again after a kill. Notifications wait for it. */
  #isBack = Promise.resolve();
  #sent = 0;

  private constructor(sandbox: Workerd, worker: Workerd, line: FaultProxy) {
    this.#sandbox = sandbox;
    this.#worker = worker;
    this.#line = line;
    this.#platform = new SandboxControls(sandbox.url('sandbox'));
  }

  static async run(bundles: Bundles, plan: RefundDayPlan): Promise<RefundDayFigures> {
    const sandbox = await Workerd.start([planSandbox('sandbox', bundles, {NOTIFY_URL: ''})]);
    const line = await startFaultProxy({target: sandbox.url('sandbox')});
    const worker = await Workerd.start([
      planWorker('worker', bundles, line.url, {...PRIVATE_KEYS, MERCHANT_API_KEY: API_KEY}),
    ]);
    try {
      return await new RefundDay(sandbox, worker, line).#run(plan);
    } finally {
      await worker.stop();
      await line.stop();
      await sandbox.stop();
    }
  }

  async #run({refunds: count, kills, faults, forged}: RefundDayPlan): Promise<RefundDayFigures> {
    const key = createHash('md5').update('123127.0.0.1sandbox-merchant-key').digest('hex');
    this.#token = String((await this.#call('/getToken', {merchant: '123', key}, {}))['token']);
    const created = await mapConcurrent(
      CONCURRENCY,
      Array.from({length: count}, (_, index) => index),
      (index) => this.#createRefund(index),
    );
    const refunds = await this.#endDay(created);
    const settled = refunds.filter(({status}) => status !== 2);

    await this.#setFaults(faults);
    await this.#notifyAll(refunds, kills);
    await this.#setFaults(0);
    const results = await this.#results();
    const after = await this.#storedRefunds();
    const sent = this.#sent;

    await mapConcurrent(CONCURRENCY, settled.slice(0, Math.ceil(count / 5)), (refund) =>
      this.#send([toFields({...refund, status: pick([1, 2, 3, 4])})]),
    );
    const repeated = await this.#storedRefunds();
    const answers: Record<string, number> = {};
    await mapConcurrent(
      CONCURRENCY,
      Array.from({length: forged}, (_, index) => index),
      async (index) => {
        const answer = await this.#send([forge(toFields(refunds[index % refunds.length] as Refund), index)]);
        answers[answer] = (answers[answer] ?? 0) + 1;
      },
    );
    return {
      sent,
      calls: this.#line.attempts('/refund/get'),
      lost: settled.filter(({id}) => !results.has(id)).length,
      twice: settled.filter(({id}) => (results.get(id)?.length ?? 0) > 1).length,
      wrong:
        settled.filter((refund) => results.has(refund.id) && results.get(refund.id)?.[0] !== eventOf(refund)).length +
        refunds.filter(({id, status}) => status === 2 && results.has(id)).length,
      changedByRepetition: countChanged(after, repeated),
      changedByForgery: countChanged(repeated, await this.#storedRefunds()),
      answersToForgeries: answers,
    };
  }

  /** Creates a paid order and its refund: one in five through the Worker, the others directly at the platform. */
  async #createRefund(index: number): Promise<Omit<Refund, 'status'>> {
    const order = `S-${index}`;
    const amount = pick(['149.90', '100.00', '0.50', '1250.05', '99.9', '7']);
    const {order: code} = await this.#call('/orderToReference/create', {code: 'DEMO', order, amount});
    await this.#platform.control('transfers', {order_code: code, bank: 'garanti', amount});
    if (index % 5 === 0) {
      const body = JSON.stringify({service: 'DEMO', order, amount, contact: {name: 'Ayşe Yılmaz', iban: IBAN}});
      const {text} = await sendRequest(`${this.#worker.url('worker')}/merchant/v1/refunds`, {
        headers: {authorization: `Bearer ${API_KEY}`, 'idempotency-key': order, 'content-type': 'application/json'},
        body,
      });
      return {id: (JSON.parse(text) as {id: string}).id, code: String(code), order, amount};
    }
    const {refund_id: id} = await this.#call('/refund/create', {
      code: 'DEMO',
      order,
      amount,
      'contact[name]': 'Ayşe Yılmaz',
      'contact[iban]': IBAN,
    });
    return {id: String(id), code: String(code), order, amount};
  }

  /** Ends the day at the platform: most refunds succeed, some fail, and one in ten has no result yet. */
  async #endDay(created: readonly Omit<Refund, 'status'>[]): Promise<Refund[]> {
    const refunds = created.map((refund, index) =>
      Object.assign({status: index % 10 === 9 ? 2 : index % 7 === 0 ? 4 : 3}, refund),
    );
    const outcomes = Object.fromEntries(refunds.filter(({status}) => status !== 3).map(({id, status}) => [id, status]));
    await this.#platform.control('day-end', {notify: 'post', outcomes});
    return refunds;
  }

  /** Lets this fraction of the Worker's calls fail. Four faults together add up to the fraction. */
  async #setFaults(fraction: number): Promise<void> {
    await this.#line.set(null);
    await this.#platform.heal();
    if (fraction === 0) return;
    const rate = 1 - (1 - fraction) ** (1 / 4);
    await this.#line.set('reset-before', {match: '/refund/', rate});
    await this.#line.set('reset-after', {match: '/refund/g', rate});
    await this.#line.set('truncated', {match: '/refund/get', rate});
    for (const operation of ['/refund/get', '/refund/getByOrder'])
      await this.#platform.fault(operation, {kind: '500-html', rate});
  }

  async #notifyAll(refunds: readonly Refund[], kills: number): Promise<void> {
    const notifications = groupIntoNotifications(shuffled(refunds));
    let done = 0;
    let killed = 0;
    const killing = (async () => {
      while (killed < kills) {
        await wait(50);
        if (done < ((killed + 0.5) / kills) * notifications.length) continue;
        killed += 1;
        await this.#killWorker();
      }
    })();
    await mapConcurrent(CONCURRENCY, notifications, async (group) => {
      const fields = group.map((refund) => toFields(refund));
      if (Math.random() < 0.3) {
        const forged = fields.flatMap((result) => [6, 7, 8].map((kind) => forge(result, kind)));
        await this.#send(forged);
        void this.#send(shuffled([...forged, ...fields])).catch(() => {});
      }
      // An earlier notification that arrives late: it has a different status but the same key.
      if (Math.random() < 0.2)
        void this.#send(fields.map((result) => Object.assign({}, result, {status: pick([1, 2])}))).catch(() => {});
      // Some notifications are sent twice at the same time. The slower copy may arrive after this wait has ended.
      await Promise.any(Array.from({length: Math.random() < 0.3 ? 2 : 1}, () => this.#sendUntilOk(fields)));
      done += 1;
    });
    await killing;
  }

  async #killWorker(): Promise<void> {
    const isBack = Promise.withResolvers<void>();
    this.#isBack = isBack.promise;
    await this.#worker.kill();
    await this.#worker.restart();
    isBack.resolve();
  }

  /** Sends a notification until the Worker answers `OK`. */
  async #sendUntilOk(fields: readonly Fields[]): Promise<void> {
    for (let tries = 0; tries < 500; tries += 1) {
      if ((await this.#send(shuffled(fields))) === '200 OK') return;
      await wait(100 + Math.random() * 400);
    }
    throw new Error('The Worker has not answered OK in 500 attempts.');
  }

  /**
   * Sends results in a random format. Returns the status and text of the answer, or `killed` if there was no answer.
   */
  async #send(fields: readonly Fields[]): Promise<string> {
    await this.#isBack;
    const hook = `${this.#worker.url('worker')}/hooks/refund-result`;
    const [first = {}] = fields;
    const form = String(
      new URLSearchParams(Object.entries(first).map(([name, value]): [string, string] => [name, String(value)])),
    );
    const json = {'content-type': 'application/json'};
    const formats = [
      () => sendRequest(hook, {headers: json, body: JSON.stringify(fields)}),
      () => sendRequest(hook, {headers: json, body: JSON.stringify({data: fields})}),
      ...(fields.length > 1
        ? []
        : [
            () => sendRequest(`${hook}?${form}`),
            () => sendRequest(hook, {headers: {'content-type': 'application/x-www-form-urlencoded'}, body: form}),
            () => sendRequest(hook, {headers: json, body: JSON.stringify(first)}),
          ]),
    ];
    this.#sent += 1;
    try {
      const {status, text} = await pick(formats)();
      return `${status} ${text.length < 20 ? text : ''}`;
    } catch {
      return 'killed';
    }
  }

  /** The types of the events that report a result, by refund. */
  async #results(): Promise<Map<string, string[]>> {
    const results = new Map<string, string[]>();
    let query = '';
    for (let more = true; more;) {
      const {text} = await sendRequest(`${this.#worker.url('worker')}/merchant/v1/events${query}`, {
        headers: {authorization: `Bearer ${API_KEY}`},
      });
      const page = JSON.parse(text) as {
        items: {type: string; data: {refund_id: string}}[];
        next_cursor: string;
        more: boolean;
      };
      for (const {type, data} of page.items) {
        if (type === 'refund.settled' || type === 'refund.failed')
          results.set(data.refund_id, [...(results.get(data.refund_id) ?? []), type]);
      }
      query = `?cursor=${page.next_cursor}`;
      ({more} = page);
    }
    return results;
  }

  /** Every refund as stored on disk: JSON by id. The Worker is stopped during the read, so that it does not write. */
  async #storedRefunds(): Promise<Map<string, string>> {
    await this.#worker.kill();
    const folder = path.join(this.#worker.folder, 'storage', 'worker-Refunds');
    const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)) ?? '';
    const database = new DatabaseSync(path.join(folder, file));
    const rows = database.prepare('SELECT id, service, "order", amount, status, state, event_count FROM refunds').all();
    database.close();
    await this.#worker.restart();
    return new Map(rows.map((row) => [String(row['id']), JSON.stringify(row)]));
  }

  /** Calls the platform directly, without the Worker and the fault proxy. */
  async #call(
    operation: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {merchant: '123', token: this.#token},
  ): Promise<Record<string, unknown>> {
    const {text} = await sendRequest(`${this.#sandbox.url('sandbox')}/phs${operation}`, {
      headers: {...headers, 'content-type': 'application/x-www-form-urlencoded'},
      body: String(new URLSearchParams(fields)),
    });
    const answer = JSON.parse(text) as Record<string, unknown>;
    if (answer['status'] !== '000') throw new Error(`${operation}: ${text}`);
    return answer;
  }
}

function countChanged(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): number {
  return [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id)).length;
}

/** Groups refunds into notifications of one refund or up to ten. */
function groupIntoNotifications(refunds: readonly Refund[]): Refund[][] {
  const rest = [...refunds];
  const groups: Refund[][] = [];
  while (rest.length > 0) groups.push(rest.splice(0, Math.random() < 0.7 ? 1 : 2 + Math.floor(Math.random() * 9)));
  return groups;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
