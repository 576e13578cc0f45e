// @ts-check
// Compares the books of a busy day with the sandbox's database, and asks the ten questions of docs/books.md with curl.

import {execFile, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {promisify} from 'node:util';
import {check, checkTime, isSmallest} from './bench.mjs';
import {KEY, kurus, localTime, SERVICES} from './busy-day.mjs';
import {sumBy} from './sandbox-records.mjs';

const MAX_SECONDS = 30;
const run = promisify(execFile);

/** @typedef {Record<string, string>} Row */

/** @param {string} time - As the platform writes it. @param {number} hours */
const addHours = (time, hours) => localTime(Date.parse(`${time.replace(' ', 'T')}+03:00`) + hours * 3_600_000);

const dayOf = (/** @type {Row} */ row) => row['corrects'] || row['day'];
const balanceOf = (/** @type {Row} */ row) => kurus(row['balance']);
const amountOf = (/** @type {{kurus: number}} */ each) => each.kurus;
const key = (/** @type {{service?: string, order?: string | null}} */ {service, order}) => `${service} ${order}`;
const anyItem = (/** @type {any} */ answer) => answer.items.length > 0;

/** @param {string} text - CSV. Quoted cells have no line breaks. @returns {Row[]} */
function parseCsv(text) {
  const [names = [], ...rows] = text
    .replace(/^\u{FEFF}/u, '')
    .trim()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll(/^"|"$/g, '')),
    );
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

/** @param {string} name @param {unknown} booked @param {unknown} expected */
function agree(name, booked, expected) {
  const isEqual = JSON.stringify(booked) === JSON.stringify(expected);
  const sums = Object.values(/** @type {Record<string, number>} */ (expected));
  const shown =
    sums.length > 6 ? `${sums.length} sums, ${sums.reduce((a, b) => a + b)} in all` : JSON.stringify(expected);
  check(`${name}: ${shown}`, isEqual);
  if (!isEqual) console.log('expected', JSON.stringify(expected), 'but the books have', JSON.stringify(booked));
}

/**
 * @param {import('./busy-day.mjs').BusyDay} play
 * @param {string} folder
 */
export async function checkBooks(play, folder) {
  /** @type {Row[]} */
  const rows = [];
  for (const day of play.days()) {
    const files = await play.files(day);
    for (const [index, service] of SERVICES.entries()) {
      const own = parseCsv(files[index] ?? '').map((row) => Object.assign(row, {service}));
      const {body} = await play.ask(`/merchant/v1/days/${day}?service=${service}`);
      const sum = own.reduce((total, {balance}) => total + kurus(balance), 0);
      agree(`${service} ${day}: the file's sum is that of the JSON`, sum, kurus(body.balance));
      compareSums(`${service} ${day}`, body, own);
      rows.push(...own);
    }
  }
  compareMoney(play, rows);
  compareOrders(play, rows);
  console.log(`${rows.length} rows, ${rows.filter(({corrects}) => corrects !== '').length} of them corrections`);
  await readWithLibreOffice(play, folder);
  await play.refundUnknown();
  await askQuestions(play);
}

const TAKES_BACK = new Set(['money.withdrawn', 'money.matched', 'refund.withdrawn']);
const countOf = (/** @type {Row} */ {type = '', amount}) => (amount === '' ? 0 : TAKES_BACK.has(type) ? -1 : 1);
const refundState = (/** @type {Row} */ {type}) => (type === 'refund.withdrawn' ? 'settled' : type?.slice(7));
const bank = (/** @type {Row} */ row) => [row['bank_name'], row['method']].join(' ');
const bookedAs = (/** @type {Row} */ row) => [row['service'], dayOf(row), row['method'], row['bank_name']].join(' ');
const paidAs = (/** @type {import('./sandbox-records.mjs').Money} */ {service, day, method, bank: name}) =>
  [service, day, method, name].join(' ');
const dueOf = (/** @type {Row} */ row) => kurus(row['order_amount']);

/**
 * Every number of a day's JSON must be a sum of the rows of its file.
 * @param {string} name @param {any} body @param {readonly Row[]} rows
 */
