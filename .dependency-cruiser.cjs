// @ts-check
/**
 * The rules for imports between files. They also apply to type imports and lazy imports. `npm test -- layout` checks
 * them.
 *
 * The layers of the Worker, from the bottom up: lib, platform, contract, config, http, session and objects.ts, context,
 * objects/, doctor/, routes/, router, index. A file imports from its own layer and from lower layers.
 */

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({name, comment, severity: 'error', from, to});

/**
 * Forbids that a layer of the Worker imports from the layers above it.
 * @param {string} name
 * @param {string} path The files of the layer.
 * @param {string} above A pattern for the files of the layers above it, relative to `worker/`.
 */
const layer = (name, path, above) =>
  forbid(
    `layer-${name}`,
    'A layer imports only from itself and from the layers below it.',
    {path},
    {path: `^worker/(${above})`},
  );

const ROUTES = 'routes/|router\\.ts|index\\.ts';
const OBJECTS = `objects/|${ROUTES}`;
const CONTEXT = `context\\.ts|${OBJECTS}`;

module.exports = {
  forbidden: [
    forbid('no-circular', 'Files in an import cycle cannot be understood or changed one by one.', {}, {circular: true}),

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
      'Nothing but the router and the desk imports the merchant API.',
      {path: '^worker/(?!routes/merchant/|routes/desk\\.ts|router\\.ts)'},
      {path: '^worker/routes/merchant/', dependencyTypesNot: ['type-only']},
    ),
    forbid(
      'worker-without-descriptions',
      'Only rows name what the bundle of the Worker does not have: answers, examples and texts (docs/decisions/merchant-api.md).',
      {path: '^worker/(?!contract/)'},
      {
        path: '^worker/contract/(described|problem|browser/((subscription-)?answers|examples)|merchant/(answer-fields|events|resources))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'answers-only-for-rows',
      'Requests and rows are loaded when an isolate starts, and only rows guard what they name with DESCRIBED.',
      {path: '^worker/contract/browser/(?!endpoints|answers|subscription-answers)'},
      {path: '^worker/contract/browser/((subscription-)?answers|examples)\\.ts$', dependencyTypesNot: ['type-only']},
    ),

    forbid(
      'worker-alone',
      'The Worker imports nothing from the other parts of the repository.',
      {path: '^worker/'},
      {path: '^(widgets|sandbox|relay|demo|merchant|scripts|cli|test)/'},
    ),
    forbid(
      'elements-import-the-contract',
      'Elements import nothing from the Worker except the contract.',
      {path: '^widgets/'},
      {path: '^(sandbox|relay|demo|merchant|scripts|cli|test)/|^worker/(?!contract/)'},
    ),
    forbid(
      'elements-import-types',
      'Elements import the readers and the types of the contract, not its schemas.',
      {path: '^widgets/'},
      {path: '^worker/contract/(?!readers/)', dependencyTypesNot: ['type-only']},
    ),
    forbid(
      'readers-alone',
      'Pages load the readers, so the readers import nothing else, such as schemas and tables, but types.',
      {path: '^worker/contract/readers/'},
      {path: '^(?!worker/contract/readers/)', dependencyTypesNot: ['type-only']},
    ),
    forbid(
      'cli-alone',
      'The package has the commands without the sources. In a clone, scripts/lib/clone.mjs gives them what they build.',
      {path: '^cli/'},
      {path: '^(worker|widgets|relay|demo|merchant|scripts|test)/'},
    ),
    forbid(
      'sandbox-alone',
      'The sandbox follows the platform’s specification and shares no code with the Worker.',
      {path: '^sandbox/'},
      {path: '^(worker|widgets|relay|demo|merchant|scripts|cli|test)/'},
    ),
    forbid(
      'relay-alone',
      'The relay is deployed separately and imports no other part. test/relay/vectors.json fixes the format that the relay and the Worker share.',
      {path: '^relay/(?!vite\\.config)'},
      {path: '^(worker|widgets|sandbox|demo|merchant|scripts|cli|test)/'},
    ),
    forbid(
      'demo-alone',
      'The demo loads the elements with the script tag, as a merchant does. It shares only readers of the contract.',
      {path: '^demo/(?!vite\\.config|pages\\.ts)'},
      {path: '^(worker/(?!contract/readers/)|widgets/|sandbox/|relay/|merchant/|scripts/|cli/|test/)'},
    ),
    forbid(
      'desk-imports-core-and-contract',
      'The desk shows what the merchant API says, with what the elements share, and is in no file of a shopper.',
      {path: '^desk/'},
      {
        path: '^(sandbox|relay|demo|merchant|package|scripts|cli|test)/|^worker/(?!contract/)|^widgets/(?!core/|locales/)',
      },
    ),
    forbid(
      'desk-imports-types',
      'The desk imports the readers and the types of the contract, not its schemas.',
      {path: '^desk/'},
      {path: '^worker/contract/(?!readers/)', dependencyTypesNot: ['type-only']},
    ),
    forbid(
      'nobody-imports-the-desk',
      'No page of a shopper has anything of the desk.',
      {path: '^(?!desk/)'},
      {path: '^desk/', dependencyTypesNot: ['type-only']},
    ),
    forbid(
      'package-alone',
      'What a page imports from the package is small, and what it knows of elements and contract is generated (scripts/build/page-package.mjs).',
      {path: '^package/'},
      {path: '^(worker|widgets|sandbox|relay|demo|merchant|scripts|cli|test)/'},
    ),
    forbid(
      'client-alone',
      'The client imports nothing: what it knows of the contract is generated (scripts/build/client-source.mjs).',
      {path: '^merchant/'},
      {path: '^(worker|widgets|sandbox|relay|demo|scripts|cli|test)/|node_modules'},
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: {path: 'node_modules'},
    exclude: {path: '^(dist|\\.cache|\\.wrangler)/'},
  },
};
