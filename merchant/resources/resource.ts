import type {Call} from '../http.ts';

/** Base class of a group of methods. The methods of a group share the function that sends calls. */
export abstract class Resource {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }
}
