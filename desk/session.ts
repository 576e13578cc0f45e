/** Who is signed in. The Worker writes it into the document, and only into one that a person opened. */

export interface DeskSession {
  /** Goes with each request. Scripts of other pages of this origin cannot read it. */
  readonly token: string;
  /** The id of the API key. */
  readonly key: string;
  /** Whether the key may see only some services. */
  readonly limited: boolean;
  /** The codes of the services that the key may see. */
  readonly services: readonly string[];
}

function readSession(): DeskSession | null {
  try {
    const text = document.querySelector<HTMLMetaElement>('meta[name=vezne-desk]')?.content ?? 'null';
    return JSON.parse(decodeURIComponent(text)) as DeskSession | null;
  } catch {
    return null;
  }
}

/** Null if nobody is signed in. */
export const session = readSession();

/**
 * A link from a chat opens the desk without its cookie (`SameSite=Strict`). A navigation of the page itself has it, so the
 * page opens itself once more. The query says that it has done so.
 */
export function openAgain(): boolean {
  const {search, hash, pathname} = location;
  if (session || search !== '') return false;
  location.replace(`${pathname}?again${hash}`);
  return true;
}

/** What the Worker refused when somebody signed in; null if it refused nothing. */
export const signInProblem = (): string | null => /[?&]problem=([a-z_]{1,40})$/.exec(location.search)?.[1] ?? null;
