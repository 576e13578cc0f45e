import {toProblem, type Problem} from '../../core/problem.ts';

/** What the socket tells whoever has it. */
interface Listener {
  /** Something was said that is no pong. */
  onSaid(text: string): void;
  /** It is gone, by whatever way. @param heard whether it ever said anything. */
  onLost(heard: boolean): void;
  /** There is no session to open it with. */
  onFailed(problem: Problem): void;
}

/** A socket may die without a word: as often as this it is asked whether it still hears. */
const PING_MS = 45_000;
const PONG_MS = 4_000;

/**
 * The line on which the Worker says how a payment stands, one at a time. It notices a line that went dead: phones
 * that sleep and networks that change leave sockets behind that look open for minutes.
 */
export class PaymentSocket {
  #socket: WebSocket | undefined;
  #opening: AbortSignal | undefined;
  #isHeard = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly open: (signal: AbortSignal) => Promise<WebSocket>,
    readonly listener: Listener,
  ) {}

  /** Whether news come by it: something did, and it is open still. */
  get isLive(): boolean {
    return this.#isHeard && this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Opens it unless it is, or is about to be; `life` ends what is under way. */
  async connect(life: AbortSignal): Promise<void> {
    if (this.#socket || this.#opening === life) return;
    this.#opening = life;
    let socket: WebSocket;
    try {
      socket = await this.open(life);
    } catch (thrown) {
      if (!life.aborted) this.listener.onFailed(toProblem(thrown));
      return;
    } finally {
      if (this.#opening === life) this.#opening = undefined;
    }
    if (life.aborted || this.#socket) return socket.close();
    this.#socket = socket;
    socket.addEventListener('message', ({data}) => {
      if (socket === this.#socket) this.#onMessage(String(data));
    });
    socket.addEventListener('close', () => {
      if (socket === this.#socket) this.#onLost();
    });
  }

  /** The shopper or the network was away: a socket that does not answer now is gone. */
  check(): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) this.#ping(socket);
    else if (socket) this.#onLost();
  }

  hangUp(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isHeard = false;
    clearTimeout(this.#timer);
    socket?.close();
  }

  #onMessage(text: string): void {
    this.#isHeard = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!document.hidden) this.check();
    }, PING_MS);
    if (text !== 'pong') this.listener.onSaid(text);
  }

  #ping(socket: WebSocket): void {
    socket.send('ping');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onLost(), PONG_MS);
  }

  #onLost(): void {
    const heard = this.#isHeard;
    this.hangUp();
    this.listener.onLost(heard);
  }
}
