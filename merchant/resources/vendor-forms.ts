import type {Answers, Inputs} from '../contract.ts';
import type {WriteOptions} from '../options.ts';
import {Resource} from './resource.ts';

/** Who sells on a marketplace. */
export class VendorForms extends Resource {
  /**
   * Makes the form on which a vendor registers; `url` may stand in a frame: `POST /merchant/v1/vendor-forms` (orders 4.6).
   * `vendor_code` is your own id of the vendor and is used once.
   * @throws {VezneError} `unknown_service` `return_url_not_allowed`
   */
  create(input: Inputs['createVendorForm'], options?: WriteOptions): Promise<Answers['createVendorForm']> {
    return this.call('createVendorForm', input, options);
  }
}
