import {isLocalTime} from '../formats.ts';
import type {ShopperDetails} from '../records/shopper-details.ts';
import type {Parameters} from '../request.ts';
import {Refusal} from './phs-statuses.ts';

/**
 * The block `PaymentNotification` (orders 2.4), whose fields are all optional. Identity numbers, phones and addresses
 * are taken as they are: real platforms take ones that no checksum would.
 */
export function readShopperDetails(parameters: Parameters): ShopperDetails {
  const block = parameters.get('PaymentNotification');
  const text = (name: string): string => {
    const value = block instanceof Map ? (block.get(name) ?? '') : '';
    if (typeof value !== 'string') throw new Refusal('ERR_008', name);
    return value;
  };
  const applyTime = text('apply_time');
  if (applyTime !== '' && !isLocalTime(applyTime)) throw new Refusal('ERR_008', 'apply_time');
  return {
    tc_no: text('tc_no'),
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    user_ip: text('user_ip'),
    apply_time: applyTime,
    description: text('description'),
  };
}
