/**
 * Shoppers with several devices, subscribers, the merchant's server and the people at the platform. An action sends
 * requests; what an actor knows comes only from answers.
 */

import {READINGS} from '../sandbox/records/readings.ts';
import type {Accountant} from './accountant.ts';
import {
  cancelMark,
  HOUR_MS,
  type Json,
  list,
  OFFERS,
  type OrderBook,
  parse,
  toKurus,
  toText,
  type Wish,
} from './books.ts';
import {type Chance, type Choice, of} from './chance.ts';
import {controlRequest, formRequest, ORIGIN, pageRequest, serverRequest} from './requests.ts';
import type {HttpAnswer, HttpRequest} from './stage/protocol.ts';

/** Readings for which an operator has to configure the Worker. */
const CONFIGURED: ReadonlySet<string> = new Set(
  'billing_credentials payment_page_types payment_page_key subscription_words one_click phs_parameters'.split(' '),
);
const BANKS = ['garanti', 'akbank'];

/** The history in which the actors act. */
interface Play {
  readonly now: number;
  readonly chance: Chance;
  readonly accountant: Accountant;
  /** The last notification of a refund's result. */
  readonly lastResult: HttpRequest | null;
  /** Sends a request. With `null` as its answer, the actor never gets one. */
  ask(to: 'shop' | 'platform', request: HttpRequest, onAnswer?: (answer: HttpAnswer | null) => void): void;
}

/** A shopper's order, and the sessions of the devices that have it open. */
interface Purchase {
  readonly book: OrderBook;
  /** The sessions of devices that may choose a bank, and those that hand-offs opened, which only read. */
  readonly tokens: [string, ...string[]];
  readonly viewers: string[];
  /** The devices that wait for a code, by their index in `tokens`; sessions of one moment are the same text. */
  readonly choosing: Set<number>;
  handoff?: unknown;
  notice?: unknown;
  /** The path of the platform's payment page, and who pays on it. */
  page?: string | undefined;
  payer?: {readonly msisdn: string; readonly pin: string | undefined} | undefined;
}

interface Subscriber {
  readonly msisdn: string;
  readonly tracking: string;
  readonly token: string;
  /** A subscriber uses either PINs or one-click. */
  readonly hasToken: boolean;
  /** How often the subscriber still tries. */
  patience: number;
  pin?: string | undefined;
  /** The subscription at the platform, after an event has named it, and the session that manages it. */
  id?: string | undefined;
  manage?: string;
}

