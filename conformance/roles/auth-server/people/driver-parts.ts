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
  codes: CodeBudget;
  requests: RequestBudget;
  /** Many steps at once do not disturb each other where the server merely waits. */
  pace: () => Pace;
  /** `savesLate`: the server saves a session after it has answered. */
  found: { savesLate?: boolean };
  ehrEndpoint: string;
  proxies: { readonly authToEhr: RecordingProxy; readonly clientToAuth: RecordingProxy };
  /** Has the kit's EHR server make some signatures longer. */
  longSigns: Pick<LongSigns, 'give'>;
  clock: Clock;
  random: Random;
  stepTimeoutMs: number;
  whoCalls: (step: StepName) => WhoCalls;
  server: Pick<SupervisedServer, 'settled' | 'canRestart' | 'restart' | 'whileRestarting'>;
  keepsOverRestart: boolean;
  signal: AbortSignal;
};
