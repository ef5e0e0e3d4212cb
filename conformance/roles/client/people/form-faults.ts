/** Compares the params of authenticate with what the person typed and the kit's servers gave. */
import { isObject } from '#protocol/wire/envelope.ts';
import { nameKey } from '#protocol/wire/matching.ts';
import type { FormValues } from '../drivers/driver.ts';
import { digitsOf } from '../servers/calls.ts';
import type { Known } from '../servers/handed.ts';
import { type Add, shapeOf } from '../servers/message-fault.ts';

export function authenticateFaults(params: Record<string, unknown>, known: Known, add: Add): void {
  const { exchangeToken, patientProperties } = params;
  const { session } = known;
  // The session token belongs into no member of authenticate.
  const hasToken = session !== undefined && JSON.stringify(params).includes(session.token);
  add('no-cred', !hasToken, 'authenticate has the session token among its params');
  add('authenticate-params', typeof exchangeToken === 'string', 'exchangeToken is no text');
  add('authenticate-params', isObject(patientProperties), 'patientProperties is no object');
  if (typeof exchangeToken === 'string') {
    const isGiven = known.exchangeTokens.has(exchangeToken);
    add('exchange-token', isGiven, 'the exchange token is not one that was given to this session');
  }
  if (!isObject(patientProperties)) return;
  propertyFaults(patientProperties, known.typed, add);
}

/** A value may be that of any form that was typed so far. */
function propertyFaults(properties: Record<string, unknown>, typed: readonly FormValues[], add: Add): void {
  const { name, surname, date, phone, gender } = properties;
  const isTyped = (fits: (form: FormValues) => boolean) => typed.some(fits);
  const isSent = (value: unknown) => value !== undefined && value !== null;
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
  add('gender', Number.isInteger(gender) || !isSent(gender), `gender has the form ${shapeOf(gender)}`);
}

const FULL_DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;
/** The forms of a date that EHR servers take: without a fraction or a time, with T, with Z. */
const DATE = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d+)?Z?)?$/;
