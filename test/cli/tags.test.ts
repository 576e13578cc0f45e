/** How the doctor reads pages: as browsers do, and within bounds. */

import process from 'node:process';
import {expect, test} from 'vitest';
import {examinePage} from '../../cli/web/page-check.mjs';
import {tagsOf} from '../../cli/web/tags.mjs';

test.for<[html: string, tags: [name: string, attributes?: Record<string, string>][]]>([
  ['<p>x</p><br/>', [['p'], ['br']]],
  ['<A B=1 b=2 c d = "e > f" g=\'h"\'>', [['a', {b: '1', c: '', d: 'e > f', g: 'h"'}]]],
  ['<a b=c/d e>', [['a', {b: 'c/d', e: ''}]]],
  ['<a =b c==d>', [['a', {'=b': '', c: '=d'}]]],
  ['<meta content="a &amp; &#39;b&#x27; &quot;&lt;">', [['meta', {content: "a & 'b' \"&lt;"}]]],
  ['<!-- <a> --><b><!--><c><!-- x --!><d><!-- <e>', [['b'], ['c'], ['d']]],
  ['<script>"<a>" </scripts></SCRIPT ><b><title><i></title>', [['script'], ['b'], ['title']]],
  ['1 < 2 <3> <> <é> </a> <b', []],
  ['<a b="c><d>', []],
  ['<script><a>', [['script']]],
])('the tags of %s are those that a browser sees', ([html, tags]) => {
  expect([...tagsOf(html)].map(({name, attributes}) => [name, Object.fromEntries(attributes)])).toEqual(
    tags.map(([name, attributes = {}]) => [name, attributes]),
  );
});

/** The processor time in milliseconds. */
function timeOf(html: string, headers: Record<string, string> = {}): number {
  const from = process.cpuUsage();
  const page = {url: new URL('https://shop.example'), headers: new Headers(headers), html};
  examinePage(page, new URL('https://pay.shop.example'), null, true);
  const {user, system} = process.cpuUsage(from);
  return (user + system) / 1000;
}

test.for([
  '<meta content-security-policy" ',
  '<meta http-equiv="content-security-policy" content="a ',
  '<meta http-equiv="content-security-policy" content="script-src a b c">',
  '<meta http-equiv=content-security-policy content=script-src;>',
  '<script src=https://pay.shop.example/checkout.js></script>',
  '<script src=/checkout.js ',
  '<vezne-checkout>',
  '<vezne-checkout><p slot=paid></vezne-checkout>',
  '<script>',
  '<vezne-pay session ',
  '<vezne-pay session="',
  '<!--',
  '<!-- -- >',
  '<',
  '<a ',
  '<a b=',
  "<a b='",
  '<a b=c   ',
  '<a />',
])('a page of many %s takes no more time a byte than a short one', (part) => {
  const pageOf = (length: number) => part.repeat(length / part.length);
  timeOf(pageOf(20_000));
  const [short, long] = [timeOf(pageOf(25_000)), timeOf(pageOf(200_000))];
  // A page of eight times the size takes about eight times as long, and 64 times if time grew with the square.
  expect(long).toBeLessThan(24 * Math.max(short, 20));
});
