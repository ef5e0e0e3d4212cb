/** The three wires of parties that run in one process, with one journal. */
import { Recorder } from '#conformance/engine/journal/recorder.ts';
import { Knowledge } from '#conformance/engine/journal/secrets/knowledge.ts';
import { type MemoryWireOptions, memoryWire } from '#conformance/engine/wire/memory/memory-wire.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Wire } from '../../api.ts';
import { KEPT } from './feed.ts';
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
  return new Recorder(clock, knowledge, { limits: KEPT, isKept: isOfLanes });
}

type MemoryWiresOptions = RecordingOptions & {
  /** The server behind each wire, and the address by which its callers know it. */
  wires: Readonly<Record<Wire, Pick<MemoryWireOptions, 'url' | 'answer'>>>;
};

/** Opens the wires. `proxies` has for each the `fetch` of its caller. */
export function openMemoryWires({ wires, ...recording }: MemoryWiresOptions) {
  const recorder = recorderOf(recording);
  const open = (link: Wire) => memoryWire({ link, ...wires[link], recorder, clock: recording.clock });
  const proxies = {
    'client->auth': open('client->auth'),
    'client->ehr': open('client->ehr'),
    'auth->ehr': open('auth->ehr'),
  };
  return { recorder, proxies, stop: async () => undefined };
}
