// @ts-check
// Sends 20,000 generated requests to the merchant API of a Worker. Fails if the Worker has an internal error, or if
// an answer does not match the contract. Also generates inputs of each endpoint. `npm test` runs a hundredth of the
// cases (generated.test.ts and input-properties.test.ts in test/worker/routes/merchant).

import {scaled} from './support/bench.mjs';
import {runVitest} from './support/run-vitest.mjs';

await runVitest('merchant-api', ['generated', 'input-properties', '--retry', '0'], {
  VEZNE_GENERATED_CASES: String(scaled(20_000, 200)),
});
