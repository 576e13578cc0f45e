import {beforeEach, expect, test} from 'vitest';
import {call, control, ORIGIN, read, request, signIn} from '../support/platform.ts';

const VENDOR = {
  code: 'DEMO',
  vendor_code: 'V-7',
  name: 'Yıldız Seramik',
  tc_no: '12345678901',
  phone: '5321234567',
  email: 'yildiz@mail.example',
  iban: 'TR330006100519786457841326',
  success_url: 'https://shop.example/ok',
  failure_url: 'https://shop.example/fail',
};

beforeEach(() => control('reset'));

const redirectUrl = expect.stringMatching(new RegExp(`^${ORIGIN}/pay/phs/vendor/[0-9a-f-]{36}$`));

test('the platform returns the URL of a vendor form, and the vendor is listed as invited', async () => {
  expect(await call('/marketPlace/get-vendor-form-url', VENDOR)).toEqual({
    status: '000',
    message: 'Success',
    redirectUrl,
  });
  const {code, success_url: _, failure_url: __, ...details} = VENDOR;
  expect(await read('vendors')).toEqual({vendors: [{service: code, ...details, state: 'invited'}]});
});

test("the success and the failure URL may have the parameter names that the spec's samples use", async () => {
  const path =
    '/phs/marketPlace/get-vendor-form-url?code=DEMO&vendor_code=V-7&name=Y%C4%B1ld%C4%B1z&phone=5321234567' +
    '&iban=TR330006100519786457841326&successUrl=https://shop.example/ok&failureUrl=https://shop.example/fail';
  const response = await request(path, {headers: await signIn()});
  expect(await response.json()).toEqual({status: '000', message: 'Success', redirectUrl});
  expect(await read('vendors')).toMatchObject({vendors: [{tc_no: '', email: ''}]});
});

test.each(['code', 'vendor_code', 'name', 'phone', 'iban', 'success_url', 'failure_url'])(
  'a call for a vendor form requires %s',
  async (name) => {
    const refusal = {status: '400', message: 'Missing Parameter'};
    expect(await call('/marketPlace/get-vendor-form-url', {...VENDOR, [name]: ''})).toEqual(refusal);
    expect(await read('vendors')).toEqual({vendors: []});
  },
);

test.each([
  [{code: 'OTHER'}, 'ERR_005', 'Invalid Service'],
  [{tc_no: '1234567890x'}, 'ERR_008', 'Bad Request:tc_no'],
  [{success_url: 'javascript:alert(1)'}, 'ERR_008', 'Bad Request:success_url'],
  [{failure_url: '/fail'}, 'ERR_008', 'Bad Request:failure_url'],
])('a call for a vendor form with %o gets the status %s', async (wrong, status, message) => {
  expect(await call('/marketPlace/get-vendor-form-url', {...VENDOR, ...wrong})).toEqual({status, message});
});
