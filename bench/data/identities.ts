/** Users, tokens and signatures of the benchmarks by their number: the databases and the load agree on them without a table. */
import { hash } from 'node:crypto';

/** Digits of a number inside a token: of one width, so that a request is a template with digits to fill in. */
export const DIGITS = 10;

export const INTERNAL_USER = 'auth-server';
export const INTERNAL_PASSWORD = 'bench-password';
/** Every session of the prepared databases lasts until then, whatever the machine's clock says. */
export const FAR_FUTURE = Date.UTC(2100, 0);

export function digits(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

export function userOf(number: number): string {
  return `u-${digits(number)}`;
}

/** The token of a session that stands in the database from the start. */
export function sessionTokenOf(number: number): string {
  return `session-token-of-the-benchmark-${digits(number)}`;
}

/** The token of an exchange token that stands in the database from the start. */
export function exchangeTokenOf(number: number): string {
  return `exchange-token-of-the-benchmark-${digits(number)}`;
}

/** 43 characters, as the server makes them. */
export function userSignOf(number: number): string {
  return hash('sha256', `sign-${number}`, 'base64url');
}

/** The patient to whom a user is linked; the population numbers its invented patients from 1. */
export function patientIdOf(user: number): string {
  return `p-${String(user + 1).padStart(7, '0')}`;
}

export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
