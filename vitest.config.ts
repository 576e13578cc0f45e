import process from 'node:process';
import {defineConfig} from 'vitest/config';
import {apiDescription} from './scripts/build/assets.ts';
import {SECRET} from './test/support/webhook-inbox.ts';
import {QUOTA_NAMES} from './worker/platform/quota-limits.ts';

/**
 * Symptom: a run of `worker` or `sandbox` writes its report, then never ends and keeps one core busy. Cause:
 * @cloudflare/vitest-plugin 1.5.0 leaves a handle open, and a process that ends by itself waits until every handle is
 * closed. `process.exit()` does not wait for handles, and keeps the exit code. Delete this line when such a run ends
 * without it.
 */
process.once('beforeExit', () => process.exit());

const REPORT = process.env['VEZNE_REPORT'];
/** The projects that the command line names; none if all run. */
const CHOSEN = [...process.argv.join(' ').matchAll(/--project[= ](\S+)/g)].map(([, name = '']) => name);
/** The plugin loads wrangler, which takes as long as the tests of a small project, so only these projects load it. */
const IN_WORKERD = new Set(['worker', 'merchant-api', 'sandbox']);
const {cloudflareTest} =
  CHOSEN.length === 0 || CHOSEN.some((name) => IN_WORKERD.has(name))
    ? await import('@cloudflare/vitest-plugin')
    : {cloudflareTest: () => []};
type Inject = <T>(name: string) => T;

/**
 * Runs tests in workerd, with the Worker's configuration. The Worker calls a separate sandbox, which
 * `sandbox-server.ts` starts.
 * @param more - Returns further bindings of the Worker.
 */
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

/** A value of `QUOTAS` that turns every quota off. */
const unlimited = Object.fromEntries(QUOTA_NAMES.map((name) => [name, null]));

/** Long timeouts: tests use real servers, sockets and deadlines, which are slow on two busy cores. Only a hang exceeds them. */
const LONG_TIMEOUTS = {testTimeout: 180_000, hookTimeout: 180_000, expect: {poll: {timeout: 60_000}}};

/** In tests with a fake clock, each check of `expect.poll` advances the clock by the interval. */
const WORKER_TIMEOUTS = {...LONG_TIMEOUTS, expect: {poll: {timeout: 60_000, interval: 1}}};

/** Tests of parts of the Worker that only the merchant API uses. */
const MERCHANT_API_TESTS = ['routes/merchant', 'contract/merchant', 'doctor', 'objects/keys'].map(
  (path) => `test/worker/${path}/**/*.test.ts`,
);
/** Tests of the Worker's client for the relay, which run on Node together with a relay. */
const RELAY_CLIENT_TESTS = 'test/worker/platform/relay/**/*.test.ts';

const BROWSER_TESTS = {
  ...LONG_TIMEOUTS,
  // A test waits for many things one after another, and for each of them up to two minutes.
  testTimeout: 360_000,
  globalSetup: './test/e2e/support/setup.ts',
  // All files that run in one process share one Chromium.
  isolate: false,
  // Each worker has a Chromium of its own.
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    // `npm test` names a file for the results.
    reporters: ['default', ...(REPORT ? [['json', {outputFile: REPORT}] as const] : [])],
    projects: [
      // `npm test` starts the projects in this order, the longest first.
      {test: {...BROWSER_TESTS, name: 'e2e', include: ['test/e2e/**/*.test.ts']}},
      {
        plugins: [
          workerOnSandbox((inject) => ({WEBHOOK_URL: inject<string>('receiverUrl'), WEBHOOK_SECRET: SECRET})),
          apiDescription(),
        ],
        test: {
          ...WORKER_TIMEOUTS,
          name: 'worker',
          include: ['test/worker/**/*.test.ts'],
          exclude: [...MERCHANT_API_TESTS, RELAY_CLIENT_TESTS],
          globalSetup: ['./test/support/sandbox-server.ts', './test/support/webhook-receiver.ts'],
          setupFiles: ['./test/worker/support/described.ts', './test/worker/support/setup.ts'],
          sequence: {setupFiles: 'list'},
          // All files share one platform, and tests count its calls, so files must not run at the same time.
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        // These tests call the platform more often than its quotas allow. `quotas.test.ts` sets its own limits.
        plugins: [workerOnSandbox(() => ({QUOTAS: JSON.stringify(unlimited)})), apiDescription()],
        test: {
          ...WORKER_TIMEOUTS,
          name: 'merchant-api',
          include: MERCHANT_API_TESTS,
          globalSetup: [
            './test/support/sandbox-server.ts',
            './test/support/webhook-receiver.ts',
            './test/worker/routes/merchant/support/generated-cases.ts',
          ],
          setupFiles: ['./test/worker/support/described.ts', './test/worker/routes/merchant/support/setup.ts'],
          sequence: {setupFiles: 'list'},
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        plugins: [cloudflareTest({wrangler: {configPath: './sandbox/wrangler.toml'}})],
        test: {
          ...LONG_TIMEOUTS,
          name: 'sandbox',
          include: ['test/sandbox/**/*.test.ts'],
          // Every test begins with a reset of the sandbox. A separate worker for each file would take three times as
          // long.
          isolate: false,
          deps: {optimizer: {ssr: {enabled: true, include: ['zod']}}},
        },
      },
      {
        test: {
          ...LONG_TIMEOUTS,
          name: 'merchant',
          include: ['test/merchant/**/*.test.ts'],
          globalSetup: './test/merchant/support/setup-servers.ts',
          // These tests mostly wait for servers and for time limits.
          maxWorkers: 3,
          isolate: false,
        },
      },
      {
        test: {
          ...LONG_TIMEOUTS,
          name: 'faults',
          include: ['test/faults/**/*.test.ts', 'test/support/**/*.test.ts'],
          globalSetup: './test/faults/support/bundles.ts',
          // These tests wait far more than they compute.
          maxWorkers: 4,
          isolate: false,
        },
      },
      // Two of the files mostly wait for time limits.
      {
        test: {
          ...LONG_TIMEOUTS,
          name: 'relay',
          include: ['test/relay/**/*.test.ts', RELAY_CLIENT_TESTS],
          maxWorkers: 2,
          isolate: false,
        },
      },
      {test: {...LONG_TIMEOUTS, name: 'demo', include: ['test/demo/**/*.test.ts']}},
      // What the elements decide, without a browser.
      {test: {name: 'view', include: ['test/widgets/**/*.model.ts']}},
      {
        test: {
          ...LONG_TIMEOUTS,
          name: 'scripts',
          include: ['test/scripts/**/*.test.ts', 'test/cli/**/*.test.ts'],
          testTimeout: 300_000,
          isolate: false,
        },
      },
      // Only `npm run looks` runs this project.
      {test: {...BROWSER_TESTS, name: 'looks', include: ['test/e2e/**/*.looks.ts']}},
    ],
  },
});
