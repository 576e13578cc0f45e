import process from 'node:process';
import {cloudflareTest} from '@cloudflare/vitest-plugin';
import {defineConfig} from 'vitest/config';
import {SECRET} from './test/support/webhook-inbox.ts';
import {QUOTA_NAMES} from './worker/platform/quotas.ts';

/**
 * Symptom: a run of `worker` or `sandbox` writes its report and then never ends, one core busy. Cause: leaving by itself,
 * Node waits for every handle to close, and one that @cloudflare/vitest-plugin 1.5.0 leaves behind never does.
 * `process.exit()` does not wait for them and keeps the exit code. May go once a run ends without it.
 */
process.once('beforeExit', () => process.exit());

type Inject = <T>(name: string) => T;

/** The Worker on a sandbox of its own, started by `sandbox-server.ts`. */
const workerOnSandbox = (more: (inject: Inject) => Record<string, string> = () => ({})) =>
  cloudflareTest(({inject}) => {
    const platform = inject<string>('platformUrl');
    return {
      wrangler: {configPath: './wrangler.toml'},
      miniflare: {
        bindings: {
          PHS_URL: `${platform}/phs`,
          MICROPAYMENT_URL: `${platform}/micropayment`,
          PAYMENT_PAGE_URL: `${platform}/pay`,
          LANDING_URL: `${platform}/landing`,
          ...more(inject),
        },
      },
    };
  });

/** No quota of the platform's holds. */
const unlimited = Object.fromEntries(QUOTA_NAMES.map((name) => [name, null]));

/** Tests use real servers, sockets and deadlines, which are slow on two busy cores. */
const PATIENT = {testTimeout: 60_000, hookTimeout: 60_000, expect: {poll: {timeout: 20_000}}};

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [workerOnSandbox((inject) => ({WEBHOOK_URL: inject<string>('receiverUrl'), WEBHOOK_SECRET: SECRET}))],
        test: {
          ...PATIENT,
          name: 'worker',
          include: ['test/worker/**/*.test.ts'],
          exclude: ['test/worker/routes/merchant/**'],
          globalSetup: ['./test/support/sandbox-server.ts', './test/support/webhook-receiver.ts'],
          setupFiles: './test/worker/support/setup.ts',
          // One platform for all: its calls are counted.
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        // They ask more often than any platform lets; `quotas.test.ts` sets limits of its own.
        plugins: [workerOnSandbox(() => ({QUOTAS: JSON.stringify(unlimited)}))],
        test: {
          ...PATIENT,
          name: 'merchant-api',
          include: ['test/worker/routes/merchant/**/*.test.ts'],
          globalSetup: ['./test/support/sandbox-server.ts', './test/worker/routes/merchant/support/generated-cases.ts'],
          setupFiles: './test/worker/routes/merchant/support/setup.ts',
          // Properties run many cases a test.
          testTimeout: 120_000,
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        plugins: [cloudflareTest({wrangler: {configPath: './sandbox/wrangler.toml'}})],
        test: {
          ...PATIENT,
          name: 'sandbox',
          include: ['test/sandbox/**/*.test.ts'],
          // Every test begins with a reset; a worker for each file would take thrice the time.
          isolate: false,
          deps: {optimizer: {ssr: {enabled: true, include: ['zod']}}},
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'merchant',
          include: ['test/merchant/**/*.test.ts'],
          globalSetup: './test/merchant/support/setup-servers.ts',
          // They wait for one another's servers, and for limits of time.
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'faults',
          include: ['test/faults/**/*.test.ts', 'test/support/**/*.test.ts'],
          globalSetup: './test/faults/support/bundles.ts',
          // They wait far more than they work.
          maxWorkers: 4,
        },
      },
      // Two files wait for limits of time.
      {test: {...PATIENT, name: 'relay', include: ['test/relay/**/*.test.ts'], maxWorkers: 2}},
      {test: {...PATIENT, name: 'demo', include: ['test/demo/**/*.test.ts']}},
      {test: {...PATIENT, name: 'scripts', include: ['test/scripts/**/*.test.ts'], testTimeout: 300_000}},
      {
        test: {
          ...PATIENT,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: './test/e2e/support/setup.ts',
          // The files of a process share a Chromium.
          isolate: false,
          // They mostly wait for one another's servers, not for the machine.
          maxWorkers: 3,
        },
      },
    ],
  },
});
