/** What the demo's pages read of each other in the browser's storage. */

import {expect, onTestFinished, test, vi} from 'vitest';
import {bankOfOrder} from '../../demo/saved.ts';

test('the test bank finds the bank that was chosen for an order', () => {
  // The elements keep the id of the bank’s account, and the test bank knows banks by their codes.
  const instructions = {orderCode: {order_code: '881200450017'}, account: {id: '6', code: 'garanti'}};
  const purchase = {bank: '6', step: 'pay', instructions};
  vi.stubGlobal('localStorage', {
    'demo: bank': '"ziraat"',
    'vezne visits': 'null',
    'vezne http://localhost:5173 gold': JSON.stringify(purchase),
    'vezne http://localhost:5173 club': '{}',
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(bankOfOrder('881200450017')).toBe('garanti');
  expect(bankOfOrder('881200450025')).toBe('');
  vi.stubGlobal('localStorage', {'vezne x': 'no JSON'});
  expect(bankOfOrder('881200450017')).toBe('');
});
