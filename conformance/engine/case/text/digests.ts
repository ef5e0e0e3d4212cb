/**
 * Texts that are made of the internal password, rightly and wrongly. A script computes them: the password
 * must not stand in it, and the secret of a link is another one each time.
 */
import { createHash, createHmac } from 'node:crypto';
import { derived } from './derive.ts';

/** The credentials of the internal channel. */
export type Internal = { user: string; password: string };

/** Stands for the secret in an expression. */
const S = '\u0001';

/** A text, and how a script computes it. */
type Made = readonly [js: string, text: string];

const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');
/** SHA-1 in hexadecimal digits. */
export const sha1 = (text: string) => hash('sha1', text);
const hmac = (key: string, text: string) => createHmac('sha1', key).update(text).digest('hex');
const base64 = (bytes: Buffer) => bytes.toString('base64');
const latin1 = (text: string) => Buffer.from(text).toString('latin1');

/** Half a digest, and a digest of SHA-256 with what may stand around it. */
const [MIN_CHARS, MAX_CHARS] = [20, 120];

/** Finds out how texts are made of the internal credentials. */
export class Digests {
  readonly #internal: Internal;
  readonly #alone: ReadonlyMap<string, string>;
  /** The expressions by their text, by the secret; computed when a text could be one. */
  readonly #made = new Map<string, ReadonlyMap<string, string>>();

  constructor(internal: Internal) {
    const { user, password } = internal;
    this.#internal = internal;
    this.#alone = new Map([
      [user, 'USER'],
      [password, 'PASSWORD'],
      [sha1(password), `hashed('sha1', PASSWORD)`],
      [`Basic ${base64(Buffer.from(`${user}:${password}`))}`, `'Basic ' + base64(USER + ':' + PASSWORD)`],
      [latin1(`Bearer ${password}`), `latin1('Bearer ' + PASSWORD)`],
    ]);
  }

  /** The expression of a text that is made of the credentials alone. `member`: the name of what has it. */
  alone(text: string, member: string): string | undefined {
    const isUser = member === 'user';
    return this.#alone.get(text) ?? (isUser ? derived(text, this.#internal.user, 'USER') : undefined);
  }

  /**
   * The expression of a text that is made of the password and a secret, or is a hash of the secret.
   * @param name the expression of the secret
   */
  over(secret: string, text: string, name: string): string | undefined {
    if (text.length < MIN_CHARS || text.length > MAX_CHARS) return undefined;
    const made = this.#made.get(secret) ?? madeOf(this.#internal, secret);
    this.#made.set(secret, made);
    const js = made.get(text);
    if (js !== undefined) return js.replaceAll(S, name);
    // The right digest in another spelling, or a part of it.
    return derived(text, sha1(this.#internal.password + secret), `digest(${name})`);
  }
}

/** The expressions by their text. The first of equal texts counts: it is the plainest. */
const madeOf = (internal: Internal, secret: string) =>
  new Map(
    [...ofSecret(internal, secret), ...ofPassword(internal, secret)]
      .reverse()
      .map(([js, text]) => [text, js]),
  );

/** What differs in the secret, in the order, or in the way of hashing. */
function ofSecret({ user, password: p }: Internal, s: string): Made[] {
  const half = Math.floor(s.length / 2);
  const right = sha1(p + s);
  return [
    [`digest(${S})`, right],
    [`hashed('sha1', ${S})`, sha1(s)],
    [`hashed('sha1', ${S} + PASSWORD)`, sha1(s + p)],
    [`hashed('sha1', PASSWORD + ':' + ${S})`, sha1(`${p}:${s}`)],
    [`hashed('sha1', PASSWORD + ' ' + ${S})`, sha1(`${p} ${s}`)],
    [`hashed('sha1', PASSWORD + 'x' + ${S})`, sha1(`${p}x${s}`)],
    [`hashed('sha1', PASSWORD + ${S} + '\\n')`, sha1(`${p}${s}\n`)],
    [`hashed('sha1', USER + PASSWORD + ${S})`, sha1(user + p + s)],
    [`digest(${S}.slice(0, -1))`, sha1(p + s.slice(0, -1))],
    [`digest(${S}.slice(0, ${half}))`, sha1(p + s.slice(0, half))],
    [`digest(${S}.toUpperCase())`, sha1(p + s.toUpperCase())],
    [`hashed('sha1', digest(${S}))`, sha1(right)],
    [`hmac(PASSWORD, ${S})`, hmac(p, s)],
    [`hmac(${S}, PASSWORD)`, hmac(s, p)],
    [`hashed('sha256', PASSWORD + ${S})`, hash('sha256', p + s)],
    [`hashed('sha256', PASSWORD + ${S}).slice(0, 40)`, hash('sha256', p + s).slice(0, 40)],
    [`hashed('md5', PASSWORD + ${S})`, hash('md5', p + s)],
    [`base64(Buffer.from(digest(${S}), 'hex'))`, base64(Buffer.from(right, 'hex'))],
    [`PASSWORD + ${S}`, p + s],
  ];
}

/** What differs in the password. */
function ofPassword({ password: p }: Internal, s: string): Made[] {
  const latin = createHash('sha1').update(Buffer.from(p, 'latin1')).update(s).digest('hex');
  return [
    [`hashed('sha1', PASSWORD.trim() + ${S})`, sha1(p.trim() + s)],
    [`hashed('sha1', PASSWORD.toUpperCase() + ${S})`, sha1(p.toUpperCase() + s)],
    [`hashed('sha1', PASSWORD.toLowerCase() + ${S})`, sha1(p.toLowerCase() + s)],
    [`hashed('sha1', PASSWORD.replace(/\\P{ASCII}/gu, '') + ${S})`, sha1(p.replace(/\P{ASCII}/gu, '') + s)],
    [`hashed('sha1', PASSWORD.replace(/\\P{ASCII}/gu, '?') + ${S})`, sha1(p.replace(/\P{ASCII}/gu, '?') + s)],
    [`hashed('sha1', hashed('sha1', PASSWORD) + ${S})`, sha1(sha1(p) + s)],
    [`hashed('sha1', Buffer.from(PASSWORD, 'latin1'), ${S})`, latin],
  ];
}
