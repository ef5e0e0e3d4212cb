/** Plays a sign-in step by step before any verdict, so that no wrong setting is taken for a fault. */
import { ScenarioStopped } from '../../../engine/check/playing.ts';
import type { ExchangeEntry, StepResult } from '../../../engine/journal/entry.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import { explainUnreachable, findElsewhere } from '../../../engine/party/explain-unreachable.ts';
import type { Diagnosis } from '../../../engine/role.ts';
import { part } from '../flows/step-values.ts';
import { CODE_WAIT_MS } from '../people/codes/codes.ts';
import { Driver } from '../people/driver.ts';
import type { Person } from '../people/people.ts';
import type { OpenRun } from '../run.ts';
import {
  codeRequested,
  diagnosis,
  exchangeRefused,
  judgeExchange,
  NEVER_STORED,
  signedIn,
} from './diagnoses.ts';

/**
 * How long (ms) the doctor waits for a code, and for a call that comes after its answer, which is a fault but
 * shows that the address is right.
 */
export type DoctorWaits = { codeMs: number; lateCallMs: number };
const WAITS: DoctorWaits = { codeMs: CODE_WAIT_MS, lateCallMs: 2_000 };

export type DoctorParts = Pick<
  OpenRun,
  'adapter' | 'bed' | 'driver' | 'ownPorts' | 'otpTrouble' | 'otherNumbers'
> & {
  findElsewhere?: (serverUrl: string, notAt: readonly number[]) => Promise<string | undefined>;
  waits?: DoctorWaits;
  onDiagnosis: (diagnosis: Diagnosis) => void;
};

/** Limits the difference of the clocks (ms). HTTP dates count whole seconds, and answers take time. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Probes in order and stops at the first problem: later probes would only fail because of it. */
export async function examine(parts: DoctorParts): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = [];
  const people: Person[] = [];
  const doctor = new Driver(parts.driver, { id: '' }, people);
  try {
    for (const probe of [runtime, serverAndClock, codeAndSignIn, exchange]) {
      for (const diagnosis of await probe({ ...parts, doctor })) {
        diagnoses.push(diagnosis);
        parts.onDiagnosis(diagnosis);
        if (!diagnosis.ok) return diagnoses;
      }
    }
    return diagnoses;
  } finally {
    // When the adapter file lists few phones, the scenarios need the two that the doctor used.
    parts.driver.people.giveBack(people);
  }
}

type Probe = (parts: DoctorParts & { doctor: Driver }) => Promise<Diagnosis[]>;

const runtime: Probe = async () => [
  diagnosis('runtime', `Node ${process.versions.node} on ${process.platform}`),
];

/** Limits the time (ms) of the first answer: a server that is only slow answers by then. */
const MAX_ANSWER_MS = 5_000;

/** Whether the server under test answers at its address, and whether its clock agrees with the kit's. */
const serverAndClock: Probe = async ({ adapter, driver, ownPorts, findElsewhere: find = findElsewhere }) => {
  // The address of the server itself, not of the recording proxy in front of it.
  const serverUrl = adapter.settings.server.url;
  try {
    const answer = await fetch(serverUrl, { redirect: 'manual', signal: AbortSignal.timeout(MAX_ANSWER_MS) });
    const reached = diagnosis('server-reachable', `${serverUrl} answers`);
    return [reached, comparedClock(answer.headers.get('date'), driver.clock.now())];
  } catch (error) {
    const { found, remedy } = await explainUnreachable(serverUrl, error, () => find(serverUrl, ownPorts));
    return [diagnosis('server-reachable', found, remedy)];
  }
};

function comparedClock(stated: string | null, now: number): Diagnosis {
  if (stated === null)
    return diagnosis('clock', 'the server states no Date, so its clock cannot be compared');
  const skew = Date.parse(stated) - now;
  if (Math.abs(skew) <= MAX_CLOCK_DIFFERENCE_MS) return diagnosis('clock', 'within a minute of each other');
  const minutes = Math.round(Math.abs(skew) / 60_000);
  return diagnosis(
    'clock',
    `clock off: the server's is ${minutes} minutes ${skew > 0 ? 'ahead' : 'behind'}`,
    'Synchronize both machines by NTP. Exchange tokens live ten minutes, so a wrong clock breaks them.',
  );
}

const label = (text: string) => ({ scenario: '', label: `doctor: ${text}` });

const codeAndSignIn: Probe = async (parts) => {
  const { adapter, doctor: driver, otpTrouble, otherNumbers, waits = WAITS } = parts;
  const patient = await driver.user('the doctor');
  if (!adapter.has('requestOtp'))
    return [signedIn(adapter, await driver.perform(patient, 'confirmOtp', label('sign in')))];
  const { result, code, waited } = await driver.firstCode(patient, label('request a code'), waits.codeMs);
  const requested = codeRequested(result, otpTrouble(), waited);
  if (!requested.ok) return [requested];
  if (code === undefined)
    return [
      requested,
      diagnosis(
        'code-found',
        `code not found: ${otpTrouble() ?? `no code came within ${waits.codeMs / 1_000} s`}`,
        `Check the section otp of the adapter file: whether your server sends its messages to that sink or outbox, and whether the pattern fits its text.`,
      ),
    ];
  const confirmed = await driver.perform(patient, 'confirmOtp', label('sign in'), { code });
  return [requested, diagnosis('code-found', 'a code came'), signedIn(adapter, confirmed, otherNumbers())];
};

/** Tells from the calls for an exchange token whether address, internal user and password are right. */
const exchange: Probe = async (parts) => {
  const { doctor: driver, bed, adapter, waits = WAITS } = parts;
  if (!adapter.has('exchangeToken')) return [];
  const patient = await driver.user('the second doctor');
  try {
    const again = label('sign in again');
    const code = await driver.code(patient, part(again, 'request a code'), waits.codeMs);
    await driver.mustSucceed(patient, 'confirmOtp', again, { code });
  } catch (error) {
    if (!(error instanceof ScenarioStopped)) throw error;
    const remedy = 'See the steps above: it worked for another phone a moment ago.';
    return [{ id: 'signed-in', title: 'A second user can sign in', ok: false, found: error.message, remedy }];
  }
  const calls: ExchangeEntry[] = [];
  const forget = bed.recorder.onEntry((entry) => {
    if (entry.kind === 'exchange' && entry.link === 'auth->ehr' && entry.facts.stray === undefined)
      calls.push(entry);
  });
  const result = await driver.perform(patient, 'exchangeToken', label('exchange token'));
  const isLate = calls.length === 0;
  for (let waited = 0; calls.length === 0 && waited < waits.lateCallMs; waited += LATE_CALL_POLL_MS)
    await driver.time.wait(LATE_CALL_POLL_MS);
  forget();
  if (calls.length === 0 && result.kind === 'done') return [NEVER_STORED];
  if (calls.length === 0 && isClientsFault(result))
    return [exchangeRefused(adapter, result, bed.ehrUrlForServer)];
  return judgeExchange(calls, {
    ...adapter.settings.ehr,
    ehrUrl: bed.ehrUrlForServer,
    outcome: describe(result),
    isLate,
    trouble: bed.proxies.authToEhr.certificates?.trouble(),
  });
};

/** Whether the server blames the client: HTTP 4xx is no way to say that the EHR server is not reached. */
const isClientsFault = (result: StepResult) =>
  result.kind === 'refused' && result.status >= 400 && result.status < 500;

/** The pause (ms) between two looks for a call that comes late. */
const LATE_CALL_POLL_MS = 50;
