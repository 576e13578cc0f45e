/** The server of another shop of the same Worker: its API key is limited to that shop, and it tries all that it can. */

import type {Accountant} from './accountant.ts';
import {NEIGHBOUR, type OrderBook, SHOP} from './books.ts';
import {type Chance, type Choice, of} from './chance.ts';
import {ORIGIN, server} from './requests.ts';
import type {HttpRequest} from './stage/protocol.ts';
import {type Json, toText} from './values.ts';

type Send = (request: HttpRequest, then?: (answer: Json) => unknown) => void;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const SCOPES = ['read', 'sessions', 'money', 'webhooks', 'offers'];
const CONTACT = {name: 'Komsu Dukkan', iban: 'TR330006100519786457841326'};

/** What the neighbour has heard of, by guess or by mistake: the names of one order and of what belongs to it. */
export interface Heard {
  readonly book: OrderBook;
  readonly subscription: string | undefined;
  readonly link: string | undefined;
  readonly offer: string | undefined;
}

type Play = {readonly chance: Chance; readonly accountant: Accountant};

export class Neighbour {
  readonly #play: Play;
  readonly #send: Send;
  readonly #onOpen: (order: unknown, token: unknown) => void;
  #key: string | undefined;
  #count = 0;

  constructor(play: Play, send: Send, onOpen: (order: unknown, token: unknown) => void) {
    [this.#play, this.#send, this.#onOpen] = [play, send, onOpen];
  }

  choices(share: number, heard: Heard | undefined): Choice[] {
    return [
      of('a neighbour sells', share, '', () => this.#sell()),
      of('a neighbour pries', 4, this.#play.chance.pick(heard ? attemptsOn(heard) : []), (one) => this.#pry(one)),
    ];
  }

  /** The root key makes a key for the neighbour, until an answer has it. Then the neighbour sells. */
  #sell(): void {
    const asked = {name: 'neighbour', scopes: SCOPES, services: [NEIGHBOUR]};
    if (this.#key === undefined)
      return this.#send(server('keys', asked, 'key-of-the-neighbour'), ({key}) => (this.#key = String(key)));
    const [order, kurus] = [`N-${(this.#count += 1)}`, this.#play.chance.between(100, 50_000)];
    const body = {kind: 'payment', origin: ORIGIN, service: NEIGHBOUR, order, amount: toText(kurus), hours: 72};
    this.#send(server('sessions', body, `session-of-${order}`, this.#key), (told) =>
      this.#onOpen(told['order'], told['token']),
    );
  }

  /** Tries to see or to change something of the shop, under the shop's name or under its own. */
  #pry([method, path, body]: Attempt): void {
    if (this.#key === undefined) return;
    const {accountant} = this.#play;
    accountant.met(method === 'GET' ? 'a neighbour tries to see something' : 'a neighbour tries to change something');
    this.#send({...server(path, body ?? null, `pry-${(this.#count += 1)}`, this.#key), method});
  }
}

type Attempt = readonly [method: Method, path: string, body?: object];

function attemptsOn({book, subscription, link, offer}: Heard): Attempt[] {
  const event = book.events.at(-1)?.id;
  const all: Attempt[][] = [
    [['GET', 'events']],
    [['GET', 'deliveries']],
    [['GET', 'webhooks']],
    [['GET', 'offers']],
    [['GET', 'commands']],
    attemptsUnder(SHOP, book, subscription),
    attemptsUnder(NEIGHBOUR, book, subscription),
    about([...book.refunds.keys()].find(isNumber), (id) => [['GET', `refunds/${id}`]]),
    about([...book.money.keys()].find(isNumber), (id) => [['GET', `transactions/${id}`]]),
    about(event, (id) => [
      ['GET', `events/${id}`],
      ['POST', `events/${id}/resend`, {}],
    ]),
    about(link, (id) => [
      ['GET', `refund-links/${id}`],
      ['DELETE', `refund-links/${id}`],
    ]),
    about(offer?.split('.')[0], (id) => [
      ['GET', `offers/${id}`],
      ['DELETE', `offers/${id}`],
    ]),
  ];
  return all.flat();
}

function attemptsUnder(service: string, book: OrderBook, subscription: string | undefined): Attempt[] {
  const {ref: order, kurus} = book;
  const [code] = book.codes;
  const [money] = book.money.keys();
  const amount = toText(Math.max(1, Math.floor(kurus / 2)));
  const query = `service=${service}&order=${order}`;
  const all: Attempt[][] = [
    [['GET', `orders?${query}`]],
    [['GET', `orders/timeline?${query}`]],
    [['GET', `refunds?${query}`]],
    [['GET', `order-codes?${query}`]],
    [['PATCH', 'order-codes', {service, order, amount}]],
    [['POST', 'orders/cancel', {service, order}]],
    [['POST', 'orders/complete', {service, order}]],
    [['POST', 'refunds', {service, order, amount, contact: CONTACT}]],
    [['POST', 'refund-links', {service, order, amount}]],
    about(code, (one) => [['GET', `orders?service=${service}&code=${one}`]]),
    about(money, (id) => [['GET', `bookings?service=${service}&id=${id}`]]),
    about(subscription, (id) => [
      ['GET', `subscriptions/${service}/${id}`],
      ['POST', `subscriptions/${service}/${id}/cancel`, {}],
    ]),
  ];
  return all.flat();
}

const isNumber = (id: string): boolean => /^\d+$/.test(id);

function about(name: string | undefined, attempts: (name: string) => Attempt[]): Attempt[] {
  return name === undefined ? [] : attempts(name);
}
