/**
 * Mobile billing (`docs/spec/subscriptions.md`, sections 2 and 4.A). The operations "Create subscription" and "Request
 * transaction" have no rows, because the platform does not offer them to merchants.
 */

import * as z from 'zod/mini';
import {
  Id,
  Msisdn,
  OptionalCount,
  OptionalFlag,
  OptionalMoney,
  optionalRecord,
  OptionalText,
  Text,
  Time,
} from '../fields.ts';
import {operation} from '../operation.ts';
import {rowsOf} from '../reply-json.ts';

/** A charge, which the spec calls a transaction (section 2.3). */
const Charge = z.object({
  id: Text,
  service: OptionalText,
  status: OptionalText,
  msisdn: OptionalText,
  operator: OptionalText,
  amount: OptionalMoney,
  error: OptionalText,
  errorDetail: OptionalText,
  transactionDate: Time,
  referenceCode: OptionalText,
  subscriptionId: OptionalText,
});
export type ChargeRecord = z.infer<typeof Charge>;

/** A subscription without its charges (section 2.2). Search results also omit `service`. */
const simpleSubscription = {
  id: Text,
  service: OptionalText,
  status: OptionalText,
  msisdn: OptionalText,
  operator: OptionalText,
  subscriptionFee: OptionalMoney,
  period: OptionalText,
  subscriptionDate: Time,
  renewalDate: Time,
  cancellationDate: Time,
  cancellationSource: OptionalText,
  referenceCode: OptionalText,
  hasTrialPeriod: OptionalFlag,
  trialPeriodDay: OptionalCount,
};
const SimpleSubscription = z.object(simpleSubscription);
export type SimpleSubscriptionRecord = z.infer<typeof SimpleSubscription>;

const Subscription = z.object({
  ...simpleSubscription,
  lastTransaction: optionalRecord(Charge),
  lastSuccessfulTransaction: optionalRecord(Charge),
});
export type SubscriptionRecord = z.infer<typeof Subscription>;

const ChargeDetail = z.object({
  ...Charge.shape,
  item: OptionalText,
  refundDate: Time,
  subscription: optionalRecord(SimpleSubscription),
});
export type ChargeDetailRecord = z.infer<typeof ChargeDetail>;

/**
 * Accepts the record under `transaction`, as in the spec's sample, or `subscription`, as in the spec's definition. The
 * latter may be of another kind, with an id of its own. So `named` has only the id of the former.
 */
const underEitherKey = <T extends z.ZodMiniType>(record: T) =>
  z.pipe(
    z.transform(({transaction, subscription}: {transaction?: unknown; subscription?: unknown}): unknown => ({
      transaction: transaction ?? subscription,
      named: {transactionId: (transaction as {id?: unknown} | null | undefined)?.id},
    })),
    z.object({transaction: record, named: z.object({transactionId: OptionalText})}),
  );

/** A message to a subscriber (section 2.4). */
const Message = z.object({
  id: Text,
  service: OptionalText,
  msisdn: OptionalText,
  operator: OptionalText,
  type: OptionalText,
  message: OptionalText,
  date: Time,
});
export type MessageRecord = z.infer<typeof Message>;

/** The counts and the page that a search returns beside its results (section 2.5). */
const Meta = z.pipe(
  optionalRecord(
    z.object({totalCount: OptionalCount, limit: OptionalCount, page: OptionalCount, pageCount: OptionalCount}),
  ),
  z.transform((meta) => meta ?? {totalCount: null, limit: null, page: null, pageCount: null}),
);
const Search = z.strictObject({
  serviceId: Id,
  // The Worker sends the fields in this order, which is the order of the spec's table.
  search: z
    .array(
      z.strictObject({
        column: z.string().check(z.minLength(1)),
        term: z.string(),
        condition: z.optional(z.string().check(z.minLength(1))),
      }),
    )
    .check(z.maxLength(3)),
  sort: z.array(z.strictObject({column: z.string().check(z.minLength(1)), asc: z.boolean()})).check(z.maxLength(3)),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  page: z.optional(z.int().check(z.minimum(1))),
});

const ofSubscription = z.strictObject({
  serviceId: Id,
  subscriptionId: Id.check(z.refine((id) => !Msisdn.safeParse(id).success)),
});
const ofTransaction = z.strictObject({serviceId: Id, transactionId: Id});

const SERVICE = {service: 'serviceId'};
const SUBSCRIPTION = {...SERVICE, id: 'subscriptionId'};

export const micropaymentOperations = {
  subscriptionGet: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    method: 'GET',
    effect: 'read',
    quota: 'get_subscription',
    path: '/subscription/detail/{merchantId}/{serviceId}/{subscriptionId}',
    input: z.strictObject({serviceId: Id, subscriptionId: Id}),
    names: SUBSCRIPTION,
    output: z.object({subscription: Subscription}),
  }),
  subscriptionCancel: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    method: 'GET',
    effect: 'money',
    quota: 'cancel_subscription',
    path: '/subscription/cancel/{merchantId}/{serviceId}/{subscriptionId}',
    // `testNumberReset` has the same path, with a mobile number in place of the id. So this operation refuses ids that
    // look like mobile numbers.
    input: ofSubscription,
    names: SUBSCRIPTION,
    // A successful reply may lack the subscription.
    output: z.object({subscription: optionalRecord(SimpleSubscription)}),
  }),
  subscriptionSearch: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    path: '/subscriptions/search',
    effect: 'read',
    quota: 'search_subscriptions',
    input: Search,
    names: SERVICE,
    output: z.object({meta: Meta, subscriptions: rowsOf(SimpleSubscription)}),
  }),
  testNumberReset: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    method: 'GET',
    effect: 'money',
    quota: 'reset_test_number',
    path: '/subscription/cancel/{merchantId}/{serviceId}/{msisdn}',
    input: z.strictObject({serviceId: Id, msisdn: Msisdn}),
    output: z.object({}),
  }),
  chargeGet: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    method: 'GET',
    effect: 'read',
    quota: 'get_charge',
    path: '/transaction/detail/{merchantId}/{serviceId}/{transactionId}',
    input: ofTransaction,
    names: {...SERVICE, transactionId: 'transactionId'},
    output: underEitherKey(ChargeDetail),
  }),
  chargeRefund: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    method: 'GET',
    effect: 'money',
    quota: 'refund_charge',
    path: '/transaction/refund/{merchantId}/{serviceId}/{transactionId}',
    input: ofTransaction,
    // The record may be that of the refund, with an id of its own.
    names: SERVICE,
    output: underEitherKey(optionalRecord(Charge)),
  }),
  chargeSearch: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    path: '/transactions/search',
    effect: 'read',
    quota: 'search_charges',
    input: Search,
    names: SERVICE,
    output: z.object({meta: Meta, transactions: rowsOf(Charge)}),
  }),
  messageSearch: operation({
    spec: 'subscriptions 4.A',
    interface: 'micropayment',
    path: '/messages/search',
    effect: 'read',
    quota: 'search_messages',
    input: Search,
    names: SERVICE,
    output: z.object({meta: Meta, messages: rowsOf(Message)}),
  }),
};
