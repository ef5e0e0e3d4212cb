/** Defects in the digest of calls to the EHR server. */
import { createHash } from 'node:crypto';
import { digest } from '#protocol/wire/digest.ts';
import { foundBy } from '../defect.ts';
import { digests, signDigests } from './outgoing.ts';

const hash = (algorithm: string, data: string | Buffer, encoding: 'hex' | 'base64' = 'hex') =>
  createHash(algorithm).update(data).digest(encoding);

export const digestDefects = foundBy({
  'digest-shape/digest-upper-case': {
    title: 'The digest is in upper case',
    change: digests((password, secret) => digest(password, secret).toUpperCase()),
  },
  'digest-shape/digest-base64': {
    title: 'The digest is in base64',
    change: digests((password, secret) => hash('sha1', password + secret, 'base64')),
  },
  'digest-shape/digest-sha256': {
    title: 'The digest is SHA-256',
    change: digests((password, secret) => hash('sha256', password + secret)),
  },
  'digest-shape/digest-md5': {
    title: 'The digest is MD5',
    change: digests((password, secret) => hash('md5', password + secret)),
  },
  'exchange-token-digest/secret-first': {
    title: 'The secret is digested before the password',
    change: digests((password, secret) => digest(secret, password)),
  },
  'exchange-token-digest/separator': {
    title: 'A colon stands between password and secret',
    change: digests((password, secret) => digest(`${password}:`, secret)),
  },
  'exchange-token-digest/line-end': {
    title: 'A line end is digested too',
    change: digests((password, secret) => digest(password, `${secret}\n`)),
  },
  'exchange-token-digest/latin1-password': {
    title: 'The password is digested as Latin-1',
    change: digests((password, secret) => hash('sha1', Buffer.from(password + secret, 'latin1'))),
  },
  'exchange-token-digest/password-alone': {
    title: 'The password alone is digested',
    change: digests((password) => digest(password, '')),
  },
  'exchange-token-digest/digest-twice': {
    title: 'The digest is digested once more',
    change: digests((password, secret) => hash('sha1', digest(password, secret))),
  },
  'exchange-token-digest/password-decomposed': {
    title: 'The internal password is digested in another Unicode form',
    change: digests((password, secret) => digest(password.normalize('NFD'), secret)),
    on: ['challenge'],
  },
  'exchange-token-digest/password-trimmed': {
    title: 'The internal password loses the blanks at its ends',
    change: digests((password, secret) => digest(password.trim(), secret)),
    seenIn: ['Infisical/infisical#895', 'saltstack/salt#37290', 'wader/postfix-relay#299'],
  },
  'exchange-token-digest/digest-over-session-token': {
    title: 'The digest of an exchange token is over the session token',
    change: digests((password, secret, { call: { params } }) =>
      digest(password, 'exchangeToken' in params ? (params.authInfo as { token: string }).token : secret),
    ),
    on: ['challenge'],
  },
  'user-sign-digest/sign-secret-first': {
    title: 'The user_sign is digested before the password',
    change: signDigests((password, sign) => digest(sign, password)),
  },
  'user-sign-digest/sign-trimmed': {
    title: 'The last character of the user_sign is lost',
    change: signDigests((password, sign) => digest(password, sign.slice(0, -1))),
  },
  'user-sign-digest/sign-lower-case': {
    title: 'The user_sign is digested in lower case',
    change: signDigests((password, sign) => digest(password, sign.toLowerCase())),
    on: ['carried-sign'],
  },
  'user-sign-digest/sign-separator': {
    title: 'A blank stands between password and user_sign',
    change: signDigests((password, sign) => digest(`${password} `, sign)),
  },
  'user-sign-digest/sign-left-out': {
    title: 'The user_sign is left out of the digest',
    change: signDigests((password) => digest(password, '')),
  },
  'user-sign-digest/sign-sanitised': {
    title: 'The user_sign is reduced to letters and digits',
    change: signDigests((password, sign) => digest(password, sign.replace(/[^A-Za-z0-9]/g, ''))),
    on: ['carried-sign'],
  },
  'user-sign-digest/sign-cut': {
    title: 'Only 32 characters of the carried signature are used',
    on: ['carried-sign'],
  },
  'user-sign-digest/digest-over-session-token': {
    title: 'The digest of a saved session is over the session token',
    on: ['carried-sign'],
  },
  'own-user-sign/sign-of-first-user': {
    title: "The first user's user_sign is used for everybody",
    change: signDigests((password, sign, { mock: { ledger } }) => {
      const [first = sign] = ledger.notes<string>('signs').values();
      return digest(password, first);
    }),
    on: ['carried-sign'],
  },
  'calls-accepted/accepts-nothing': {
    title: 'Sessions are saved with a token that the EHR server refuses',
    change: signDigests(() => '0'.repeat(40)),
  },
  'secrets-not-in-clear/password-in-clear': {
    title: 'cred.token is the password itself',
    change: digests((password) => password),
  },
  'secrets-not-in-clear/sign-in-clear': {
    title: 'The user_sign is sent beside the digest',
    change: signDigests((password, sign, { call }) => {
      call.params.userSign = sign;
      return digest(password, sign);
    }),
  },
});
