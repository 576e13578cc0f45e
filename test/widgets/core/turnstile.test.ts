/** How the human check loads its script under Trusted Types, and which colors it has. */

import {expect} from '@open-wc/testing/pure';
import {TurnstileCheck} from '../../../widgets/core/turnstile.ts';
import {installFakeTurnstile} from '../support/fake-turnstile.ts';

interface Rules {
  createScriptURL(url: string): string;
}

describe('the script of the human check', () => {
  it('needs one Trusted Types policy, even if two files load it; the policy returns only its URL', async () => {
    const {trustedTypes} = globalThis as unknown as {
      trustedTypes: {createPolicy(name: string, rules: Rules): unknown};
    };
    const created: [name: string, rules: Rules][] = [];
    const {createPolicy} = trustedTypes;
    trustedTypes.createPolicy = (name, rules) => {
      created.push([name, rules]);
      return createPolicy.call(trustedTypes, name, rules);
    };
    installFakeTurnstile();
    const parameters = {sitekey: '1x00000000000000000000AA', action: 'pin'};
    expect(await new TurnstileCheck(document.body).show(parameters, 'en')).to.equal(undefined);

    // Several built files contain a copy of the module.
    const copy = '../../../widgets/core/turnstile.ts?copy';
    const {TurnstileCheck: OtherTurnstileCheck} = (await import(copy)) as {TurnstileCheck: typeof TurnstileCheck};
    expect(OtherTurnstileCheck).to.not.equal(TurnstileCheck);
    expect(await new OtherTurnstileCheck(document.body).show(parameters, 'en')).to.equal(undefined);

    expect(created.map(([name]) => name)).to.deep.equal(['vezne-human']);
    expect(created[0]?.[1].createScriptURL('https://attacker.example/script.js')).to.equal(
      'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    );
  });
});

describe('the colors of the human check', () => {
  afterEach(() => document.documentElement.style.removeProperty('color-scheme'));

  for (const [scheme, theme] of [
    ['normal', 'light'],
    ['light', 'light'],
    ['only dark', 'dark'],
    ['light dark', 'auto'],
  ] as const) {
    it(`are ${theme} on a page with the color scheme ${scheme}`, async () => {
      document.documentElement.style.colorScheme = scheme;
      installFakeTurnstile();
      const themes: unknown[] = [];
      const {turnstile} = globalThis as unknown as {
        turnstile: {render(container: HTMLElement, options: object): string};
      };
      const record = (_: HTMLElement, options: {theme?: string}) => themes.push(options.theme) && 'check';
      Object.assign(globalThis, {turnstile: {...turnstile, render: record}});
      const check = new TurnstileCheck(document.body);
      await check.show({sitekey: '1x00000000000000000000AA', action: 'pin'}, 'en');
      check.remove();
      expect(themes).to.deep.equal([theme]);
    });
  }
});
