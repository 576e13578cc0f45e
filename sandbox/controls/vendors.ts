import * as z from 'zod';
import type {Context} from '../context.ts';
import type {Vendor} from '../records/vendors.ts';
import type {ControlInput} from './control-input.ts';
import {Limit} from './limit.ts';
import {readInput} from './read-input.ts';

const VendorQuery = z.object({limit: Limit});

/** GET /_sandbox/vendors */
export function listVendors({query}: ControlInput, {vendors}: Context) {
  const {limit} = readInput(VendorQuery, Object.fromEntries(query));
  return {vendors: vendors.recent(limit).map(toShownVendor)};
}

function toShownVendor({vendorCode, serviceCode, details, state}: Vendor) {
  return {vendor_code: vendorCode, service: serviceCode, ...details, state};
}
