import {contextOf} from '../../context.ts';
import type {MetricCounts} from '../../lib/metrics.ts';
import type {QuotaName} from '../../platform/quota-limits.ts';
import type {QuotaCaller, QuotaPermitResult, QuotaRefusal} from '../../platform/quotas.ts';
import type {Report} from '../../platform/reporter.ts';
import type {TokenResult} from '../../platform/token-source.ts';
import {EventQueue, PENDING_EVENTS} from '../events/event-queue.ts';
import {StoredObject} from '../stored-object.ts';
import {type BankListSnapshot, BANKS, Banks, type BanksResult} from './banks.ts';
import {Health, HEALTH, type Notices} from './health.ts';
import {QUOTA} from './quota-store.ts';
import {Quota, type QueuePosition, type QuotaUsage} from './quota.ts';
import {Token, TOKEN, type TokenProblems} from './token.ts';

/**
 * What all isolates share of one merchant's connection to the platform: the token, the bank list, the calls that count
 * towards limits, and what isolates noticed. Each is a part with its own file, and no part waits for another: a permit is
 * given while the platform does not answer the request for a token.
 */
export class Platform extends StoredObject {
  static override readonly schemas = [TOKEN, BANKS, QUOTA, HEALTH, PENDING_EVENTS];

  readonly #context = () => contextOf(this.env);
  readonly #events = new EventQueue(this.storage, () => this.#context().objects);
  protected override readonly tasks = {events: this.#events.task};

  readonly #token = new Token(this.storage, this.#context);
  readonly #banks = new Banks(this.storage, this.#context);
  readonly #health = new Health(this.storage);
  readonly #quota = new Quota(this.storage, this.#context, (event) => {
    this.#events.add(event);
    void this.runNow('events');
  });

  currentToken(): Promise<TokenResult> {
    return this.#token.current();
  }

  renewToken(stale: string): Promise<TokenResult> {
    return this.#token.renew(stale);
  }

  replaceToken(token: string): void {
    this.#token.replace(token);
  }

  tokenProblems(): TokenProblems {
    return this.#token.problems();
  }

  freshBanks(): BankListSnapshot | null {
    return this.#banks.fresh();
  }

  currentBanks(): Promise<BanksResult> {
    return this.#banks.current();
  }

  latestBanks(): Promise<BanksResult> {
    return this.#banks.latest();
  }

  acquirePermit(quota: QuotaName, caller?: QuotaCaller): Promise<QuotaPermitResult> {
    return this.#quota.acquire(quota, caller);
  }

  endPermit(permitId: number, refusal: QuotaRefusal | null): void {
    this.#quota.end(permitId, refusal);
  }

  releasePermit(permitId: number): void {
    this.#quota.release(permitId);
  }

  admitLimited(quota: QuotaName, id: string): number {
    return this.#quota.admitLimited(quota, id);
  }

  enterQueue(quota: QuotaName, id: string): QueuePosition {
    return this.#quota.enqueue(quota, id);
  }

  leaveQueue(id: string): void {
    this.#quota.leaveQueue(id);
  }

  quotaUsage(): QuotaUsage[] {
    return this.#quota.usage();
  }

  recordReport(report: Report): void {
    this.#health.record(report);
  }

  metricSums(): MetricCounts {
    return this.#health.sums();
  }

  notices(): Notices {
    return this.#health.notices();
  }
}
