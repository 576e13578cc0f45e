import * as z from 'zod';
import type {Context} from '../context.ts';
import type {Vendor} from '../records/vendors.ts';
import type {ControlInput} from './control.ts';
import {Limit} from './limit.ts';
import {readInput} from './read-input.ts';

const Query = z.object({limit: Limit});

/** GET /_sandbox/vendors */
export function listVendors({query}: ControlInput, {vendors}: Context) {
  const {limit} = readInput(Query, Object.fromEntries(query));
  return {vendors: vendors.recent(limit).map(toShown)};
}

function toShown({vendorCode, serviceCode, details, state}: Vendor) {
  return {vendor_code: vendorCode, service: serviceCode, ...details, state};
}