/** A shopper who has no session yet, with the tabs that wait for a code. */
type Visit = {readonly offer: string; readonly attempt: string; waiting: number};
type Stray = {readonly id: number; readonly kurus: number; readonly from: Purchase};
type Then = (answer: Json) => unknown;
const withOtherStatus = (text: string): string => text.replace(/(status(?:%22|"|%5D)*(?:=|:|%3A))-?\d/g, '$14');

export class Actors {
  readonly #driver: Play;
  readonly #visits: Visit[] = [];
  readonly #purchases: Purchase[] = [];
  readonly #subscribers: Subscriber[] = [];
  readonly #strays: Stray[] = [];
  #count = 0;
  /** How much happens to orders, and how much to subscriptions. */
  #focus: readonly [orders: number, subscriptions: number] = [1, 1];
  /** How often a transfer is only a part of what is due. */
  #partShare = 0;
  #cursor = '';

  constructor(driver: Play) {
    this.#driver = driver;
  }

  /** Chooses how the platform reads what its contract leaves open. The accountant counts calls itself. */
  begin(): void {
    const {chance} = this.#driver;
    this.#partShare = chance.pick([0.1, 0.3, 0.7]);
    this.#focus = chance.happens(0.3) ? [0.1, 8] : [1, 1];
    const open = Object.entries(READINGS).filter(([name]) => !CONFIGURED.has(name));
    const readings = open.map(([name, all]) => [name, chance.pick<string>(all)]);
    this.#control('readings', Object.fromEntries(readings) as object);
    this.#control('limits', {limits: null});
  }

  choices(): Choice[] {
    const {chance, accountant} = this.#driver;
    // The merchant's server learns the ids of subscriptions from events.
    for (const {type, data} of accountant.events.values()) {
      const known = this.#subscribers.find(({tracking}) => tracking === data['tracking_id']);
      if (known && type === 'subscription.started')
        known.id ??= (data['subscription_id'] as string | null) ?? undefined;
    }
    const purchase = (test: (purchase: Purchase) => boolean = () => true) =>
      chance.recent(this.#purchases.filter(test));
    const subscriber = (test: (subscriber: Subscriber) => boolean) => chance.recent(this.#subscribers.filter(test));
    const withoutCode = purchase(({book}) => book.codes.size === 0);
    const unpaid = purchase(({book}) => book.codes.size > 0 && book.money.size === 0);
    const coded = purchase(({book}) => book.codes.size > 0);
    const paid = purchase(({book}) => book.shownPaid > 0);
    const late = ({book}: Purchase) => book.money.size === 0 && this.#driver.now > book.deadline;
    const [clicking, byPin] = [true, false].map((isClick) =>
      subscriber(({id, hasToken, patience}) => id === undefined && hasToken === isClick && patience > 0),
    );
    const active = subscriber(({id}) => id !== undefined);
    const stray = this.#strays.find(({from}) => from.notice);
    const wish = chance.recent([...accountant.wishes.values()].filter((one) => accountant.isRepeatable(one)));
    // Few orders with long histories find more than many orders to which little happens.
    const [orders, club] = this.#focus;
    const share = (6 * orders) / (1 + this.#purchases.length);
    return [
      {name: 'visit', weight: share, run: () => this.#visit()},
      {name: 'sell', weight: share, run: () => this.#sell()},
      {name: 'visit club', weight: (4 * club) / (1 + this.#subscribers.length), run: () => this.#visitClub()},
      {name: 'read events', weight: 2, run: () => this.#readEvents()},
      {name: 'list unknown', weight: 0.5, run: () => this.#server('commands?state=unknown', null)},
      {name: 'end day', weight: 1.5, run: () => this.#endDay()},
      {name: 'forge', weight: 0.7, run: () => this.#forge()},
      of('place', 6, chance.recent(this.#visits), (visit) => this.#place(visit)),
      of('ask code', 12, withoutCode, (one) => this.#askCode(one)),
      of('ask code again', 2, purchase(), (one) => this.#askCode(one)),
      of('read', 4, purchase(), (one) => this.#read(one)),
      of('wait for money', 8, purchase(isUntold), (one) => this.#read(one)),
      of('look', 2, purchase(), (one) => this.#look(one)),
      of('transfer', 8, unpaid, (one) => this.#transfer(one)),
      of('transfer the rest', 5, purchase(isPartlyPaid), (one) => this.#transfer(one)),
      of('transfer late', 4, purchase(late), (one) => this.#transfer(one)),
      of('transfer again', 2, coded, (one) => this.#transfer(one)),
      of('hand off', 2, coded, (one) => this.#handOff(one)),
      of('report', 1, coded, (one) => this.#report(one)),
      of('approve', 2, stray, (one) => this.#approve(one)),
      of('pay by phone', 3, withoutCode ?? unpaid, (one) => this.#payByPhone(one)),
      of('refund', 8, paid, (one) => this.#refund(one)),
      of('refund a charge', 1, paid, (one) => this.#refundCharge(one)),
      of('complete', 0.7, paid, ({book: {ref}}) =>
        this.#command('orders/complete', {service: 'DEMO', order: ref}, 'complete', `complete ${ref}`, ref),
      ),
      of('repeat', 2, wish, ({request}) => this.#driver.ask('shop', request)),
      of('ask PIN', 3 * club, byPin, (one) => this.#askPin(one)),
      of('subscribe', 4 * club, byPin, (one) => {
        const pin = chance.happens(0.1) ? '0000' : (one.pin ?? '1234');
        this.#subscribe(one, {operator: 1, msisdn: one.msisdn, pin, language: 'tr'});
      }),
      of('one click', 2 * club, clicking, (one) => this.#click(one)),
      of('cancel on a page', 2 * club, active, (one) => this.#cancelOnPage(one)),
      of('cancel on the server', club, active, ({id = ''}) =>
        this.#command(`subscriptions/DEMO/${id}/cancel`, {}, 'cancel', cancelMark(id)),
      ),
      of('cancel by SMS', 0.5 * club, active, ({id = ''}) =>
        this.#control(`subscriptions/${id}/cancel`, {source: 'sms'}, () => accountant.cancelledElsewhere(id)),
      ),
      {name: 'search charges', weight: 2, run: () => this.#server('charges/search', {service: 'DEMO'})},
      {name: 'search messages', weight: 2, run: () => this.#server('messages/search', {service: 'DEMO'})},
      of('renew', 1, active, ({id}) => this.#control(`subscriptions/${id}/renew`, {})),
    ];
  }

  /**
   * Lets what is half done come to its end, repeats every request that has a key, and reads everything once more.
   * Yields how long the driver lets everything settle.
   */
  *finish(isShort: boolean): Generator<number> {
    const {accountant} = this.#driver;
    const orders = this.#purchases;
    if (!isShort) {
      for (const purchase of orders) this.#look(purchase);
      yield 0;
      for (const purchase of orders) if (purchase.book.shownPaid > 0) this.#refund(purchase);
      yield 0;
      this.#endDay();
      yield 0;
      for (const purchase of orders) this.#look(purchase);
      yield 0;
      for (const purchase of orders.filter(isPartlyPaid)) this.#transfer(purchase, 0);
    }
    yield 30 * HOUR_MS;
    // What was refused before may be carried out now.
    for (const wish of accountant.wishes.values())
      if (accountant.isRepeatable(wish)) this.#driver.ask('shop', wish.request);
      else if (wish.kind === 'subscribe') this.#server(`consents?tracking_id=${wish.mark}`, null);
    yield HOUR_MS / 3;
    for (const purchase of orders) this.#look(purchase);
    for (const purchase of orders) this.#read(purchase);
    this.#server('commands?state=unknown', null);
    for (let before = '-'; before !== this.#cursor; yield 0) {
      before = this.#cursor;
      this.#readEvents();
    }
  }

  // The people at the platform.

  #transfer(purchase: Purchase, partShare = this.#partShare): void {
    const {chance, accountant} = this.#driver;
    const {book} = purchase;
    const full = Math.max(0, book.kurus - book.arrived) || book.kurus;
    const kurus = chance.happens(partShare) ? Math.ceil(full / 2) : chance.happens(0.2) ? full + 1_000 : full;
    const description = chance.happens(0.15) ? `lamba ${(this.#count += 1)}` : `Ödeme ${[...book.codes][0]}`;
    const body = {description, bank: chance.pick(BANKS), amount: toText(kurus), sender: 'Deniz Havale'};
    this.#control('transfers', body, ({transaction_id: id, matched}) => {
      if (matched) accountant.moneyArrived(book.ref, String(id), kurus);
      else this.#strays.push({id: Number(id), kurus, from: purchase});
    });
  }

  #approve(stray: Stray): void {
    const {id, kurus, from} = stray;
    this.#strays.splice(this.#strays.indexOf(stray), 1);
    this.#control(`notices/${String(from.notice)}/approve`, {transaction_id: id}, () => {
      this.#driver.accountant.moneyArrived(from.book.ref, String(id), kurus);
      this.#driver.accountant.met('money without a code is found by a notice');
    });
  }

  #endDay(): void {
    const {chance, accountant} = this.#driver;
    const outcomes: Record<string, number> = {};
    for (const [id, status] of accountant.openRefunds()) {
      const charge = /\/(\d+)$/.exec(id)?.[1];
      if (charge && status === -1) continue;
      // Money that was sent back, with -1, is never kept after all.
      const unusual = charge ? 4 : status === -1 ? -1 : chance.pick([-1, 2, 4, 6]);
      const outcome = chance.happens(0.4) ? unusual : 3;
      // The controls answer after the notifications, but the refunds have their results before.
      accountant.refundSettled(id, outcome);
      if (charge) this.#control(`charges/${charge}/status`, {status: outcome === 3 ? 6 : 3});
      else if (outcome !== 3) outcomes[id] = outcome;
    }
    const notify = chance.pick(['get', 'post', 'batch', 'get-batch']);
    this.#control('day-end', {notify, outcomes, again: chance.happens(0.2)});
  }

  /** An attacker repeats a notification with another result, which its key does not cover. */
  #forge(): void {
    const {lastResult: last, accountant} = this.#driver;
    if (last === null) return;
    accountant.met('a notification is forged');
    const forged = {...last, url: withOtherStatus(last.url), body: last.body && withOtherStatus(last.body)};
    this.#driver.ask('shop', forged);
  }

  // Shoppers.

  /** A page gets a session first, or together with its code. */
  #visit(): void {
    const offer = this.#driver.chance.pick(['gold', 'brief']);
    const attempt = `attempt-of-a-shopper-${(this.#count += 1)}`;
    if (this.#driver.chance.happens(0.5)) this.#visits.push({offer, attempt, waiting: 0});
    else this.#page('sessions', {offer}, null, ({order, token}) => this.#open(order, token));
  }

  /** A tab chooses a bank. All tabs of a shopper have one attempt, and so one order. */
  #place(visit: Visit): void {
    const {offer, attempt} = visit;
    const {chance, accountant} = this.#driver;
    const body = {offer, attempt, shown_amount: toText(OFFERS[offer]?.kurus ?? 0), bank: chance.pick(BANKS)};
    accountant.met('two tabs choose at once', visit.waiting > 0);
    visit.waiting += 1;
    this.#driver.ask('shop', this.#pageRequest('order-code', body, null), (answer) => {
      visit.waiting -= 1;
      const {order, token} = parse(answer?.body);
      if (token !== undefined) this.#open(order, token);
    });
  }

  #open(ref: unknown, token: unknown): void {
    const known = this.#purchases.find(({book}) => book.ref === ref);
    const book = this.#driver.accountant.orders.get(String(ref));
    if (known) known.tokens.push(String(token));
    else if (book) this.#purchases.push({book, tokens: [String(token)], viewers: [], choosing: new Set()});
  }

  /** A device chooses a bank. */
  #askCode({book, tokens, choosing}: Purchase): void {
    const {chance, accountant} = this.#driver;
    const bank = chance.pick([...BANKS, undefined]);
    const device = chance.between(0, tokens.length - 1);
    const isWaiting = choosing.has(device);
    accountant.met('two requests for a code at the same time', isWaiting);
    accountant.met('two devices choose at once', book.codes.size === 0 && choosing.size > (isWaiting ? 1 : 0));
    choosing.add(device);
    const request = this.#pageRequest('order-code', {...(bank && {bank})}, tokens[device] ?? null);
    this.#driver.ask('shop', request, () => void choosing.delete(device));
  }

  #read({tokens, viewers}: Purchase): void {
    this.#page('payment', null, this.#driver.chance.pick([...tokens, ...viewers]));
  }

  #handOff(purchase: Purchase): void {
    const {handoff, tokens, viewers} = purchase;
    if (!handoff) return this.#page('handoffs', {}, tokens[0], ({code}) => void (purchase.handoff = code));
    purchase.handoff = undefined;
    const offer = purchase.book.ref.startsWith('S-') ? {} : {offer: purchase.book.hours === 1 ? 'brief' : 'gold'};
    const body = {code: handoff, ...offer, attempt: `attempt-${(this.#count += 1)}`};
    this.#page('handoffs/redeem', body, null, ({token}) => {
      viewers.push(String(token));
      this.#driver.accountant.met('a second device has the order');
    });
  }

  #report(purchase: Purchase): void {
    const name = this.#person((count) => `Bildiren Kisi${count}`);
    const notice = {name, email: `${name.replace(' ', '.')}@mail.example`};
    this.#page('payment-notices', {bank: this.#driver.chance.pick(BANKS), notice}, purchase.tokens[0], (answer) => {
      purchase.notice = answer['notice_code'];
      this.#send('platform', formRequest(`/pay/phs/yonlendir/${String(purchase.notice)}`, {}));
    });
  }

  /** Opens the platform's payment page, then enters the number, then the PIN. */
  #payByPhone(purchase: Purchase): void {
    const {page, payer, book, tokens} = purchase;
    if (page === undefined) {
      const opened: Then = ({url}) => (purchase.page = new URL(String(url)).pathname);
      if (this.#driver.chance.happens(0.7)) return this.#page('payment-pages', {}, tokens[0], opened);
      const terms = {service: 'DEMO', reference: book.ref, item: 'Lamba', price: toText(book.kurus)};
      const urls = {success_url: `${ORIGIN}/paid`, failure_url: `${ORIGIN}/failed`};
      return this.#server('payment-pages', {...terms, ...urls}, `page-${(this.#count += 1)}`, opened);
    }
    if (!payer?.pin) {
      const msisdn = this.#person(toNumber);
      return this.#send('platform', formRequest(page, {step: 'number', msisdn, operator: '1'}), () =>
        this.#readPin(msisdn, (pin) => (purchase.payer = {msisdn, pin})),
      );
    }
    Object.assign(purchase, {page: undefined, payer: undefined});
    this.#send('platform', formRequest(page, {step: 'pin', pin: payer.pin}), () =>
      this.#control(`subscriptions?msisdn=${payer.msisdn}`, null, ({subscriptions}) => {
        for (const {charge_id, amount, status} of list(subscriptions).flatMap(({charges}) => list(charges)))
          if (status === 3) {
            this.#driver.accountant.moneyArrived(book.ref, String(charge_id), toKurus(amount));
            this.#driver.accountant.met('money from a phone bill');
          }
      }),
    );
  }

  // Subscribers.

  #visitClub(): void {
    const [hasToken, patience] = [this.#driver.chance.happens(0.3), this.#driver.chance.between(1, 3)];
    this.#page('sessions', {offer: 'club'}, null, ({token}) => {
      const msisdn = this.#person(toNumber);
      this.#subscribers.push({msisdn, tracking: `track-${this.#count}`, token: String(token), hasToken, patience});
    });
  }

  #askPin(subscriber: Subscriber): void {
    const {msisdn, tracking, token} = subscriber;
    this.#page('pins', {operator: 1, msisdn, tracking_id: tracking}, token, () =>
      this.#readPin(msisdn, (pin) => (subscriber.pin = pin)),
    );
  }

  #readPin(msisdn: string, then: (pin: string | undefined) => unknown): void {
    this.#control(`sms?msisdn=${msisdn}`, null, ({messages}) => then(list(messages).flatMap(pinIn).at(-1)));
  }

  #click(subscriber: Subscriber): void {
    const {msisdn, token} = subscriber;
    this.#control('number-tokens', {msisdn, operator: 1}, ({number_token}) => {
      this.#page('numbers', {number_token}, token);
      this.#subscribe(subscriber, {number_token});
    });
  }

  #subscribe(subscriber: Subscriber, body: object): void {
    const {tracking, token} = subscriber;
    subscriber.patience -= 1;
    this.#want('subscribe', tracking, this.#pageRequest('subscriptions', {...body, tracking_id: tracking}, token));
  }

  /** The subscriber cancels on a page for which the merchant's server has opened a session. */
  #cancelOnPage(subscriber: Subscriber): void {
    const {id = '', manage} = subscriber;
    const session = {kind: 'management', origin: ORIGIN, service: 'DEMO', subscription: id, via: 'micropayment'};
    const opened: Then = ({token}) => (subscriber.manage = String(token));
    if (manage === undefined) return this.#server('sessions', session, `manage-${(this.#count += 1)}`, opened);
    this.#page('subscription', null, manage);
    this.#want('cancel', cancelMark(id), this.#pageRequest('subscription/cancel', {}, manage));
  }

  // The merchant's server.

  /** Opens an order, on one device or on two. */
  #sell(): void {
    const {chance} = this.#driver;
    const [order, kurus] = [`S-${(this.#count += 1)}`, chance.between(100, 50_000)];
    const hours = chance.pick([0.1, 1, 72]);
    const body = {kind: 'payment', origin: ORIGIN, service: 'DEMO', order, amount: toText(kurus), hours};
    for (const device of chance.happens(0.4) ? ['phone', 'tablet'] : ['phone'])
      this.#server('sessions', body, `${device}-${order}`, ({token}) => this.#open(order, token));
  }

  #refund({book}: Purchase): void {
    const paid = book.shownPaid;
    const kurus = this.#driver.chance.pick([paid, Math.ceil(paid / 2), Math.ceil(paid / 3)]) ?? paid;
    const contact = {name: this.#person((count) => `Alacak Kisi${count}`), iban: 'TR330006100519786457841326'};
    const body = {service: 'DEMO', order: book.ref, amount: toText(kurus), contact};
    this.#command('refunds', body, 'refund', contact.name, book.ref);
  }

  #refundCharge({book}: Purchase): void {
    const charge = list(book.lastView?.['transactions']).find(isCharge);
    const mark = `refund/123/1/${String(charge?.['id'])}`;
    if (!charge || book.refunds.has(mark)) return;
    const path = `charges/DEMO/${String(charge['id'])}/refund`;
    this.#command(path, {}, 'refund-charge', mark, book.ref, String(charge['amount']));
  }

  #look({book}: Purchase): void {
    this.#server(`orders?service=DEMO&order=${book.ref}`, null);
  }

  #readEvents(): void {
    const query = this.#cursor && `?cursor=${encodeURIComponent(this.#cursor)}`;
    this.#server(`events${query}`, null, null, (page) => (this.#cursor = String(page['next_cursor'] ?? this.#cursor)));
  }

  #command(path: string, body: object, kind: Wish['kind'], mark: string, order = '', amount = ''): void {
    this.#want(kind, mark, serverRequest(path, body, `key-${(this.#count += 1)}`), order, amount);
  }

  #want(kind: Wish['kind'], mark: string, request: HttpRequest, order = '', amount = ''): void {
    this.#driver.accountant.wished({kind, mark, request, order, amount});
    this.#driver.ask('shop', request);
  }

  /** A name or number that no other person has. No log line may have it. */
  #person(toDatum: (count: number) => string): string {
    const datum = toDatum((this.#count += 1));
    this.#driver.accountant.people.add(datum);
    return datum;
  }

  // Requests. `then` gets the answer of a success.

  #page(path: string, body: object | null, token: string | null, then?: Then): void {
    this.#send('shop', this.#pageRequest(path, body, token), then);
  }

  #pageRequest(path: string, body: object | null, token: string | null): HttpRequest {
    return pageRequest(path, body, token, this.#driver.chance.between(1, 200));
  }

  #server(path: string, body: object | null, key: string | null = null, then?: Then): void {
    this.#send('shop', serverRequest(path, body, key), then);
  }

  #control(path: string, body: object | null, then?: Then): void {
    this.#send('platform', controlRequest(path, body), then);
  }

  #send(to: 'shop' | 'platform', request: HttpRequest, then?: Then): void {
    this.#driver.ask(to, request, (answer) => {
      if (answer && answer.status < 400) then?.(parse(answer.body));
    });
  }
}

const pinIn = ({message}: Json): string | readonly string[] => /\b(\d{4})\b/.exec(String(message))?.[1] ?? [];
const toNumber = (count: number): string => String(5_321_000_000 + count * 7_919);
const isCharge = ({bank, bank_name: name}: Json): boolean => (bank ?? name ?? null) === null;
const isUntold = ({book}: Purchase): boolean => book.money.size > 0 && book.shownPaid === 0;
const isPartlyPaid = ({book}: Purchase): boolean => book.shownPaid > 0 && book.shownPaid < book.kurus;
