/** The journal of all three wires of a demo. */
import { Recorder } from '#conformance/engine/journal/recorder.ts';
import { Knowledge } from '#conformance/engine/journal/secrets/knowledge.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { MAX_ROWS } from './feed.ts';
import { isOfLanes } from './rows.ts';

export type RecordingOptions = {
  clock: Clock;
  internalUser: string;
  internalPassword: string;
  /** Patient properties that must not reach the authorization server: value to name. */
  patientData: ReadonlyMap<string, string>;
};

export function recorderOf(options: RecordingOptions): Recorder {
  const { clock, internalUser, internalPassword, patientData } = options;
  const knowledge = new Knowledge(internalUser, internalPassword, patientData);
  return new Recorder(clock, knowledge, { maxEntries: MAX_ROWS, isKept: isOfLanes });
}
