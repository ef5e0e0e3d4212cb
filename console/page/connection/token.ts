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
