/**
 * Explains a wrong digest. The right digest is the SHA-1 of the internal password followed by a secret. This
 * file tries the known mistakes of implementers until one yields the digest that a server sent.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64Of, base64urlOf, binaryOf } from '#protocol/wire/bytes.ts';
import { type Algorithm, hashBytes, hmacSha1 } from '#protocol/wire/hashes.ts';

type DigestOf = (password: string, secret: string) => string;

export type NamedValue = { name: string; value: string };

const hashed = (algorithm: Algorithm, written = bytesToHex) => {
  return (data: string | Uint8Array) => written(hashBytes(algorithm, data));
};
const sha1 = hashed('sha1');

/** Separators that implementers put between password and secret. */
const SEPARATORS = [':', '|', ' ', '.', '-', '_', '+', ',', ';', '&', '/', '\n', '\0'];
const UNICODE_FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'];

const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** Encodings of one byte a character, as Java and .NET have them: the characters in the order of the bytes. */
const CODE_PAGES = {
  'Latin-1': binaryOf(BYTES),
  'windows-1251': new TextDecoder('windows-1251').decode(BYTES),
};

/** Encodes a text, with a question mark for each character that the code page has not. */
function inCodePage(known: string, text: string): Uint8Array {
  return Uint8Array.from(Array.from(text, (char) => (known.includes(char) ? known.indexOf(char) : 0x3f)));
}

/** The UTF-16 units of a text. In an array of bytes each keeps its last eight bits. */
const codesOf = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** The mistakes, in the order in which they are tried. Key: the mistake in words, for a report. */
export const MISTAKES: Readonly<Record<string, DigestOf>> = {
  'it is in upper case': (password, secret) => sha1(password + secret).toUpperCase(),
  'the secret stands before the password': (password, secret) => sha1(secret + password),
  ...Object.fromEntries(
    SEPARATORS.map((separator): [string, DigestOf] => [
      `there is a separator ${JSON.stringify(separator)} between password and secret`,
      (password, secret) => sha1(password + separator + secret),
    ]),
  ),
  'a line break follows the secret': (password, secret) => sha1(`${password}${secret}\n`),
  'the password alone is digested': (password) => sha1(password),
  'the secret alone is digested': (_password, secret) => sha1(secret),
  'the secret is trimmed of its last character': (password, secret) => sha1(password + secret.slice(0, -1)),
  'the secret is trimmed of its first character': (password, secret) => sha1(password + secret.slice(1)),
  'the secret is in lower case': (password, secret) => sha1(password + secret.toLowerCase()),
  'the secret is in upper case': (password, secret) => sha1(password + secret.toUpperCase()),
  'password and secret are encoded as Latin-1 and not as UTF-8': (password, secret) =>
    sha1(Uint8Array.from(codesOf(password + secret))),
  ...Object.fromEntries(
    Object.entries(CODE_PAGES).map(([page, known]): [string, DigestOf] => [
      `password and secret are encoded as ${page}, with question marks for what it has not`,
      (password, secret) => sha1(inCodePage(known, password + secret)),
    ]),
  ),
  'password and secret are encoded as UTF-16': (password, secret) =>
    sha1(Uint8Array.from(codesOf(password + secret).flatMap((code) => [code, code >> 8]))),
  ...Object.fromEntries(
    UNICODE_FORMS.map((form): [string, DigestOf] => [
      `the password is brought into the Unicode form ${form}`,
      (password, secret) => sha1(password.normalize(form) + secret),
    ]),
  ),
  'the accents of the password are taken away': (password, secret) =>
    sha1(password.normalize('NFKD').replace(/\p{M}/gu, '') + secret),
  'the characters of the password beyond ASCII are left out': (password, secret) =>
    sha1(password.replace(/\P{ASCII}/gu, '') + secret),
  'the characters of the password beyond ASCII are replaced by question marks': (password, secret) =>
    sha1(password.replace(/\P{ASCII}/gu, '?') + secret),
  'the password is in lower case': (password, secret) => sha1(password.toLowerCase() + secret),
  'the secret is reduced to letters and digits': (password, secret) =>
    sha1(password + secret.replace(/[^A-Za-z0-9]/g, '')),
  'the ends of the secret are stripped of what is no letter or digit': (password, secret) =>
    sha1(password + secret.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')),
  'the password is trimmed of white space': (password, secret) => sha1(password.trim() + secret),
  'it is encoded in base64': (password, secret) => hashed('sha1', base64Of)(password + secret),
  'it is encoded in base64url': (password, secret) => hashed('sha1', base64urlOf)(password + secret),
  'it is cut short': (password, secret) => sha1(password + secret).slice(0, 32),
  'it is a SHA-256 digest': (password, secret) => hashed('sha256')(password + secret),
  'it is an MD5 digest': (password, secret) => hashed('md5')(password + secret),
  'it is a SHA-512 digest': (password, secret) => hashed('sha512')(password + secret),
  'it is an HMAC with the password as key': (password, secret) => bytesToHex(hmacSha1(password, secret)),
  'the digest is digested once more': (password, secret) => sha1(sha1(password + secret)),
  'the password is digested first': (password, secret) => sha1(sha1(password) + secret),
  'it is the password in clear': (password) => password,
  'it is the secret in clear': (_password, secret) => secret,
};

/** Limits the values that are tried with each mistake: those of the call come first, and a run has thousands. */
const MAX_TRIED = 30;

/**
 * Explains `digest` in words: by one of the mistakes with one of the `secrets`, or as a digest over one of
 * the `others`, over which no digest may be computed. Undefined: nothing explains it.
 */
export function explainDigest(
  digest: string,
  password: string,
  secrets: readonly NamedValue[],
  others: readonly NamedValue[] = [],
): string | undefined {
  const made = mistakeWith(digest, password, secrets);
  if (made) return `${made.mistake} (the secret being ${made.name})`;
  // A right secret may be among the others, too: it was tried above.
  const wrong = others.filter(
    ({ value }) => value !== '' && !secrets.some((secret) => secret.value === value),
  );
  const over = wrong.find(({ value }) => sha1(password + value) === digest);
  if (over) return `the digest is over ${over.name}`;
  const both = mistakeWith(digest, password, wrong.slice(0, MAX_TRIED));
  return both && `the digest is over ${both.name}, and ${both.mistake}`;
}

function mistakeWith(digest: string, password: string, values: readonly NamedValue[]) {
  for (const { name, value } of values) {
    // The right digest is no mistake. A mistake may give the right digest, too, such as NFC of an ASCII text.
    if (sha1(password + value) === digest) continue;
    const made = Object.entries(MISTAKES).find(([, digestOf]) => digestOf(password, value) === digest);
    if (made) return { name, mistake: made[0] };
  }
  return undefined;
}
