/** Shoppers, subscribers, the merchant's server and people at the platform. They know only what answers say. */

import type {Accountant} from './accountant.ts';
import {cancelMark, type OrderBook, refundMark, SHOP, type Wish} from './books.ts';
import {type Chance, type Choice, of, prefersSubscriptions} from './chance.ts';
import {changeAmount} from './changed-amounts.ts';
import {Neighbour} from './neighbour.ts';
import {Seller} from './offers.ts';
import {isCodeless, isGivenBack, isPaid, isPartlyPaid, isUnpaid, isUntold} from './order-states.ts';
import type {Purchase, Subscriber, Visit} from './people.ts';
import {RefundLinks} from './refund-links.ts';
import {control, form, ORIGIN, page, server} from './requests.ts';
import {OFFERS} from './settings.ts';
import type {HttpAnswer, HttpRequest} from './stage/protocol.ts';
import {storyPaths} from './stories.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  isCharge,
  type Json,
  list,
  parse,
  pinIn,
  toKurus,
  toNumber,
  toText,
} from './values.ts';

const BANKS = ['garanti', 'akbank'];

/** The history in which the actors act. */
interface Play {
  readonly now: number;
  readonly chance: Chance;
  readonly accountant: Accountant;
  /** What the history prefers for a while. */
  mood(topic: number): Chance;
  /** Sends a request. With `null` as its answer, the actor never gets one. */
  ask(request: HttpRequest, onAnswer?: (answer: HttpAnswer | null) => void): void;
}

type Then = (answer: Json) => unknown;

export class Actors {
  readonly #driver: Play;
  readonly #visits: Visit[] = [];
  readonly #purchases: Purchase[] = [];
  readonly #subscribers: Subscriber[] = [];
  readonly #seller: Seller;
  readonly #links: RefundLinks;
  readonly #neighbour: Neighbour;
  #count = 0;
  #cursor = '';

  constructor(driver: Play) {
    this.#driver = driver;
    this.#seller = new Seller(driver.accountant.prices);
    this.#links = new RefundLinks(driver.accountant);
    this.#neighbour = new Neighbour(driver, this.#send, (order, token) => this.#open(order, token));
  }

