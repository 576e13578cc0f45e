/** Entry point of the sandbox. It sends every request to the one Durable Object of the sandbox. */

export {Platform} from './platform.ts';

export default {
  fetch(request, _env, {exports}) {
    return exports.Platform.getByName('platform').fetch(request);
  },
} satisfies ExportedHandler;
