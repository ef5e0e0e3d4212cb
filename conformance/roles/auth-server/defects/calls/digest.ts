/** Defects in the digest with which a call to the EHR server is proven. */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { foundBy } from '../defect.ts';
import { digests, signDigests } from './outgoing.ts';

/** The hash of `data` with this algorithm of node:crypto. */
const hash = (algorithm: string, data: string | Buffer, encoding: 'hex' | 'base64' = 'hex') =>
  createHash(algorithm).update(data).digest(encoding);

export const digestDefects = foundBy({
  'digest-shape': [
    'digest-upper-case: The digest is in upper case',
    digests((password, secret) => digest(password, secret).toUpperCase()),
    'digest-base64: The digest is in base64',
    digests((password, secret) => hash('sha1', password + secret, 'base64')),
  ],
  'exchange-token-digest': [
    'secret-first: The secret is digested before the password',
    digests((password, secret) => digest(secret, password)),
    'latin1-password: The password is digested as Latin-1',
    digests((password, secret) => hash('sha1', Buffer.from(password + secret, 'latin1'))),
    'password-trimmed: The internal password loses the blanks at its ends',
    digests((password, secret) => digest(password.trim(), secret)),
    'digest-over-session-token: The digest of an exchange token is over the session token',
    digests((password, secret, { call: { params } }) =>
      digest(password, 'exchangeToken' in params ? (params.authInfo as { token: string }).token : secret),
    ),
  ],
  'user-sign-digest': [
    'sign-secret-first: The user_sign is digested before the password',
    signDigests((password, sign) => digest(sign, password)),
    'sign-trimmed: The last character of the user_sign is lost',
    signDigests((password, sign) => digest(password, sign.slice(0, -1))),
    'sign-lower-case: The user_sign is digested in lower case',
    signDigests((password, sign) => digest(password, sign.toLowerCase())),
    'sign-left-out: The user_sign is left out of the digest',
    signDigests((password) => digest(password, '')),
  ],
  'long-sign-digested': [
    'long-sign-cut: The digest is over the first 64 characters of the user_sign',
    signDigests((password, sign) => digest(password, sign.slice(0, 64))),
  ],
  'own-user-sign': [
    "sign-of-first-user: The first user's user_sign is used for everybody",
    signDigests((password, sign, { mock: { ledger } }) => {
      const [first = sign] = ledger.notes<string>('signs').values();
      return digest(password, first);
    }),
  ],
  'calls-accepted': [
    'accepts-nothing: Sessions are saved with a token that the EHR server refuses',
    // As long as a right digest, the SHA-1 in hex.
    signDigests(() => '0'.repeat(40)),
  ],
  'secrets-not-in-clear': [
    'password-in-clear: cred.token is the password itself',
    digests((password) => password),
    'sign-in-clear: The user_sign is sent beside the digest',
    signDigests((password, sign, { call }) => {
      call.params.userSign = sign;
      return digest(password, sign);
    }),
  ],
});
