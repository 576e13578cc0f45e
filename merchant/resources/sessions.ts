import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

type Kind = Inputs['createSession']['kind'];
type OfKind<T, K extends Kind> = Extract<T, {kind: K}>;

/** What a page may do, said by your server. */
export class Sessions extends Resource {
  /**
   * Makes a session for a page: `POST /merchant/v1/sessions`. Its `token` is the attribute `session` of an element. By
   * `kind`: `payment`, `subscription`, `management` or `vendor`.
   *
   * A payment session may create for 30 minutes and read for 7 days; a subscription session lives 30 minutes, the others
   * 10. `amount` and `price` are decimal text in lira, `hours` is how long the shopper has to pay (72 unless said).
   * @throws {VezneError} `unknown_service` `origin_not_allowed` `return_url_not_allowed` `order_exists`
   */
  create<K extends Kind>(
    input: {kind: K} & OfKind<Inputs['createSession'], K>,
    options?: WriteOptions,
  ): Promise<OfKind<Answers['createSession'], K>> {
    return this.call('createSession', input, options) as Promise<OfKind<Answers['createSession'], K>>;
  }
}
