/** Habits of right clients of other makes. No check may report one. */
import {
  AUTH_LOGOUT,
  before,
  DELETE_USER,
  inReply,
  instead,
  LOGOUT,
  REPORT,
  REQUEST_CODE,
  shows,
  showsRecord,
} from './operators.mjs';
import { rowsOf } from './row.mjs';

export const habits = rowsOf([
  'gaps-shown-as-dashes: It shows a dash for what the record does not say',
  showsRecord((patient) => JSON.parse(JSON.stringify(patient, (_name, value) => value ?? '–'))),
  'signs-without-shape-as-blanks: It shows a blank for each control and format character of a record',
  showsRecord((patient) =>
    JSON.parse(
      JSON.stringify(patient, (_name, value) =>
        typeof value === 'string' ? value.replace(/[\p{Cc}\p{Cf}]/gu, ' ') : value,
      ),
    ),
  ),
  'out-after-reading: It lets a person go whom the EHR server does not know once reading is refused, too',
  before('leave', ({ storage, isFormOpen, ledger }) => {
    if (!isFormOpen && ledger.failed(LOGOUT).length > 0) delete storage.session?.endedBy;
  }),
  'empty-record-shown: It shows a result without a patient as an empty record',
  instead('show', (right, { isFormOpen }, { patient }) =>
    patient || isFormOpen ? right() : { sees: 'patient', text: 'Your record.', patient: {} },
  ),
  'null-for-nothing: It takes the result null for a success where it needs nothing of it',
  inReply([REQUEST_CODE, REPORT, AUTH_LOGOUT, DELETE_USER], ({ result, ...reply }) => ({
    ...reply,
    ...(result !== undefined && { result: result ?? {} }),
  })),
  'endings-in-one-word: It tells by one word that it has ended something',
  shows({ do: ['logout', 'deleteAccount', 'disconnect'], sees: ['signedOut', 'form'] }, { text: 'Deleted.' }),
]);
