/** The three wires: the kit's recording proxies between the parties, with one journal. */
import type { Entry } from '#conformance/engine/journal/entry.ts';
import { Recorder } from '#conformance/engine/journal/recorder.ts';
import { Knowledge } from '#conformance/engine/journal/secrets/knowledge.ts';
import { type RecordingProxy, startProxy } from '#conformance/engine/wire/proxy.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Wire } from '../../api.ts';

export type WireOptions = {
  clock: Clock;
  internalUser: string;
  internalPassword: string;
  /** Patient properties that must not reach the authorization server: value to name. */
  patientData: ReadonlyMap<string, string>;
  /** The server behind each wire, and the port in front of it; 0 takes a free one. */
  wires: Readonly<Record<Wire, { target: string; port: number }>>;
  keeping: { maxEntries: number; isKept: (entry: Entry) => boolean };
};

export type Wires = {
  recorder: Recorder;
  proxies: Readonly<Record<Wire, RecordingProxy>>;
  stop(): Promise<void>;
};

/** @throws Error that names the port that cannot be had */
export async function openWires(options: WireOptions): Promise<Wires> {
  const { clock, wires } = options;
  const knowledge = new Knowledge(options.internalUser, options.internalPassword, options.patientData);
  const recorder = new Recorder(clock, knowledge, options.keeping);
  const started: RecordingProxy[] = [];
  const stop = async () => {
    await Promise.all(started.map((proxy) => proxy.stop()));
  };
  const open = async (link: Wire): Promise<RecordingProxy> => {
    const proxy = await startProxy({ link, ...wires[link], recorder, clock });
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
