/**
 * A day of refunds and cancellations by the relay, over lines that leave their outcomes open, to a Worker that is killed:
 * what the merchant was told of each, and what was done at the platform. The Worker runs in a workerd that sends a GET again
 * when a connection it had used before dies under it.
 */

import {createHash} from 'node:crypto';
import {setTimeout as wait} from 'node:timers/promises';
import type {Command} from '../../../worker/contract/merchant/commands.ts';
import {mapConcurrent} from '../../../worker/lib/async.ts';
import {QUOTA_NAMES} from '../../../worker/platform/quotas.ts';
import {runRelay} from '../../relay/support/relay-process.ts';
import {SECRET} from '../../relay/support/secret.ts';
import {type FaultProxy, startFaultProxy} from '../../support/fault-proxy.ts';
import type {Bundles} from './bundles.ts';
import {type HttpResponse, sendRequest} from './http-request.ts';
import {SandboxControls} from './sandbox-controls.ts';
import {planSandbox, planWorker} from './worker-plans.ts';
import {WORKERD_NEXT} from './workerd-next.ts';
import {Workerd} from './workerd.ts';

const API_KEY = 'sandbox-merchant-api-key';
const IBAN = 'TR330006100519786457841326';
const LANES = 48;
const POLL_MS = 5_000;
/** Where commands are sent. Two thirds of what fails is lost behind the relay, and was carried out; the rest on the way to it, on a connection that died. */
const SENT_TO = ['/refund/create', '/transaction/refund', '/subscription/cancel'];

export interface CommandDayPlan {
  readonly commands: number;
  readonly kills: number;
  /** Share of the commands whose answer is lost. */
  readonly faults: number;
  /** How long they are waited for who are still looked for when the line is whole again. */
  readonly patienceMs: number;
}

export interface CommandDayFigures {
  /** How many questions to the relay died on a connection that was used before, reads among them, and how often the platform met a used one. */
  readonly died: number;
  readonly reused: number;
  /** How many answers to commands were lost, and how many commands were told as done in the first answer. */
  readonly spoiled: number;
  readonly doneAtOnce: number;
  /** Those that were open in the first answer: how many were told as done since, or as not done, and how many stand on the list. */
  readonly open: number;
  readonly doneLater: number;
  readonly notDone: number;
  readonly listed: number;
  /** Broken promises: done twice or sent twice; told as done and not done, or the other way; open and not listed; anything else. */
  readonly twice: number;
  readonly wrong: number;
  readonly lost: number;
  readonly other: Readonly<Record<string, number>>;
}

interface Order {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  /** Part of the address of the platform's operation that names it; none where it is told in a body. */
  readonly sentTo: string | null;
  /** How often it was done. */
  readonly effects: () => Promise<number>;
}

export class CommandDay {
  readonly #sandbox: string;
  readonly #worker: Workerd;
  /** From the Worker to the relay. Connections are kept, and what is asked for does not show. */
  readonly #near: FaultProxy;
  /** From the relay to the platform. */
  readonly #far: FaultProxy;
  readonly #platform: SandboxControls;
  #token = '';
  #answered = 0;
  #spoiled = 0;
  /** The Worker is away: who asks waits. */
  #back = Promise.resolve();

  private constructor(sandbox: string, worker: Workerd, near: FaultProxy, far: FaultProxy) {
    this.#sandbox = sandbox;
    this.#worker = worker;
    this.#near = near;
    this.#far = far;
    this.#platform = new SandboxControls(sandbox);
  }

