/** The merchant's server makes refund links, and shoppers use them, also twice and with other accounts. */

import type {Accountant} from './accountant.ts';
import type {OrderBook} from './books.ts';
import {type Chance} from './chance.ts';
import {page, server} from './requests.ts';
import type {HttpRequest} from './stage/protocol.ts';
import {type Json, toText} from './values.ts';

type Send = (request: HttpRequest, then?: (answer: Json) => unknown) => void;

/** The name is the link's own, so that the platform's call shows which link asked for the refund. */
interface Link {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  readonly service: string;
}

const IBANS = ['TR330006100519786457841326', 'TR320010009999901234567890'];

export class RefundLinks {
  readonly links: Link[] = [];
  readonly #accountant: Accountant;

  constructor(accountant: Accountant) {
    this.#accountant = accountant;
  }

  /** Makes a link for what is due, or for half of what was paid. */
  make({ref: order, service, shownPaid}: OrderBook, name: string, key: string, chance: Chance, send: Send): void {
    const more = chance.happens(0.8) ? {amount: toText(Math.ceil(shownPaid / 3))} : {};
    send(server('refund-links', {service, order, hours: chance.pick([1, 336]), ...more}, key), ({id, url}) => {
      this.links.push({id: String(id), token: String(url).split('/').at(-1) ?? '', name, service});
      this.#accountant.linkMade({mark: name, order, request: server(`refund-links/${String(id)}`)});
    });
  }

  /** The links of one of the two shops. */
  of(shop: string): Link[] {
    return this.links.filter(({service}) => service === shop);
  }

  use({token: link, name}: Link, chance: Chance, send: Send): void {
    send(page('refund-contacts', {link, name, iban: chance.pick(IBANS)}));
  }

  look({id}: Link, chance: Chance, key: string, send: Send): void {
    const request = server(`refund-links/${id}`, null, key);
    send(chance.happens(0.3) ? {...request, method: 'DELETE'} : request);
  }
}
