/** A test number that may subscribe again (subscriptions 4.A). */

import {requireAllRows} from '../../platform/reply-json.ts';
import {subscriptionState} from '../../platform/statuses.ts';
import {defineCommand} from './command.ts';

interface Request {
  readonly service: string;
  /** Its number in mobile billing. */
  readonly serviceId: string;
  /** A test number is nobody's. */
  readonly msisdn: string;
}

/** As many as a search gives. */
const MAX_SUBSCRIPTIONS = 100;

export const resetTestNumberCommand = defineCommand<Request, Request, object, object>({
  operation: 'testNumberReset',
  toStored: (request) => request,
  subjectOf: ({msisdn}) => msisdn,

  /** A number that is free is reset all the same: nothing comes of it. */
  readBefore: () => Promise.resolve({before: {}}),

  async send({serviceId, msisdn}, {platform}, options) {
    await platform.call('testNumberReset', {serviceId, msisdn}, options);
    return {};
  },

  /** Done is what a reset is for: no subscription of the number's is left. */
  async verifyAfter({serviceId, msisdn}, _before, {platform}) {
    const search = [{column: 'msisdn', term: msisdn}];
    const {subscriptions} = await platform.call('subscriptionSearch', {
      serviceId,
      search,
      sort: [{column: 'id', asc: false}],
      limit: MAX_SUBSCRIPTIONS,
      page: 1,
    });
    return requireAllRows('subscriptionSearch', subscriptions).every(
      ({status}) => subscriptionState(status) === 'cancelled',
    )
      ? {done: {}}
      : 'notFound';
  },
});
