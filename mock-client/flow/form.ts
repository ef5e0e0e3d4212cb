/** Reads the user's input: explains what is wrong, and normalises what is right for the EHR server. */
import { email, type PatientProperties } from '#protocol/wire/fields.ts';
import { cardKey, dayKey, digitsTyped, nameKey, phoneKey } from '#protocol/wire/matching.ts';
import type { Attribute, Draft } from './state.ts';

/** A mistake in an input: the name of its text, and the number that the text states. */
export type Mistake = {
  key:
    | `mistake${'Name' | 'Surname' | 'Card'}${'Missing' | 'Long' | 'Character'}`
    | `mistakeCode${'Missing' | 'Digits' | 'Length' | 'Long'}`
    | `mistakeDate${'Missing' | 'NoDay' | 'Future' | 'Year'}`
    | `mistake${'Phone' | 'Email'}${'Missing' | ''}`
    | 'mistakeClinicPhoneMissing';
  n?: number;
};

/** The identification form as typed. `gender` is empty when not stated. */
export type DraftFields = { [Field in keyof Draft]: Field extends 'strategy' ? Draft['strategy'] : string };
export type DraftErrors = Partial<Record<keyof Draft, Mistake>>;
export type Read<Value> = { ok: true; value: Value } | { ok: false; error: Mistake };

const MAX_NAME_CHARS = 200;
const MAX_CARD_CHARS = 64;
const NO_CONTROL = /^[^\p{Cc}]*$/u;

/** Reads a phone number or an e-mail address as typed at sign-in. */
export function readAttribute(kind: Attribute['kind'], typed: string): Read<Attribute> {
  const value = typed.trim();
  if (kind === 'phone') {
    const digits = phoneKey(value);
    if (digits !== undefined) return { ok: true, value: { kind, value: digits } };
    return wrong(value === '' ? 'mistakePhoneMissing' : 'mistakePhone');
  }
  if (email.safeParse(value).success) return { ok: true, value: { kind, value: value.toLowerCase() } };
  return wrong(value === '' ? 'mistakeEmailMissing' : 'mistakeEmail');
}

/** Reads the one-time code, ignoring what stands between its digits. Undefined `digits` allows any usual length. */
export function readCode(typed: string, digits: number | undefined): Read<string> {
  const code = digitsTyped(typed);
  if (code === '') return wrong('mistakeCodeMissing');
  if (!/^[0-9]+$/.test(code)) return wrong('mistakeCodeDigits');
  if (digits !== undefined && code.length !== digits) return wrong('mistakeCodeLength', digits);
  if (code.length > 12) return wrong('mistakeCodeLong');
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
  const note = (field: keyof Draft, error: Mistake | undefined) => {
    if (error) errors[field] = error;
  };
  if (byName) {
    note('name', nameError(typed.name, 'Name'));
    note('surname', nameError(typed.surname, 'Surname'));
    note('date', dateError(typed.date, today));
  } else {
    note('medCardId', cardError(typed.medCardId));
  }
  const phone = phoneKey(typed.phone);
  if (phone === undefined) {
    note('phone', { key: typed.phone.trim() === '' ? 'mistakeClinicPhoneMissing' : 'mistakePhone' });
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

/**
 * Returns the properties that identify the patient (§2.5, decision 28). By name: name, surname, the day of
 * birth as `YYYY-MM-DD 00:00:00.000`, phone, and gender when it is stated. By card: the card number and the
 * phone.
 */
export function patientPropertiesOf(draft: Draft): PatientProperties {
  const { strategy, name, surname, date, gender, phone, medCardId } = draft;
  if (strategy === 'MEDCARD') return { searchStrategy: 'MEDCARD', medCardId, phone };
  return { name, surname, date: `${date} 00:00:00.000`, ...(gender !== undefined && { gender }), phone };
}

/** Returns the day of `now` (milliseconds) as `YYYY-MM-DD`, in the user's own time zone. */
export function dayOf(now: number): string {
  const day = new Date(now);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function wrong(key: Mistake['key'], n?: number): { ok: false; error: Mistake } {
  return { ok: false, error: n === undefined ? { key } : { key, n } };
}

function nameError(typed: string, what: 'Name' | 'Surname'): Mistake | undefined {
  if (nameKey(typed) === '') return { key: `mistake${what}Missing` };
  if (typed.length > MAX_NAME_CHARS) return { key: `mistake${what}Long`, n: MAX_NAME_CHARS };
  return NO_CONTROL.test(typed) && typed.isWellFormed() ? undefined : { key: `mistake${what}Character` };
}

function dateError(typed: string, today: string): Mistake | undefined {
  if (typed === '') return { key: 'mistakeDateMissing' };
  const day = dayKey(typed);
  if (day === undefined) return { key: 'mistakeDateNoDay' };
  if (day > today) return { key: 'mistakeDateFuture' };
  return day < '1850' ? { key: 'mistakeDateYear' } : undefined;
}

function cardError(typed: string): Mistake | undefined {
  if (cardKey(typed) === '') return { key: 'mistakeCardMissing' };
  if (typed.trim().length > MAX_CARD_CHARS) return { key: 'mistakeCardLong', n: MAX_CARD_CHARS };
  return NO_CONTROL.test(typed) && typed.isWellFormed() ? undefined : { key: 'mistakeCardCharacter' };
}

function genderOf(typed: string): Draft['gender'] {
  return typed === '0' || typed === '1' || typed === '2' || typed === '3'
    ? (Number(typed) as 0 | 1 | 2 | 3)
    : undefined;
}
