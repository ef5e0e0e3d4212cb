/** What all scenarios of a run share. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { RequestBudget } from '../../../engine/party/request-budget.ts';
import type { EhrSettings } from '../settings.ts';
import type { Belongings } from './belongings.ts';
import type { Patients } from './patients.ts';

export type WorldParts = {
  settings: EhrSettings;
  /** The endpoints, with their version segment. */
  publicUrl: string;
  internalUrl: string;
  recorder: Recorder;
  patients: Patients;
  /** Searches replies for what belongs to others. */
  belongings: Belongings;
  requests: RequestBudget;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  /** Names the patient of a record, the same name for the same id. */
  patientName: (id: string) => string;
  seed: number;
  /** Whether the clock of the server can be moved. */
  canAdvance: boolean;
  /** Whether time can pass for the server: by its control, or in real time. */
  canWait: boolean;
  /** Moves the server's clock forward, in milliseconds. */
  advance: (ms: number) => Promise<void>;
  restart: () => Promise<void>;
};
