/**
 * What the address of the page carries: the control token, which comes with the address that the demo prints,
 * is kept for the next visit and does not stay in the address bar; and a situation as a link, which stands
 * behind the `#`, so no server ever sees it.
 */
import type { Moment } from '../../api.ts';

/**
 * The control token: it comes with the address that the demo prints, is kept for the next visit, and does not
 * stay in the address bar.
 */
const KEY = 'console-token';

type Places = { location: Location; history: History; storage: Pick<Storage, 'getItem' | 'setItem'> };

export function takeToken({ location, history, storage }: Places): string {
  const url = new URL(location.href);
  const given = url.searchParams.get('token');
  if (given === null) return storage.getItem(KEY) ?? '';
  storage.setItem(KEY, given);
  url.searchParams.delete('token');
  history.replaceState(undefined, '', url);
  return given;
}

/** Reads a token that a person pasted: the token itself, or the whole address that the demo prints. */
export function tokenIn(pasted: string): string {
  const text = pasted.trim();
  return URL.canParse(text) ? (new URL(text).searchParams.get('token') ?? '') : text;
}

const NAME = 'moment';

/** A moment, or of one that cannot be read its version; undefined: there is none. */
export type OpenedLink = { readonly moment: Moment } | { readonly version: number | undefined };

export function linkTo(moment: Moment, page: string): string {
  const url = new URL('.', page);
  url.hash = `${NAME}=${encodeURIComponent(JSON.stringify(moment))}`;
  return url.href;
}

/** Returns what the link of an address opens. Undefined where it names no moment. */
export function momentIn(address: string): OpenedLink | undefined {
  const text = new URLSearchParams(new URL(address).hash.slice(1)).get(NAME);
  return text === null ? undefined : openedFrom(text);
}

function openedFrom(text: string): OpenedLink {
  try {
    const content: unknown = JSON.parse(text);
    const { version, seed, scenario, step, movedMs, skewMs, faults } = Object(content) as Partial<Moment>;
    if (version !== 1) return { version: typeof version === 'number' ? version : undefined };
    const areNumbers = [seed, step, movedMs].every(Number.isInteger);
    const isNamed = scenario === null || typeof scenario === 'string';
    // The server reads the rest more closely.
    const isWhole = areNumbers && isNamed && typeof skewMs === 'object' && Array.isArray(faults);
    return isWhole ? { moment: content as Moment } : { version: undefined };
  } catch {
    return { version: undefined };
  }
}
