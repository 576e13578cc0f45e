/** Which addresses of this host the system sends from. Nothing is sent to find out: a datagram socket is only pointed somewhere. */

import {createSocket} from 'node:dgram';
import {lookup} from 'node:dns/promises';
import {once} from 'node:events';

/** The addresses that calls to these hosts may leave from, each once. A host with IPv4 and IPv6 may be reached by either. */
export async function sourcesTo(urls: Iterable<URL>): Promise<string[]> {
  const hosts = new Set([...urls].map(({hostname}) => hostname.replace(/^\[|\]$/g, '')));
  const targets = (await Promise.all([...hosts].map((host) => lookup(host, {all: true}).catch(() => [])))).flat();
  const found = await Promise.all(targets.map(({address, family}) => sourceTo(address, family).catch(() => null)));
  return [...new Set(found.filter((source) => source !== null))].sort();
}

async function sourceTo(address: string, family: number): Promise<string> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    socket.connect(443, address);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}
