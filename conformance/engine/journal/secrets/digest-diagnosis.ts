/** Explains a wrong digest: tries the known mistakes of implementers until one yields it. */
import { createHash, createHmac } from 'node:crypto';

export type Mistake = { what: string; digest: (password: string, secret: string) => string };

const sha1 = (data: string | Buffer) => createHash('sha1').update(data).digest('hex');
const hash = (algorithm: string) => (password: string, secret: string) =>
  createHash(algorithm)
    .update(password + secret)
    .digest('hex');

/** The mistakes in the order of trial. */
export const mistakes: readonly Mistake[] = [
  { what: 'it is in upper case', digest: (password, secret) => sha1(password + secret).toUpperCase() },
  { what: 'the secret stands before the password', digest: (password, secret) => sha1(secret + password) },
  ...[':', '|', ' ', '.', '-', '_', '+', ',', ';', '&', '/', '\n', '\0'].map((separator) => ({
    what: `there is a separator ${JSON.stringify(separator)} between password and secret`,
    digest: (password: string, secret: string) => sha1(password + separator + secret),
  })),
  { what: 'a line break follows the secret', digest: (password, secret) => sha1(`${password}${secret}\n`) },
  { what: 'the password alone is digested', digest: (password) => sha1(password) },
  { what: 'the secret alone is digested', digest: (_password, secret) => sha1(secret) },
  {
    what: 'the secret is trimmed of its last character',
    digest: (password, secret) => sha1(password + secret.slice(0, -1)),
  },
  {
    what: 'the secret is trimmed of its first character',
    digest: (password, secret) => sha1(password + secret.slice(1)),
  },
  { what: 'the secret is in lower case', digest: (password, secret) => sha1(password + secret.toLowerCase()) },
  { what: 'the secret is in upper case', digest: (password, secret) => sha1(password + secret.toUpperCase()) },
  {
    what: 'the password is encoded as Latin-1 and not as UTF-8',
    digest: (password, secret) => sha1(Buffer.from(password + secret, 'latin1')),
  },
  {
    what: 'password and secret are encoded as UTF-16',
    digest: (password, secret) => sha1(Buffer.from(password + secret, 'utf16le')),
  },
  ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => ({
    what: `the password is brought into the Unicode form ${form}`,
    digest: (password: string, secret: string) => sha1(password.normalize(form) + secret),
  })),
  {
    what: 'the accents of the password are taken away',
    digest: (password, secret) => sha1(password.normalize('NFKD').replace(/\p{M}/gu, '') + secret),
  },
  {
    what: 'the characters of the password beyond ASCII are left out',
    digest: (password, secret) => sha1(password.replace(/\P{ASCII}/gu, '') + secret),
  },
  {
    what: 'the characters of the password beyond ASCII are replaced by question marks',
    digest: (password, secret) => sha1(password.replace(/\P{ASCII}/gu, '?') + secret),
  },
  { what: 'the password is in lower case', digest: (password, secret) => sha1(password.toLowerCase() + secret) },
  {
    what: 'the secret is reduced to letters and digits',
    digest: (password, secret) => sha1(password + secret.replace(/[^A-Za-z0-9]/g, '')),
  },
  {
    what: 'the ends of the secret are stripped of what is no letter or digit',
    digest: (password, secret) => sha1(password + secret.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')),
  },
  { what: 'the password is trimmed of white space', digest: (password, secret) => sha1(password.trim() + secret) },
  {
    what: 'it is encoded in base64',
    digest: (password, secret) =>
      createHash('sha1')
        .update(password + secret)
        .digest('base64'),
  },
  {
    what: 'it is encoded in base64url',
    digest: (password, secret) =>
      createHash('sha1')
        .update(password + secret)
        .digest('base64url'),
  },
  { what: 'it is cut short', digest: (password, secret) => sha1(password + secret).slice(0, 32) },
  { what: 'it is a SHA-256 digest', digest: hash('sha256') },
  { what: 'it is an MD5 digest', digest: hash('md5') },
  { what: 'it is a SHA-512 digest', digest: hash('sha512') },
  {
    what: 'it is an HMAC with the password as key',
    digest: (password, secret) => createHmac('sha1', password).update(secret).digest('hex'),
  },
  { what: 'the digest is digested once more', digest: (password, secret) => sha1(sha1(password + secret)) },
  { what: 'the password is digested first', digest: (password, secret) => sha1(sha1(password) + secret) },
  { what: 'it is the password in clear', digest: (password) => password },
  { what: 'it is the secret in clear', digest: (_password, secret) => secret },
];

/** A value that may explain a digest, and its name for the reader. */
export type NamedValue = { name: string; value: string };

/**
 * Explains `digest` by one of the usual mistakes with one of the `secrets`, or as a digest over one of the
 * `others`, which are not secrets of the call.
 */
export function explainDigest(
  digest: string,
  password: string,
  secrets: readonly NamedValue[],
  others: readonly NamedValue[] = [],
): string | undefined {
  const made = mistakeWith(digest, password, secrets);
  if (made) return `${made.mistake.what} (the secret being ${made.name})`;
  // A secret of the call may be among the others: it was tried above.
  const wrong = others.filter(({ value }) => value !== '' && !secrets.some((secret) => secret.value === value));
  const over = wrong.find(({ value }) => sha1(password + value) === digest);
  if (over) return `the digest is over ${over.name}`;
  const both = mistakeWith(digest, password, wrong);
  return both && `the digest is over ${both.name}, and ${both.mistake.what}`;
}

function mistakeWith(digest: string, password: string, values: readonly NamedValue[]) {
  for (const { name, value } of values) {
    // A mistake that makes no difference for these values explains nothing.
    if (sha1(password + value) === digest) continue;
    const mistake = mistakes.find((each) => each.digest(password, value) === digest);
    if (mistake) return { name, mistake };
  }
  return undefined;
}
