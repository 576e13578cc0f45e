import {BANKS, type Bank} from './banks--banks.ts';

/** Path of a bank's logo on the sandbox's own origin. */
export function logoPath(bank: Bank): string {
  return `/logos/${bank.code}.svg`;
}

/** Dark enough for white letters, and deliberately nobody's house colour. */
const TILE_COLOURS = [
  '#37474f',
  '#4e342e',
  '#1a5d57',
  '#5b2a6e',
  '#33691e',
  '#7a3b00',
  '#00566b',
  '#6a1b4d',
  '#2f4b7c',
  '#5d5300',
  '#444a91',
  '#774040',
] as const;

/** GET /logos/{code}.svg: a tile with the bank's first letters, drawn here; no one's trademark. */
export function answerLogo(path: string): Response | undefined {
  const index = BANKS.findIndex((bank) => logoPath(bank) === path);
  const bank = BANKS[index];
  if (!bank) return undefined;
  return new Response(drawTile(bank, TILE_COLOURS[index % TILE_COLOURS.length] ?? TILE_COLOURS[0]), {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  });
}

function drawTile(bank: Bank, colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img" aria-label="${bank.name}">
<rect width="96" height="96" rx="20" fill="${colour}"/>
<text x="48" y="61" text-anchor="middle" font-family="system-ui, sans-serif" font-size="38" font-weight="600" fill="#fff">${monogram(bank.name)}</text>
</svg>
`;
}

/** `Ziraat Bankası` → `ZB`, `Akbank` → `Ak`. */
function monogram(name: string): string {
  const [first = '', second] = name.split(' ');
  return second ? `${first.charAt(0)}${second.charAt(0)}` : first.slice(0, 2);
}