  static async run(bundles: Bundles, plan: CommandDayPlan): Promise<CommandDayFigures> {
    const sandbox = await Workerd.start([planSandbox('sandbox', bundles, {SANDBOX_LIMITS: 'null'})]);
    const far = await startFaultProxy({target: sandbox.url('sandbox')});
    const addresses = {PHS_URL: `${far.url}/phs`, MICROPAYMENT_URL: `${far.url}/micropayment`};
    const relay = await runRelay({RELAY_SECRET: SECRET, ...addresses});
    const near = await startFaultProxy({target: relay.url});
    const plans = [
      planWorker('worker', bundles, far.url, {
        ...addresses,
        EGRESS: 'relay',
        RELAY_URL: near.url,
        RELAY_SECRET: SECRET,
        SERVICES: '{"DEMO":{"micropaymentId":1}}',
        QUOTAS: JSON.stringify(Object.fromEntries(QUOTA_NAMES.map((name) => [name, null]))),
        MERCHANT_API_KEY: API_KEY,
      }),
    ];
    const worker = await Workerd.start(plans, WORKERD_NEXT);
    try {
      return await new CommandDay(sandbox.url('sandbox'), worker, near, far).#run(plan);
    } finally {
      await worker.stop();
      await near.stop();
      await relay.end('SIGKILL');
      await far.stop();
      await sandbox.stop();
    }
  }

  async #run({commands: count, kills, faults, patienceMs}: CommandDayPlan): Promise<CommandDayFigures> {
    const key = createHash('md5').update('123127.0.0.1sandbox-merchant-key').digest('hex');
    this.#token = String((await this.#call('/getToken', {merchant: '123', key}))['token']);
    const orders = await mapConcurrent(
      LANES,
      Array.from({length: count}, (_, index) => index),
      (index) => this.#prepare(index),
    );

