/**
 * Sends refunds and cancellations to a Worker that calls the platform through a relay, while connections fail and the
 * Worker is killed repeatedly. Compares the Worker's answers to the merchant with what the platform did. The Worker
 * runs in a workerd that repeats a GET when a kept-alive connection breaks.
 */

import {createHash} from 'node:crypto';
import {setTimeout as wait} from 'node:timers/promises';
import type {Command} from '../../../worker/contract/merchant/commands.ts';
import {mapConcurrent} from '../../../worker/lib/async.ts';
import {QUOTA_NAMES} from '../../../worker/platform/quota-limits.ts';
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
const CONCURRENCY = 48;
const POLL_MS = 5_000;
/** Parts of the platform's paths for commands. */
const COMMAND_PATHS = ['/refund/create', '/transaction/refund', '/subscription/cancel'];

export interface CommandDayPlan {
  readonly commands: number;
  readonly kills: number;
  /**
   * The fraction of commands whose answer is lost, 0 to 1. Two thirds of these failures happen between relay and
   * platform, after the platform has executed the command. One third happens between Worker and relay, on a kept-alive
   * connection that breaks.
   */
  readonly faults: number;
  /** How long to wait, after the connections work again, until no outcome is unknown. */
  readonly patienceMs: number;
}

export interface CommandDayFigures {
  /** Requests to the relay, reads included, that failed because a kept-alive connection broke. */
  readonly broken: number;
  /** Requests that reached the platform on a connection that had carried a request before. */
  readonly reused: number;
  /** Commands whose answer from the platform was lost. */
  readonly lostAnswers: number;
  /** Commands that the first answer reported as done. */
  readonly doneAtFirst: number;
  /** Commands whose outcome the first answer left unknown. The next three fields say what became of them. */
  readonly unknownAtFirst: number;
  readonly doneLater: number;
  readonly notDone: number;
  /** Commands whose outcome is unknown at the end, and which are on the list of unknown commands. */
  readonly listed: number;
  /** Commands that were done or sent more than once. Must be 0. */
  readonly twice: number;
  /** Commands that were reported as done but not done, or the reverse. Must be 0. */
  readonly wrong: number;
  /** Commands with an unknown outcome that are not on the list of unknown commands. Must be 0. */
  readonly unlisted: number;
  /** Other error codes, by count. */
  readonly other: Readonly<Record<string, number>>;
}

/** A command that the merchant sends, and how to check its effect. */
interface TestCommand {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  /** The path at the platform that identifies the command; null if the body identifies it. */
  readonly platformPath: string | null;
  /** How often the platform has executed the command. */
  readonly effects: () => Promise<number>;
}

export class CommandDay {
  readonly #sandbox: string;
  readonly #worker: Workerd;
  /** Between Worker and relay. Connections are kept alive, and the paths of the platform are not visible. */
  readonly #beforeRelay: FaultProxy;
  /** Between relay and platform. */
  readonly #behindRelay: FaultProxy;
  readonly #platform: SandboxControls;
  #token = '';
  #answered = 0;
  #lostAnswers = 0;
  /** Resolves when the Worker runs again after a kill. Requests wait for it. */
  #isBack = Promise.resolve();

  private constructor(sandbox: string, worker: Workerd, beforeRelay: FaultProxy, behindRelay: FaultProxy) {
    this.#sandbox = sandbox;
    this.#worker = worker;
    this.#beforeRelay = beforeRelay;
    this.#behindRelay = behindRelay;
    this.#platform = new SandboxControls(sandbox);
  }

