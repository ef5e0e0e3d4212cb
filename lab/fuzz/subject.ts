/**
 * The party under fuzzing: a local process, watched from outside and inside, or a remote server, of which
 * only the wire is visible.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { MethodTable } from '#protocol/methods/method-spec.ts';
import { prepareBase } from './base-state.ts';
import type { Level } from './input.ts';
import type { Answer, Party, Question } from './party-process.ts';
import { StateProbe } from './state-probe.ts';

export type Subject = {
  party: Party;
  endpoint: URL;
  methods: MethodTable;
  /** The levels of input that can be judged for this party. */
  levels: readonly Level[];
  /** Present where the party's database can be read. */
  probe?: StateProbe;
  /** Moves the party's clock by this many milliseconds. */
  advance(ms: number): Promise<void>;
  /** Returns the resident memory in bytes, where it is known. */
  memory(): Promise<number | undefined>;
  /** Describes how the process ended, if it did so unexpectedly. */
  ended(): string | undefined;
  stop(): Promise<void>;
};

const METHODS = { ehr: ehrMethods, auth: authMethods } as const;

/** Heap limit in MB: enough for any load here, so small that a leak soon ends the process. */
const MAX_HEAP_MB = 160;

/** Starts a party in its own process. */
export async function startSubject(party: Party): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const file = fileURLToPath(new URL('party-process.ts', import.meta.url));
  const execArgv = ['--import', 'tsx', `--max-old-space-size=${MAX_HEAP_MB}`];
  const child = fork(file, [party, folder], { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const complaints = tailOf(child);
  let stopping = false;
  const ask = async (question: Question) => {
    child.send(question);
    const [answer] = (await once(child, 'message')) as [{ value: number }];
    return answer.value;
  };
  const stop = async () => {
    stopping = true;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    probe?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  let probe: StateProbe | undefined;
  try {
    const endpoint = new URL(await endpointOf(child, complaints));
    if (party === 'ehr') {
      await prepareBase(endpoint);
      probe = new StateProbe(join(folder, 'ehr.sqlite'));
      probe.keepAsBase(signOf);
    }
    return {
      party,
      endpoint,
      methods: METHODS[party],
      levels: party === 'ehr' ? ['raw', 'rpc', 'sequence'] : ['raw', 'rpc'],
      ...(probe && { probe }),
      advance: async (ms) => void (await ask({ advance: ms })),
      memory: () => ask('memory'),
      ended: () => (stopping ? undefined : endOf(child, complaints())),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Describes a server that already runs. */
export function remoteSubject(party: Party, endpoint: URL): Subject {
  return {
    party,
    endpoint,
    methods: METHODS[party],
    levels: ['raw', 'rpc'],
    advance: () => Promise.reject(new Error('The clock of this server cannot be moved.')),
    memory: () => Promise.resolve(undefined),
    ended: () => undefined,
    stop: () => Promise.resolve(),
  };
}

/** Returns the signature of a user in the base state, the same in every run. */
export function signOf(user: string): string {
  return user.padEnd(43, '_');
}

async function endpointOf(child: ChildProcess, complaints: () => string): Promise<string> {
  const ended = once(child, 'exit').then(() => undefined);
  const ready = once(child, 'message').then(([answer]) => (answer as Answer & { endpoint: string }).endpoint);
  const endpoint = await Promise.race([ready, ended]);
  if (endpoint === undefined) throw new Error(`The party ended before it was ready: ${complaints()}`);
  return endpoint;
}

/** Returns a function that gives the end of the process's standard error. */
function tailOf(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-4_000);
  });
  return () => tail;
}

function endOf({ exitCode, signalCode }: ChildProcess, complaints: string): string | undefined {
  if (exitCode === null && signalCode === null) return undefined;
  return `The process ended with ${signalCode ?? `code ${exitCode}`}: ${complaints}`;
}
