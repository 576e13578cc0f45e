/** Resets a test number, so that it may subscribe again (`docs/spec/subscriptions.md`, 4.A). */

import {requireAllRows} from '../../platform/reply-json.ts';
import {stateOf} from '../../platform/statuses.ts';
import {defineCommand} from './command.ts';

interface Request {
  readonly service: string;
  /** The service's id in mobile billing. */
  readonly serviceId: string;
  /** A test number, which is not personal data. */
  readonly msisdn: string;
}

/** The highest number of rows that a search returns. */
const MAX_SUBSCRIPTIONS = 100;

export const resetTestNumberCommand = defineCommand<Request, Request, object, object>({
  operation: 'testNumberReset',
  toStored: (request) => request,
  subjectOf: ({msisdn}) => msisdn,

  /** Reads nothing, because resetting a number without subscriptions does no harm. */
  readBefore: () => Promise.resolve({before: {}}),

  async send({serviceId, msisdn}, {platform}, options) {
    await platform.call('testNumberReset', {serviceId, msisdn}, options);
    return {};
  },

  /** The reset was done if every subscription of the number is cancelled. */
  async verifyAfter({serviceId, msisdn}, _before, {platform, config}) {
    const search = [{column: 'msisdn', term: msisdn}];
    const sort = [{column: 'id', asc: false}];
    const query = {serviceId, search, sort, limit: MAX_SUBSCRIPTIONS, page: 1};
    const {subscriptions} = await platform.call('subscriptionSearch', query, {isOwn: true});
    return requireAllRows('subscriptionSearch', subscriptions).every(
      ({status}) => stateOf('subscription', status, config.statuses) === 'cancelled',
    )
      ? {done: {}}
      : 'notFound';
  },
});
