/**
 * Values that a call brings up itself, such as a token that the kit invented: the script draws others of the
 * same form, so that it can be repeated at a server that keeps what it was sent.
 */
import { createHash } from 'node:crypto';
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

/** How a digest may have been made of the password and a secret, right and wrong. */
const DIGESTS: readonly { of: (password: string, secret: string) => string; js: (name: string) => string }[] =
  [
    { of: (password, secret) => hash('sha1', password + secret), js: (name) => `digest(${name})` },
    {
      of: (password, secret) => hash('sha1', secret + password),
      js: (name) => `hashed('sha1', ${name} + PASSWORD)`,
    },
    {
      of: (password, secret) => hash('sha1', password.trim() + secret),
      js: (name) => `hashed('sha1', PASSWORD.trim() + ${name})`,
    },
    { of: (_, secret) => hash('sha1', secret), js: (name) => `hashed('sha1', ${name})` },
    {
      of: (password, secret) => hash('sha256', password + secret),
      js: (name) => `hashed('sha256', PASSWORD + ${name})`,
    },
    {
      of: (password, secret) => hash('sha256', password + secret).slice(0, 40),
      js: (name) => `hashed('sha256', PASSWORD + ${name}).slice(0, 40)`,
    },
    {
      of: (password, secret) => hash('md5', password + secret),
      js: (name) => `hashed('md5', PASSWORD + ${name})`,
    },
  ];

const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');

/** How each digest of the password and a secret is computed. The value takes the name of the secret. */
export function digestsOf(password: string, secret: string): ReadonlyMap<string, (name: string) => string> {
  return new Map(DIGESTS.map(({ of, js }) => [of(password, secret), js]));
}

/** Whether a text has the form of a digest. */
export const isDigest = (text: string): boolean => /^[0-9a-f]{32,64}$/i.test(text);

/** Whether a value was drawn by a party, so that it stands nowhere by chance. */
export const looksDrawn = (value: string) => /\d/.test(value) || /[a-z][A-Z]|[A-Z][a-z].*[A-Z]/.test(value);
