/** Reads the user's input: explains what is wrong, and normalises what is right. */
import { z } from 'zod';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/wire/matching.ts';
import type { Attribute, Draft } from './state.ts';

/** The identification form as typed. `gender` is empty when not stated. */
export type DraftFields = { [Field in keyof Draft]: Field extends 'strategy' ? Draft['strategy'] : string };
export type DraftErrors = Partial<Record<keyof Draft, string>>;
export type Read<Value> = { ok: true; value: Value } | { ok: false; error: string };

const PHONE_HINT = 'Enter a phone number with 5 to 15 digits, for example +7 999 000-00-01.';
const MAX_NAME_CHARS = 200;
const MAX_CARD_CHARS = 64;
const NO_CONTROL = /^[^\p{Cc}]*$/u;
const emailAddress = z.email().max(254);

/** Reads a phone number or an e-mail address as typed at sign-in. */
export function readAttribute(kind: Attribute['kind'], typed: string): Read<Attribute> {
  const value = typed.trim();
  if (kind === 'phone') {
    const digits = phoneKey(value);
    if (digits !== undefined) return { ok: true, value: { kind, value: digits } };
    return { ok: false, error: value === '' ? 'Enter your phone number.' : PHONE_HINT };
  }
  if (emailAddress.safeParse(value).success) return { ok: true, value: { kind, value: value.toLowerCase() } };
  return {
    ok: false,
    error: value === '' ? 'Enter your e-mail address.' : 'Enter an e-mail address in the form name@example.org.',
  };
}

/** Reads the one-time code, ignoring spaces and dashes. Undefined `digits` allows any usual length. */
export function readCode(typed: string, digits: number | undefined): Read<string> {
  const code = typed.replace(/[\s-]/gu, '');
  if (code === '') return { ok: false, error: 'Enter the code from the message.' };
  if (!/^[0-9]+$/.test(code)) return { ok: false, error: 'The code has digits only.' };
  if (digits !== undefined && code.length !== digits) return { ok: false, error: `The code has ${digits} digits.` };
  if (code.length > 12) return { ok: false, error: 'That is too long for a code.' };
  return { ok: true, value: code };
}

/**
 * Reads the identification form. Returns the draft to send, or the errors of each field in the order of the
 * form.
 * @param today the current day as `YYYY-MM-DD`
 */
export function readDraft(
  typed: DraftFields,
  today: string,
): { ok: true; value: Draft } | { ok: false; errors: DraftErrors } {
  const byName = typed.strategy === 'PHONE';
  const errors: DraftErrors = {};
  const note = (field: keyof Draft, error: string | undefined) => {
    if (error) errors[field] = error;
  };
  if (byName) {
    note('name', nameError(typed.name, 'given name'));
    note('surname', nameError(typed.surname, 'family name'));
    note('date', dateError(typed.date, today));
  } else {
    note('medCardId', cardError(typed.medCardId));
  }
  const phone = phoneKey(typed.phone);
  if (phone === undefined) {
    note('phone', typed.phone.trim() === '' ? 'Enter the phone number your clinic knows.' : PHONE_HINT);
  }
  if (Object.keys(errors).length > 0 || phone === undefined) return { ok: false, errors };
  return {
    ok: true,
    value: {
      strategy: typed.strategy,
      name: byName ? typed.name.trim() : '',
      surname: byName ? typed.surname.trim() : '',
      date: byName ? typed.date : '',
      gender: byName ? genderOf(typed.gender) : undefined,
      phone,
      medCardId: byName ? '' : typed.medCardId.trim(),
    },
  };
}

/** Converts a draft back into the fields of the form. */
export function draftFields(draft: Draft): DraftFields {
  return { ...draft, gender: draft.gender === undefined ? '' : String(draft.gender) };
}

/** Returns the day of `now` (milliseconds) as `YYYY-MM-DD`, in the user's own time zone. */
export function dayOf(now: number): string {
  const day = new Date(now);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function nameError(typed: string, what: string): string | undefined {
  if (nameKey(typed) === '') return `Enter your ${what}.`;
  if (typed.length > MAX_NAME_CHARS) return `A ${what} can have at most ${MAX_NAME_CHARS} characters.`;
  return NO_CONTROL.test(typed) && typed.isWellFormed()
    ? undefined
    : `Your ${what} has a character that cannot be sent.`;
}

function dateError(typed: string, today: string): string | undefined {
  if (typed === '') return 'Enter your whole date of birth: day, month and year.';
  const day = dayKey(typed);
  if (day === undefined) return 'That day is not in the calendar. Check day, month and year.';
  if (day > today) return 'A date of birth cannot be in the future.';
  return day < '1850' ? 'Check the year of birth.' : undefined;
}

function cardError(typed: string): string | undefined {
  if (cardKey(typed) === '') return 'Enter the number of your medical card.';
  if (typed.trim().length > MAX_CARD_CHARS) return `A card number can have at most ${MAX_CARD_CHARS} characters.`;
  return NO_CONTROL.test(typed) && typed.isWellFormed()
    ? undefined
    : 'The card number has a character that cannot be sent.';
}

function genderOf(typed: string): Draft['gender'] {
  return typed === '0' || typed === '1' || typed === '2' || typed === '3'
    ? (Number(typed) as 0 | 1 | 2 | 3)
    : undefined;
}