  static async run(bundles: Bundles, plan: CommandDayPlan): Promise<CommandDayFigures> {
    const sandbox = await Workerd.start([planSandbox('sandbox', bundles, {SANDBOX_LIMITS: 'null'})]);
    const behindRelay = await startFaultProxy({target: sandbox.url('sandbox')});
    const addresses = {PHS_URL: `${behindRelay.url}/phs`, MICROPAYMENT_URL: `${behindRelay.url}/micropayment`};
    const relay = await runRelay({RELAY_SECRET: SECRET, ...addresses});
    const beforeRelay = await startFaultProxy({target: relay.url});
    const plans = [
      planWorker('worker', bundles, behindRelay.url, {
        ...addresses,
        EGRESS: 'relay',
        RELAY_URL: beforeRelay.url,
        RELAY_SECRET: SECRET,
        SERVICES: '{"DEMO":{"micropaymentId":1}}',
        QUOTAS: JSON.stringify(Object.fromEntries(QUOTA_NAMES.map((name) => [name, null]))),
        MERCHANT_API_KEY: API_KEY,
      }),
    ];
    const worker = await Workerd.start(plans, WORKERD_NEXT);
    try {
      return await new CommandDay(sandbox.url('sandbox'), worker, beforeRelay, behindRelay).#run(plan);
    } finally {
      await worker.stop();
      await beforeRelay.stop();
      await relay.end('SIGKILL');
      await behindRelay.stop();
      await sandbox.stop();
    }
  }

  async #run({commands: count, kills, faults, patienceMs}: CommandDayPlan): Promise<CommandDayFigures> {
    const key = createHash('md5').update('123127.0.0.1sandbox-merchant-key').digest('hex');
    this.#token = String((await this.#call('/getToken', {merchant: '123', key}))['token']);
    const commands = await mapConcurrent(
      CONCURRENCY,
      Array.from({length: count}, (_, index) => index),
      (index) => this.#prepare(index),
    );
    await this.#waitForRelay();