function compareSums(name, body, rows) {
  const of = (/** @type {string} */ type) => rows.filter((row) => row['type']?.startsWith(type));
  const reached = [
    ...new Map(rows.filter(({state}) => state !== '').map((row) => [`${row['order']} ${row['state']}`, row])).values(),
  ];
  /** @type {[string, readonly Row[], (row: Row) => string, (row: Row) => number, (row: Row) => number][]} */
  const groups = [
    ['banks', of('money.'), bank, countOf, balanceOf],
    ['orders', reached, ({state = ''}) => state, () => 1, dueOf],
    ['late', rows.filter(({late}) => late === 'late'), () => '', countOf, balanceOf],
    ['overdue', of('order.overdue'), () => '', () => 1, dueOf],
    ['unmatched', [...of('money.unmatched'), ...of('money.matched')], () => '', countOf, balanceOf],
    [
      'refunds',
      of('refund.'),
      (row) => `${refundState(row)} ${bank(row)}`,
      countOf,
      (row) => kurus(row['amount']) * countOf(row),
    ],
    ['corrections', rows.filter(({corrects}) => corrects !== ''), ({corrects = ''}) => corrects, () => 1, balanceOf],
  ];
  for (const [field, own, keyOf, count, amount] of groups) {
    /** @type {any[]} */
    const told = [body[field]].flat();
    const toldKey = (/** @type {any} */ {state, bank_name: bankName, method, day}) =>
      field === 'refunds'
        ? `${state} ${bankName ?? ''} ${method}`
        : (state ?? day ?? (method ? `${bankName ?? ''} ${method}` : ''));
    agree(
      `${name}: ${field}`,
      [
        sumBy(told, toldKey, (each) => each.count),
        sumBy(told, toldKey, (each) => kurus(each.amount ?? each.arrived ?? each.balance)),
      ].map((sums) => JSON.stringify(sums)),
      [sumBy(own, keyOf, count), sumBy(own, keyOf, amount)].map((sums) => JSON.stringify(sums)),
    );
  }
}

/** @param {import('./busy-day.mjs').BusyDay} play @param {readonly Row[]} rows */
function compareMoney(play, rows) {
  const {money, refunds} = play.records();
  const paid = money.filter(({isPaid}) => isPaid);
  const arrived = rows.filter(({type}) => type?.startsWith('money.'));
  // Money that got another order is taken back on the day that it came, and is the new order's on that day.
  agree('service, day, kind and bank', sumBy(arrived, bookedAs, balanceOf), sumBy(paid, paidAs, amountOf));
  agree(
    'how much money of each',
    sumBy(arrived, bookedAs, countOf),
    sumBy(paid, paidAs, () => 1),
  );
  const unmatched = arrived.filter(({type}) => type === 'money.unmatched' || type === 'money.matched');
  agree(
    'money without an order',
    sumBy(unmatched, ({service}) => service ?? '', balanceOf),
    sumBy(
      paid.filter(({method, code}) => method === 'transfer' && code === null),
      ({service}) => service,
      amountOf,
    ),
  );
  const statuses = {'refund.settled': [3], 'refund.failed': [4, 6], 'refund.requested': [1, 2, 3, 4, 6]};
  for (const [type, wanted] of Object.entries(statuses))
    agree(
      type,
      sumBy(
        rows.filter((row) => row['type'] === type),
        (row) => [row['service'], dayOf(row)].join(' '),
        (row) => kurus(row['amount']),
      ),
      sumBy(
        [
          ...refunds.filter(({status}) => wanted.includes(status)),
          ...(type === 'refund.settled' ? play.givenBack.map((charge) => ({...charge, day: charge.asked})) : []),
        ],
        ({service, day, asked}) => [service, type === 'refund.requested' ? asked.slice(0, 10) : day].join(' '),
        amountOf,
      ),
    );
}

