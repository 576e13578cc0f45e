import {DurableObject} from 'cloudflare:workers';
import {answerLogo} from './banks.ts';
import {readConfig, type EnvironmentVariables} from './config.ts';
import {openContext, type Context} from './context.ts';
import {answerControl} from './controls/controls.ts';
import {applyFault} from './faults.ts';
import {findInterface} from './interfaces.ts';
import {sendQueuedNotifications} from './notifications/notifications.ts';
import {listFields, readContent} from './request.ts';

/** The simulated payment platform. All of its data is in the storage of this one object. */
export class Platform extends DurableObject<EnvironmentVariables> {
  readonly #context: Context;

  constructor(state: DurableObjectState, settings: EnvironmentVariables) {
    super(state, settings);
    this.#context = openContext(state.storage.sql, readConfig(settings));
  }

  override async fetch(request: Request): Promise<Response> {
    this.#context.billing.processDueRenewals();
    const response = await this.#answer(request);
    this.ctx.waitUntil(sendQueuedNotifications(this.#context));
    return response;
  }

  /** The sandbox itself adds controls and logos. The simulated platform answers everything else. */
  async #answer(request: Request): Promise<Response> {
    const {origin, pathname: path} = new URL(request.url);
    if (path.startsWith('/_sandbox/')) return answerControl(request, this.#context);
    if (path === '/') return Response.redirect(this.#formsOfControls(origin));
    return answerLogo(path) ?? this.#answerPlatform(request, origin, path);
  }

  /** The demo's page with forms, if there is a demo at the origin that receives refund results. */
  #formsOfControls(origin: string): string {
    const demo = this.#context.config.notifyUrls.refund;
    return demo === '' ? `${origin}/_sandbox/openapi.json` : new URL('/controls', demo).href;
  }

  async #answerPlatform(request: Request, origin: string, path: string): Promise<Response> {
    const context = this.#context;
    const {method, headers} = request;
    const readsForm = !path.startsWith('/phs/') || context.readings.get('phs_parameters') === 'any';
    const {parameters, json} = await readContent(request, readsForm);
    const platformInterface = findInterface(path);
    if (!platformInterface?.isPage?.(path))
      context.calls.record(method, path, [...parameters.entries, ...listFields(json)]);
    if (!platformInterface) return new Response('Not Found', {status: 404});
    const operation = platformInterface.operationOf(path) ?? path;
    return applyFault(context.faults.takeFault(operation), {
      hold: () => context.faults.hold(operation),
      answer: () => platformInterface.answer({method, path, origin, headers, parameters, json}, context),
      refuse: (status) => platformInterface.refuse(status, context),
    });
  }
}