    for (const match of COMMAND_PATHS)
      await this.#behindRelay.set(['reset-after', 'silent-after'], {match, rate: (faults * 2) / 3});
    await this.#beforeRelay.set(['reset-before', 'reset-after'], {rate: (faults / 3) * 1.3, reused: true});
    const killed = this.#killRepeatedly(count, kills);
    const first = await mapConcurrent(CONCURRENCY, commands, (command) => this.#submit(command));
    await killed;
    this.#lostAnswers = this.#worker.logLines().filter(({event}) => event === 'command_unknown').length;
    await this.#beforeRelay.set(null);
    await this.#behindRelay.set(null);

    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline && (await this.#listUnknown()).length > 0) await wait(POLL_MS);
    const later = await mapConcurrent(CONCURRENCY, commands, (command) => this.#submit(command));
    const unknown = new Set((await this.#listUnknown()).map(({id}) => id));
    return this.#count(commands, first, later, unknown);
  }

  async #count(
    commands: readonly TestCommand[],
    first: readonly HttpResponse[],
    later: readonly HttpResponse[],
    unknown: ReadonlySet<string>,
  ): Promise<CommandDayFigures> {
    const broken = this.#beforeRelay.faultCount('reset-before') + this.#beforeRelay.faultCount('reset-after');
    const figures = {
      broken,
      reused: this.#behindRelay.reused,
      lostAnswers: this.#lostAnswers,
      doneAtFirst: 0,
      unknownAtFirst: 0,
      doneLater: 0,
      notDone: 0,
      listed: 0,
      twice: 0,
      wrong: 0,
      unlisted: 0,
    };
    const other: Record<string, number> = {};
    await mapConcurrent(CONCURRENCY, [...commands.entries()], async ([index, command]) => {
      const before = first[index] as HttpResponse;
      let after = later[index] as HttpResponse;
      // If the command is no longer listed, its outcome became known after this answer, so the test asks again.
      if (isUnknown(after) && !unknown.has(commandIdIn(after))) after = await this.#submit(command);
      const effects = await command.effects();
      const {platformPath} = command;
      if (effects > 1 || (platformPath !== null && this.#behindRelay.attempts(platformPath) > 1)) figures.twice += 1;
      if (before.status < 300) figures.doneAtFirst += 1;
      else figures.unknownAtFirst += 1;
      if (after.status < 300) {
        if (before.status >= 300) figures.doneLater += 1;
        if (effects !== 1) figures.wrong += 1;
      } else if (isUnknown(after)) {
        if (unknown.has(commandIdIn(after))) figures.listed += 1;
        else figures.unlisted += 1;
      } else {
        const {code} = JSON.parse(after.text) as {code?: string};
        if (code === 'not_done') figures.notDone += 1;
        else other[code ?? after.status] = (other[code ?? after.status] ?? 0) + 1;
        if (effects !== 0) figures.wrong += 1;
      }
    });
    return {...figures, other};
  }

  /**
   * Prepares one command. Of every five commands, two are refunds of a transfer, one is a refund of a charge and two
   * are cancellations. The orders belong to a marketplace, where an order may have several refunds.
   */
  async #prepare(index: number): Promise<TestCommand> {
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
        platformPath: null,
        effects,
      };
    }
    const msisdn = String(5_320_000_000 + index);
    const {subscription_id: id} = (await this.#platform.control('subscriptions', {msisdn})) as {
      subscription_id: number;
    };
    const readSubscription = async () =>
      (
        (await this.#platform.control(`subscriptions?msisdn=${msisdn}`)) as {
          subscriptions: [{status: string; charges: [{charge_id: number; status: number}]}];
        }
      ).subscriptions[0];
    if (index % 5 === 2) {
      const {
        charges: [{charge_id: charge}],
      } = await readSubscription();
      const effects = async () => Number((await readSubscription()).charges[0].status === 6);
      return {
        key,
        path: `charges/DEMO/${charge}/refund`,
        body: {},
        platformPath: `/transaction/refund/123/1/${charge}`,
        effects,
      };
    }
    const effects = async () => Number((await readSubscription()).status === 'cancelled');
    return {
      key,
      path: `subscriptions/DEMO/${id}/cancel`,
      body: {},
      platformPath: `/subscription/cancel/123/1/${id}`,
      effects,
    };
  }

  /** Sends a command, always with the same idempotency key, until the answer is not 429 or 503. */
  async #submit({key, path, body}: TestCommand): Promise<HttpResponse> {
    for (;;) {
      await this.#isBack;
      try {
        const answer = await this.#request(
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

  /**
   * Waits until the relay sends the Worker's calls. For a short time after its start, the relay sends no calls.
   * Commands that fail in that time would open the circuit.
   */
  async #waitForRelay(): Promise<void> {
    while ((await this.#request('banks', {})).status !== 200) await wait(500);
  }

  async #killRepeatedly(count: number, kills: number): Promise<void> {
    for (let kill = 1; kill <= kills; kill += 1) {
      while (this.#answered < (count * kill) / (kills + 1)) await wait(10);
      const isBack = Promise.withResolvers<void>();
      this.#isBack = isBack.promise;
      await this.#worker.kill();
      await this.#worker.restart();
      isBack.resolve();
    }
  }

  async #listUnknown(): Promise<Command[]> {
    const found: Command[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const {status, text}: HttpResponse = await this.#request(
        `commands?state=unknown${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        {},
      );
      if (status !== 200) throw new Error(`The list of unknown commands failed: ${status} ${text}`);
      const page = JSON.parse(text) as {items: Command[]; next_cursor: string | null};
      found.push(...page.items);
      cursor = page.next_cursor;
    }
    return found;
  }

  #request(path: string, headers: Record<string, string>, body?: string): Promise<HttpResponse> {
    return sendRequest(`${this.#worker.url('worker')}/merchant/v1/${path}`, {
      headers: {authorization: `Bearer ${API_KEY}`, ...headers},
      body,
    });
  }

  /** Calls the platform directly, without the Worker, the relay and the fault proxies. */
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

function isUnknown({text}: HttpResponse): boolean {
  return text.includes('"outcome_unknown"');
}

function commandIdIn({text}: HttpResponse): string {
  return (JSON.parse(text) as {command_id?: string}).command_id ?? '';
}
