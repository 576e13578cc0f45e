// @ts-check

/**
 * Makes a server listen on a free port of this machine.
 * @param {import('node:http').Server} server
 * @returns {Promise<{origin: string, stop(): Promise<void>}>}
 */
export async function listen(server) {
  await new Promise((resolve) => void server.listen(0, 'localhost', () => resolve(undefined)));
  const address = server.address();
  return {
    origin: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
