/** Defects of what replies hold: record, signature, ids, and what is taken as an authInfo. */
import { withAuthInfo } from '../../../../engine/defects/rpc-call.ts';
import { before, inRecords, inResults, instead, success, withRules } from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE, RECORDS, REMOVALS, SAVES } from '../methods.ts';

/** A signature of few bits for each link. */
const shortSign = (sign: unknown) => String(sign).slice(0, 16);

const THREE_HOURS_MS = 10_800_000;

const inNames = (change: (name: string) => string) =>
  inRecords((record) => ({
    ...record,
    name: change(String(record.name)),
    surname: change(String(record.surname)),
  }));

/** Repair a wrong ttl, as a lenient reader does. */
const repairsTtl = (repair: (ttl: unknown) => unknown) =>
  before(SAVES, ({ call, authInfo }) => withAuthInfo(call, { ttl: repair(authInfo.ttl) }));

export const recordDefects = defects({
  'record-without-phones': {
    title: 'The record lacks a published member',
    change: inRecords(({ phones: _phones, ...record }) => record),
    caughtBy: 'members-of-record',
  },
  'record-without-nulls': {
    title: 'The record leaves out the members of which nothing is known',
    change: inRecords((record) =>
      Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)),
    ),
    caughtBy: 'members-of-record',
  },
  'birthdate-of-its-own-form': {
    title: 'The birthdate of the record is written day first',
    change: inRecords((record) => ({ ...record, birthdate: '12.04.1985' })),
    caughtBy: 'types-of-record',
  },
  'ttl-true-taken': {
    title: 'A ttl that is true is taken as 1',
    change: repairsTtl((ttl) => (ttl === true ? 1 : ttl)),
    caughtBy: 'auth-info-checked',
  },
  'ttl-in-a-list-taken': {
    title: 'A ttl in a list is taken as the number in it',
    change: repairsTtl((ttl) => (Array.isArray(ttl) ? ttl[0] : ttl)),
    caughtBy: 'auth-info-checked',
  },
  'names-in-latin-1': {
    title: 'Letters that Latin-1 lacks become question marks in the record',
    change: inNames((name) => name.replace(/[^\x20-\u00FF]/gu, '?')),
    caughtBy: 'names-keep-their-letters',
  },
  'names-encoded-twice': {
    title: 'Names are encoded in UTF-8 twice',
    change: inNames((name) => Buffer.from(name, 'utf8').toString('latin1')),
    caughtBy: 'names-keep-their-letters',
  },
  'gender-one-more': {
    title: 'The gender of the record counts from 1',
    change: inRecords((record) => ({ ...record, gender: Math.min(Number(record.gender) + 1, 3) })),
    caughtBy: 'record-agrees-with-match',
  },
  'birthdate-of-the-day-before': {
    title: 'The birthdate of the record is the day before, by a time zone',
    change: inRecords((record) => ({
      ...record,
      birthdate: new Date(Date.parse(String(record.birthdate)) - THREE_HOURS_MS).toISOString(),
    })),
    caughtBy: 'record-agrees-with-match',
  },
  'names-swapped-in-record': {
    title: 'Name and surname of the record have changed places',
    change: inRecords((record) => ({ ...record, name: record.surname, surname: record.name })),
    caughtBy: 'record-agrees-with-match',
  },
  'insurances-as-text': {
    title: 'The insurances of the record are a text',
    change: inRecords((record) => ({ ...record, insurances: 'none' })),
    caughtBy: 'types-of-record',
  },
  'signature-under-one-name': {
    title: 'The signature is sent as user_sign alone',
    change: inResults(RECORDS, ({ userSign: _sign, ...result }) => result),
    caughtBy: 'same-reply-of-both',
  },
  'authenticate-without-record': {
    title: 'authenticate results in the signature alone',
    change: inResults(AUTHENTICATE, ({ patient: _patient, ...result }) => result),
    caughtBy: 'same-reply-of-both',
  },
  'signature-of-96-bits': {
    title: 'The user_sign has 96 bits',
    change: inResults(RECORDS, ({ user_sign, userSign, ...result }) => ({
      ...result,
      user_sign: shortSign(user_sign),
      userSign: shortSign(userSign),
    })),
    caughtBy: 'signature-random',
  },
  'signature-of-all': {
    title: 'All links have one user_sign',
    change: inResults(RECORDS, (result) => ({
      ...result,
      user_sign: 'A'.repeat(43),
      userSign: 'A'.repeat(43),
    })),
    caughtBy: 'signature-random',
  },
  'saves-without-id': {
    title: 'The saves result in an empty object',
    change: inResults(SAVES, () => ({})),
    caughtBy: 'saves-return-id',
  },
  'saves-with-number': {
    title: 'The saves result in an id that is a number',
    change: inResults(SAVES, () => ({ id: 7 })),
    caughtBy: 'saves-return-id',
  },
  'removals-say-ok': {
    title: 'The removals result in a member of their own',
    change: inResults(REMOVALS, () => ({ ok: true })),
    caughtBy: 'removals-return-nothing',
  },
  'ttl-as-text': {
    title: 'A ttl that is a text is read as a number',
    change: repairsTtl((ttl) => (typeof ttl === 'string' ? Number(ttl) : ttl)),
    caughtBy: 'auth-info-checked',
  },
  'ttl-of-nothing': {
    title: 'A ttl that is missing is that of a day',
    change: repairsTtl((ttl) => ttl ?? 1_440),
    caughtBy: 'auth-info-checked',
  },
  'ttl-without-bound': {
    title: 'A ttl has no upper bound',
    change: withRules({ maxTtl: Number.MAX_SAFE_INTEGER }),
    caughtBy: 'auth-info-checked',
  },
  'ttl-below-one': {
    title: 'A ttl of nought, below it or of a fraction is taken as one',
    change: repairsTtl((ttl) => (typeof ttl === 'number' && (ttl < 1 || ttl % 1 !== 0) ? 1 : ttl)),
    caughtBy: 'auth-info-checked',
  },
  'user-as-number': {
    title: 'A save for a user of another type is acknowledged',
    change: instead(SAVES, (turn) => (typeof turn.authInfo.user === 'number' ? success(turn) : undefined)),
    caughtBy: 'auth-info-checked',
  },
});