  choices(): Choice[] {
    const {chance, accountant, now} = this.#driver;
    // The merchant's server learns the ids of subscriptions from events.
    for (const {type, data} of accountant.events.values()) {
      const known = this.#subscribers.find(({tracking}) => tracking === data['tracking_id']);
      if (known && type === 'subscription.started')
        known.id ??= (data['subscription_id'] as string | null) ?? undefined;
    }
    const purchase = (test: (book: OrderBook, purchase: Purchase) => boolean = () => true) =>
      chance.recent(this.#purchases.filter((one) => test(one.book, one)));
    const subscriber = (test: (subscriber: Subscriber) => boolean) => chance.recent(this.#subscribers.filter(test));
    const withoutCode = purchase(isCodeless);
    const coded = purchase(({codes}) => codes.size > 0);
    const unpaid = purchase(isUnpaid);
    const late = purchase((one) => isUnpaid(one) && now > one.deadline);
    const noticed = purchase(({stray}, {notice}) => stray !== undefined && notice !== undefined);
    const paid = purchase(isPaid);
    const [clicking, byPin] = [true, false].map((isClick) =>
      subscriber(({id, hasToken, patience}) => id === undefined && hasToken === isClick && patience > 0),
    );
    const withPin = subscriber(({id, pin, patience}) => id === undefined && pin !== undefined && patience > 0);
    const active = subscriber(({id}) => id !== undefined);
    const undecided = this.#subscribers.filter(({id, patience}) => id === undefined && patience > 0).length;
    const prey = purchase(({service}) => service === SHOP);
    const wish = chance.recent([...accountant.wishes.values()].filter((one) => accountant.isRepeatable(one)));
    const change = ({book}: Purchase) => changeAmount(book, accountant, chance, () => this.#key(), this.#send);
    // Few orders with long histories find more than many orders to which little happens.
    const [orders, club] = prefersSubscriptions((topic) => this.#driver.mood(topic)) ? [0.1, 8] : [1, 1];
    const share = (6 * orders) / (1 + this.#purchases.length);
    return [
      of('visit', share, '', () => this.#visit()),
      of('sell', share, '', () => this.#sell()),
      ...this.#neighbour.choices(
        share,
        prey && {...prey, link: chance.recent(this.#links.of(SHOP))?.id, subscription: active?.id},
      ),
      of('change a price', 2 * share, '', () => this.#seller.change(chance, now, this.#send)),
      of('make a bill', share / 2, '', () => this.#seller.makeBill(now, this.#send)),
      of('visit club', (7 * club) / (1 + undecided), '', () => this.#visitClub()),
      of('read events', 2, '', () => this.#readEvents()),
      of('list unknown', 0.5, 'commands?state=unknown', (path) => this.#send(server(path))),
      of('search', 3, chance.pick(['charges', 'messages', 'transactions']), (kind) => {
        for (let left = chance.pick([1, 1, 6]); left > 0; left -= 1)
          this.#send(server(`${kind}/search`, {service: SHOP}));
      }),
      of('end day', 3, '', () => this.#endDay()),
      of('place', 6, chance.recent(this.#visits), (visit) => this.#place(visit)),
      of('ask code', 12, withoutCode, (one) => this.#askCode(one)),
      of('ask code again', 2, purchase(), (one) => this.#askCode(one)),
      of('read', 4, purchase(), (one) => this.#read(one)),
      of('wait for money', 8, purchase(isUntold), (one) => this.#read(one)),
      of('look', 2, purchase(), (one) => this.#look(one)),
      of('transfer', 8, unpaid, (one) => this.#transfer(one)),
      of('transfer the rest', 5, purchase(isPartlyPaid), (one) => this.#transfer(one)),
      of('transfer late', 4, late, (one) => this.#transfer(one)),
      of('transfer again', 3, purchase(isGivenBack) ?? coded, (one) => this.#transfer(one)),
      of('hand off', 2, coded, (one) => this.#handOff(one)),
      of('report', 2, coded, (one) => this.#report(one)),
      of('approve', 4, noticed, (one) => this.#approve(one)),
      of('pay by phone', 3, withoutCode ?? unpaid, (one) => this.#payByPhone(one)),
      of('refund', 12, paid, (one) => this.#refund(one)),
      of('make a refund link', 8, paid, ({book}) => {
        const name = this.#person((count) => `Iade Kisi${count}`);
        this.#links.make(book, name, this.#key(), chance, this.#send);
      }),
      of('use a refund link', 10, chance.recent(this.#links.links), (link) =>
        this.#links.use(link, chance, this.#send),
      ),
      of('look at a refund link', 2, chance.recent(this.#links.links), (link) =>
        this.#links.look(link, chance, this.#key(), this.#send),
      ),
      of('refund a charge', 1, paid, (one) => this.#refundCharge(one)),
      of('complete', 0.7, paid, ({book: {ref, service}}) =>
        this.#command('orders/complete', {service, order: ref}, 'complete', `complete ${service} ${ref}`, ref),
      ),
      of('cancel an order', 0.7, purchase(), ({book}) => {
        book.cancelAskedAt = Math.min(book.cancelAskedAt, now);
        this.#send(server('orders/cancel', {service: book.service, order: book.ref}, this.#key()));
      }),
      of('change an amount', 4, coded, change),
      of('change an amount early', 1, purchase(), change),
      of('repeat', 2, wish, ({request}) => this.#send(request)),
      of('ask PIN', 4 * club, byPin, (one) => this.#askPin(one)),
      of('subscribe', 6 * club, withPin, (one) => this.#typePin(one, one.pin ?? '')),
      of('guess a PIN', club, byPin, (one) => this.#typePin(one, '0000')),
      of('one click', 2 * club, clicking, (one) => this.#click(one)),
      of('cancel on a page', 2 * club, active, (one) => this.#cancelOnPage(one)),
      of('cancel on the server', club, active, ({id = ''}) =>
        this.#command(`subscriptions/${SHOP}/${id}/cancel`, {}, 'cancel', cancelMark(id)),
      ),
      of('cancel by SMS', 2 * club, active, ({id = ''}) =>
        this.#send(control(`subscriptions/${id}/cancel`, {source: 'sms'}), () => accountant.cancelledElsewhere(id)),
      ),
      of('renew', 1, active, ({id}) => this.#send(control(`subscriptions/${id}/renew`, {}))),
    ];
  }

  /** Lets what is half done come to its end, and reads everything. Yields how long the driver lets everything settle. */
  *finish(isShort: boolean): Generator<number> {
    const {accountant} = this.#driver;
    // The sessions of all other orders may have expired during an outage.
    this.#sell();
    yield 0;
    yield this.#each((one) => this.#askCode(one), isCodeless) + MINUTE_MS;
    // The calls of a minute may have been used up.
    yield this.#each((one) => this.#askCode(one), isCodeless);
    if (!isShort) {
      // A part is paid, some of it is refunded, and then the rest is paid.
      yield this.#each((one) => this.#transfer(one, 1, 0), isUnpaid) + HOUR_MS / 6;
      yield this.#each((one) => this.#look(one));
      yield this.#each((one) => this.#refund(one), isPaid);
      this.#endDay();
      yield 0;
      yield this.#each((one) => this.#look(one));
      this.#each((one) => this.#transfer(one, 0, 0), isPartlyPaid);
    }
    yield 30 * HOUR_MS;
    // What was refused before may be carried out now.
    for (const wish of accountant.wishes.values())
      if (accountant.isRepeatable(wish)) this.#send(wish.request);
      else if (wish.kind === 'subscribe') this.#send(server(`consents?tracking_id=${wish.mark}`));
    yield HOUR_MS / 3;
    this.#each((one) => this.#look(one));
    this.#each((one) => this.#read(one));
    this.#send(server('commands?state=unknown'));
    yield* this.#readAllEvents();
    yield this.#each(({book}) => storyPaths(book).forEach((path) => this.#send(server(path))));
  }

  /** Sends money for the shop's orders that are deleted by now, while another order is open. */
  *payLate(): Generator<number> {
    const closed = new Set(this.#purchases.map(({book}) => book));
    yield 11 * DAY_MS;
    this.#sell();
    yield 0;
    yield this.#each(
      (one) => this.#askCode(one),
      (book) => !closed.has(book),
    );
    this.#each(
      (one) => this.#transfer(one, 0),
      (book) => closed.has(book) && book.codes.size > 0 && book.service === SHOP,
    );
    yield DAY_MS;
    yield* this.#readAllEvents();
  }

  #each(act: (purchase: Purchase) => void, test: (book: OrderBook) => boolean = () => true): 0 {
    for (const purchase of this.#purchases) if (test(purchase.book)) act(purchase);
    return 0;
  }

  *#readAllEvents(): Generator<number> {
    let hasMore = true;
    for (; hasMore; yield 0) {
      hasMore = false;
      this.#readEvents((more) => (hasMore = more));
    }
  }

  // The people at the platform.

  #transfer({book}: Purchase, partShare = this.#driver.mood(-1).pick([0.1, 0.3, 0.7]), strayShare = 0.15): void {
    const {chance, accountant} = this.#driver;
    const full = Math.max(0, book.kurus - book.arrived) || book.kurus;
    const kurus = chance.happens(partShare) ? Math.ceil(full / 2) : chance.happens(0.2) ? full + 1_000 : full;
    const description = chance.happens(strayShare) ? `lamba ${(this.#count += 1)}` : `Ödeme ${[...book.codes][0]}`;
    const body = {description, bank: chance.pick(BANKS), amount: toText(kurus), sender: 'Deniz Havale'};
    this.#send(control('transfers', body), ({transaction_id: id, matched}) => {
      if (matched) accountant.moneyArrived(book, String(id), kurus);
      else book.strays.set(String(id), {kurus, at: this.#driver.now});
    });
  }

  #approve({book, notice}: Purchase): void {
    const {stray = ''} = book;
    this.#send(control(`notices/${String(notice)}/approve`, {transaction_id: Number(stray)}), () => {
      this.#driver.accountant.moneyArrived(book, stray, book.strays.get(stray)?.kurus ?? 0);
      this.#driver.accountant.met('money without a code is found by a notice');
    });
  }

  #endDay(): void {
    const {chance, accountant} = this.#driver;
    const outcomes: Record<string, number> = {};
    for (const [id, refund] of accountant.openRefunds()) {
      const status = refund.statuses.at(-1);
      const charge = /\/(\d+)$/.exec(id)?.[1];
      if (charge && status === -1) continue;
      // Money that was sent back, with -1, is never kept after all.
      const unusual = charge ? 4 : status === -1 ? -1 : chance.pick([-1, 2, 4, 6]);
      const outcome = chance.happens(0.4) ? unusual : 3;
      // The controls answer after the notifications, but the refunds have their results before.
      accountant.refundSettled(refund, outcome);
      if (charge) this.#send(control(`charges/${charge}/status`, {status: outcome === 3 ? 6 : 3}));
      else if (outcome !== 3) outcomes[id] = outcome;
    }
    const notify = chance.pick(['get', 'post', 'batch', 'get-batch']);
    this.#send(control('day-end', {notify, outcomes, again: chance.happens(0.2)}));
  }

  // Shoppers.

  /** A page gets a session first, or together with its code. */
  #visit(): void {
    const {chance} = this.#driver;
    const offer = chance.pick(['gold', 'brief', chance.recent(this.#seller.names) ?? 'gold']);
    const attempt = `attempt-of-a-shopper-${(this.#count += 1)}`;
    if (chance.happens(0.5)) this.#visits.push({offer, attempt, waiting: 0});
    else this.#send(page('sessions', {offer}), ({order, token}) => this.#open(order, token, offer));
  }

  /** A tab chooses a bank. All tabs of a shopper have one attempt, and so one order. */
  #place(visit: Visit): void {
    const {offer, attempt} = visit;
    const {chance, accountant} = this.#driver;
    const body = {
      offer,
      attempt,
      shown_amount: toText(OFFERS[offer]?.kurus ?? accountant.prices.last(offer)),
      bank: chance.pick(BANKS),
    };
    accountant.met('two tabs choose at once', visit.waiting > 0);
    visit.waiting += 1;
    accountant.attempted(attempt);
    this.#driver.ask(page('order-code', body), (answer) => {
      visit.waiting -= 1;
      const {order, token} = parse(answer?.body);
      if (token !== undefined) this.#open(order, token, offer);
    });
  }

  #open(ref: unknown, token: unknown, offer?: string): void {
    const known = this.#purchases.find(({book}) => book.ref === ref);
    const book = this.#driver.accountant.orders.get(String(ref));
    if (known) known.tokens.push(String(token));
    else if (book) this.#purchases.push({book, tokens: [String(token)], viewers: [], offer, choosing: new Set()});
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
    this.#driver.ask(page('order-code', {...(bank && {bank})}, tokens[device]), () => void choosing.delete(device));
  }

  #read({tokens, viewers}: Purchase): void {
    this.#send(page('payment', null, this.#driver.chance.pick([...tokens, ...viewers])));
  }

  #handOff(purchase: Purchase): void {
    const {handoff, tokens, viewers, offer} = purchase;
    if (!handoff) return this.#send(page('handoffs', {}, tokens[0]), ({code}) => (purchase.handoff = code));
    purchase.handoff = undefined;
    const body = {code: handoff, ...(offer && {offer}), attempt: `attempt-${(this.#count += 1)}`};
    this.#send(page('handoffs/redeem', body), ({token}) => {
      viewers.push(String(token));
      this.#driver.accountant.met('a second device has the order');
    });
  }

  /** A transfer without a code is reported on the page, or by the merchant's server, and the notice is submitted. */
  #report(purchase: Purchase): void {
    const {book, tokens} = purchase;
    const bank = this.#driver.chance.pick(BANKS);
    const name = this.#person((count) => `Bildiren Kisi${count}`);
    const notice = {name, email: `${name.replace(' ', '.')}@mail.example`};
    const submit: Then = ({notice_code: code}) => {
      purchase.notice = code;
      this.#send(form(`/pay/phs/yonlendir/${String(code)}`));
    };
    if (this.#driver.chance.happens(0.5)) return this.#send(page('payment-notices', {bank, notice}, tokens[0]), submit);
    const body = {service: book.service, order: book.ref, amount: toText(book.kurus), bank, notice};
    this.#command('payment-notices', body, 'notice', name, book.ref, '', submit);
  }

  /** Opens the platform's payment page, then enters the number, then the PIN. */
  #payByPhone(purchase: Purchase): void {
    const {paymentPage, payer, book, tokens} = purchase;
    if (paymentPage === undefined) {
      const opened: Then = ({url}) => (purchase.paymentPage = new URL(String(url)).pathname);
      if (this.#driver.chance.happens(0.7)) return this.#send(page('payment-pages', {}, tokens[0]), opened);
      const terms = {service: book.service, reference: book.ref, item: 'Lamba', price: toText(book.kurus)};
      const urls = {success_url: `${ORIGIN}/paid`, failure_url: `${ORIGIN}/failed`};
      return this.#send(server('payment-pages', {...terms, ...urls}, this.#key()), opened);
    }
    if (!payer?.pin) {
      const msisdn = this.#person(toNumber);
      return this.#send(form(paymentPage, {step: 'number', msisdn, operator: '1'}), () =>
        this.#readPin(msisdn, (pin) => (purchase.payer = {msisdn, pin})),
      );
    }
    Object.assign(purchase, {paymentPage: undefined, payer: undefined});
    this.#send(form(paymentPage, {step: 'pin', pin: payer.pin}), () =>
      this.#send(control(`subscriptions?msisdn=${payer.msisdn}`, null), ({subscriptions}) => {
        for (const {charge_id, amount, status} of list(subscriptions).flatMap(({charges}) => list(charges)))
          if (status === 3) {
            this.#driver.accountant.moneyArrived(book, String(charge_id), toKurus(amount));
            this.#driver.accountant.met('money from a phone bill');
          }
      }),
    );
  }

  // Subscribers.

  #visitClub(): void {
    const [hasToken, patience] = [this.#driver.chance.happens(0.3), this.#driver.chance.between(1, 3)];
    this.#send(page('sessions', {offer: 'club'}), ({token}) => {
      const msisdn = this.#person(toNumber);
      this.#subscribers.push({msisdn, tracking: `track-${this.#count}`, token: String(token), hasToken, patience});
    });
  }

  #askPin(subscriber: Subscriber): void {
    const {msisdn, tracking, token} = subscriber;
    this.#send(page('pins', {operator: 1, msisdn, tracking_id: tracking}, token), () =>
      this.#readPin(msisdn, (pin) => (subscriber.pin = pin)),
    );
  }

  #readPin(msisdn: string, then: (pin: string | undefined) => unknown): void {
    this.#send(control(`sms?msisdn=${msisdn}`, null), ({messages}) => then(list(messages).flatMap(pinIn).at(-1)));
  }

  #typePin(subscriber: Subscriber, pin: string): void {
    this.#subscribe(subscriber, {operator: 1, msisdn: subscriber.msisdn, pin, language: 'tr'});
  }

  #click(subscriber: Subscriber): void {
    const {msisdn, token} = subscriber;
    this.#send(control('number-tokens', {msisdn, operator: 1}), ({number_token}) => {
      this.#send(page('numbers', {number_token}, token));
      this.#subscribe(subscriber, {number_token});
    });
  }

  #subscribe(subscriber: Subscriber, body: object): void {
    const {tracking, token} = subscriber;
    subscriber.patience -= 1;
    this.#want('subscribe', tracking, page('subscriptions', {...body, tracking_id: tracking}, token));
  }

  /** The subscriber cancels on a page for which the merchant's server has opened a session. */
  #cancelOnPage(subscriber: Subscriber): void {
    const {id = '', manage} = subscriber;
    const session = {kind: 'management', origin: ORIGIN, service: SHOP, subscription: id, via: 'micropayment'};
    const opened: Then = ({token}) => (subscriber.manage = String(token));
    if (manage === undefined) return this.#send(server('sessions', session, this.#key()), opened);
    this.#send(page('subscription', null, manage));
    this.#want('cancel', cancelMark(id), page('subscription/cancel', {}, manage));
  }

  // The merchant's server.

  /** Opens an order, on one device or on two. */
  #sell(): void {
    const {chance} = this.#driver;
    const [order, kurus] = [`S-${(this.#count += 1)}`, chance.between(100, 50_000)];
    const hours = chance.pick([0.1, 1, 72]);
    const body = {kind: 'payment', origin: ORIGIN, service: SHOP, order, amount: toText(kurus), hours};
    for (const device of chance.happens(0.4) ? ['phone', 'tablet'] : ['phone'])
      this.#send(server('sessions', body, `${device}-${order}`), ({token}) => this.#open(order, token));
  }

  #refund({book}: Purchase): void {
    const paid = book.shownPaid;
    const kurus = this.#driver.chance.pick([paid, Math.ceil(paid / 2), Math.ceil(paid / 3)]) ?? paid;
    const contact = {name: this.#person((count) => `Alacak Kisi${count}`), iban: 'TR330006100519786457841326'};
    const body = {service: book.service, order: book.ref, amount: toText(kurus), contact};
    this.#command('refunds', body, 'refund', contact.name, book.ref);
  }

  #refundCharge({book}: Purchase): void {
    const charge = list(book.lastView?.['transactions']).find(isCharge);
    const mark = refundMark(book.service, String(charge?.['id']));
    if (!charge || book.refunds.has(mark)) return;
    const path = `charges/${book.service}/${String(charge['id'])}/refund`;
    this.#command(path, {}, 'refund-charge', mark, book.ref, String(charge['amount']));
  }

  #look({book}: Purchase): void {
    this.#send(server(`orders?service=${book.service}&order=${book.ref}`));
  }

  #readEvents(then: (more: boolean) => void = () => {}): void {
    const query = this.#cursor && `?cursor=${encodeURIComponent(this.#cursor)}`;
    this.#send(server(`events${query}`), ({next_cursor: next, more}) => {
      this.#cursor = String(next ?? this.#cursor);
      then(more === true);
    });
  }

  #command(path: string, body: object, kind: Wish['kind'], mark: string, order = '', amount = '', then?: Then): void {
    this.#want(kind, mark, server(path, body, this.#key()), order, amount, then);
  }

  #want(kind: Wish['kind'], mark: string, request: HttpRequest, order = '', amount = '', then?: Then): void {
    this.#driver.accountant.wished({kind, mark, request, order, amount});
    this.#send(request, then);
  }

  #key(): string {
    return `key-${(this.#count += 1)}`;
  }

  /** A name or number that no other person has. No log line may have it. */
  #person(toDatum: (count: number) => string): string {
    const datum = toDatum((this.#count += 1));
    this.#driver.accountant.people.add(datum);
    return datum;
  }

  /** @param then - Gets the answer of a success. */
  readonly #send = (request: HttpRequest, then?: Then): void =>
    this.#driver.ask(request, (answer) => {
      if (answer && answer.status < 400) then?.(parse(answer.body));
    });
}
