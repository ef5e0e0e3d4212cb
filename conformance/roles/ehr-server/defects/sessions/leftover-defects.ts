/** Defects that leave a patient linked when the link is removed, which shows in later scenarios. */
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import {
  AUTHENTICATE,
  answering,
  authInfoOf,
  credOf,
  DISCONNECT,
  isDone,
  LOG_OUT,
  type Members,
  membersOf,
  paramsOf,
  refusal,
  SAVE_EXCHANGE_TOKEN,
} from '../messages/messages.ts';

/** Keeps a patient for a user whose link was removed. */
const keepsPatients = (isKept: (user: unknown, loggedOut: ReadonlySet<unknown>) => boolean): EhrChange =>
  answering(() => {
    const userOf = new Map<unknown, unknown>();
    const patientOf = new Map<unknown, unknown>();
    const keptFor = new Map<unknown, unknown>();
    const loggedOut = new Set<unknown>();
    const idIn = (result: unknown) => (membersOf(membersOf(result).patient) as Members).id;
    return async (call, { next }) => {
      const { exchangeToken } = paramsOf(call);
      const { user } = credOf(call);
      if (call.method === SAVE_EXCHANGE_TOKEN) userOf.set(exchangeToken, authInfoOf(call).user);
      const reply = await next();
      if (!isDone(reply)) return reply;
      if (call.method === LOG_OUT) loggedOut.add(user);
      if (call.method === DISCONNECT && isKept(user, loggedOut)) keptFor.set(patientOf.get(user), user);
      if (call.method !== AUTHENTICATE) return reply;
      const [holder, own] = [keptFor.get(idIn(reply?.result)), userOf.get(exchangeToken)];
      if (holder !== undefined && holder !== own) return refusal(call, 'patient_already_linked');
      patientOf.set(own, idIn(reply?.result));
      return reply;
    };
  });

/** More scenarios than there are patients, so that each patient is wanted again. */
const SCENARIOS = [
  ...['removals-return-nothing', 'exchange-token-opens', 'exchange-token-used-once', 'exchange-token-unknown'],
  ...['exchange-tokens-independent', 'exchange-token-alone-opens-nothing', 'saves-return-id', 'small-batches-answered'],
  ...['live-session-announced', 'calls-of-batch-apart', 'own-patient-at-once'],
];

export const leftoverDefects: readonly EhrDefect[] = [
  {
    id: 'removed-link-keeps-patient',
    title: 'A patient whose link was removed stays linked for everybody else',
    change: keepsPatients(() => true),
    caughtBy: 'patients-let-go',
    playing: SCENARIOS,
  },
  {
    id: 'logout-keeps-patient',
    title: 'A patient whose user had logged out once stays linked when the link is removed',
    change: keepsPatients((user, loggedOut) => loggedOut.has(user)),
    caughtBy: 'patients-let-go',
    playing: SCENARIOS,
  },
];
