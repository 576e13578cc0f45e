/**
 * The settings: one row for each variable, secret and binding that configures the Worker. The Worker's parser, the checks
 * of a deployment, `vezne new`, `vezne dev` and the tables of docs/deploy.md read the rows, so that a new setting is a
 * new row. The offers are a row without a schema: `offers.ts` parses them.
 */

import * as z from 'zod/mini';
import '../lib/described.ts';
import {ipAddress} from '../lib/formats.ts';
import {MISSING} from '../lib/validation-messages.ts';
import {DEFAULT_RECIPE} from '../platform/keys.ts';
import type {BaseId} from '../platform/relay/protocol.ts';
import {LimitsVariable, toLimits} from './limits.ts';
import * as schemas from './setting-schemas.ts';
import {DEFAULT_TRANSFER_TIMES, TransferTimes} from './transfer-times.ts';

/** The values of the settings, as they are written. */
export type Values = Readonly<Record<string, unknown>>;

/** What only documents and commands read. `DESCRIBED` keeps it out of the Worker's bundle. */
interface SettingDescription {
  /** The text of docs/deploy.md, in Markdown. The default follows it. */
  readonly doc: string;
  /** `platform`: it is set for one platform, and the sandbox has its own. */
  readonly of?: 'platform';
  /** What uses the setting. Secrets have none, nor have settings that every Worker needs. */
  readonly for?: string;
  /** The issuer of a secret, if it is neither you nor the platform. */
  readonly from?: string;
  /** Whether a deployment needs the secret, although the Worker starts without it. */
  readonly deploymentNeeds?: (values: Values) => boolean;
  /** What `vezne new` asks. The answer may be empty if `needed` is absent. */
  readonly question?: {
    readonly text: string;
    /** A valid answer. */
    readonly example: string;
    /** The flag in place of the question; by default the setting's name, as `phs-url`. */
    readonly flag?: string;
  };
}

export interface Setting extends Partial<SettingDescription> {
  /** A variable if it is neither a secret nor a binding of Cloudflare. */
  readonly kind?: 'secret' | 'binding';
  /** The address of an interface of the platform. */
  readonly base?: BaseId;
  /** A function, because a schema that a Worker does not need is never built. */
  readonly schema?: () => z.ZodMiniType;
  /** The parsed value of a setting that is absent. */
  readonly default?: unknown;
  /** Whether every Worker needs it, or the message for a Worker whose other settings need it. */
  readonly needed?: true | ((values: Values) => string | null) | undefined;
  /** A secret that you change at any time: `…_PREVIOUS` has the value before, which is accepted too. */
  readonly rotates?: true;
  /** A variable that may contain secrets, so no message has anything of its value. */
  readonly mayHoldSecrets?: true;
  /**
   * The field of `Config` that has the value, or null if the setting is absent and has no default; `true` is the name in
   * camelCase. Of a secret that rotates, the field has the list of accepted values.
   */
  readonly field?: true | string;
}

/** Whether a merchant uses only mobile billing, and has no orders and transfers. */
export const usesOnlyBilling = ({PHS_URL, MERCHANT_KEY, MICROPAYMENT_URL, LANDING_URL}: Values): boolean =>
  (PHS_URL ?? MERCHANT_KEY) === undefined && (MICROPAYMENT_URL ?? LANDING_URL) !== undefined;

const forOrders = (values: Values) => (usesOnlyBilling(values) ? null : MISSING);
/** @param wanted - The value with which the other setting needs this one; by default any. */
const withSetting =
  (name: string, wanted?: string) =>
  ({[name]: value}: Values) =>
    value === undefined || (wanted && value !== wanted) ? null : `${name}${wanted ? ` = "${wanted}"` : ''} needs this.`;

/** Transfers by FAST arrive within seconds, and the platform asks most banks every few minutes. */
export const DEFAULT_BANK_DELAY_MINUTES = 5;

