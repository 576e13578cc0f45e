/** The states of `vezne-one-click`. */

import {sendMouse} from '@web/test-runner-commands';
import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {terms} from '../../stub-worker/answers.ts';
import {FakeTime} from '../fake-time.ts';
import {find, until, untilText} from '../page.ts';
import {press} from '../shopper.ts';
import {
  SELLER,
  held,
  refused,
  showsSkeleton,
  showsText,
  unavailable,
  type State,
  type States,
  type StateScript,
} from './state.ts';

const oneClick = '<vezne-one-click offer="club" number-token="7" lang="tr"></vezne-one-click>';

/** The fake time of the current test. */
let time: FakeTime | undefined;
const fakeTime = (): (() => void) => {
  const current = (time = new FakeTime());
  return () => current.release();
};

/** The interval at which the element measures how long the terms have been in view. */
const TICK_MS = 500;

/** Lets the time pass in which the shopper reads the terms. Terms in another language must be read again. */
const read = async (element: Element): Promise<void> => {
  await until('the terms', () => find(element, '#confirm'));
  await until('the end of the reading time', () => {
    if (!time?.delays.includes(TICK_MS)) return true;
    time.pass(TICK_MS);
    return false;
  });
};

/** Clicks with the mouse, because the element ignores the clicks of scripts. */
const confirm = async (element: Element): Promise<void> => {
  await read(element);
  const button = find(element, '#confirm') as HTMLElement;
  button.scrollIntoView({block: 'center'});
  const {x, y, width, height} = button.getBoundingClientRect();
  await sendMouse({type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)]});
};

/** If the terms are still shown, lets the shopper read them in the other language. */
const readAgain = async (element: Element): Promise<void> => {
  if (find(element, '#confirm')) await read(element);
};

/** What the shopper sees after the click. */
const confirmed = (expected: string, script: StateScript = {}): State => ({
  markup: oneClick,
  script,
  prepare: fakeTime,
  reach: async (element) => {
    await confirm(element);
    await untilText(element, expected);
  },
  again: readAgain,
});
const refusal = (code: ErrorCode, expected: string, retryAfter = 0): State =>
  confirmed(expected, {terms: terms({seller: SELLER}), faults: {subscribe: refused(code, {retryAfter})}});

export const ONE_CLICK_STATES: States = {
  'a number that is being recognized': {markup: oneClick, script: {faults: {number: held}}, reach: showsSkeleton},
  'a number that the mobile network has recognized': {markup: oneClick, reach: showsText('Abone ol')},
  'a recognized number after the shopper has read the terms': {
    markup: oneClick,
    prepare: fakeTime,
    reach: read,
    again: read,
  },
  'a number that the mobile network has not recognized': {
    markup: oneClick,
    script: {faults: {number: refused('number_token_invalid')}},
    reach: showsText('Onay kodu gönder'),
  },
  'one-click that is off': {
    markup: oneClick,
    script: {terms: terms({one_click: false})},
    reach: showsText('Onay kodu gönder'),
  },
  'another number instead of the recognized number': {
    markup: oneClick,
    reach: async (element) => {
      await press(element, 'Başka bir numarayla abone ol');
      await untilText(element, 'Onay kodu gönder');
      await untilText(element, '0532 *** ** 67 ile abone ol');
    },
  },
  'one-click that failed to load': {
    markup: oneClick,
    script: {faults: {number: unavailable}},
    reach: showsText('yanıt vermiyor'),
  },
  'one-click of an unknown offer': {
    markup: oneClick,
    script: {faults: {session: refused('unknown_offer')}},
    reach: showsText('şu an sunulmuyor'),
  },
  'one-click that waits for the answer': confirmed('Başlatılıyor…', {faults: {subscribe: held}}),
  'one-click after which the subscription has started': confirmed('Aboneliğiniz başladı'),
  'one-click whose number is no longer recognized': refusal('number_token_invalid', 'otomatik olarak tanıyamadık'),
  'one-click with a number that has the subscription already': refusal('already_subscribed', 'Zaten abonesiniz'),
  'one-click with a number that cannot be subscribed': refusal('not_eligible', 'Bu numarayla abone olunamıyor'),
  'one-click after an unexpected refusal': refusal('platform_refused', 'Bu denemede ücret alınmadı'),
  'one-click whose operator did not start the subscription': refusal('subscription_failed', 'Operatörünüz onaylamadı'),
  'one-click whose outcome is unknown': refusal('outcome_unknown', 'Sonuç henüz belli değil'),
  'one-click whose shopper must wait before the next attempt': refusal(
    'rate_limited',
    'sonra yeniden deneyebilirsiniz',
    300,
  ),
  'one-click without an answer': refusal('temporarily_unavailable', 'ücret alınmadı'),
};
