/**
 * What all scenarios of a run against an EHR server share: its addresses, the patients, the journal, the
 * clock.
 */
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { RequestBudget } from '../../../engine/party/request-budget.ts';
import type { Traces } from '../../../engine/party/requests/traces.ts';
import type { EhrSettings, KnownPerson } from '../settings.ts';
import type { Belongings } from './belongings.ts';
import type { Pace } from './pace.ts';
import { type Patients, propertiesOf } from './patients.ts';

export type WorldParts = {
  settings: EhrSettings;
  /** The endpoint for clients, with its version segment. */
  publicUrl: string;
  /** The endpoint for the authorization server; the public one where one endpoint serves both. */
  internalUrl: string;
  /** Writes the journal. */
  recorder: Recorder;
  /** Sends a request with a Host header of its own. */
  fetchWithHost: typeof fetch;
  /** Lends the patients of the file to scenarios. */
  patients: Patients;
  /** Searches each reply for what belongs to another user. */
  belongings: Belongings;
  /** Spaces the requests, so that the server's limit of requests a second is not exceeded. */
  requests: RequestBudget;
  /** Gives each request the trace of its step. */
  traces: Traces;
  /** What the server takes instead of what the interface says, for the steps that prepare others. */
  dialect: Dialect;
  /** How fast the server answers, and what time it is there. */
  pace: Pace;
  /** The clock of the kit, not of the server. */
  clock: Clock;
  /** Invents users and tokens; different values in each run. */
  random: Random;
  /** Aborts the run. */
  signal: AbortSignal;
  /** Turns the id of a record into a name such as `patient 1`; the same id always has the same name. */
  patientName: (id: string) => string;
  /** Decides which sequences of calls are drawn; the same seed draws the same ones. */
  seed: number;
  /** Whether the kit can move the clock of the server. */
  canAdvance: boolean;
  /** Whether time can pass for the server: by moving its clock, or, with --slow, by waiting in real time. */
  canWait: boolean;
  /** Lets these milliseconds pass for the server. @throws NotPlayable where `canWait` is false */
  advance: (ms: number) => Promise<void>;
  /** Restarts the server. @throws NotPlayable where the kit cannot */
  restart: () => Promise<void>;
};

/** What the digest of an internal call is computed from. */
export type DigestParts = {
  password: string;
  internalUser: string;
  /** What the digest must be over: the user_sign, or the exchange token. */
  secret: string;
};

type Dialect = {
  /** Computes cred.token of an internal call. */
  digest: (parts: DigestParts) => string;
  /** Returns the properties by which authenticate finds a patient. */
  properties: (person: KnownPerson) => Record<string, unknown>;
};

/** What the interface says. */
export const rightDialect = (): Dialect => ({
  digest: ({ password, secret }) => digest(password, secret),
  properties: propertiesOf,
});
