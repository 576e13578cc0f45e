/** The error codes that only a merchant's server gets: when it gets each code, and what to do about it. */

import type {ErrorCode, PageErrorCode} from './codes.ts';
import type {ErrorGuide} from './page-error-guide.ts';

const scopeMissing = (scope: string): ErrorGuide => ({
  meaning: `The endpoint needs the scope \`${scope}\`, which the API key does not have.`,
  action: 'Make a key with this scope, with the root key: `POST /merchant/v1/keys`.',
});

export const SERVER_ERROR_GUIDE: Readonly<Record<Exclude<ErrorCode, PageErrorCode>, ErrorGuide>> = {
  sessions_scope_missing: scopeMissing('sessions'),
  read_scope_missing: scopeMissing('read'),
  money_scope_missing: scopeMissing('money'),
  webhooks_scope_missing: scopeMissing('webhooks'),
  offers_scope_missing: scopeMissing('offers'),
  root_key_required: {
    meaning: 'No API key may make or revoke keys.',
    action: 'Send `MERCHANT_API_KEY`.',
  },
  all_services_required: {
    meaning:
      'The endpoint, or what the request asks of it, is about all services of the Worker or names none, and the API key ' +
      'is limited to services.',
    action: 'Use a key without `services`.',
  },
  key_limit_reached: {
    meaning: 'There are 100 API keys already, the maximum.',
    action: 'Revoke a key that no server uses.',
  },
  webhook_configured: {
    meaning:
      'The webhook comes from `WEBHOOK_URL` in the configuration, so the merchant API cannot change it in this way.',
    action: 'Change `WEBHOOK_URL` and deploy, or make another webhook.',
  },
  offer_configured: {
    meaning: 'An offer of the configuration has this name, so the merchant API can neither read nor change it.',
    action: 'Change `OFFERS` and deploy, or use another id.',
  },
  webhook_limit: {
    meaning: 'There are ten webhooks already, the maximum, or five for a key that is limited to services.',
    action: 'Delete or change a webhook that no server uses.',
  },
  rotation_limit: {
    meaning: 'Five secrets of the webhook sign its events already, the maximum: each until its own time.',
    action:
      'Wait until one of them ends, or send `overlap_hours: 0`: then the present secret ends at once, and the earlier ' +
      'ones go on until their time.',
  },
  idempotency_key_missing: {
    meaning: 'A write without the header `Idempotency-Key` could be done twice.',
    action: 'Send a new key with each write, and the same key when you repeat that write.',
  },
  idempotency_key_reused: {
    meaning: 'An earlier request with this `Idempotency-Key` had another endpoint or body.',
    action: 'Use a new key for each write. When you repeat a write, send the same body.',
  },
  in_progress: {
    meaning: 'The first request with this `Idempotency-Key`, or another one about this order, has no answer yet.',
    action: 'Repeat the request with the same key after `Retry-After`.',
  },
  command_pending: {
    meaning:
      'An earlier command for the same order, charge or subscription is not settled yet. A second command could do ' +
      'the same thing twice.',
    action: 'Wait for the event `command.settled`, or read `GET /merchant/v1/commands`.',
  },
  not_done: {
    meaning: 'The command was sent, but no answer came, and for twelve minutes the platform has shown no sign of it.',
    action: 'Read the resource. If it is unchanged, send the command with a new key.',
  },
  unknown_service: {
    meaning: 'The service is not in the configuration, or the platform does not know the service.',
    action: 'Correct the service, or add the service to `SERVICES` and deploy.',
  },
  service_not_enabled: {
    meaning: 'The platform knows the service, but does not allow this operation for the service.',
    action: 'Ask the platform to enable the operation for the service.',
  },
  refund_too_large: {
    meaning:
      'The Worker knows the order’s money and refunds, and less is left than the refund asks for; `fields` says how much. Nothing was sent.',
    action: 'Refund at most what is left. To send the refund nevertheless, repeat it with `force: true` and a new key.',
  },
  already_refunded: {
    meaning: 'The money was sent back, or its refund is in progress.',
    action: 'Read the refunds before you request another refund.',
  },
  test_number_refused: {
    meaning:
      'The id has the shape of a mobile number. The platform would change a test number instead of a subscription.',
    action: 'Send the id of the subscription.',
  },
  egress_unsafe: {
    meaning: 'The Worker’s egress may send a call twice, but this call must be sent at most once.',
    action: 'Set `EGRESS` to a value with which calls are never repeated, as docs/deploy.md says.',
  },
  action_invalid: {
    meaning: 'The platform does not allow this in the present state of the order, refund or charge.',
    action:
      'Read the resource, and the field `platform` of this error. Repeat the request only when the state has changed.',
  },
  quota_exhausted: {
    meaning: 'The platform allows only a certain number of such calls in 24 hours, and this number is used up.',
    action: 'Wait as long as `Retry-After` says. `GET /merchant/v1/quotas` shows what is left.',
  },
  not_configured: {
    meaning: 'The configuration lacks what this endpoint needs, such as the URL of an interface or of the webhook.',
    action: 'Set the missing value (docs/deploy.md lists all values) and deploy, or do not use this endpoint.',
  },
  platform_unauthorized: {
    meaning: 'The platform does not accept the merchant’s id, key or secret.',
    action: 'Run the doctor, which says which of these values is wrong.',
  },
  platform_address_refused: {
    meaning:
      'The platform accepts calls only from registered IP addresses, and the address of this call is not registered.',
    action: 'Run the doctor. Register the IP address that the doctor names, or use a relay.',
  },
};
