/**
 * Starts one session recorder with the least masking that its settings allow, fills in and shows everything private,
 * and looks for it in what the recorder has recorded.
 */

import {codeGroups, ibanGroups} from '../../widgets/transfer/payment-code/code-groups.ts';
import {FEW_BANKS, orderCode} from '../widgets/stub-worker/answers.ts';
import {API, until} from './answers.js';

/** Everything that the recorder would send, as text. @type {string[]} */
const recorded = [];
/** The recording without spaces and escapes. */
const seen = () => recorded.join('\n').replace(/\s|\\+u00a0|\u00a0|\\/g, '');
const record = (/** @type {unknown} */ event) => void recorded.push(JSON.stringify(event));

/** @type {Record<string, () => unknown>} */
const RECORDERS = {
  async rrweb() {
    const {record: start} = await import('rrweb');
    start({emit: record});
  },

  async sentry() {
    const {createTransport, init, replayIntegration} = await import('@sentry/browser');
    const replay = replayIntegration({
      maskAllText: false,
      maskAllInputs: false,
      blockAllMedia: false,
      useCompression: false,
      minReplayDuration: 0,
    });
    init({
      dsn: `${location.origin.replace('//', '//key@')}/1`,
      replaysSessionSampleRate: 1,
      integrations: [replay],
      transport: (options) =>
        createTransport(options, async ({body}) => {
          record(typeof body === 'string' ? body : new TextDecoder().decode(body));
          return {};
        }),
    });
    const flush = () => void replay.flush().finally(() => setTimeout(flush, 100));
    flush();
  },

  async posthog() {
    const {default: posthog} = await import('posthog-js/dist/module.full.no-external.js');
    posthog.init('key', {
      api_host: `${location.origin}/posthog`,
      opt_out_useragent_filter: true,
      session_recording: {compress_events: false, maskAllInputs: false},
      before_send: (event) => (record(event), event),
    });
  },

  async clarity() {
    const {clarity} = await import('clarity-js');
    clarity.start({projectId: 'key', upload: record, content: true, track: true, delay: 100, lean: false});
  },
};

/** @param {ParentNode | null | undefined} root @param {string} selector @returns {HTMLInputElement | undefined} */
function find(root, selector) {
  const found = root?.querySelector(selector);
  if (found) return /** @type {HTMLInputElement} */ (found);
  for (const each of root?.querySelectorAll('*') ?? []) {
    const inner = each.shadowRoot && find(each.shadowRoot, selector);
    if (inner) return inner;
  }
  return undefined;
}

/** Adds an element. @param {string} tag @param {string} attributes */
function add(tag, attributes) {
  document.body.insertAdjacentHTML('beforeend', `<${tag} api="${API}" lang="en" ${attributes}></${tag}>`);
  const element = /** @type {HTMLElement} */ (document.body.lastElementChild);
  return (/** @type {string} */ selector) => until(`${selector} of ${tag}`, () => find(element.shadowRoot, selector));
}

/** Types a text, key by key. @param {HTMLInputElement} field @param {string} text */
async function type(field, text) {
  field.focus();
  for (const letter of text) {
    field.value += letter;
    field.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true, data: letter}));
    await new Promise((resolve) => setTimeout(resolve));
  }
  field.dispatchEvent(new Event('change', {bubbles: true}));
}

/** What must not be in a recording, without spaces. */
const [bank] = FEW_BANKS;
const SECRETS = {
  'the number': '053298765',
  'the PIN': '739155',
  // Both are shown in groups.
  'the order code': `"${codeGroups(orderCode().order_code)[0]}"`,
  'the shown IBAN': `"${ibanGroups(bank?.iban ?? '')[0]}"`,
  'the account holder': bank?.account_holder.replaceAll(' ', '') ?? '',
  'the typed name': 'LeylaSaklı',
  'the typed IBAN': 'TR46000150015800729928',
};

/** @param {string} name @returns {Promise<string[]>} What is not as it must be. */
export async function tryRecorder(name) {
  document.body.innerHTML = '<p>Seen by every recorder</p>';
  await RECORDERS[name]?.();
  await until('the recording', () => recorded.length > 0);

  const number = add('vezne-pin-subscribe', 'offer="club"');
  await type(await number('[name=number]'), '0532 987 65 43');
  (await number('[name=operator]')).click();
  const consent = await number('[name=consent]');
  if (!consent.checked) consent.click();
  (await number('[type=submit]')).click();
  await type(await number('[name=pin]'), SECRETS['the PIN']);

  const code = add('vezne-payment-code', `offer="gold" bank="${bank?.id}"`);
  await code('.code');
  await code('dd');

  const notice = add('vezne-payment-notice', 'offer="gold"');
  await type(await notice('[name=name]'), 'Leyla Saklı');

  const refund = add('vezne-refund-contact', 'link="Zk3v0pW8bT1yQm6XcR9dLg"');
  await type(await refund('[name=name]'), 'Leyla Saklı');
  await type(await refund('[name=iban]'), 'TR46 0001 5001 5800 7299 2837 48');

  // What the recorder has seen last shows that it has seen everything before.
  document.body.insertAdjacentHTML('beforeend', '<p>The end of the page</p>');
  await until('the end', () => seen().includes('Theendofthepage'));
  const texts = ['Seenbyeveryrecorder', 'Enteronlythisasthedescription', 'Yourmobilenumber'];
  return [
    ...Object.entries(SECRETS).flatMap(([what, text]) => (seen().includes(text) ? [`${what} is recorded`] : [])),
    ...texts.flatMap((text) => (seen().includes(text) ? [] : [`"${text}" is not recorded`])),
  ];
}