    for (const match of SENT_TO) await this.#far.set(['reset-after', 'silent-after'], {match, rate: (faults * 2) / 3});
    await this.#near.set(['reset-before', 'reset-after'], {rate: (faults / 3) * 1.3, reused: true});
    const killed = this.#killNowAndThen(count, kills);
    const first = await mapConcurrent(LANES, orders, (order) => this.#submit(order));
    await killed;
    this.#spoiled = this.#worker.logLines().filter(({event}) => event === 'command_unknown').length;
    await this.#near.set(null);
    await this.#far.set(null);

    const until = Date.now() + patienceMs;
    while (Date.now() < until && (await this.#listUnknown()).length > 0) await wait(POLL_MS);
    const later = await mapConcurrent(LANES, orders, (order) => this.#submit(order));
    const unknown = new Set((await this.#listUnknown()).map(({id}) => id));
    return this.#judge(orders, first, later, unknown);
  }

  async #judge(
    orders: readonly Order[],
    first: readonly HttpResponse[],
    later: readonly HttpResponse[],
    unknown: ReadonlySet<string>,
  ): Promise<CommandDayFigures> {
    const died = this.#near.faultCount('reset-before') + this.#near.faultCount('reset-after');
    const figures = {
      died,
      reused: this.#far.reused,
      spoiled: this.#spoiled,
      doneAtOnce: 0,
      open: 0,
      doneLater: 0,
      notDone: 0,
      listed: 0,
      twice: 0,
      wrong: 0,
      lost: 0,
    };
    const other: Record<string, number> = {};
    await mapConcurrent(LANES, [...orders.entries()], async ([index, order]) => {
      const before = first[index] as HttpResponse;
      let after = later[index] as HttpResponse;
      // What was found out since is not on the list any more.
      if (isOpen(after) && !unknown.has(commandIn(after))) after = await this.#submit(order);
      const effects = await order.effects();
      if (effects > 1 || (order.sentTo !== null && this.#far.attempts(order.sentTo) > 1)) figures.twice += 1;
      if (before.status < 300) figures.doneAtOnce += 1;
      else figures.open += 1;
      if (after.status < 300) {
        if (before.status >= 300) figures.doneLater += 1;
        if (effects !== 1) figures.wrong += 1;
      } else if (isOpen(after)) {
        if (unknown.has(commandIn(after))) figures.listed += 1;
        else figures.lost += 1;
      } else {
        const {code} = JSON.parse(after.text) as {code?: string};
        if (code === 'not_done') figures.notDone += 1;
        else other[code ?? after.status] = (other[code ?? after.status] ?? 0) + 1;
        if (effects !== 0) figures.wrong += 1;
      }
    });
    return {...figures, other};
  }

  /** One refund of a transfer, of a charge, or cancellation; of a marketplace's order, which may have several refunds. */
  async #prepare(index: number): Promise<Order> {
    const key = `day-${index}`;
    if (index % 5 < 2) {
      const order = `S-${index}`;
      const fields = {code: 'DEMO', order, amount: '149.90', payout: '140.00', sub_merchant_id: '7', fee: '2.00'};
      const {order: code} = await this.#call('/orderToReference/create', fields);
      await this.#platform.control('transfers', {order_code: code, bank: 'garanti', amount: '149.90'});
      const effects = async () => ((await this.#call('/refund/getByOrder', {order}))['data'] as unknown[]).length;
      return {
        key,
        path: 'refunds',
        body: {service: 'DEMO', order, amount: '9.90', contact: {name: 'Deniz Örnek', iban: IBAN}},
        sentTo: null,
        effects,
      };
    }
    const msisdn = String(5_320_000_000 + index);
    const {subscription_id: id} = (await this.#platform.control('subscriptions', {msisdn})) as {
      subscription_id: number;
    };
    const shown = async () =>
      (
        (await this.#platform.control(`subscriptions?msisdn=${msisdn}`)) as {
          subscriptions: [{status: string; charges: [{charge_id: number; status: number}]}];
        }
      ).subscriptions[0];
    if (index % 5 === 2) {
      const {
        charges: [{charge_id: charge}],
      } = await shown();
      const effects = async () => Number((await shown()).charges[0].status === 6);
      return {
        key,
        path: `charges/DEMO/${charge}/refund`,
        body: {},
        sentTo: `/transaction/refund/123/1/${charge}`,
        effects,
      };
    }
    const effects = async () => Number((await shown()).status === 'cancelled');
    return {
      key,
      path: `subscriptions/DEMO/${id}/cancel`,
      body: {},
      sentTo: `/subscription/cancel/123/1/${id}`,
      effects,
    };
  }

  /** Asks under one key until there is an answer that says something of the command. */
  async #submit({key, path, body}: Order): Promise<HttpResponse> {
    for (;;) {
      await this.#back;
      try {
        const answer = await this.#ask(
          path,
          {'idempotency-key': key, 'content-type': 'application/json'},
          JSON.stringify(body),
        );
        if (answer.status !== 429 && answer.status !== 503) {
          this.#answered += 1;
          return answer;
        }
        await wait(1000 * Number(answer.headers['retry-after'] ?? 1));
      } catch {
        // The Worker was killed.
        await wait(20);
      }
    }
  }

  async #killNowAndThen(count: number, kills: number): Promise<void> {
    for (let kill = 1; kill <= kills; kill += 1) {
      while (this.#answered < (count * kill) / (kills + 1)) await wait(10);
      const back = Promise.withResolvers<void>();
      this.#back = back.promise;
      await this.#worker.kill();
      await this.#worker.startAgain();
      back.resolve();
    }
  }

  async #listUnknown(): Promise<Command[]> {
    const found: Command[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const {status, text}: HttpResponse = await this.#ask(
        `commands?state=unknown${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        {},
      );
      if (status !== 200) throw new Error(`The list of what is unknown: ${status} ${text}`);
      const page = JSON.parse(text) as {items: Command[]; next_cursor: string | null};
      found.push(...page.items);
      cursor = page.next_cursor;
    }
    return found;
  }

  #ask(path: string, headers: Record<string, string>, body?: string): Promise<HttpResponse> {
    return sendRequest(`${this.#worker.url('worker')}/merchant/v1/${path}`, {
      headers: {authorization: `Bearer ${API_KEY}`, ...headers},
      body,
    });
  }

  /** The merchant's own call of the platform, past Worker and line. */
  async #call(operation: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(this.#token && {merchant: '123', token: this.#token}),
    };
    const {text} = await sendRequest(`${this.#sandbox}/phs${operation}`, {
      headers,
      body: new URLSearchParams(fields).toString(),
    });
    return JSON.parse(text) as Record<string, unknown>;
  }
}

function isOpen({text}: HttpResponse): boolean {
  return text.includes('"outcome_unknown"');
}

function commandIn({text}: HttpResponse): string {
  return (JSON.parse(text) as {command?: string}).command ?? '';
}
