/** Users, tokens and signatures derived from a number: databases and load agree without a table. */
import { hash } from 'node:crypto';

/** The width is fixed, so that all tokens have the same length. */
const TOKEN_DIGITS = 10;

export const INTERNAL_USER = 'auth-server';
export const INTERNAL_PASSWORD = 'bench-password';
/** Every session of the prepared databases lasts until then, whatever the machine's clock says. */
export const FAR_FUTURE_MS = Date.UTC(2100, 0);

export function digits(number: number): string {
  return String(number).padStart(TOKEN_DIGITS, '0');
}

export function userOf(number: number): string {
  return `u-${digits(number)}`;
}

export function sessionTokenOf(number: number): string {
  return `session-token-of-the-benchmark-${digits(number)}`;
}

/** Returns 43 characters, as the server makes them. */
export function userSignOf(number: number): string {
  return hash('sha256', `sign-${number}`, 'base64url');
}

/** Returns the patient to whom a user is linked. The population numbers its invented patients from 1. */
export function patientIdOf(user: number): string {
  return `p-${String(user + 1).padStart(7, '0')}`;
}

export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
