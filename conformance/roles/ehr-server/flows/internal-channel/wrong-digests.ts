/** Wrong digests for internal calls of an EHR server; the key of each says what is wrong with it. */

import { bytesToHex } from '@noble/hashes/utils.js';
import { base64Of } from '#protocol/wire/bytes.ts';
import { digest, hashBytes, hmacSha1 } from '#protocol/wire/hashes.ts';
import type { DigestParts } from '../../world/calls.ts';
import type { AuthInfo } from '../../world/messages.ts';
import type { Linked } from '../../world/world.ts';

type WrongDigest = (parts: DigestParts) => string;

const sha1 = (text: string) => digest(text, '');
const sha256 = (text: string) => bytesToHex(hashBytes('sha256', text));
/** Writes a text in capitals; in small letters where it is in capitals already, so that it always changes. */
const capitals = (text: string) => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase());
const anotherDigit = (digit = '') => (digit === '0' ? '1' : '0');

export const WRONG_WAYS: Readonly<Record<string, WrongDigest>> = {
  'the right one but for its last character': ({ password, secret }) => {
    const right = digest(password, secret);
    return right.slice(0, -1) + anotherDigit(right.at(-1));
  },
  'the right one but for its first character': ({ password, secret }) => {
    const right = digest(password, secret);
    return anotherDigit(right[0]) + right.slice(1);
  },
  'right in its first half': ({ password, secret }) =>
    digest(password, secret).slice(0, 20) + sha1('other').slice(20),
  'the first half of the right one': ({ password, secret }) => digest(password, secret).slice(0, 20),
  'nothing at all': () => '',
  'over the password alone': ({ password }) => sha1(password),
  'over the secret alone': ({ secret }) => sha1(secret),
  'the SHA-1 of nothing': () => sha1(''),
  'the secret first': ({ password, secret }) => sha1(secret + password),
  'with a colon between': ({ password, secret }) => sha1(`${password}:${secret}`),
  'with a blank between': ({ password, secret }) => sha1(`${password} ${secret}`),
  'with a line end after it': ({ password, secret }) => sha1(`${password}${secret}\n`),
  'with the user before it': ({ internalUser, password, secret }) =>
    sha1(`${internalUser}${password}${secret}`),
  'with another password': ({ password, secret }) => sha1(`${password}x${secret}`),
  // For a password in ASCII these give the right digest: see `wrongly`.
  'with the password without its letters beyond ASCII': ({ password, secret }) =>
    sha1(password.replace(/\P{ASCII}/gu, '') + secret),
  'with question marks for the letters of the password beyond ASCII': ({ password, secret }) =>
    sha1(password.replace(/\P{ASCII}/gu, '?') + secret),
  'with the password in Latin-1': ({ password, secret }) =>
    bytesToHex(hashBytes('sha1', Buffer.concat([Buffer.from(password, 'latin1'), Buffer.from(secret)]))),
  'with the password trimmed': ({ password, secret }) => sha1(password.trim() + secret),
  'with the password in another case': ({ password, secret }) => sha1(capitals(password) + secret),
  'with the secret in another case': ({ password, secret }) => sha1(password + capitals(secret)),
  'over the beginning of the secret': ({ password, secret }) => sha1(password + secret.slice(0, -1)),
  'over the first half of the secret': ({ password, secret }) =>
    sha1(password + secret.slice(0, secret.length / 2)),
  'hashed twice': ({ password, secret }) => sha1(digest(password, secret)),
  'with the password hashed before': ({ password, secret }) => sha1(sha1(password) + secret),
  'by HMAC with the password as key': ({ password, secret }) => bytesToHex(hmacSha1(password, secret)),
  'by HMAC with the secret as key': ({ password, secret }) => bytesToHex(hmacSha1(secret, password)),
  'by SHA-256, cut': ({ password, secret }) => sha256(`${password}${secret}`).slice(0, 40),
};

/** Tokens that do not have the form of a digest: 40 lowercase hexadecimal characters. */
export const NO_DIGESTS: Readonly<Record<string, WrongDigest>> = {
  'by SHA-256, in full': ({ password, secret }) => sha256(`${password}${secret}`),
  'in base64': ({ password, secret }) => base64Of(hashBytes('sha1', `${password}${secret}`)),
  'the password itself': ({ password }) => password,
  'the secret itself': ({ secret }) => secret,
  'password and secret themselves': ({ password, secret }) => `${password}${secret}`,
  'an empty token': () => '',
};

export type Others = { linked: Linked; other: Linked; formerSign: string; pending: string };

export const OTHER_SECRETS: Readonly<Record<string, (others: Others) => string>> = {
  'over the session token': ({ linked }) => linked.session.token,
  'over the user': ({ linked }) => linked.session.user,
  'over the patient': ({ linked }) => linked.recordId,
  'over the phone of the patient': ({ linked }) => linked.person.phone,
  'over the exchange token of the link': ({ linked }) => linked.exchangeToken,
  'over a pending exchange token of the user': ({ pending }) => pending,
  'over the signature of another user': ({ other }) => other.userSign,
  'over the signature of a former link': ({ formerSign }) => formerSign,
};

export const OF_THIS_CALL: Readonly<Record<string, (authInfo: AuthInfo) => string>> = {
  'over the token that is announced': ({ token }) => token,
  'over the ttl that is announced': ({ ttl }) => String(ttl),
  'over the authInfo as JSON': (authInfo) => JSON.stringify(authInfo),
};

/** Some wrong ways can give the right digest, as a number in capitals: another takes its place. */
export function wrongly(way: WrongDigest, parts: DigestParts): string {
  const token = way(parts);
  return token === digest(parts.password, parts.secret) ? sha1('over something else') : token;
}

export const WRONG_USERS: Readonly<Record<string, (right: string, endUser: string) => string>> = {
  'another internal user': (right) => `${right}-2`,
  'the end user': (_right, endUser) => endUser,
  'the internal user without its last letter': (right) => right.slice(0, -1),
};
