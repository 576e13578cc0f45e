// @ts-check
/**
 * What may import what. `npm test -- imports` runs it; type imports and lazy imports count.
 *
 * The layers of the Worker, from the bottom up: lib, platform, contract, config, http, session and objects.ts, context,
 * objects/, routes/, router, index. A file imports from its own layer and from those below.
 */

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({name, comment, severity: 'error', from, to});

/** A layer of the Worker, and the paths that stand above it. @param {string} name @param {string} path @param {string} above */
const layer = (name, path, above) =>
  forbid(`layer-${name}`, 'Imports run down the layers.', {path}, {path: `^worker/(${above})`});

const ROUTES = 'routes/|router\\.ts|index\\.ts';
const OBJECTS = `objects/|${ROUTES}`;
const CONTEXT = `context\\.ts|${OBJECTS}`;

/** What an isolate starts with: everything that is not loaded by `import()`. */
const AT_START =
  '^worker/([^/]+\\.ts|config/|http/|lib/|objects/|platform/[^/]+\\.ts|platform/relay/|routes/[^/]+\\.ts|routes/(browser|notifications)/|contract/browser/(endpoints|requests)\\.ts)';

module.exports = {
  forbidden: [
    forbid('no-circular', 'A cycle ties its files into one.', {}, {circular: true}),

    layer('lib', '^worker/lib/', `(?!lib/)`),
    layer('platform', '^worker/platform/', `config/|http/|doctor/|contract/|session\\.ts|objects\\.ts|${CONTEXT}`),
    layer('contract', '^worker/contract/', `config/|http/|doctor/|session\\.ts|objects\\.ts|${CONTEXT}`),
    layer('config', '^worker/config/', `http/|doctor/|session\\.ts|objects\\.ts|${CONTEXT}`),
    layer('session', '^worker/session\\.ts', `doctor/|objects\\.ts|${CONTEXT}`),
    layer('addresses', '^worker/objects\\.ts', `doctor/|${CONTEXT}`),
    layer('http', '^worker/http/', `doctor/|session\\.ts|objects\\.ts|${CONTEXT}`),
    layer('context', '^worker/context\\.ts', `doctor/|${OBJECTS}`),
    layer('objects', '^worker/objects/', ROUTES),
    layer('doctor', '^worker/doctor/', ROUTES),
    layer('routes', '^worker/routes/', 'router\\.ts|index\\.ts'),
    forbid(
      'browser-apart-from-merchant',
      'The merchant API is loaded when it is first called.',
      {path: '^worker/(?!routes/merchant/|contract/merchant/|doctor/|router\\.ts)'},
      {path: '^worker/(routes|contract)/merchant/', dependencyTypesNot: ['type-only']},
    ),
    forbid(
      'start-without-answers',
      'An isolate starts without the schemas of answers (docs/decisions/097).',
      {path: AT_START},
      {
        path: '^worker/contract/(browser/((subscription-)?answers|descriptions|examples)|problem)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'start-without-operations',
      'The table of operations is read when the platform is first called: use loadOperation (docs/decisions/097).',
      {path: AT_START},
      {
        path: '^worker/platform/operations/(?!load-operation)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    ),

    forbid(
      'worker-alone',
      'The Worker knows no page, no sandbox, no relay and no test.',
      {path: '^worker/'},
      {path: '^(widgets|sandbox|relay|demo|merchant|scripts|test)/'},
    ),
    forbid(
      'elements-know-the-contract',
      'Elements know the types of the contract and nothing else of the Worker.',
      {path: '^widgets/'},
      {path: '^(sandbox|relay|demo|merchant|scripts|test)/|^worker/(?!contract/)'},
    ),
    forbid(
      'elements-know-types',
      'Elements know the types of the contract, not its schemas.',
      {path: '^widgets/'},
      {path: '^worker/contract/', dependencyTypesNot: ['type-only']},
    ),
    forbid(
      'sandbox-alone',
      'The sandbox is written from the contract of the platform alone.',
      {path: '^sandbox/'},
      {path: '^(worker|widgets|relay|demo|merchant|scripts|test)/'},
    ),
    forbid(
      'relay-alone',
      'The relay is deployed apart; test/relay/vectors.json holds the format.',
      {path: '^relay/(?!vite\\.config)'},
      {path: '^(worker|widgets|sandbox|demo|merchant|scripts|test)/'},
    ),
    forbid(
      'demo-alone',
      'The demo uses the script tag as a merchant does.',
      {path: '^demo/(?!vite\\.config|pages\\.ts)'},
      {path: '^(worker|widgets|sandbox|relay|merchant|scripts|test)/'},
    ),
    forbid(
      'client-knows-the-contract',
      'The client knows the types of the merchant API and needs nothing but the runtime.',
      {path: '^merchant/(?!example/)'},
      {path: '^(widgets|sandbox|relay|demo|scripts|test)/|^worker/(?!contract/(merchant/|problem))|node_modules'},
    ),
    forbid(
      'client-knows-types',
      'The client knows the types of the merchant API, not its schemas.',
      {path: '^merchant/(?!example/)'},
      {path: '^worker/', dependencyTypesNot: ['type-only']},
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: {path: 'node_modules'},
    exclude: {path: '^(dist|\\.cache|\\.wrangler)/'},
  },
};
