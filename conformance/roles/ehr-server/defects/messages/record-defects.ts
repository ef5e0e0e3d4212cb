/**
 * Defects of an EHR server in what its replies hold (record, user_sign, ids), and in what it takes for an
 * authInfo. A key is the check that must find the defects below it. A text `id: title` begins a defect; its
 * change of the right server follows.
 */

import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { inRecords, inResults } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { READ, REMOVALS } from '../methods.ts';

/** Change name and surname in the record of replies. */
const inNames = (change: (name: string) => string) =>
  inRecords((record) => ({
    ...record,
    name: change(String(record.name)),
    surname: change(String(record.surname)),
  }));

export const recordDefects = foundBy({
  'read-has-record-and-sign': [
    'read-without-sign: get_patient tells no user_sign',
    inResults(READ, ({ user_sign: _sign, userSign: _too, ...result }) => result),
  ],
  'members-of-record': [
    'record-without-phones: The record lacks a published member',
    inRecords(({ phones: _phones, ...record }) => record),
  ],
  'types-of-record': [
    'birthdate-of-its-own-form: The birthdate of the record is written day first',
    inRecords((record) => ({ ...record, birthdate: '12.04.1985' })),
  ],
  'names-keep-their-letters': [
    'names-in-latin-1: Letters that Latin-1 lacks become question marks in the record',
    inNames((name) => name.replace(/[^\x20-\u00FF]/gu, '?')),
  ],
  'record-agrees-with-match': [
    'record-of-another: The record is that of another patient',
    inRecords(({ id }) => ({ ...allPersonaPatients.find((patient) => patient.id !== id) })),
  ],
  'removals-return-nothing': [
    'removals-say-ok: The removals result in a member of their own',
    inResults(REMOVALS, () => ({ ok: true })),
  ],
});
