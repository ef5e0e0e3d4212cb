/**
 * Infers from the client's calls which screen a person must see now, so that the kit need not ask the person.
 */
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { callIn, EHR_METHODS } from '../../servers/calls.ts';
import type { Screen } from '../driver.ts';

/**
 * The errors of get_patient after which a client shows the form: no session or link is known at the EHR
 * server.
 */
const FORM_CODES = [-33_000, -33_001, -33_002];

/** The screen after a successful call, by method. */
const AFTER_SUCCESS: ReadonlyMap<string, Screen> = new Map<string, Screen>([
  ['auth.request_otp', 'code'],
  [EHR_METHODS.read, 'patient'],
  ['auth.report_link', 'patient'],
  ['auth.logout', 'signedOut'],
  ['auth.delete_user', 'signedOut'],
]);

/** The screen; undefined where the calls leave a doubt: a fault, another refusal, or more calls to come. */
export function screenAfter(calls: readonly ExchangeEntry[]): Screen | undefined {
  const last = calls.at(-1);
  if (!last || calls.some(({ fault, broke }) => fault !== undefined || broke !== undefined)) return undefined;
  const { method = '' } = last.facts.call ?? {};
  const { result, error } = callIn(last.response?.body ?? '') ?? {};
  if (result !== undefined) return AFTER_SUCCESS.get(method);
  const { code } = (error ?? {}) as { code?: unknown };
  return method === EHR_METHODS.read && FORM_CODES.includes(Number(code)) ? 'form' : undefined;
}
