/**
 * Helpers for tests: catch a refusal, a clock whose timers the test fires itself, and a small endpoint with one
 * method for each channel, whose steps leave a trace.
 */

import { z } from 'zod';
import type { Cred, CredKind, MethodTable } from './methods/method-spec.ts';
import { type CallReport, type Channel, createPipeline, onText } from './methods/pipeline.ts';
import type { Clock } from './time/clock.ts';
import type { ReplyId } from './wire/envelope.ts';
import { RpcError } from './wire/errors.ts';

type Timer = { ms: number; wake: () => void };

/**
 * Return the refusal that `run` throws.
 * @throws Error when it throws nothing, or the error that is no refusal
 */
export function refusalOf(run: () => unknown): RpcError {
  try {
    run();
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

/** A base clock whose owner sets the time and fires the timers at any moment. */
export function recordingClock(): { base: Clock & { time: number }; timers: Timer[] } {
  const timers: Timer[] = [];
  const base = {
    time: 0,
    now: () => base.time,
    after(ms: number, wake: () => void) {
      const timer = { ms, wake };
      timers.push(timer);
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      };
    },
  };
  return { base, timers };
}

const described = { clause: '§0', summary: 'Serves tests.' } as const;
const example = { params: {}, result: {} };
const params = z.object({ n: z.int().min(1) });

export const testMethods = {
  'test.open': {
    ...described,
    access: 'open',
    cred: 'none',
    params: z.object({}),
    result: z.object({ at: z.int() }),
    errors: [],
    example,
  },
  'test.client': {
    ...described,
    access: 'client',
    cred: 'session',
    params,
    result: z.object({ n: z.int(), list: z.array(z.object({ a: z.int() })).optional() }),
    errors: ['session_expired'],
    example,
  },
  'test.internal': {
    ...described,
    access: 'internal',
    cred: 'user_sign_digest',
    params,
    result: z.object({ n: z.int() }),
    errors: [],
    example,
  },
} as const satisfies MethodTable;

export const DIGEST = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
export const session: Cred = { user: 'u', token: 't' };

/** The values of `n` for which `test.client` fails, and how. */
export const TROUBLE = { refused: 401, broken: 500, unwritable: 501 } as const;

type TestReply = {
  jsonrpc: '2.0';
  id: string | number | null;
  result?: unknown;
  error?: ReturnType<RpcError['toObject']>;
};

type TestPipeline = {
  pipeline: ReturnType<typeof createPipeline>;
  /** Send a text, or a message as JSON. Resolves to the answer; undefined: there is none. */
  ask(message: unknown, channel?: Channel): Promise<TestReply | undefined>;
  reports: CallReport[];
  /** The steps that were verified and run, in order. */
  trace: string[];
  verified: { kind: CredKind; cred: Cred; params: Record<string, unknown> }[];
};

/** The endpoint. A cred of the user `stranger` does not verify. */
export function testPipeline(replyId: ReplyId = 'echo'): TestPipeline {
  const reports: CallReport[] = [];
  const trace: string[] = [];
  const verified: TestPipeline['verified'] = [];
  let at = 0;
  const run = async (n: number) => {
    trace.push(`start ${n}`);
    await new Promise(setImmediate);
    trace.push(`end ${n}`);
    if (n === TROUBLE.refused) throw new RpcError('session_expired');
    if (n === TROUBLE.broken) throw new Error('SQLITE_FULL in /srv/secret.sqlite: INSERT INTO sessions');
    return { n: n === TROUBLE.unwritable ? (1n as unknown as number) : n };
  };
  const pipeline = createPipeline({
    methods: testMethods,
    replyId,
    onCall: (report) => reports.push(report),
    verify(kind, cred, params) {
      verified.push({ kind, cred, params });
      trace.push(`verify ${kind}`);
      if (cred.user === 'stranger') throw new RpcError('not_authorized');
    },
    run: {
      'test.open': () => ({ at: ++at }),
      'test.client': ({ n }) => run(n),
      'test.internal': ({ n }) => run(n),
    },
  });
  const ask = async (message: unknown, channel: Channel = 'any') => {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const { body } = await onText(pipeline)(text, channel);
    return body === undefined ? undefined : JSON.parse(body);
  };
  return { pipeline, ask, reports, trace, verified };
}

/** A correct call of `test.client`, except for `changes`. */
export function clientCall(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { jsonrpc: '2.0', id: 1, method: 'test.client', params: { n: 1 }, cred: session, ...changes };
}
