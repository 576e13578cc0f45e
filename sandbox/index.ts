/** Entry of the sandbox: sends every request to its one Durable Object. */

import type {EnvironmentVariables} from './config.ts';
import type {Platform} from './platform.ts';

export {Platform} from './platform.ts';

export interface Env extends EnvironmentVariables {
  readonly PLATFORM: DurableObjectNamespace<Platform>;
}

export default {
  fetch(request, env) {
    return env.PLATFORM.getByName('platform').fetch(request);
  },
} satisfies ExportedHandler<Env>;
