import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/** Registers the vendors of a marketplace. */
export class VendorForms extends Resource {
  /**
   * Creates a form on which a vendor registers: `POST /merchant/v1/vendor-forms` (orders 4.6). You may show `url` in a
   * frame. `vendor_code` is your own id for the vendor. Give each vendor a different id.
   * @throws {VezneError} `unknown_service` `return_url_not_allowed`
   */
  create(input: Inputs['createVendorForm'], options?: WriteOptions): Promise<Answers['createVendorForm']> {
    return this.call('createVendorForm', input, options);
  }
}
