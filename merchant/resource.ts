import type {Call, Route} from './http.ts';
import type {CallOptions} from './options.ts';
import {type Page, Search} from './pagination.ts';

/** Base class of a group of methods. The methods of a group share the function that sends calls. */
export abstract class Resource {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }

  /** Calls an endpoint that answers with one page of a list. `from` says only where the first page starts. */
  protected pages<P extends Page>(route: Route, input: object, options?: CallOptions): Search<P> {
    return new Search((cursor) =>
      this.call<P>(route, cursor === undefined ? input : {...input, from: undefined, cursor}, options),
    );
  }
}
