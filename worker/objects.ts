/** The way to every durable object: their names, and where they are made. */

import type {Config} from './config/config.ts';
import {digest, hmac} from './lib/crypto.ts';

/** So many tell the platform of activities side by side. */
const ACTIVITY_SHARDS = 16;

export class Objects {
  constructor(
    private readonly env: Env,
    private readonly config: Config,
  ) {}

  /** One a platform and merchant: a token is worth nothing elsewhere. */
  token() {
    return this.#get(this.env.TOKEN, this.#platformName());
  }

  banks() {
    return this.#get(this.env.BANKS, this.#platformName());
  }

  sweep(service: string) {
    return this.#get(this.env.SWEEP, this.#nameOf(service));
  }

  order(service: string, order: string) {
    return this.#get(this.env.ORDER, this.#nameOf(service, order));
  }

  /** What shoppers of a service pay on the common payment page. */
  charges(service: string) {
    return this.#get(this.env.CHARGES, this.#nameOf(service));
  }

  /** What one visitor did is told in order, beside what others did. @param trackingId decides by which of them. */
  async activities(trackingId: string) {
    const shard = Number.parseInt((await digest('SHA-256', trackingId)).slice(0, 2), 16) % ACTIVITY_SHARDS;
    return this.#get(this.env.ACTIVITIES, this.#nameOf(String(shard)));
  }

  /** What moves money of a service, or (null) goes by the landing interface, which knows no services. */
  commands(service: string | null) {
    return this.#get(this.env.COMMANDS, service === null ? this.#platformName() : this.#nameOf(service));
  }

  /** The merchant's events. */
  outbox() {
    return this.#get(this.env.OUTBOX, this.#platformName());
  }

  billingChanges() {
    return this.#get(this.env.BILLING_CHANGES, this.#platformName());
  }

  refunds() {
    return this.#get(this.env.REFUNDS, this.#platformName());
  }

  /** @param key what is limited and for whom, such as `sessions 192.0.2.7`; only an HMAC of it becomes a name. */
  async guard(key: string) {
    return this.#get(this.env.GUARD, await hmac(this.config.sessionSecrets[0], key));
  }

  /** A guard by its name. */
  guardNamed(name: string) {
    return this.#get(this.env.GUARD, name);
  }

  /**
   * @param key the number, or what a number token is worth; only an HMAC of it becomes a name. While `SESSION_SECRET` is
   * changed, who is known by the other secret's name is found by it: a PIN that was sent before still counts.
   */
  async subscriber(key: string) {
    const [current, ...others] = this.config.sessionSecrets;
    const namedBy = async (secret: string) =>
      this.#get(this.env.SUBSCRIBER, await hmac(secret, this.#nameOf('subscriber', key)));
    for (const other of others) {
      const known = await namedBy(other);
      if (await known.isKnown()) return known;
    }
    return namedBy(current);
  }

  /**
   * What became of the write with this `Idempotency-Key`. Its name is a digest that no rotation of a secret
   * changes: a key must not be forgotten, and its write done twice, because a secret was renewed.
   */
  async ledger(key: string) {
    return this.#get(this.env.LEDGER, await digest('SHA-256', this.#nameOf(key)));
  }

  /** One a platform and merchant: that is what the platform's limits are for. */
  quota() {
    return this.#get(this.env.QUOTA, this.#platformName());
  }

  /** @param id unguessable text that only the session holds. */
  details(id: string) {
    return this.#get(this.env.DETAILS, id);
  }

  #platformName(): string {
    return `${this.config.merchant.id} ${this.config.phsUrl}`;
  }

  /** What belongs to one platform and merchant is nobody else's: a trial and the real thing may share a deployment. */
  #nameOf(...parts: readonly string[]): string {
    return [this.#platformName(), ...parts].join('\n');
  }

  #get<T extends Rpc.DurableObjectBranded>(namespace: DurableObjectNamespace<T>, name: string): DurableObjectStub<T> {
    return namespace.getByName(name, {locationHint: this.config.locationHint});
  }
}
