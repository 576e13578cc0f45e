/** The builder: choices in a form, a preview of them in a frame, and the lines for a page that has exactly these choices. */

import {generate} from 'lean-qr/nano';
import '../demo-bar.ts';
import {foldText} from '../../worker/contract/readers/characters.ts';
import {contrast, MIN_CONTRAST, parseColor} from '../../worker/contract/readers/contrast.ts';
import {readAmount} from '../amount.ts';
import {openCopyButtons} from '../copy-button.ts';
import {SandboxClient} from '../sandbox-client.ts';
import {type Choices, type Format, FORMATS, readChoices, SINGLE, writeChoices} from './choices.ts';
import {readability} from './contrast.ts';
import {offerNames, rowOf} from './elements.ts';
import {formatSnippet} from './formats.ts';
import {type Gap, gapsOf, offerLines} from './offer.ts';
import {pageData} from './page-data.ts';
import {openQuickBank, openQuickPhone} from './quick-bank.ts';
import {readPin} from './releases.ts';
import {htmlSnippet, type Place, policyHeader} from './snippet.ts';
import {nameOfState} from './state-names.ts';
import {statesOf} from './states.ts';

/** What `--vezne-paper` is in light and dark, as in `docs/elements.md`. */
const PAPERS = {light: '#ffffff', dark: '#151f1c'} as const;

const find = <T extends HTMLElement = HTMLElement>(selector: string) => document.querySelector(selector) as T;
const form = find<HTMLFormElement>('#choices');
const frame = find<HTMLIFrameElement>('#preview');
const tabs = [...document.querySelectorAll<HTMLButtonElement>('#formats [role=tab]')];
const {preview = ''} = form.dataset;
const {sandbox, offers} = pageData;
const language = document.documentElement.lang === 'tr' ? 'tr' : 'en';
const place: Place = {worker: location.origin, platform: sandbox, language};

let choices = readChoices(new URLSearchParams(location.search), offers);
/** The query that the preview was last asked to show. */
let wanted = '';
/** How long somebody types nothing before the preview follows. */
const TYPING_MS = 700;
let typing: ReturnType<typeof setTimeout> | undefined;

/** Writes the choices into the form, of which some depend on the element. */
function fillForm(): void {
  const {asks} = rowOf(choices.element);
  const names = offerNames(choices.element, offers);
  const {source} = rowOf(choices.element);
  const {newOffer = '', noOffer = ''} = find('#offer').dataset;
  find('#offer').replaceChildren(
    ...names.map((name) => new Option(`${offers[name]?.title[language] ?? ''} (${name})`, name)),
    ...(source === 'payment' ? [new Option(newOffer, '')] : names.length === 0 ? [new Option(noOffer, '')] : []),
  );
  find('#offer-row').hidden = source === 'session' || source === 'link';
  const states = statesOf(choices.element);
  find<HTMLSelectElement>('#state').replaceChildren(
    ...['', ...states].map((state) => new Option(nameOfState(state, language), state)),
  );
  find('#state-row').hidden = states.length === 0;
  find('#fields').hidden = !asks;
  for (const name of ['element', ...SINGLE] as const) find<HTMLInputElement>(`#${name}`).value = String(choices[name]);
  find<HTMLInputElement>('#own-accent').checked = choices.accent !== '';
  if (choices.accent) find<HTMLInputElement>('#accent').value = choices.accent;
  for (const box of form.querySelectorAll<HTMLInputElement>('[name=fields]'))
    box.checked = (choices.fields as readonly string[]).includes(box.value);
}

function readForm(): Choices {
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  if (!find<HTMLInputElement>('#own-accent').checked) query.delete('accent');
  query.set('format', choices.format);
  // Only elements for payments have new offers, whose name is empty here.
  if (rowOf(choices.element).source !== 'payment' && query.get('offer') === '') query.delete('offer');
  return readChoices(query, offers);
}

