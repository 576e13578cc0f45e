import {DurableObject} from 'cloudflare:workers';
import {answerLogo} from './banks.ts';
import {readConfiguration, type Settings} from './config.ts';
import {openContext, type Context} from './context.ts';
import {answerControl, answerFrontPage} from './controls/controls.ts';
import {answerFaultily} from './faults.ts';
import {findBase} from './interfaces.ts';
import {sendOutgoing} from './notifications/notifications.ts';
import {listFields, readContent} from './request.ts';

/** The payment platform: everything it knows is in this one object's storage. */
export class Platform extends DurableObject<Settings> {
  readonly #context: Context;

  constructor(state: DurableObjectState, settings: Settings) {
    super(state, settings);
    this.#context = openContext(state.storage.sql, readConfiguration(settings));
  }

  override async fetch(request: Request): Promise<Response> {
    this.#context.billing.catchUp();
    const response = await this.#answer(request);
    this.ctx.waitUntil(sendOutgoing(this.#context));
    return response;
  }

  /** Controls, front page and logos are the sandbox's own; every other request is one to the platform. */
  async #answer(request: Request): Promise<Response> {
    const {origin, pathname: path} = new URL(request.url);
    if (path.startsWith('/_sandbox/')) return answerControl(request, this.#context);
    if (path === '/') return answerFrontPage();
    return answerLogo(path) ?? this.#answerPlatform(request, origin, path);
  }

  async #answerPlatform(request: Request, origin: string, path: string): Promise<Response> {
    const context = this.#context;
    const {method, headers} = request;
    const {parameters, json} = await readContent(request);
    const base = findBase(path);
    if (!base?.isPage?.(path)) context.calls.record(method, path, [...parameters.entries, ...listFields(json)]);
    if (!base) return new Response('Not Found', {status: 404});
    const fault = context.faults.strike(base.operationOf(path) ?? path);
    return answerFaultily(fault, {
      answer: () => base.answer({method, path, origin, headers, parameters, json}, context),
      refuse: (status) => base.refuse(status, context),
    });
  }
}
