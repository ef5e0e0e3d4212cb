/** Defects by which a caller is told of somebody else. */
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import type { UserSession } from '../../../../engine/defects/ledger.ts';
import { ANY, done, refused } from '../../../../engine/defects/operators.ts';
import { yes } from '../../../../engine/defects/rpc-call.ts';
import { after, inError, inResults } from '../changes.ts';
import { defects } from '../defect.ts';
import { READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

const namesHolder = (reason: string, message: (holder: UserSession) => string) =>
  after(refused(ANY, reason), ({ reply, seen }) => {
    const [holder] = seen.sessions;
    return holder && inError(reply, { message: message(holder) });
  });

export const toldOfOthersDefects = defects({
  'holder-named-in-refusal': {
    title: 'The refusal of a taken patient names the user who holds it',
    change: namesHolder('patient_already_linked', ({ user }) => `The patient is linked to ${user}.`),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['linked-patient-refused'],
  },
  'holder-named-for-token': {
    title: 'The refusal of a taken session token names the user who holds it',
    change: namesHolder('token_already_stored', ({ user }) => `user=${user} has it`),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['token-unique-across-users'],
  },
  'sessions-in-record': {
    title: 'The reply of get_patient lists the sessions that the server holds',
    change: after(done(READ), ({ result, seen }) => yes({ ...result, sessions: seen.sessions })),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['token-unique-across-users'],
  },
  'all-patients-in-reply': {
    title: 'The reply of get_patient holds all patients beside the own one',
    change: inResults(READ, (result) => ({ ...result, patients: allPersonaPatients })),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['save-opens-linked-user'],
  },
  'signature-announced': {
    title: 'The reply of save_exchange_token holds the user_sign of the user',
    change: after(done(SAVE_EXCHANGE_TOKEN), async ({ authInfo, result, parts }) => {
      const link = await parts.store.findLink(String(authInfo.user));
      return link && yes({ ...result, user_sign: link.userSign });
    }),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['signature-kept-at-relogin'],
  },
  'password-in-reply': {
    title: 'A refused internal call is answered with the password that was expected',
    change: after(refused(SAVE, 'not_authorized'), ({ reply, parts }) =>
      inError(reply, { debug: { expected: parts.rules.internalPassword } }),
    ),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['save-needs-cred'],
  },
});