/** @param {import('./busy-day.mjs').BusyDay} play @param {readonly Row[]} rows */
function compareOrders(play, rows) {
  const {money, refunds, orders: known} = play.records();
  const hours = new Map(play.orders.map((order) => [`${order.service} ${order.order}`, order.hours]));
  const placed = rows.filter(({type}) => type === 'order.placed');
  agree(
    'placed orders',
    sumBy(
      placed,
      ({service}) => service ?? '',
      (row) => kurus(row['order_amount']),
    ),
    sumBy(
      play.orders,
      ({service}) => service,
      (order) => order.kurus,
    ),
  );
  const arrivals = Map.groupBy(
    money.filter(({isPaid, order}) => isPaid && order !== null),
    key,
  );
  const settled = sumBy([...refunds.filter(({status}) => status === 3), ...play.givenBack], key, amountOf);
  const stateOf = (/** @type {import('./busy-day.mjs').PlayedOrder} */ order) => {
    const sum = (arrivals.get(key(order)) ?? []).reduce((total, each) => total + each.kurus, 0);
    const left = sum - (settled[key(order)] ?? 0);
    const decision = play.decided.get(key(order))?.is;
    if (sum === 0) return decision ?? (order.hours < 48 ? 'expired' : 'waiting');
    if (left <= 0) return 'refunded';
    if (decision) return decision;
    if (sum < order.kurus) return 'partial';
    return left > order.kurus ? 'overpaid' : 'paid';
  };
  // Money that moved was perhaps late for the first order.
  const moved = new Set(play.moves.map(({id}) => String(id)));
  const isOwn = (/** @type {{id?: number, transaction_id?: string}} */ {id, transaction_id = String(id)}) =>
    !moved.has(transaction_id);
  const late = known.flatMap(({service, order, kurus: due, createdAt}) => {
    // The time to pay ends when the order is cancelled.
    const decision = play.decided.get(key({service, order}));
    const deadline = addHours(createdAt, hours.get(key({service, order})) ?? 0);
    const expiresAt = decision?.is === 'cancelled' && decision.at < deadline ? decision.at : deadline;
    const own = arrivals.get(key({service, order})) ?? [];
    const inTime = own.filter(({at}) => at <= expiresAt).reduce((sum, each) => sum + each.kurus, 0);
    return inTime >= due ? [] : own.filter((each) => each.at > expiresAt && isOwn(each));
  });
  agree(
    'late money',
    sumBy(
      rows.filter((row) => row['late'] === 'late' && isOwn(row)),
      ({service}) => service ?? '',
      (row) => kurus(row['amount']),
    ),
    sumBy(
      late,
      ({service}) => service,
      (each) => each.kurus,
    ),
  );
  const last = new Map(rows.filter(({state}) => state !== '').map((row) => [key(row), row]));
  const byState = (/** @type {(order: import('./busy-day.mjs').PlayedOrder) => string | undefined} */ state) =>
    sumBy(
      play.orders,
      (order) => `${order.service} ${state(order)}`,
      () => 1,
    );
  const bookedState = (/** @type {import('./busy-day.mjs').PlayedOrder} */ order) => last.get(key(order))?.['state'];
  agree('last states', byState(bookedState), byState(stateOf));
  const wrong = play.orders.filter((order) => bookedState(order) !== stateOf(order));
  for (const order of wrong.slice(0, 5))
    console.log(
      key(order),
      stateOf(order),
      rows.filter((row) => key(row) === key(order)),
    );
}

/** @param {string} text - A day's file. */
const sumOf = (text) => parseCsv(text).reduce((sum, {balance}) => sum + kurus(balance), 0);

/** The separator, character set and language with which LibreOffice reads each form of the file. */
const SPREADSHEET_FORMATS = {plain: '44,34,76,1,,1033', tr: '59,34,76,1,,1055'};

/**
 * Reads the day's file as a spreadsheet does.
 * @param {import('./busy-day.mjs').BusyDay} play @param {string} folder
 */
