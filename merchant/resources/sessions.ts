import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

type Kind = Inputs['createSession']['kind'];
type OfKind<T, K extends Kind> = Extract<T, {kind: K}>;

/** Sessions: your server decides what a page may do. */
export class Sessions extends Resource {
  /**
   * Creates a session for a page: `POST /merchant/v1/sessions`. Pass its `token` to an element as the attribute
   * `session`. `kind` is `payment`, `subscription`, `management` or `vendor`.
   *
   * A payment session allows writes for 30 minutes and reads for 7 days. A subscription session is valid for 30
   * minutes; sessions of the other kinds are valid for 10 minutes. `amount` and `price` are decimal text in lira.
   * `hours` is how long the shopper has to pay (72 by default).
   * @throws {VezneError} `unknown_service` `origin_not_allowed` `return_url_not_allowed` `order_exists`
   */
  create<K extends Kind>(
    input: {kind: K} & OfKind<Inputs['createSession'], K>,
    options?: WriteOptions,
  ): Promise<OfKind<Answers['createSession'], K>> {
    return this.call('createSession', input, options) as Promise<OfKind<Answers['createSession'], K>>;
  }
}
