/** What all scenarios of a run share. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { StepName } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { SupervisedServer } from '../../../engine/party/process/supervised-server.ts';
import type { RequestBudget } from '../../../engine/party/request-budget.ts';
import type { RecordingProxy } from '../../../engine/wire/proxy.ts';
import type { Adapter } from '../adapter/adapter.ts';
import type { WhoCalls } from '../adapter/steps/who-calls.ts';
import type { CodeBudget } from './codes/code-budget.ts';
import type { People } from './people.ts';
import type { TimeTable } from './time/time-table.ts';

export type DriverParts = {
  adapter: Adapter;
  recorder: Recorder;
  people: People;
  time: TimeTable;
  codes: CodeBudget;
  requests: RequestBudget;
  /** Whether the server under test waits or works while it answers, judged by its answers so far. */
  pace: () => 'quick or busy' | 'waits';
  /** Public endpoint of the kit's EHR server, behind its proxy. */
  ehrEndpoint: string;
  proxies: { readonly authToEhr: RecordingProxy; readonly clientToAuth: RecordingProxy };
  clock: Clock;
  random: Random;
  /** Timeout of a step (ms); a step that takes longer has failed. */
  stepTimeoutMs: number;
  /** How a step tells the server which user calls. */
  whoCalls: (step: StepName) => WhoCalls;
  /** The supervisor of the server under test. */
  server: Pick<SupervisedServer, 'settled' | 'canRestart' | 'restart' | 'whileRestarting'>;
  /** Whether the server under test keeps its links over a restart, as its adapter file says. */
  keepsOverRestart: boolean;
  signal: AbortSignal;
};
