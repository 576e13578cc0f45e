/** Tests the relay's configuration: each mistake is reported with its own reason, and no reason contains a value. */

import {expect, test} from 'vitest';
import {readConfig, StartError} from '../../relay/config.ts';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {environmentFor} from './support/relay-server.ts';
import {tls} from './support/tls.ts';

test.for<[description: string, environment: Record<string, string>, reason: string]>([
  [
    'no secret',
    {RELAY_SECRET: ''},
    'RELAY_SECRET is not set. Set it to the RELAY_SECRET of the Worker, which has at least 32 characters.',
  ],
  [
    'no secret and no platform',
    {RELAY_SECRET: '', PHS_URL: '', MICROPAYMENT_URL: ''},
    "RELAY_SECRET is not set. Set it to the RELAY_SECRET of the Worker, which has at least 32 characters. None of PHS_URL, MICROPAYMENT_URL, PAYMENT_PAGE_URL, LANDING_URL is set. Set them to the platform's URLs, as in the Worker's configuration.",
  ],
  [
    'a short secret',
    {RELAY_SECRET: 'hush'},
    'RELAY_SECRET must have at least 32 characters, for example from: openssl rand -base64 32.',
  ],
  [
    'a short previous secret',
    {RELAY_SECRET_PREVIOUS: 'hush'},
    'RELAY_SECRET_PREVIOUS must have at least 32 characters, for example from: openssl rand -base64 32.',
  ],
  [
    'the sandbox’s secret and a real platform',
    {RELAY_SECRET: 'sandbox-relay-secret-that-is-long-enough', PHS_URL: 'https://platform.example/phs'},
    "RELAY_SECRET is the sandbox's secret, which is public.",
  ],
  [
    'no platform',
    {PHS_URL: '', MICROPAYMENT_URL: ''},
    "None of PHS_URL, MICROPAYMENT_URL, PAYMENT_PAGE_URL, LANDING_URL is set. Set them to the platform's URLs, as in the Worker's configuration.",
  ],
  ['a platform without TLS', {PHS_URL: 'http://hush.example/phs'}, 'PHS_URL must be an https URL without a query.'],
  [
    'a URL with a password',
    {PHS_URL: 'https://a:hush@platform.example/phs'},
    'PHS_URL must be an https URL without a query.',
  ],
  ['an invalid URL', {LANDING_URL: 'hush'}, 'LANDING_URL must be an https URL without a query.'],
  [
    'a port without an IP address',
    {RELAY_LISTEN: '8788'},
    'RELAY_LISTEN must be an address and a port, such as 127.0.0.1:8788.',
  ],
  [
    'a port for other hosts and no TLS',
    {RELAY_LISTEN: '0.0.0.0:0'},
    'RELAY_LISTEN accepts connections from other hosts. Set RELAY_CERT and RELAY_KEY, or set RELAY_TLS=terminated if a terminator in front of the relay handles TLS.',
  ],
  [
    'a certificate without a key',
    {RELAY_CERT: tls.certificate},
    'RELAY_CERT and RELAY_KEY must be set together: the files of a certificate and of its key.',
  ],
  [
    'a file that is not a certificate',
    {RELAY_CERT: repoPath('LICENSE'), RELAY_KEY: tls.key},
    'RELAY_CERT and RELAY_KEY must be the files of a certificate and its key (ERR_OSSL_PEM_NO_START_LINE).',
  ],
  [
    'a missing certificate file',
    {RELAY_CERT: '/hush', RELAY_KEY: tls.key},
    'RELAY_CERT and RELAY_KEY must be the files of a certificate and its key (ENOENT).',
  ],
  ['a host name as the address to send from', {RELAY_SOURCE: 'hush.example'}, 'RELAY_SOURCE must be an IP address.'],
  [
    'a header that belongs to the connection',
    {RELAY_HEADERS: 'x-credential Transfer-Encoding'},
    'RELAY_HEADERS must be names of allowed headers, separated by spaces.',
  ],
  ['a concurrency of zero', {RELAY_CONCURRENCY: '0'}, 'RELAY_CONCURRENCY must be a whole number from 1 to 1024.'],
])('with %s, the relay does not start, and the reason names the variable', ([, environment, reason]) => {
  expect(() => readConfig({...environmentFor('http://127.0.0.1:1'), ...environment})).toThrow(new StartError(reason));
});
