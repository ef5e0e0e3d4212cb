/**
 * The party under fuzzing: a local process, watched from outside and inside, or a remote server, of which
 * only the wire is visible.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { MethodTable } from '#protocol/methods/method-spec.ts';
import { Children } from '../processes.ts';
import type { FuzzedParty } from './input.ts';
import { StateProbe } from './probe.ts';
import { prepareBase, signOf } from './seeds.ts';

export type FuzzSubject = {
  party: FuzzedParty;
  endpoint: URL;
  methods: MethodTable;
  /** Present where the party's database can be read. */
  probe?: StateProbe;
  /** Moves the party's clock by this many milliseconds. */
  advance(ms: number): Promise<void>;
  /** Describes how the process ended, if it did so unexpectedly. */
  ended(): string | undefined;
  stop(): Promise<void>;
};

const METHODS = { ehr: ehrMethods, auth: authMethods } as const;

/** Heap limit in MB: enough for any load here, so small that a leak soon ends the process. */
const MAX_HEAP_MB = 160;

/** Starts a party in its own process. */
export async function startSubject(party: FuzzedParty): Promise<FuzzSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const flags = ['--import', 'tsx', `--max-old-space-size=${MAX_HEAP_MB}`];
  const child = new Children().start([...flags, 'lab/fuzz/party-process.ts', party, folder]);
  let probe: StateProbe | undefined;
  const stop = async () => {
    await child.end('SIGKILL');
    probe?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const endpoint = new URL((await child.says(/^http:.*\n/m))[0]);
    if (party === 'ehr') {
      await prepareBase(endpoint);
      probe = new StateProbe(join(folder, 'ehr.sqlite'));
      probe.keepAsBase(signOf);
    }
    const advance = async (ms: number) => void (await child.ask(ms));
    const methods = METHODS[party];
    return { party, endpoint, methods, ...(probe && { probe }), advance, ended: child.accident, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Describes a server that already runs. */
export function remoteSubject(party: FuzzedParty, endpoint: URL): FuzzSubject {
  return {
    party,
    endpoint,
    methods: METHODS[party],
    advance: () => Promise.reject(new Error('The clock of this server cannot be moved.')),
    ended: () => undefined,
    stop: () => Promise.resolve(),
  };
}
