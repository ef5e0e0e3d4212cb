/** The parts of a run that all its scenarios share. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { StepName } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { Pace } from '../../../engine/party/pace.ts';
import type { SupervisedServer } from '../../../engine/party/process/supervised-server.ts';
import type { RequestBudget } from '../../../engine/party/request-budget.ts';
import type { RecordingProxy } from '../../../engine/wire/proxy.ts';
import type { Adapter } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/steps/http-adapter.ts';
import type { CodeBudget } from './codes/code-budget.ts';
import type { LongSigns } from './patients/patients.ts';
import type { People } from './people.ts';
import type { TimeTable } from './time/time-table.ts';

export type DriverParts = {
  adapter: Adapter;
  recorder: Recorder;
  people: People;
  /** The clock of the server under test, which the kit moves where it can. */
  time: TimeTable;
  /** Keeps the limit on codes of the server under test. */
  codes: CodeBudget;
  /** Keeps the limit on requests of the server under test. */
  requests: RequestBudget;
  /** Many steps at once do not disturb each other where the server merely waits. */
  pace: () => Pace;
  /** `savesLate`: the server saves a session after it has answered. */
  found: { savesLate?: boolean };
  /** Public endpoint of the kit's EHR server, behind its proxy. */
  ehrEndpoint: string;
  proxies: { readonly authToEhr: RecordingProxy; readonly clientToAuth: RecordingProxy };
  /** Has the kit's EHR server make some signatures longer. */
  longSigns: Pick<LongSigns, 'give'>;
  /** The kit's own clock. */
  clock: Clock;
  /** Draws from the seed of the run. */
  random: Random;
  /** The timeout of a step (ms). A step that takes longer has failed. */
  stepTimeoutMs: number;
  /** How a step tells the server which user calls. */
  whoCalls: (step: StepName) => WhoCalls;
  /** The supervisor of the server under test. */
  server: Pick<SupervisedServer, 'settled' | 'canRestart' | 'restart' | 'whileRestarting'>;
  /** Whether the server under test keeps its links over a restart, as its adapter file says. */
  keepsOverRestart: boolean;
  /** Aborts when the run is stopped. */
  signal: AbortSignal;
};
