/** The three wires of parties that run in one process, with one journal. */
import { type MemoryWireOptions, memoryWire } from '#conformance/engine/wire/memory/memory-wire.ts';
import type { Wire } from '../../api.ts';
import { type RecordingOptions, recorderOf } from './recorder-of.ts';

export type MemoryWiresOptions = RecordingOptions & {
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
