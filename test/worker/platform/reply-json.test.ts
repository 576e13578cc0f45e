import {expect, test} from 'vitest';
import {parseObject} from '../../../worker/platform/reply-json.ts';

test.each([
  ['1', 1],
  ['-7', -7],
  ['123456789012345', 123456789012345],
  ['9007199254740993', '9007199254740993'],
  ['-12345678901234567', '-12345678901234567'],
  ['140.00', '140.00'],
  ['-0', '-0'],
  ['-0.50', '-0.50'],
  ['0.5', 0.5],
  ['1e3', '1e3'],
  ['1E3', '1E3'],
  ['true', true],
  ['null', null],
  ['"140.00"', '140.00'],
])('the value %s of a reply is read without losing digits', (spelling, value) => {
  expect(parseObject(`{"field":${spelling}}`)).toEqual({field: value});
  expect(parseObject(`{"list":[1,\n\t${spelling} , {"field" : ${spelling}}],"text":"a:1"}`)).toEqual({
    list: [1, value, {field: value}],
    text: 'a:1',
  });
});

test.each(['', 'x', '[1]', '"text"', 'null', '1', '{"a":01}', '{"a":1'])('parseObject returns null for %j', (text) => {
  expect(parseObject(text)).toBeNull();
});