/** Says how readable the accent is. The elements correct texts in it, but not the color itself. */
function describeContrast(): void {
  const text = find('#contrast');
  const {accent} = choices;
  text.hidden = accent === '';
  if (!accent) return;
  const number = new Intl.NumberFormat(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const sentences = Object.entries(PAPERS).map(([scheme, paper]) => {
    const ratio = contrast(parseColor(accent), parseColor(paper));
    const words = text.dataset[readability(ratio)] ?? '';
    // A contrast of 4.49 must not be called 4.5.
    return `${text.dataset[scheme]} ${number.format(Math.floor(ratio * 10) / 10)}:1, ${words}`;
  });
  const isCorrected = Object.values(PAPERS).some(
    (paper) => contrast(parseColor(accent), parseColor(paper)) < MIN_CONTRAST,
  );
  text.textContent = [...sentences, isCorrected ? text.dataset['corrected'] : ''].join(' ');
}

/** Says beside each field what is missing. Lines for a page that cannot work are not shown. */
function showGaps(): readonly Gap[] {
  const gaps = gapsOf(choices, offers, language);
  const source = rowOf(choices.element).source;
  const isNew = source === 'payment' && choices.offer === '';
  find('#new-offer').hidden = !isNew;
  showHint('#offer', 'offer-gap', 'offer-hint', !isNew);
  showHint('#state', '', 'state-hint', isNew);
  for (const text of form.querySelectorAll<HTMLElement>('[data-gap]')) {
    const isShown = gaps.includes(text.dataset['gap'] as Gap);
    text.hidden = !isShown;
    if (!isShown && text.dataset['gap'] === 'taken') continue;
    const field = text.dataset['gap'] === 'taken' ? 'name' : text.dataset['gap'];
    find(`#${field}`).ariaInvalid = String(isShown);
  }
  find('#incomplete').hidden = gaps.length === 0;
  find('#server-writes').hidden = source !== 'session' && source !== 'link';
  return gaps;
}

/** A hint that is hidden must not be read with its field. */
function showHint(field: string, other: string, hint: string, isShown: boolean): void {
  find(`#${hint}`).hidden = !isShown;
  find(field).setAttribute('aria-describedby', [other, isShown ? hint : ''].join(' ').trim());
}

function showFormat(): void {
  for (const tab of tabs) {
    const isChosen = tab.value === choices.format;
    tab.ariaSelected = String(isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen) find('#format').setAttribute('aria-labelledby', tab.id);
  }
  const gaps = showGaps();
  // A link has no lines on a page.
  find('#rest').hidden = gaps.length > 0 || choices.format === 'link';
  const text = gaps.length === 0 ? formatSnippet(choices.format, choices, place) : '';
  for (const advice of document.querySelectorAll<HTMLElement>('[data-advice]'))
    advice.hidden = advice.dataset['advice'] !== choices.format || text === '';
  find('#snippet code').textContent = text;
  find('#snippet').hidden = text === '';
  find('#copy-snippet').hidden = text === '' || !navigator.clipboard;
  find('#no-link').hidden = text !== '' || gaps.length > 0;
  const qr = find<HTMLCanvasElement>('#qr');
  qr.hidden = choices.format !== 'link' || text === '';
  if (!qr.hidden) generate(text).toCanvas(qr);
}

async function showCode(): Promise<void> {
  showFormat();
  describeContrast();
  find('#radius-value').textContent = `${choices.radius} px`;
  find('#density-value').textContent = String(choices.density);
  find('#send').hidden = rowOf(choices.element).source !== 'payment';
  const lines = gapsOf(choices, offers, language).length === 0 ? offerLines(choices, offers, language) : '';
  find('#offer-lines').hidden = lines === '';
  find('#offer-lines code').textContent = lines;
  const shown = choices;
  const [pin, policy] = await Promise.all([readPin(rowOf(shown.element).script), policyHeader(shown, place)]);
  if (shown !== choices) return;
  find('#policy code').textContent = policy;
  find('#pinned').hidden = !pin;
  if (pin) find('#pinned code').textContent = htmlSnippet(shown, place, pin);
}

/** Shows the choices in the preview, which keeps the step of the shopper if only colors or the language changed. */
function showPreview(): void {
  const query = writeChoices({...choices, format: 'html'}, offers) || '?';
  wanted = query;
  const address = `${preview}${query}`;
  find<HTMLAnchorElement>('#open-preview').href = address;
  if (isPreviewOpen()) frame.contentWindow?.postMessage(query, location.origin);
  else frame.src = address;
}

/** A preview that was leaving for earlier choices lost the message with the later ones. */
function isPreviewBehind(): boolean {
  const shown = new URLSearchParams(frame.contentWindow?.location.search);
  shown.delete('vezne-return');
  return String(shown) !== String(new URLSearchParams(wanted));
}

/** After a press on a button of the platform, the frame shows a page of another origin. */
function isPreviewOpen(): boolean {
  try {
    return frame.contentWindow?.location.pathname === preview && frame.contentDocument?.readyState === 'complete';
  } catch {
    return false;
  }
}

/** The name of a new offer follows from its title, until somebody types another one. */
function suggestName(title: string): void {
  const name = find<HTMLInputElement>('#name');
  if (name.value === '' || name.value === nameFor(choices.title)) name.value = nameFor(title);
}

function nameFor(title: string): string {
  const words =
    foldText(title)
      .replaceAll('ı', 'i')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? [];
  const name = words.join('-').slice(0, 38);
  return Object.hasOwn(offers, name) ? `${name}-2` : name;
}

/** Writes the choices into the address, with a price that both languages read. */
function writeAddress(): void {
  const amount = readAmount(choices.amount, language) ?? choices.amount;
  history.replaceState(null, '', `${location.pathname}${writeChoices({...choices, amount}, offers)}${location.hash}`);
}

function show(withPreview = true): void {
  writeAddress();
  if (withPreview) showPreview();
  void showCode();
}

form.addEventListener('input', ({target}) => {
  if (target instanceof HTMLElement && target.id === 'accent') find<HTMLInputElement>('#own-accent').checked = true;
  if (target instanceof HTMLInputElement && target.id === 'title') suggestName(target.value);
  choices = readForm();
  if (target instanceof HTMLSelectElement && ['element', 'state'].includes(target.id)) fillForm();
  // The preview makes the offer, whose name and price are not typed at once.
  clearTimeout(typing);
  if (isTyped(target)) typing = setTimeout(showPreview, TYPING_MS);
  show(!isTyped(target));
});
form.addEventListener('change', ({target}) => {
  if (!isTyped(target)) return;
  clearTimeout(typing);
  showPreview();
});
const isTyped = (target: EventTarget | null) => target instanceof HTMLInputElement && target.type === 'text';
form.addEventListener('submit', (event) => event.preventDefault());

function chooseFormat(format: Format): void {
  choices = {...choices, format};
  writeAddress();
  showFormat();
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener('click', () => chooseFormat(tab.value as Format));
  tab.addEventListener('keydown', ({key}) => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[key];
    if (step === undefined) return;
    const next = tabs[(index + step + FORMATS.length) % FORMATS.length];
    next?.focus();
    next?.click();
  });
}

// The frame is as high as the page in it, so that only one of them scrolls.
frame.addEventListener('load', () => {
  const body = isPreviewOpen() ? frame.contentDocument?.body : undefined;
  if (!body) return void frame.style.removeProperty('height');
  if (isPreviewBehind()) frame.contentWindow?.postMessage(wanted, location.origin);
  new ResizeObserver(() => (frame.style.height = `${Math.max(body.scrollHeight, 200)}px`)).observe(body);
});

const client = new SandboxClient(sandbox);
openQuickBank(frame, find<HTMLButtonElement>('#send'), find('#sent'), client);
openQuickPhone(find('#sent'), client);
for (const address of document.querySelectorAll('[data-origin]')) address.textContent = location.host;
fillForm();
show();
openCopyButtons();
