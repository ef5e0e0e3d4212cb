/**
 * Compares the params of authenticate that a client sends with what the person typed into the form, and with
 * what the kit's servers gave to the client.
 */

import { isObject } from '#protocol/wire/envelope.ts';
import { nameKey } from '#protocol/wire/matching.ts';
import type { FormValues } from '../drivers/driver.ts';
import { digitsOf } from '../servers/calls.ts';
import type { Known } from '../servers/handed.ts';
import { type Add, shapeOf } from '../servers/message-fault.ts';

/**
 * Applies the rules of authenticate to its params.
 * @param known what the kit gave to the client and saw typed so far
 * @param add notes the rule, whether it is kept, and what is wrong otherwise
 */
export function authenticateFaults(params: Record<string, unknown>, known: Known, add: Add): void {
  const { exchangeToken, patientProperties, searchStrategy, medCardId } = params;
  // A client in use today sends an empty text where there is no medical card.
  const isSearch = ['PHONE', 'MEDCARD', '', null, undefined].includes(
    searchStrategy as string | null | undefined,
  );
  add('search', isSearch, `searchStrategy has the form ${shapeOf(searchStrategy)}`);
  add('search', searchStrategy !== 'MEDCARD' || Boolean(medCardId), 'MEDCARD has no medCardId');
  const { session } = known;
  // The session token belongs into no member of authenticate.
  const hasToken = session !== undefined && JSON.stringify(params).includes(session.token);
  add('no-cred', !hasToken, 'authenticate has the session token among its params');
  add('authenticate-params', typeof exchangeToken === 'string', 'exchangeToken is no text');
  add('authenticate-params', isObject(patientProperties), 'patientProperties is no object');
  if (typeof exchangeToken === 'string') {
    const isGiven = known.exchangeTokens.has(exchangeToken);
    add('exchange-token', isGiven, 'the exchange token is not one that was given to this session');
    add('exchange-token-spent', !known.spentTokens.has(exchangeToken), 'the exchange token is used up');
  }
  if (!isObject(patientProperties)) return;
  propertyFaults(patientProperties, known.typed, add);
}

/** Applies the rules of the patient properties. A value may be that of any form that was typed so far. */
function propertyFaults(properties: Record<string, unknown>, typed: readonly FormValues[], add: Add): void {
  const { name, surname, date, phone, gender } = properties;
  const isTyped = (fits: (form: FormValues) => boolean) => typed.some(fits);
  const isSent = (value: unknown) => value !== undefined && value !== null;
  for (const [member, value] of Object.entries({ name, surname, date, phone }))
    add('properties', isSent(value), `${member} is left out`);
  for (const [member, value] of Object.entries({ name, surname }) as ['name' | 'surname', unknown][]) {
    if (!isSent(value)) continue;
    const isRight = typeof value === 'string' && isTyped((form) => nameKey(form[member]) === nameKey(value));
    add('names', isRight, `${member} is not what was typed`);
  }
  // Two rules: any date that EHR servers take, and the full form that is advised. One fault breaks one rule.
  const text = String(date);
  const isDate = DATE.test(text);
  add('date', isDate || !isSent(date), `date has the form ${shapeOf(date)}`);
  add('date-form', FULL_DATE.test(text) || !isDate, `date has the form ${shapeOf(date)}`);
  const isDay = isTyped((form) => form.date === text.slice(0, 10));
  add('date', isDay || !isDate, 'date is another day than was typed');
  const isDigits = typeof phone === 'string' && /^\d+$/.test(phone);
  add('phone', isDigits || !isSent(phone), `phone has the form ${shapeOf(phone)}`);
  const isPhone = isTyped((form) => digitsOf(form.phone) === digitsOf(String(phone)));
  add('phone', isPhone || !isSent(phone), 'phone is not the one typed');
  if (!isSent(gender)) return;
  const isWhole = Number.isInteger(gender);
  add('gender', isWhole, `gender has the form ${shapeOf(gender)}`);
  const isCode = Number(gender) >= 0 && Number(gender) <= UNKNOWN_GENDER;
  const isChosen = isTyped((form) => String(form.gender ?? UNKNOWN_GENDER) === String(gender));
  add('gender-code', !isWhole || isCode, 'gender is none of the codes 0 to 3');
  add('gender-code', !isWhole || !isCode || isChosen, 'gender is not the one typed');
}

/** The full form of a date, as §2.5 shows it. */
const FULL_DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;
/** The forms of a date that EHR servers take: without a fraction or a time, with T, with Z. */
const DATE = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d+)?Z?)?$/;
/** The code of a gender that is not known, which is also the highest code. */
const UNKNOWN_GENDER = 3;
