/** What all scenarios of a run against an EHR server share. */
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
  publicUrl: string;
  /** The endpoint for the authorization server; the public one where one endpoint serves both. */
  internalUrl: string;
  recorder: Recorder;
  fetchWithHost: typeof fetch;
  patients: Patients;
  belongings: Belongings;
  requests: RequestBudget;
  traces: Traces;
  /** What the server takes instead of what the interface says, for the steps that prepare others. */
  dialect: Dialect;
  pace: Pace;
  /** The clock of the kit, not of the server. */
  clock: Clock;
  /** Invents users and tokens; different values in each run. */
  random: Random;
  signal: AbortSignal;
  /** Turns the id of a record into a name such as `patient 1`; the same id always has the same name. */
  patientName: (id: string) => string;
  seed: number;
  canAdvance: boolean;
  /** Whether time can pass for the server: by moving its clock, or, with --slow, by waiting in real time. */
  canWait: boolean;
  /** Lets these milliseconds pass for the server. @throws NotPlayable where `canWait` is false */
  advance: (ms: number) => Promise<void>;
  restart: () => Promise<void>;
};

export type DigestParts = { password: string; internalUser: string; secret: string };

type Dialect = {
  digest: (parts: DigestParts) => string;
  properties: (person: KnownPerson) => Record<string, unknown>;
};

/** What the interface says. */
export const rightDialect = (): Dialect => ({
  digest: ({ password, secret }) => digest(password, secret),
  properties: propertiesOf,
});
