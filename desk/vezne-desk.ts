import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../widgets/core/locale.ts';
import {css} from '../widgets/core/styles/css.ts';
import {signOut} from './client.ts';
import {DeskElement} from './desk-element.ts';
import {deskStyles} from './desk.styles.ts';
import {frameTexts} from './locales/frame.ts';
import {explainProblem} from './locales/problems.ts';
import {hrefOf, readRoute, type Route} from './route.ts';
import {session, signInProblem} from './session.ts';

const VIEWS = ['search', 'day', 'work', 'health'] as const;
/** Only the language is kept in the browser. */
const LANGUAGE = 'vezne-desk-language';

const withoutLanguage = (route: Route) => hrefOf(route.view === 'payment' ? {...route, language: ''} : route);

/**
 * The desk: signing in, the navigation, and the view that the address names.
 *
 * @tag vezne-desk
 */
export class VezneDesk extends DeskElement {
  static override styles = [
    ...deskStyles,
    css`
      .base {
        display: grid;
        gap: 1em;
        grid-template-columns: minmax(0, 64em);
        justify-content: center;
        padding: 0.75em max(1em, env(safe-area-inset-right)) 3em max(1em, env(safe-area-inset-left));
      }
      nav a,
      header button {
        display: inline-flex;
        align-items: center;
        min-block-size: 44px;
        padding-inline: 0.625em;
        border-radius: 8px;
        color: var(--_ink);
        font-weight: 600;
        text-decoration: none;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
      }
      nav a[aria-current] {
        background: var(--_tint);
        color: var(--_link);
      }
      .brand {
        font-weight: 750;
      }
      /* A phone has no room for all in one row. The texts line up with those below. */
      @media (max-width: 40em) {
        nav {
          order: 1;
          inline-size: calc(100% + 1.25em);
        }
        nav,
        header > :last-child {
          margin-inline: -0.625em;
        }
      }
      main:focus {
        outline: none;
      }
      form {
        display: grid;
        gap: 0.75em;
        max-inline-size: 30em;
      }
      label {
        font-weight: 650;
      }
    `,
  ];
  static override properties = {route: {state: true}};

  declare route: Route;

  /** In which language somebody last wrote to a customer. */
  #language: Locale | '' = '';

