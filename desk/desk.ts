/** The entry of the desk: defines its elements. */

import {DeskDay} from './desk-day.ts';
import {DeskHealth} from './desk-health.ts';
import {DeskPayment} from './desk-payment.ts';
import {DeskPicture} from './desk-picture.ts';
import {DeskSearch} from './desk-search.ts';
import {DeskTimeline} from './desk-timeline.ts';
import {DeskTransfer} from './desk-transfer.ts';
import {DeskWork} from './desk-work.ts';
import {openAgain} from './session.ts';
import {DeskStranger} from './stranger-element.ts';
import {VezneDesk} from './vezne-desk.ts';

const ELEMENTS = {
  'desk-stranger': DeskStranger,
  'desk-search': DeskSearch,
  'desk-timeline': DeskTimeline,
  'desk-transfer': DeskTransfer,
  'desk-payment': DeskPayment,
  'desk-picture': DeskPicture,
  'desk-day': DeskDay,
  'desk-work': DeskWork,
  'desk-health': DeskHealth,
  'vezne-desk': VezneDesk,
};

if (!openAgain()) for (const [tag, element] of Object.entries(ELEMENTS)) customElements.define(tag, element);
