import {nothing, type ReactiveController, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {StoreController} from '../../core/store.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import {copyText} from './clipboard.ts';

const fallbackFile = lazyElements(() => import('../../bundles/copy-fallback.ts'));

/** How long a button confirms that its text was copied. */
const COPIED_MS = 4_000;

/** Copies texts for its host, and confirms for a while that a text was copied. */
export class CopyController implements ReactiveController {
  /** The last attempt to copy. */
  #last: {readonly text: string; readonly copied: boolean} | undefined;
  #resetTimer: ReturnType<typeof setTimeout> | undefined;

  readonly #fallback: StoreController<typeof fallbackFile>;

  constructor(readonly host: VezneElement<unknown>) {
    host.addController(this);
    this.#fallback = new StoreController(host, () => (this.#last?.copied === false ? fallbackFile : undefined));
  }

  hostDisconnected(): void {
    clearTimeout(this.#resetTimer);
    this.#last = undefined;
  }

  /** Whether a text was just copied. */
  get isConfirming(): boolean {
    return !!this.#last?.copied;
  }

  /** Whether this text was just copied. */
  isCopied(text: string): boolean {
    return this.isConfirming && this.#last?.text === text;
  }

  /** The label of the button that copies the text. */
  label(text: string, copy: string, copied: string): string {
    return this.isCopied(text) ? `✓ ${copied}` : copy;
  }

  /** The field that appears if the browser refuses to copy. @param text - Undefined for any text. */
  fallback(text = this.#last?.text): TemplateResult | typeof nothing {
    const file = this.#fallback.store?.value;
    return (text !== undefined && text === this.#last?.text && file?.copyFallback(text, this.host)) || nothing;
  }

  /** Copies the text. @returns Whether the browser allowed it. */
  async copy(text: string): Promise<boolean> {
    const {host} = this;
    clearTimeout(this.#resetTimer);
    const copied = await copyText(text);
    this.#last = {text, copied};
    host.requestUpdate();
    if (copied) {
      this.#resetTimer = setTimeout(() => {
        this.#last = undefined;
        host.requestUpdate();
      }, COPIED_MS);
    } else {
      await fallbackFile.wait(new AbortController().signal).catch(() => {});
      await host.updateComplete;
      // This selects the text.
      host.find('textarea')?.focus();
    }
    return copied;
  }
}
