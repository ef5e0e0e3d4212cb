/**
 * What the EHR server under test takes instead of what the interface says, as far as the doctor found it.
 * Steps that only prepare others use it: one fault of the server must not hide all others.
 */
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { KnownPerson } from '../settings.ts';
import { propertiesOf } from './patients.ts';

/** What the digest of an internal call is computed from. */
export type DigestParts = {
  password: string;
  internalUser: string;
  /** What the digest must be over: the user_sign, or the exchange token. */
  secret: string;
};

export type Dialect = {
  /** Computes cred.token of an internal call. */
  digest: (parts: DigestParts) => string;
  /** Returns the properties by which authenticate finds a patient. */
  properties: (person: KnownPerson) => Record<string, unknown>;
};

/** What the interface says. */
export const rightDialect = (): Dialect => ({
  digest: ({ password, secret }) => digest(password, secret),
  properties: propertiesOf,
});
