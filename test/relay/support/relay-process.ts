/** Runs the relay as an operator does: as a separate process that reads its configuration from the environment. */

import {type Child, startNode} from '../../../cli/child-process.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {LeakWatch} from '../../support/leak-watch.ts';

const SOURCE = repoPath('relay', 'vezne-relay.ts');

export interface RelayProcess extends Pick<Child, 'end' | 'ended' | 'output' | 'pid'> {
  readonly url: string;
}

/** Runs a relay that refuses to start, and waits until its process ends. */
export async function startFailure(environment: Record<string, string>): Promise<{code: number; printed: string}> {
  const child = startNode(SOURCE, [], {env: environment});
  const code = await child.ended;
  return {code, printed: child.output().trim()};
}

/** Starts a relay, by default on a free port, and waits until it listens. */
export async function runRelay(environment: Record<string, string>, script = SOURCE): Promise<RelayProcess> {
  const listening = Promise.withResolvers<string>();
  const watch = new LeakWatch('The log of the relay', {people: true});
  let printed = '';
  let isListening = false;
  const child = startNode(script, [], {
    env: {RELAY_LISTEN: '127.0.0.1:0', ...environment},
    onOutput: (text) => {
      watch.scan(text);
      if (isListening) return;
      printed += text;
      const [, address] = /"event":"listening","address":"([^"]+)"/.exec(printed) ?? [];
      if (address) listening.resolve(address);
      isListening = address !== undefined;
    },
  });
  void child.ended.then(() => listening.reject(new Error(printed)));
  const scheme = environment['RELAY_CERT'] ? 'https' : 'http';
  const end: Child['end'] = async (signal) => {
    await child.end(signal);
    watch.assertClean();
  };
  return {
    pid: child.pid,
    ended: child.ended,
    output: () => child.output(),
    end,
    url: `${scheme}://${await listening.promise}`,
  };
}
