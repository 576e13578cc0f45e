/** Which address of this host the system sends from. Nothing is sent to find out: a datagram socket is only pointed somewhere. */
import {createSocket} from 'node:dgram';
import {lookup} from 'node:dns/promises';
import {once} from 'node:events';
import {isIP} from 'node:net';

/** The addresses calls to these hosts would leave from, each once; a host that has no address adds none. */
export async function sourcesTo(urls: Iterable<URL>): Promise<string[]> {
  const hosts = new Set([...urls].map(({hostname}) => hostname.replace(/^\[|\]$/g, '')));
  const found = await Promise.all([...hosts].map((host) => sourceTo(host).catch(() => null)));
  return [...new Set(found.filter((source) => source !== null))].sort();
}

async function sourceTo(host: string): Promise<string> {
  const {address} = await lookup(host);
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  try {
    socket.connect(443, address);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}
