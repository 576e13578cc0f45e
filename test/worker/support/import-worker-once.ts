/**
 * Symptom: tests need up to a quarter more processor time for a request to the Worker, and for each call of a Durable
 * Object. Cause: before each of them, @cloudflare/vitest-plugin 1.5.0 calls its own object (the "runner") only to import
 * the Worker's main module again. This file keeps the module after the first import and answers later imports itself.
 * Every other call goes to the runner. Delete this file when the plugin keeps the module itself.
 */

import {env} from 'cloudflare:workers';

/** The plugin's callbacks that wait for their call of the runner, by number. A result replaces its callback. */
type Actions = Map<unknown, unknown>;

interface Runner {
  fetch(url: string, init: {cf: Record<string, unknown>}): Promise<Pick<Response, 'ok'>>;
}

const RUNNER = '__VITEST_POOL_WORKERS_RUNNER_OBJECT';
const DONE = {ok: true};

const bindings = env as unknown as Record<string, {get(name: string): Runner}>;
const namespace = bindings[RUNNER];
if (!namespace) throw new Error('The plugin has no runner. Delete import-worker-once.ts.');

let actions: Actions | undefined;
let mainModule: unknown;

bindings[RUNNER] = {
  get(name) {
    // The plugin stores its callback in a private map immediately after this call.
    if (!actions) captureNextMap((map) => (actions = map));
    return {
      async fetch(url, init) {
        const [id] = Object.values(init.cf);
        const isImport = /\bmoduleRunner\.import\(/.test(String(actions?.get(id)));
        if (isImport && mainModule) {
          actions?.set(id, mainModule);
          return DONE;
        }
        const response = await namespace.get(name).fetch(url, init);
        if (isImport && response.ok) mainModule = actions?.get(id);
        return response;
      },
    };
  },
};

/** Reports the map on which code next calls `set`. */
function captureNextMap(report: (map: Actions) => void): void {
  const prototype = Map.prototype as Actions;
  const {set} = prototype;
  const capture = function (this: Actions, key: unknown, value: unknown) {
    prototype.set = set;
    report(this);
    return set.call(this, key, value);
  };
  prototype.set = capture;
}
