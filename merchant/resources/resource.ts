import type {Call} from '../http.ts';

/** A group of methods over one way to call. */
export abstract class Resource {
  protected readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }
}
