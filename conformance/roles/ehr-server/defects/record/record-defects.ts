/** Defects of what replies hold: record, signature, ids, and what is taken as an authInfo. */
import type { EhrDefect } from '../defect.ts';
import {
  AUTHENTICATE,
  answering,
  authInfoOf,
  DISCONNECT,
  inCalls,
  inRecords,
  inResults,
  LOG_OUT,
  type Members,
  READ,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  success,
  withAuthInfo,
} from '../messages/messages.ts';

const SAVES = [SAVE, SAVE_EXCHANGE_TOKEN];

/** A signature of few bits for each link. */
const shortSign = (sign: unknown) => String(sign).slice(0, 16);

const THREE_HOURS_MS = 10_800_000;

const withNames = (record: Members, change: (name: string) => string): Members => ({
  ...record,
  name: change(String(record.name)),
  surname: change(String(record.surname)),
});

/** Repairs a wrong ttl, as a lenient reader does. */
const repairsTtl = (repair: (ttl: unknown) => unknown) =>
  inCalls((call) => (SAVES.includes(call.method) ? withAuthInfo(call, { ttl: repair(authInfoOf(call).ttl) }) : call));

export const recordDefects: readonly EhrDefect[] = [
  {
    id: 'record-without-phones',
    title: 'The record lacks a published member',
    change: inRecords(({ phones: _phones, ...record }) => record),
    caughtBy: 'members-of-record',
  },
  {
    id: 'record-without-nulls',
    title: 'The record leaves out the members of which nothing is known',
    change: inRecords((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))),
    caughtBy: 'members-of-record',
  },
  {
    id: 'birthdate-of-its-own-form',
    title: 'The birthdate of the record is written day first',
    change: inRecords((record) => ({ ...record, birthdate: '12.04.1985' })),
    caughtBy: 'types-of-record',
  },
  {
    id: 'ttl-true-taken',
    title: 'A ttl that is true is taken as 1',
    change: repairsTtl((ttl) => (ttl === true ? 1 : ttl)),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'ttl-in-a-list-taken',
    title: 'A ttl in a list is taken as the number in it',
    change: repairsTtl((ttl) => (Array.isArray(ttl) ? ttl[0] : ttl)),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'names-in-latin-1',
    title: 'Letters that Latin-1 lacks become question marks in the record',
    change: inRecords((record) => withNames(record, (name) => name.replace(/[^\x20-\u00FF]/gu, '?'))),
    caughtBy: 'names-keep-their-letters',
  },
  {
    id: 'names-encoded-twice',
    title: 'Names are encoded in UTF-8 twice',
    change: inRecords((record) => withNames(record, (name) => Buffer.from(name, 'utf8').toString('latin1'))),
    caughtBy: 'names-keep-their-letters',
  },
  {
    id: 'gender-one-more',
    title: 'The gender of the record counts from 1',
    change: inRecords((record) => ({ ...record, gender: Math.min(Number(record.gender) + 1, 3) })),
    caughtBy: 'record-agrees-with-match',
  },
  {
    id: 'birthdate-of-the-day-before',
    title: 'The birthdate of the record is an instant of a zone in the east, and its day the one before',
    change: inRecords((record) => ({
      ...record,
      birthdate: new Date(Date.parse(String(record.birthdate)) - THREE_HOURS_MS).toISOString(),
    })),
    caughtBy: 'record-agrees-with-match',
  },
  {
    id: 'names-swapped-in-record',
    title: 'Name and surname of the record have changed places',
    change: inRecords((record) => ({ ...record, name: record.surname, surname: record.name })),
    caughtBy: 'record-agrees-with-match',
  },
  {
    id: 'insurances-as-text',
    title: 'The insurances of the record are a text',
    change: inRecords((record) => ({ ...record, insurances: 'none' })),
    caughtBy: 'types-of-record',
  },
  {
    id: 'signature-under-one-name',
    title: 'The signature is sent as user_sign alone',
    change: inResults([READ, AUTHENTICATE], ({ userSign: _sign, ...result }) => result),
    caughtBy: 'same-reply-of-both',
  },
  {
    id: 'authenticate-without-record',
    title: 'authenticate results in the signature alone',
    change: inResults([AUTHENTICATE], ({ patient: _patient, ...result }) => result),
    caughtBy: 'same-reply-of-both',
  },
  {
    id: 'signature-of-96-bits',
    title: 'The user_sign has 96 bits',
    change: inResults([READ, AUTHENTICATE], ({ user_sign, userSign, ...result }) => ({
      ...result,
      user_sign: shortSign(user_sign),
      userSign: shortSign(userSign),
    })),
    caughtBy: 'signature-random',
  },
  {
    id: 'signature-of-all',
    title: 'All links have one user_sign',
    change: inResults([READ, AUTHENTICATE], (result) => ({
      ...result,
      user_sign: 'A'.repeat(43),
      userSign: 'A'.repeat(43),
    })),
    caughtBy: 'signature-random',
  },
  {
    id: 'saves-without-id',
    title: 'The saves result in an empty object',
    change: inResults(SAVES, () => ({})),
    caughtBy: 'saves-return-id',
  },
  {
    id: 'saves-with-number',
    title: 'The saves result in an id that is a number',
    change: inResults(SAVES, () => ({ id: 7 })),
    caughtBy: 'saves-return-id',
  },
  {
    id: 'removals-say-ok',
    title: 'The removals result in a member of their own',
    change: inResults([LOG_OUT, DISCONNECT], () => ({ ok: true })),
    caughtBy: 'removals-return-nothing',
  },
  {
    id: 'ttl-as-text',
    title: 'A ttl that is a text is read as a number',
    change: repairsTtl((ttl) => (typeof ttl === 'string' ? Number(ttl) : ttl)),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'ttl-of-nothing',
    title: 'A ttl that is missing is that of a day',
    change: repairsTtl((ttl) => ttl ?? 1_440),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'ttl-without-bound',
    title: 'A ttl has no upper bound',
    change: { parts: ({ rules }) => ({ rules: { ...rules, maxTtl: Number.MAX_SAFE_INTEGER } }) },
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'ttl-below-one',
    title: 'A ttl of nought, below it or of a fraction is taken as one',
    change: repairsTtl((ttl) => (typeof ttl === 'number' && (ttl < 1 || ttl % 1 !== 0) ? 1 : ttl)),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'user-as-number',
    title: 'A save for a user of another type is acknowledged',
    change: answering(() => async (call, tools) => {
      const isWaved = SAVES.includes(call.method) && typeof authInfoOf(call).user === 'number';
      return isWaved ? success(call, tools.parts) : tools.next();
    }),
    caughtBy: 'auth-info-checked',
  },
];
