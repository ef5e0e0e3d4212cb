/** Defects in the digest of calls to the EHR server. */
import { createHash } from 'node:crypto';
import type { EhrMethod } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/digest.ts';
import type { Defect } from '../defect.ts';
import { SAVE } from './outgoing.ts';

const sha1 = (data: string | Buffer) => createHash('sha1').update(data).digest('hex');

function wrongDigest(
  id: string,
  title: string,
  caughtBy: string,
  make: (password: string, secret: string, method: EhrMethod) => string,
): Defect {
  return { id, title, caughtBy, variation: () => ({ digest: make }) };
}

/** Shows the defect only in the digest over the user_sign. */
const onlyForSign =
  (make: (password: string, secret: string) => string) => (password: string, secret: string, method: EhrMethod) =>
    method === SAVE ? make(password, secret) : digest(password, secret);

export const digestDefects: readonly Defect[] = [
  wrongDigest('digest-upper-case', 'The digest is in upper case', 'digest-shape', (password, secret) =>
    digest(password, secret).toUpperCase(),
  ),
  wrongDigest('digest-base64', 'The digest is in base64', 'digest-shape', (password, secret) =>
    createHash('sha1')
      .update(password + secret)
      .digest('base64'),
  ),
  wrongDigest('digest-sha256', 'The digest is SHA-256', 'digest-shape', (password, secret) =>
    createHash('sha256')
      .update(password + secret)
      .digest('hex'),
  ),
  wrongDigest('digest-md5', 'The digest is MD5', 'digest-shape', (password, secret) =>
    createHash('md5')
      .update(password + secret)
      .digest('hex'),
  ),
  wrongDigest('password-in-clear', 'cred.token is the password itself', 'secrets-not-in-clear', (password) => password),
  wrongDigest(
    'secret-first',
    'The secret is digested before the password',
    'exchange-token-digest',
    (password, secret) => digest(secret, password),
  ),
  wrongDigest('separator', 'A colon stands between password and secret', 'exchange-token-digest', (password, secret) =>
    digest(`${password}:`, secret),
  ),
  wrongDigest('line-end', 'A line end is digested too', 'exchange-token-digest', (password, secret) =>
    digest(password, `${secret}\n`),
  ),
  wrongDigest('latin1-password', 'The password is digested as Latin-1', 'exchange-token-digest', (password, secret) =>
    sha1(Buffer.from(password + secret, 'latin1')),
  ),
  wrongDigest('password-alone', 'The password alone is digested', 'exchange-token-digest', (password) =>
    digest(password, ''),
  ),
  wrongDigest('digest-twice', 'The digest is digested once more', 'exchange-token-digest', (password, secret) =>
    sha1(digest(password, secret)),
  ),
  wrongDigest(
    'sign-secret-first',
    'The user_sign is digested before the password',
    'user-sign-digest',
    onlyForSign((password, secret) => digest(secret, password)),
  ),
  wrongDigest(
    'sign-trimmed',
    'The last character of the user_sign is lost',
    'user-sign-digest',
    onlyForSign((password, secret) => digest(password, secret.slice(0, -1))),
  ),
  wrongDigest(
    'sign-lower-case',
    'The user_sign is digested in lower case',
    'user-sign-digest',
    onlyForSign((password, secret) => digest(password, secret.toLowerCase())),
  ),
  wrongDigest(
    'sign-separator',
    'A blank stands between password and user_sign',
    'user-sign-digest',
    onlyForSign((password, secret) => digest(`${password} `, secret)),
  ),
  wrongDigest(
    'sign-left-out',
    'The user_sign is left out of the digest',
    'user-sign-digest',
    onlyForSign((password) => digest(password, '')),
  ),
  {
    id: 'sign-of-first-user',
    title: "The first user's user_sign is used for everybody",
    caughtBy: 'own-user-sign',
    variation: () => {
      let first: string | undefined;
      const firstSeen = (secret: string) => {
        first ??= secret;
        return first;
      };
      return { digest: onlyForSign((password, secret) => digest(password, firstSeen(secret))) };
    },
  },
];
