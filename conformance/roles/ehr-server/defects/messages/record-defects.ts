/**
 * Defects of an EHR server in what its replies hold (record, user_sign, ids), and in what it takes for an
 * authInfo. A key is the check that must find the defects below it. A text `id: title` begins a defect; its
 * change of the right server follows, then `owner/repo#number` of public systems that had the defect.
 */
import { withAuthInfo } from '../../../../engine/defects/rpc-call.ts';
import { before, inRecords, inResults, instead, success, withRules } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, READ, RECORDS, REMOVALS, SAVES } from '../methods.ts';

/** A user_sign cut to 16 characters, which are 96 bits. */
const shortSign = (sign: unknown) => String(sign).slice(0, 16);

/** A time zone east of Greenwich: the midnight of a birthdate falls on the day before. */
const THREE_HOURS_MS = 10_800_000;

/** Change name and surname in the record of replies. */
const inNames = (change: (name: string) => string) =>
  inRecords((record) => ({
    ...record,
    name: change(String(record.name)),
    surname: change(String(record.surname)),
  }));

/**
 * Replace a wrong ttl of a save by a right one, as a lenient server does, where a right server refuses it.
 */
const repairsTtl = (repair: (ttl: unknown) => unknown) =>
  before(SAVES, ({ call, authInfo }) => withAuthInfo(call, { ttl: repair(authInfo.ttl) }));

export const recordDefects = foundBy({
  'read-has-record-and-sign': [
    'read-without-sign: get_patient tells no user_sign',
    inResults(READ, ({ user_sign: _sign, userSign: _too, ...result }) => result),
    'sign-as-number: get_patient tells the user_sign as a number',
    inResults(READ, (result) => ({ ...result, user_sign: 4711 })),
  ],
  'members-of-record': [
    'record-without-phones: The record lacks a published member',
    inRecords(({ phones: _phones, ...record }) => record),
    'record-without-nulls: The record leaves out the members of which nothing is known',
    inRecords((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))),
  ],
  'types-of-record': [
    'birthdate-of-its-own-form: The birthdate of the record is written day first',
    inRecords((record) => ({ ...record, birthdate: '12.04.1985' })),
    'insurances-as-text: The insurances of the record are a text',
    inRecords((record) => ({ ...record, insurances: 'none' })),
  ],
  'auth-info-checked': [
    'ttl-true-taken: A ttl that is true is taken as 1',
    repairsTtl((ttl) => (ttl === true ? 1 : ttl)),
    'ttl-in-a-list-taken: A ttl in a list is taken as the number in it',
    repairsTtl((ttl) => (Array.isArray(ttl) ? ttl[0] : ttl)),
    'ttl-as-text: A ttl that is a text is read as a number',
    repairsTtl((ttl) => (typeof ttl === 'string' ? Number(ttl) : ttl)),
    'ttl-of-nothing: A ttl that is missing is that of a day',
    repairsTtl((ttl) => ttl ?? 1_440),
    'ttl-without-bound: A ttl has no upper bound',
    withRules({ maxTtl: Number.MAX_SAFE_INTEGER }),
    'ttl-below-one: A ttl of nought, below it or of a fraction is taken as one',
    repairsTtl((ttl) => (typeof ttl === 'number' && (ttl < 1 || ttl % 1 !== 0) ? 1 : ttl)),
    'user-as-number: A save for a user of another type is acknowledged',
    instead(SAVES, (turn) => (typeof turn.authInfo.user === 'number' ? success(turn) : undefined)),
  ],
  'names-keep-their-letters': [
    'names-in-latin-1: Letters that Latin-1 lacks become question marks in the record',
    inNames((name) => name.replace(/[^\x20-\u00FF]/gu, '?')),
    'names-encoded-twice: Names are encoded in UTF-8 twice',
    inNames((name) => Buffer.from(name, 'utf8').toString('latin1')),
  ],
  'record-agrees-with-match': [
    'gender-one-more: The gender of the record counts from 1',
    inRecords((record) => ({ ...record, gender: Math.min(Number(record.gender) + 1, 3) })),
    'birthdate-of-the-day-before: The birthdate of the record is the day before, by a time zone',
    inRecords((record) => ({
      ...record,
      birthdate: new Date(Date.parse(String(record.birthdate)) - THREE_HOURS_MS).toISOString(),
    })),
    'names-swapped-in-record: Name and surname of the record have changed places',
    inRecords((record) => ({ ...record, name: record.surname, surname: record.name })),
  ],
  'same-reply-of-both': [
    'signature-under-one-name: The signature is sent as user_sign alone',
    inResults(RECORDS, ({ userSign: _sign, ...result }) => result),
    'authenticate-without-record: authenticate results in the signature alone',
    inResults(AUTHENTICATE, ({ patient: _patient, ...result }) => result),
  ],
  'signature-random': [
    'signature-of-96-bits: The user_sign has 96 bits',
    inResults(RECORDS, ({ user_sign, userSign, ...result }) => ({
      ...result,
      user_sign: shortSign(user_sign),
      userSign: shortSign(userSign),
    })),
    'signature-of-all: All links have one user_sign',
    inResults(RECORDS, (result) => ({ ...result, user_sign: 'A'.repeat(43), userSign: 'A'.repeat(43) })),
  ],
  'saves-return-id': [
    'saves-without-id: The saves result in an empty object',
    inResults(SAVES, () => ({})),
    'saves-with-number: The saves result in an id that is a number',
    inResults(SAVES, () => ({ id: 7 })),
  ],
  'removals-return-nothing': [
    'removals-say-ok: The removals result in a member of their own',
    inResults(REMOVALS, () => ({ ok: true })),
  ],
});
