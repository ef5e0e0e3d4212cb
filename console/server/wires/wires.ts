/** The three wires: the kit's recording proxies between the parties, with one journal. */
import type { Recorder } from '#conformance/engine/journal/recorder.ts';
import { type RecordingProxy, startProxy } from '#conformance/engine/wire/proxy.ts';
import type { Wire } from '../../api.ts';
import { type RecordingOptions, recorderOf } from './memory-wires.ts';

/** Limits the body of a request, as the authorization server does: calls of the interface are far smaller. */
const MAX_REQUEST_BYTES = 64 * 1024;

export type WireOptions = RecordingOptions & {
  /** The server behind each wire, and the port in front of it; 0 takes a free one. */
  wires: Readonly<Record<Wire, { target: string; port: number }>>;
};

export type Wires = {
  recorder: Recorder;
  /** What stands in each wire. `url`: where the caller finds it. */
  proxies: Readonly<Record<Wire, Pick<RecordingProxy, 'url' | 'arm'>>>;
  stop(): Promise<void>;
};

/** @throws Error that names the port that cannot be had */
export async function openWires({ wires, ...recording }: WireOptions): Promise<Wires> {
  const { clock } = recording;
  const recorder = recorderOf(recording);
  const started: RecordingProxy[] = [];
  const stop = async () => {
    await Promise.all(started.map((proxy) => proxy.stop()));
  };
  const open = async (link: Wire): Promise<RecordingProxy> => {
    const proxy = await startProxy({ link, ...wires[link], recorder, clock, bodyLimit: MAX_REQUEST_BYTES });
    started.push(proxy);
    return proxy;
  };
  try {
    const proxies = {
      'client->auth': await open('client->auth'),
      'client->ehr': await open('client->ehr'),
      'auth->ehr': await open('auth->ehr'),
    };
    return { recorder, proxies, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
