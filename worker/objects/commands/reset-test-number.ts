/** A test number that may subscribe again (subscriptions 4.A). */

import {allOf} from '../../platform/rows.ts';
import {subscriptionState} from '../../platform/statuses.ts';
import {deed} from './command.ts';

interface Request {
  readonly service: string;
  /** Its number in mobile billing. */
  readonly serviceId: string;
  /** A test number is nobody's. */
  readonly msisdn: string;
}

/** As many as a search gives. */
const MOST_SUBSCRIPTIONS = 100;

export const resetTestNumber = deed<Request, Request, object, object>({
  operation: 'testNumberReset',
  keep: (request) => request,
  subjectOf: ({msisdn}) => msisdn,

  /** A number that is free is reset all the same: nothing comes of it. */
  look: () => Promise.resolve({before: {}}),

  async send({serviceId, msisdn}, {platform}, calling) {
    await platform.call('testNumberReset', {serviceId, msisdn}, calling);
    return {};
  },

  /** Done is what a reset is for: no subscription of the number's is left. */
  async readBack({serviceId, msisdn}, _before, {platform}) {
    const search = [{column: 'msisdn', term: msisdn}];
    const {subscriptions} = await platform.call('subscriptionSearch', {
      serviceId,
      search,
      sort: [{column: 'id', asc: false}],
      limit: MOST_SUBSCRIPTIONS,
      page: 1,
    });
    return allOf('subscriptionSearch', subscriptions).every(({status}) => subscriptionState(status) === 'cancelled')
      ? {done: {}}
      : 'absent';
  },
});