export const SETTINGS = {
  PHS_URL: {
    schema: schemas.PhsAddress,
    base: 'phs',
    needed: forOrders,
    field: true,
    ...(DESCRIBED && {
      of: 'platform',
      doc: "the platform's address for orders, `https`; ends in `/phs`",
      question: {
        text: "The platform's address for orders, which ends in /phs",
        example: 'https://platform.example/phs',
      },
    }),
  },
  MERCHANT_ID: {
    schema: schemas.MerchantId,
    needed: true,
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'your merchant id',
      question: {text: 'Your merchant id at the platform', example: '42'},
    }),
  },
  MERCHANT_IP: {
    schema: ipAddress,
    needed: forOrders,
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'the IP address that you registered at the platform; the key of tokens is computed from it',
      question: {text: 'The IP address that you registered at the platform', example: '192.0.2.44'},
    }),
  },
  SERVICES: {
    schema: schemas.Services,
    needed: true,
    mayHoldSecrets: true,
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'your service codes, in place of `DEMO`: `{ "SHOP": {} }`',
      question: {text: 'The code of your service at the platform', example: 'SHOP', flag: 'service'},
    }),
  },
  OFFERS: {
    ...(DESCRIBED && {doc: 'what a page may sell; see [below](#an-offer). `OFFERS_2`, … have more'}),
  },
  ALLOWED_ORIGINS: {
    schema: schemas.Origins,
    needed: true,
    ...(DESCRIBED && {
      doc: 'the origins of your pages, separated by spaces; no loopback origins, which all are allowed while the platform is on your machine',
      question: {
        text: 'The origins of your pages, such as https://shop.example, separated by spaces',
        example: 'https://shop.example',
        flag: 'origins',
      },
    }),
  },

  MICROPAYMENT_URL: {
    schema: schemas.BaseAddress,
    base: 'micropayment',
    ...(DESCRIBED && {of: 'platform', for: 'mobile billing', doc: 'the address of mobile billing, `https`'}),
  },
  PAYMENT_PAGE_URL: {
    schema: schemas.BaseAddress,
    base: 'payment_page',
    field: 'hostedUrl',
    ...(DESCRIBED && {of: 'platform', for: 'hosted pages', doc: 'the address of the hosted pages, `https`'}),
  },
  LANDING_URL: {
    schema: schemas.BaseAddress,
    base: 'landing',
    ...(DESCRIBED && {
      of: 'platform',
      for: 'mobile subscriptions',
      doc: 'the address of the landing interface, `https`',
    }),
  },
  PHS_PARAMETERS: {
    schema: () => z.enum(['form', 'query']),
    default: 'form',
    field: true,
    ...(DESCRIBED && {
      of: 'platform',
      for: 'orders',
      doc: '`query` if your platform reads no forms; addresses then contain names and IBANs',
    }),
  },
  PAYMENT_PAGE_KEY: {
    schema: schemas.PageKey,
    default: DEFAULT_RECIPE,
    ...(DESCRIBED && {
      of: 'platform',
      for: 'payment page',
      doc: 'how your platform builds the key of the page; see below the table',
    }),
  },
  PAYMENT_PAGE_TYPES: {
    schema: () => z.enum(['numbers', 'text']),
    default: 'numbers',
    ...(DESCRIBED && {of: 'platform', for: 'payment page', doc: '`text` if your platform wants ids and price as text'}),
  },
  EGRESS: {
    schema: () => z.enum(['direct', 'binding', 'relay']),
    default: 'direct',
    ...(DESCRIBED && {
      of: 'platform',
      for: '[the platform](#the-address-your-calls-come-from)',
      doc: 'how calls leave the Worker: `direct`, `binding` or `relay`',
    }),
  },
  RELAY_URL: {
    schema: schemas.BaseAddress,
    needed: withSetting('EGRESS', 'relay'),
    ...(DESCRIBED && {
      of: 'platform',
      for: '`EGRESS = "relay"`',
      doc: 'the address of [the relay](fixed-address.md), `https`',
    }),
  },
  PLATFORM: {
    kind: 'binding',
    schema: schemas.PlatformBinding,
    needed: withSetting('EGRESS', 'binding'),
    ...(DESCRIBED && {for: '`EGRESS = "binding"`', doc: 'the service or VPC binding that calls go through'}),
  },
  OBJECT_NAMES: {
    schema: schemas.BaseAddress,
    ...(DESCRIBED && {
      of: 'platform',
      for: 'addresses added later',
      doc: 'the address that the names of stored objects contain; see above',
    }),
  },
  PLATFORM_STATUSES: {
    schema: schemas.PlatformStatuses,
    default: {transaction: {}, refund: {}, payment_notice: {}, charge: {}, subscription: {}},
    field: 'statuses',
    ...(DESCRIBED && {
      of: 'platform',
      for: 'all',
      doc: 'statuses that differ on your platform; see [below](#statuses-that-differ)',
    }),
  },

  MERCHANT_KEY: {
    kind: 'secret',
    schema: schemas.PlatformSecret,
    needed: forOrders,
    ...(DESCRIBED && {of: 'platform', doc: 'always, unless you use only mobile billing'}),
  },
  SESSION_SECRET: {
    kind: 'secret',
    schema: schemas.SigningSecret,
    needed: true,
    rotates: true,
    field: 'sessionSecrets',
    ...(DESCRIBED && {doc: 'always: signs sessions; at least 32 characters, 8 of them different'}),
  },
  MERCHANT_API_KEY: {
    kind: 'secret',
    schema: schemas.ApiKey,
    rotates: true,
    field: 'merchantApiKeys',
    ...(DESCRIBED && {
      doc: 'the [merchant API](merchant-api.md), which is closed without it; 16 to 500 characters, 8 of them different. It may do everything: [give each server its own key](#a-key-for-each-server)',
    }),
  },
  LANDING_AUTHORIZATION: {
    kind: 'secret',
    schema: schemas.PlatformSecret,
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'mobile subscriptions, with `LANDING_URL`',
      deploymentNeeds: ({LANDING_URL}) => LANDING_URL !== undefined,
    }),
  },
  PAYMENT_PAGE_SECRET: {
    kind: 'secret',
    schema: schemas.PlatformSecret,
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'the common payment page, with `PAYMENT_PAGE_URL` and `MICROPAYMENT_URL`',
      deploymentNeeds: ({PAYMENT_PAGE_URL, MICROPAYMENT_URL}) =>
        PAYMENT_PAGE_URL !== undefined && MICROPAYMENT_URL !== undefined,
    }),
  },
  MICROPAYMENT_HEADERS: {
    kind: 'secret',
    schema: schemas.Credentials,
    default: {},
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'credentials that mobile billing requires as headers of its requests, such as `{"x-api-key": "…"}`',
    }),
  },
  MICROPAYMENT_QUERY: {
    kind: 'secret',
    schema: schemas.Credentials,
    default: {},
    ...(DESCRIBED && {of: 'platform', doc: 'credentials that mobile billing requires in the query'}),
  },
  MICROPAYMENT_BODY: {
    kind: 'secret',
    schema: schemas.Credentials,
    default: {},
    ...(DESCRIBED && {of: 'platform', doc: 'credentials that mobile billing requires in the JSON of searches'}),
  },
  MERCHANT_PRIVATE_KEY: {
    kind: 'secret',
    schema: schemas.PlatformSecret,
    ...(DESCRIBED && {of: 'platform', doc: 'checking signed notifications, with the keys of your services'}),
  },
  SERVICE_PRIVATE_KEYS: {
    kind: 'secret',
    schema: schemas.ServiceKeys,
    default: {},
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'checking signed notifications: the keys of your services; see below the table',
    }),
  },
  WEBHOOK_SECRET: {
    kind: 'secret',
    schema: schemas.WebhookKey,
    needed: withSetting('WEBHOOK_URL'),
    rotates: true,
    ...(DESCRIBED && {doc: '[events](events.md), with `WEBHOOK_URL`; see below the table'}),
  },
  RELAY_SECRET: {
    kind: 'secret',
    schema: schemas.SigningSecret,
    needed: withSetting('EGRESS', 'relay'),
    rotates: true,
    ...(DESCRIBED && {
      of: 'platform',
      doc: 'a [fixed address](fixed-address.md), with `EGRESS = "relay"`; at least 32 characters, 8 of them different',
    }),
  },
  NOTIFICATION_KEY: {
    kind: 'secret',
    schema: schemas.SigningSecret,
    rotates: true,
    field: 'hintKeys',
    ...(DESCRIBED && {
      doc: '[notifications of mobile billing](#mobile-billing); at least 32 letters and digits (`openssl rand -hex 32`)',
    }),
  },
  TURNSTILE_SECRET: {
    kind: 'secret',
    schema: schemas.Secret,
    needed: withSetting('TURNSTILE_SITEKEY'),
    ...(DESCRIBED && {from: 'Cloudflare', doc: 'the human check, with `TURNSTILE_SITEKEY`'}),
  },

  PAID_STATUSES: {
    schema: schemas.PaidStatuses,
    field: true,
    ...(DESCRIBED && {
      for: 'bank transfers',
      doc: 'statuses of transactions with which money counts as paid, such as `3 8`; by default [all](contract.md#money)',
    }),
  },
  QUOTAS: {
    schema: schemas.Quotas,
    default: {},
    ...(DESCRIBED && {
      for: 'all',
      doc: 'limits of your platform, if they differ from the usual limits; see below the table',
    }),
  },
  QUOTA_SHARE: {
    schema: () => schemas.numberUpTo(1).check(z.positive()),
    default: 1,
    field: true,
    ...(DESCRIBED && {
      for: 'all',
      doc: "part of the platform's limits that the Worker may use; see below the table",
    }),
  },
  SUBSCRIPTION_SWEEP_SHARE: {
    schema: () => schemas.numberUpTo(1),
    default: 0.3,
    ...(DESCRIBED && {
      for: 'mobile billing',
      doc: 'part of the subscription searches that the sweep may use; see below the table',
    }),
  },
  NOTIFICATIONS: {
    schema: schemas.Notifications,
    default: new Set<never>(),
    field: true,
    ...(DESCRIBED && {
      for: '[notifications](#what-the-platform-tells-the-worker)',
      doc: 'which of the notifications `payment`, `billing` and `subscription` to accept; without it, they get 404',
    }),
  },
  FOREIGN_RECORDS: {
    schema: () => z.enum(['refuse', 'accept']),
    default: 'refuse',
    ...(DESCRIBED && {
      for: '[notifications](#refund-results)',
      doc: "`accept`: a call may also have records of another system's services",
    }),
  },
  EXTRA_PARAMETERS: {
    schema: schemas.ExtraParameterNames,
    default: new Set<never>(),
    field: true,
    ...(DESCRIBED && {
      for: 'marketplaces',
      doc: 'parameters that you agreed with the platform; see below the table',
    }),
  },
  ORDER_PREFIX: {
    schema: schemas.OrderPrefix,
    default: '',
    field: true,
    ...(DESCRIBED && {
      for: '[order numbers](merchant-api.md#order-numbers)',
      doc: 'what order numbers have in front at the platform, such as `stg-`; nobody else sees it. Set it before the first order',
    }),
  },
  IBAN_COUNTRIES: {
    schema: schemas.IbanCountries,
    default: new Set(['TR']),
    field: true,
    ...(DESCRIBED && {
      for: 'refunds, marketplaces',
      doc: 'countries whose IBANs may get a refund or belong to a vendor, such as `TR DE`',
    }),
  },
  WEBHOOK_URL: {
    schema: schemas.WebhookAddress,
    ...(DESCRIBED && {
      for: '[events](events.md)',
      doc: "the first webhook: your server's address, `https`, not on this machine or in a local network",
      question: {text: 'Where your server receives events (empty: it reads them with the merchant API)', example: ''},
    }),
  },
  RETURN_URLS: {
    schema: schemas.ReturnUrls,
    field: true,
    ...(DESCRIBED && {for: 'hosted pages', doc: 'where shoppers may return to; see below the table'}),
  },
  ONE_CLICK: {
    schema: () => z.enum(['on', 'with_number', 'off']),
    default: 'off',
    field: true,
    ...(DESCRIBED && {
      for: 'mobile subscriptions',
      doc: '`on`: shoppers with a number token of the network need no PIN; `with_number` if your platform wants the number with the token',
    }),
  },
  TURNSTILE_SITEKEY: {
    schema: () => z.string().check(z.minLength(8)),
    needed: withSetting('TURNSTILE_SECRET'),
    ...(DESCRIBED && {for: '[human check](#human-check)', doc: 'the site key'}),
  },
  TRANSFER_TIMES: {
    schema: () => schemas.tableOrJson(TransferTimes()),
    default: DEFAULT_TRANSFER_TIMES,
    field: true,
    ...(DESCRIBED && {
      for: '[bank transfers](#when-a-transfer-arrives)',
      doc: 'when a transfer that is sent now arrives',
    }),
  },
  BANK_DELAY_MINUTES: {
    schema: () => schemas.numberUpTo(1_440),
    default: DEFAULT_BANK_DELAY_MINUTES,
    ...(DESCRIBED && {
      for: 'bank transfers',
      doc: 'how long after a transfer your platform may show it: an unpaid order expires after a search that began this long after its time to pay',
    }),
  },
  LIMITS: {
    schema: () => schemas.tableOrJson(LimitsVariable()),
    default: toLimits({}),
    field: true,
    ...(DESCRIBED && {for: '[limits](#limits)', doc: "the Worker's own limits"}),
  },
  BANK_APPS: {
    schema: schemas.BankApps,
    default: {},
    field: true,
    ...(DESCRIBED && {for: '[bank transfers](#the-apps-of-banks)', doc: 'links that open the apps of banks'}),
  },
  DESK: {
    schema: () => z.enum(['on', 'off']),
    field: true,
    ...(DESCRIBED && {
      for: '[the desk](desk.md)',
      doc: '`on`: your people see payments, days and work at `/desk`. It is off without this, except with the sandbox',
    }),
  },
  LOCATION_HINT: {
    schema: () => z.enum(['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me']),
    default: 'eeur',
    field: true,
    ...(DESCRIBED && {for: 'all', doc: 'where state is stored; `eeur` is near Turkey'}),
  },
} as const satisfies Readonly<Record<string, Setting>>;
