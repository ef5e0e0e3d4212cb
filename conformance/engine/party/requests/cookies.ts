/** The cookies that a browser has after an answer (RFC 6265): the kit and its learner send back no others. */

/** What a browser knows of an answer when it keeps the cookies of its `Set-Cookie` lines. */
type Setting = {
  /** The path of the request; the usual path of a cookie is its folder. */
  readonly path?: string | undefined;
  /** Milliseconds since 1970, on the clock of the kit. */
  readonly at?: number | undefined;
};

type Cookie = { name: string; value: string; path: string };

/**
 * Returns the cookies that an answer leaves, by name. A cookie replaces an earlier one of its name and path,
 * and is gone when its age is over. Of several paths the widest counts: it is sent with most requests.
 */
export function cookiesAfter(
  lines: readonly string[],
  { path = '/', at = 0 }: Setting,
): ReadonlyMap<string, string> {
  const kept = new Map<string, Cookie>();
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split(';');
    const cut = pair.indexOf('=');
    const [name, value] = [pair.slice(0, Math.max(cut, 0)).trim(), pair.slice(cut + 1).trim()];
    const given = new Map(attributes.map(nameAndValue));
    const own = given.get('path');
    const cookie = { name, value, path: own?.startsWith('/') ? own : folderOf(path) };
    const key = `${name};${cookie.path}`;
    kept.delete(key);
    if (name !== '' && !isOver(given, at)) kept.set(key, cookie);
  }
  const narrowFirst = [...kept.values()].toSorted((a, b) => b.path.length - a.path.length);
  return new Map(narrowFirst.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]));
}

function nameAndValue(attribute: string): [name: string, value: string] {
  const [name = '', ...value] = attribute.split('=');
  return [name.trim().toLowerCase(), value.join('=').trim()];
}

const folderOf = (path: string): string => path.replace(/[?#].*$/s, '').replace(/\/[^/]*$/, '') || '/';

/** Max-Age goes before Expires. What is no number and no date says nothing. */
function isOver(given: ReadonlyMap<string, string>, at: number): boolean {
  const age = given.get('max-age') ?? '';
  return /^-?\d+$/.test(age) ? Number(age) <= 0 : Date.parse(given.get('expires') ?? '') <= at;
}
