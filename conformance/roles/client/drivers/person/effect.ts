/** Tells from the calls of a step which screen must follow, where they leave no doubt. */
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { callIn, EHR_METHODS } from '../../servers/calls.ts';
import type { Screen } from '../driver.ts';

/** The codes of get_patient that lead to the form. */
const FORM_CODES = [-33_000, -33_001, -33_002];

const AFTER_SUCCESS: Readonly<Record<string, Screen>> = {
  'auth.request_otp': 'code',
  [EHR_METHODS.read]: 'patient',
  'auth.report_link': 'patient',
  'auth.logout': 'signedOut',
  'auth.delete_user': 'signedOut',
};

/** Undefined after a trouble, a refusal of another kind, and in the middle of a series of calls. */
export function screenAfter(calls: readonly ExchangeEntry[]): Screen | undefined {
  const last = calls.at(-1);
  if (!last || calls.some(({ fault, broke }) => fault !== undefined || broke !== undefined)) return undefined;
  const { method = '' } = last.facts.call ?? {};
  const { result, error } = callIn(last.response?.body ?? '') ?? {};
  if (result !== undefined) return AFTER_SUCCESS[method];
  const { code } = (error ?? {}) as { code?: unknown };
  return method === EHR_METHODS.read && FORM_CODES.includes(Number(code)) ? 'form' : undefined;
}
