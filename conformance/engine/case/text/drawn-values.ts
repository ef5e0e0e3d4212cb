/**
 * Values that a call brings up itself, such as a token that the kit invented: the script draws others of the
 * same form, so that it can be repeated at a server that keeps what it was sent.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { quoted } from '../js-text.ts';

/** A value that the script draws, and the member of the call that has it. */
export type DrawnValue = { value: string; member: string };

/** Members of a call whose values its caller invents. */
const INVENTED = new Set(['user', 'token', 'exchangeToken']);

/** A part of a value that was drawn: a long run of the characters of base64url. */
const RUN = /[A-Za-z0-9_-]{12,}/g;

/** The values in the body of a call that may have been invented, in the order in which they stand. */
export function inventedIn({ request }: { readonly request: { readonly body: string } }): DrawnValue[] {
  const found: DrawnValue[] = [];
  const collect = (value: unknown, member: string): void => {
    if (typeof value === 'string') {
      if (INVENTED.has(member) && longestRun(value) !== undefined && !DIGEST.test(value))
        found.push({ value, member });
    } else if (Array.isArray(value)) for (const each of value) collect(each, member);
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) collect(each, name);
  };
  collect(tryJson(request.body)?.value, '');
  return found;
}

const DIGEST = /^[0-9a-f]{40}$/i;

const longestRun = (value: string): string | undefined =>
  [...value.matchAll(RUN)].map(([run]) => run).sort((a, b) => b.length - a.length)[0];

/** The expression that draws another value of the same form. */
export function drawnText(value: string): string {
  const run = longestRun(value) ?? value;
  const [before = '', ...after] = value.split(run);
  const parts = [before, after.join(run)].map((each) => (each === '' ? '' : quoted(each)));
  return [parts[0], `invented(${run.length})`, parts[1]].filter(Boolean).join(' + ');
}

/** Whether a value was drawn by a party, so that it stands nowhere by chance. A day is none. */
export const looksDrawn = (value: string) =>
  !/^\d{4}-\d\d-\d\d/.test(value) && (/\d/.test(value) || /[a-z][A-Z]|[A-Z][a-z].*[A-Z]/.test(value));