  readonly #onHash = async () => {
    const before = withoutLanguage(this.route);
    this.#openRoute();
    if (withoutLanguage(this.route) === before) return;
    await this.updateComplete;
    scrollTo(0, 0);
    // The search gives the focus to its field.
    if (this.route.view === 'search') return;
    this.renderRoot.querySelector<HTMLElement>('main')?.focus({preventScroll: true});
  };

  /** Shows what the address says. The language stays from payment to payment. */
  #openRoute(): void {
    const route = readRoute(location.hash);
    this.route = route;
    if (route.view !== 'payment') return;
    this.#language = route.language || this.#language;
    if (route.language === this.#language) return;
    this.route = {...route, language: this.#language};
    history.replaceState(null, '', hrefOf(this.route));
  }

  constructor() {
    super();
    this.route = readRoute(location.hash);
    this.#openRoute();
    document.documentElement.lang = localStorage.getItem(LANGUAGE) ?? (/^en/i.test(navigator.language) ? 'en' : 'tr');
    // What the query says was read. An address that is sent to a colleague has none.
    this.problemCode = signInProblem();
    if (session || this.problemCode) history.replaceState(null, '', `${location.pathname}${location.hash}`);
  }

  readonly problemCode: string | null;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#onHash);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#onHash);
  }

  protected override updated(): void {
    document.title = `${this.#title()} · ${frameTexts[this.locale].title}`;
  }

  protected override renderContent(): TemplateResult {
    const t = frameTexts[this.locale];
    return html`
      <header class="row spread">
        <span class="brand">Vezne</span>
        ${session ? this.#renderNavigation() : nothing}
        <span class="row">
          <button type="button" lang=${this.locale === 'tr' ? 'en' : 'tr'} @click=${this.#onLanguage}>${t.other}</button>
          ${session ? html`<button type="button" @click=${this.#onSignOut}>${t.signOut}</button>` : nothing}
        </span>
      </header>
      <main tabindex="-1" class="stack">${session ? this.#renderView() : this.#renderSignIn()}</main>
      ${session ? this.#renderScope(session) : nothing}
    `;
  }

  #title(): string {
    const t = frameTexts[this.locale];
    if (!session) return t.signIn;
    return this.route.view === 'payment' ? this.route.order : t.views[this.route.view];
  }

  #renderNavigation(): TemplateResult {
    const t = frameTexts[this.locale];
    const current = this.route.view === 'payment' ? 'search' : this.route.view;
    const hrefs = {
      search: hrefOf({view: 'search'}),
      day: hrefOf({view: 'day', service: '', day: ''}),
      work: hrefOf({view: 'work', service: '', kind: '', page: ''}),
      health: hrefOf({view: 'health'}),
    };
    return html`<nav aria-label=${t.navigation}>
      ${VIEWS.map(
        (view) => html`<a href=${hrefs[view]} aria-current=${view === current ? 'page' : nothing}>${t.views[view]}</a>`,
      )}
    </nav>`;
  }

  /** The search stays when another view is shown, so that what was typed and found is there when one goes back. */
  #renderView(): TemplateResult {
    const {view} = this.route;
    const shown = this.route.view === 'payment' ? this.route : null;
    const isSearch = view === 'search';
    return html`
      ${isSearch ? html`<h1 class="visually-hidden">${frameTexts[this.locale].views.search}</h1>` : nothing}
      <desk-search ?hidden=${!isSearch && view !== 'payment'} .isListed=${isSearch} .shown=${shown}></desk-search>
      ${this.#renderOther()}
    `;
  }

  #renderOther(): TemplateResult | typeof nothing {
    const {route} = this;
    switch (route.view) {
      case 'payment':
        return html`<desk-payment .service=${route.service} .order=${route.order} .language=${route.language}></desk-payment>`;
      case 'day':
        return html`<desk-day .service=${route.service} .day=${route.day}></desk-day>`;
      case 'work':
        return html`<desk-work .service=${route.service} .kind=${route.kind} .page=${route.page}></desk-work>`;
      case 'health':
        return html`<desk-health></desk-health>`;
      case 'search':
        return nothing;
      case 'unknown':
        return html`<div class="panel" role="alert">
          <h1>${frameTexts[this.locale].views.unknown}</h1>
          <p>${frameTexts[this.locale].unknownAddress}</p>
        </div>`;
    }
  }

  #renderScope({limited, services, key}: NonNullable<typeof session>): TemplateResult {
    const t = frameTexts[this.locale];
    return html`<footer class="muted">
      <p>${t.signedInAs(key)}. ${limited ? t.mayNotSee(services.join(', ')) : t.mayOnlyRead}</p>
    </footer>`;
  }

  #renderSignIn(): TemplateResult {
    const t = frameTexts[this.locale];
    return html`<form class="panel" method="post" action=${`/desk/api/sign-in${location.hash}`}>
      <h1>${t.signInTitle}</h1>
      <p class="muted">${t.signInText}</p>
      ${this.problemCode ? html`<p class="problem warn" role="alert">${explainProblem(this.problemCode, this.locale)}</p>` : nothing}
      <label for="key">${t.keyLabel}</label>
      <input id="key" name="key" type="password" required autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="500" />
      <button class="button">${t.signInButton}</button>
    </form>`;
  }

  #onLanguage(): void {
    const language = this.locale === 'tr' ? 'en' : 'tr';
    document.documentElement.lang = language;
    localStorage.setItem(LANGUAGE, language);
  }

  async #onSignOut(): Promise<void> {
    await signOut().catch(() => {});
    location.replace('/desk/?again');
  }
}
