/** Entry point of the sandbox. It sends every request to the one Durable Object of the sandbox. */

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
