/** Gives every Durable Object its name, and finds the object by this name. */

import {exports} from 'cloudflare:workers';
import type {Config} from './config/config.ts';
import {digest, hmac} from './lib/crypto.ts';
import {currentLogScope, type LogScope} from './lib/log-scope.ts';

/** How many objects report activities to the platform in parallel. */
const ACTIVITY_SHARDS = 16;
/** Hexadecimal digits of an HMAC that tell the counters of one guard apart. */
const COUNTER_KEY_LENGTH = 24;

export class Objects {
  constructor(private readonly config: Config) {}

  /** One object per platform and merchant: a token is valid only for this pair, and the platform limits its calls. */
  platform() {
    return this.#get(exports.Platform, this.#platformName());
  }

  /** Has the merchant's API keys. */
  apiKeys() {
    return this.#get(exports.ApiKeys, this.#platformName());
  }

  /** Has the offers that the merchant API made. One object, because a list of all offers is read in one call. */
  offers() {
    return this.#get(exports.Offers, this.#platformName());
  }

  /** Reads the service's transfers, charges and subscriptions from the platform. */
  service(service: string) {
    return this.#get(exports.Service, this.#nameOf(service));
  }

  order(service: string, order: string) {
    return this.#get(exports.Order, this.#nameOf(service, order));
  }

  /** The same order, whose method gets the log scope as an argument. */
  unscopedOrder(service: string, order: string) {
    return this.#find(exports.Order, this.#nameOf(service, order));
  }

  /** Remembers the service's orders that were created in this month. @param month - `YYYY-MM` in Turkey. */
  archivedOrders(service: string, month: string) {
    return this.#get(exports.Archive, this.#nameOf('orders', service, month));
  }

  /** The books of the service's days of this month. @param month - `YYYY-MM` in Turkey. */
  books(service: string, month: string) {
    return this.#get(exports.Archive, this.#nameOf('books', service, month));
  }

  /** Remembers the consents of this month. A merchant who looks for a consent need not know its service. */
  archivedConsents(month: string) {
    return this.#get(exports.Archive, this.#nameOf('consents', month));
  }

  /**
   * Reports the activities of one visitor in order. The activities of other visitors are reported in parallel.
   * @param trackingId - Identifies the visitor, and selects the object.
   */
  async activities(trackingId: string) {
    const shard = Number.parseInt((await digest('SHA-256', trackingId)).slice(0, 2), 16) % ACTIVITY_SHARDS;
    return this.#get(exports.Activities, this.#nameOf(String(shard)));
  }

  /** All objects that count visits. */
  allActivities() {
    return Array.from({length: ACTIVITY_SHARDS}, (_, shard) =>
      this.#get(exports.Activities, this.#nameOf(String(shard))),
    );
  }

  /** Runs the commands of a service; with null, the commands of the landing interface, which has no services. */
  commands(service: string | null) {
    return this.#get(exports.Commands, service === null ? this.#platformName() : this.#nameOf(service));
  }

  /** Delivers the merchant's events. */
  outbox() {
    return this.#get(exports.Outbox, this.#platformName());
  }

  /**
   * Sends events to one webhook. Senders do not share connections.
   * @param name - Identifies the sender among the senders of the webhook.
   */
  sender(webhook: string, name: string) {
    return this.#find(exports.Sender, this.#nameOf(webhook, name));
  }

  refunds() {
    return this.#get(exports.Refunds, this.#platformName());
  }

  /** @param subject - Says for what the guard counts, such as `product 77`. The object's name is an HMAC of it. */
  async guard(subject: string) {
    return this.#get(exports.Guard, await hmac(this.config.sessionSecrets[0], subject));
  }

  /** The key of a guard's counter. @param name - Says what is counted, such as `sessions 192.0.2.7`. */
  async counterKey(name: string): Promise<string> {
    return (await hmac(this.config.sessionSecrets[0], `counter ${name}`)).slice(0, COUNTER_KEY_LENGTH);
  }

  /** The guard with this object name, as stored in a ticket. */
  guardNamed(name: string) {
    return this.#get(exports.Guard, name);
  }

  /**
   * @param key - The number or the number token. The object's name is an HMAC of the key. While `SESSION_SECRET` is
   * rotated, an object that was named with the other secret is still found, so that a PIN sent before the rotation
   * stays valid.
   */
  async subscriber(key: string) {
    const [current, ...others] = this.config.sessionSecrets;
    const namedBy = async (secret: string) =>
      this.#get(exports.Subscriber, await hmac(secret, this.#nameOf('subscriber', key)));
    for (const other of others) {
      const known = await namedBy(other);
      if (await known.isKnown()) return known;
    }
    return namedBy(current);
  }

  /**
   * Stores the outcome of the write with this `Idempotency-Key` at an endpoint of the scope. The object's name is a plain digest of the key,
   * because the name must not change when a secret is rotated. Otherwise a retry after the rotation would run the write
   * a second time.
   */
  async ledger(scope: string, key: string) {
    return this.#get(exports.Record, await digest('SHA-256', this.#nameOf(scope, key)));
  }

  /** @param id - Unguessable text that only the session token contains. */
  details(id: string) {
    return this.#get(exports.Record, id);
  }

  /** Remembers for a short time what pages show of a subscription. The object's name is an HMAC. */
  async shownSubscription(service: string, subscription: string) {
    const name = this.#nameOf('shown subscription', service, subscription);
    return this.#get(exports.Record, await hmac(this.config.sessionSecrets[0], name));
  }

  #platformName(): string {
    const {merchant, platformName} = this.config;
    return `${merchant.id} ${platformName}`;
  }

  /** Adds the platform and the merchant to the name, because a test setup and a live setup may share a deployment. */
  #nameOf(...parts: readonly string[]): string {
    return [this.#platformName(), ...parts].join('\n');
  }

  #get<T extends Rpc.DurableObjectBranded>(namespace: DurableObjectNamespace<T>, name: string): DurableObjectStub<T> {
    return withCallerScope(this.#find(namespace, name));
  }

  /** A stub that does not pass the log scope on, for objects that log nothing. */
  #find<T extends Rpc.DurableObjectBranded>(namespace: DurableObjectNamespace<T>, name: string): DurableObjectStub<T> {
    return namespace.getByName(name, {locationHint: this.config.locationHint});
  }
}

/** A method that every object has: it runs another method of the object in the caller's log scope. */
interface ScopedObject {
  runInScope(scope: LogScope, method: string, args: readonly unknown[]): Promise<unknown>;
}

/** Members of a stub that are not methods of the object. */
const STUB_MEMBERS: ReadonlySet<string> = new Set(['id', 'name', 'fetch', 'connect', 'constructor', 'dup', 'then']);

/**
 * Returns a stub that passes the running log scope on with each call, so that each log line that the object writes
 * identifies the request or alarm that called the object. Outside of a request and an alarm, the stub stays as it is.
 */
function withCallerScope<T extends Rpc.DurableObjectBranded>(stub: DurableObjectStub<T>): DurableObjectStub<T> {
  const scope = currentLogScope();
  if (Object.keys(scope).length === 0) return stub;
  return new Proxy(stub, {
    get(target, member) {
      if (typeof member === 'string' && !STUB_MEMBERS.has(member))
        return (...args: readonly unknown[]) =>
          (target as unknown as ScopedObject).runInScope({...scope}, member, args);
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' && member !== 'constructor' ? value.bind(target) : value;
    },
  });
}
