/** Defects that leave a patient linked when the link is removed, which shows in later scenarios. */
import type { Ledger } from '../../../../engine/defects/ledger.ts';
import { done } from '../../../../engine/defects/operators.ts';
import { no } from '../../../../engine/defects/rpc-call.ts';
import { after, both, patientIdIn, pendingOf } from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT } from '../methods.ts';

/** Keep a patient for a user whose link was removed. */
const keepsPatients = (isKept: (user: unknown, seen: Ledger) => boolean) =>
  both(
    after(done(DISCONNECT), ({ cred, seen }) => {
      const patient = patientIdIn(seen.links.get(String(cred.user)));
      if (isKept(cred.user, seen)) seen.notes<unknown>('kept for').set(patient, cred.user);
    }),
    after(done(AUTHENTICATE), (turn) => {
      const holder = turn.seen.notes<unknown>('kept for').get(patientIdIn(turn.result));
      const isOther = holder !== undefined && holder !== pendingOf(turn)?.user;
      return isOther ? no('patient_already_linked') : undefined;
    }),
  );

/** More scenarios than there are patients, so that each patient is wanted again. */
const SCENARIOS = [
  ...[
    'removals-return-nothing',
    'exchange-token-opens',
    'exchange-token-used-once',
    'exchange-token-unknown',
  ],
  ...[
    'exchange-tokens-independent',
    'exchange-token-alone-opens-nothing',
    'saves-return-id',
    'small-batches-answered',
  ],
  ...['live-session-announced', 'calls-of-batch-apart', 'own-patient-at-once'],
];

export const leftoverDefects = defects({
  'removed-link-keeps-patient': {
    title: 'A patient whose link was removed stays linked for everybody else',
    change: keepsPatients(() => true),
    caughtBy: 'patients-let-go',
    playing: SCENARIOS,
  },
  'logout-keeps-patient': {
    title: 'A patient stays linked after the removal if its user had logged out',
    change: keepsPatients((user, seen) => seen.done(LOG_OUT).some(({ cred }) => cred.user === user)),
    caughtBy: 'patients-let-go',
    playing: SCENARIOS,
  },
});