async function readWithLibreOffice(play, folder) {
  const [plain = ''] = await play.files(play.day);
  for (const [numbers, format] of Object.entries(SPREADSHEET_FORMATS)) {
    const [text = ''] = await play.files(play.day, numbers);
    const file = path.join(folder, 'read', `${numbers}.csv`);
    const out = path.join(folder, 'written', `${numbers}.csv`);
    mkdirSync(path.dirname(file), {recursive: true});
    writeFileSync(file, text);
    const {error} = spawnSync('soffice', [
      '--headless',
      `-env:UserInstallation=file://${folder}/soffice`,
      `--infilter=CSV:${format},false,true`,
      '--convert-to',
      'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false',
      '--outdir',
      path.dirname(out),
      file,
    ]);
    if (error) return console.log('not judged  LibreOffice is not installed');
    agree(`LibreOffice: ${numbers} numbers`, sumOf(readFileSync(out, 'utf8').replaceAll('\n', '\r\n')), sumOf(plain));
  }
}

/** @param {import('./busy-day.mjs').BusyDay} play */
async function askQuestions(play) {
  const {money, orders, refunds} = play.records();
  const paid = money.find(({service, order, method}) => service === 'DEMO' && order !== null && method === 'transfer');
  const order = orders.find(({code}) => code === paid?.code);
  const refund = refunds.find(({service, status}) => service === 'DEMO' && status === 3);
  const day = `from=${play.day}&to=${play.day}`;
  /** @type {[question: string, path: string, isAnswer: (answer: any) => boolean][]} */
  const questions = [
    ['by order number', `orders?order=${order?.order}`, ({order_code}) => order_code === order?.code],
    [
      'its timeline',
      `orders/timeline?order=${order?.order}`,
      (answer) => JSON.stringify(answer).includes(String(paid?.id)),
    ],
    ['by code', `orders?code=${order?.code}`, (answer) => answer.order === order?.order],
    ['by amount and day', `bookings?amount=${((paid?.kurus ?? 0) / 100).toFixed(2)}&${day}`, anyItem],
    [
      "by the sender's name",
      'bookings?sender=sukru%20yil',
      ({items}) => items.length > 0 && items.every((/** @type {any} */ item) => item.sender.startsWith('Şükrü Yıl')),
    ],
    [
      "by the shop's customer",
      `bookings?user_id=${order?.user}`,
      ({items}) => items.some((/** @type {any} */ item) => item.order === order?.order),
    ],
    [
      'money without a code',
      'work?kind=unmatched',
      ({items}) => items.some((/** @type {any} */ item) => item.proposals.length > 0),
    ],
    ['wrong amount, may still be paid', `orders/days/${play.day}?state=partial`, anyItem],
    ...['partial', 'late', 'overpaid', 'cancelled', 'refund_failed', 'refund_unknown', 'delivery_failed'].map(
      (kind) => /** @type {[string, string, typeof anyItem]} */ ([kind, `work?kind=${kind}`, anyItem]),
    ),
    [
      'status of a refund',
      `bookings?id=${refund?.id}`,
      ({items}) => items.some((/** @type {any} */ item) => item.type === 'refund.settled'),
    ],
    ["a day's totals", `days/${play.day}?`, ({banks}) => banks.length > 1],
    ['expired', `work?kind=expired&${day}`, anyItem],
    ['refunded', `bookings?type=refund.settled&${day}`, anyItem],
    [
      'its refunds by code',
      `bookings?code=${refund?.code}&type=refund.settled`,
      ({items}) => items[0]?.refund_id === String(refund?.id),
    ],
    ['the file', `days/${play.day}.csv?`, () => true],
  ];
  for (const [question, query, isAnswer] of questions) {
    const url = `${play.url}/merchant/v1/${query}${query.includes('?') && !query.endsWith('?') ? '&' : ''}service=DEMO`;
    const startedAt = performance.now();
    const {stdout} = await run('curl', ['-sS', '-H', `authorization: Bearer ${KEY}`, url], {maxBuffer: 2 ** 30});
    const seconds = (performance.now() - startedAt) / 1000;
    const isAnswered = url.includes('.csv') ? stdout.length > 1_000 : isAnswer(JSON.parse(stdout));
    // Few orders are not in every state.
    check(`${question} is answered`, isAnswered || isSmallest);
    if (!isAnswered) console.log(stdout.slice(0, 300));
    checkTime(`${question}: ${seconds.toFixed(2)} s, at most ${MAX_SECONDS}`, seconds <= MAX_SECONDS);
  }
}
