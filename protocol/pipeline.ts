/** The path of a call, free of transport and of what the methods do: parse, method, channel, cred, params, verify, run, reply. */

import { DIGEST_SHAPE } from '#protocol/digest.ts';
import {
  type Call,
  isMalformed,
  type JsonText,
  type Malformed,
  type ReplyId,
  readCalls,
  replyText,
} from '#protocol/envelope.ts';
import { type Reason, RpcError } from '#protocol/errors.ts';
import type { Cred, CredKind, MethodSpec, MethodTable, Params, Result } from '#protocol/method-spec.ts';

/** Where a call came in: the clients' listener, the authorization server's, or the one endpoint that serves both. */
export type Channel = 'public' | 'internal' | 'any';

/**
 * What happened to one call: material for a log line or a counter. Carries no parameter and no credential.
 * `duration` is in milliseconds, and there where a stopwatch was given.
 */
export type CallReport = {
  method: string;
  channel: Channel;
  reason: Reason | undefined;
  cause?: unknown;
  duration?: number;
};

/** Calls that were not let in: what was asked for too often, and how many milliseconds later another try may succeed. */
export type TooMany = { limited: 'address' | 'exchange_token'; wait: number };

/**
 * `body` is undefined when there is nothing to answer: a notification, or a batch of nothing else. With `tooMany`
 * nothing was carried out.
 */
export type Answer = { body: string | undefined; tooMany?: TooMany };

/** Decides whether all calls of one body may be carried out, or none of them. */
export type Admit = (calls: readonly (Call | Malformed)[]) => TooMany | undefined | Promise<TooMany | undefined>;

/** Turns a request body into its answer; never throws. `admit` is asked before the first call is carried out. */
export type Pipeline = (text: string, channel: Channel, admit?: Admit) => Promise<Answer>;

type Run<Table extends MethodTable, Verified> = {
  [Name in keyof Table]: (
    params: Params<Table[Name]>,
    verified: Verified,
  ) => Result<Table[Name]> | JsonText | Promise<Result<Table[Name]> | JsonText>;
};

export type PipelineOptions<Table extends MethodTable, Verified> = {
  methods: Table;
  run: Run<Table, Verified>;
  /**
   * Verifies the credentials of a call whose cred and params have the right shape, and returns what the method may
   * know of its caller.
   * @throws RpcError when they are wrong
   */
  verify: (kind: CredKind, cred: Cred, params: Record<string, unknown>) => Verified | Promise<Verified>;
  /** What is wrong with params of the right shape by the settings of this server, one sentence each. */
  limits?: (params: Record<string, unknown>) => string[];
  replyId: ReplyId;
  report?: (report: CallReport) => void;
  /** Milliseconds from any start, never going back: how long calls take is reported where it is given. */
  stopwatch?: (() => number) | undefined;
};

/** Builds the pipeline of one endpoint. The order of its steps is observable and promised (decision 8). */
export function createPipeline<Table extends MethodTable, Verified>(
  options: PipelineOptions<Table, Verified>,
): Pipeline {
  const { methods, replyId, report, stopwatch } = options;
  const run = options.run as Record<string, (params: unknown, verified: Verified) => unknown>;

  async function carryOut(call: Call, channel: Channel): Promise<unknown> {
    // method
    if (!Object.hasOwn(methods, call.method)) throw new RpcError('method_not_found');
    const spec = methods[call.method] as MethodSpec;
    // channel
    if (!isServed(spec, channel)) throw new RpcError('access_forbidden');
    // cred shape
    const cred = readCred(spec.cred, call.cred);
    // params
    const params = readParams(spec, call.params);
    const beyond = options.limits?.(params) ?? [];
    if (beyond.length > 0) throw new RpcError('invalid_params', { errors: beyond });
    // cred verified
    const verified = await options.verify(spec.cred, cred, params);
    // run
    return (run[call.method] as (typeof run)[string])(params, verified);
  }

  async function answer(call: Call | Malformed, channel: Channel): Promise<string | undefined> {
    const method = isMalformed(call) ? '' : call.method;
    const start = stopwatch?.() ?? 0;
    const lasted = () => stopwatch && { duration: stopwatch() - start };
    try {
      if (isMalformed(call)) throw call.error;
      const result = await carryOut(call, channel);
      const reply = call.id === undefined ? undefined : replyText({ id: call.id, result }, replyId);
      report?.({ method, channel, reason: undefined, ...lasted() });
      return reply;
    } catch (cause) {
      const error = cause instanceof RpcError ? cause : new RpcError('internal_error', { cause });
      report?.({ method, channel, reason: error.reason, cause: error.cause, ...lasted() });
      return call.id === undefined ? undefined : replyText({ id: call.id, error: error.toObject() }, replyId);
    }
  }

  return async (text, channel, admit) => {
    let incoming: ReturnType<typeof readCalls>;
    try {
      incoming = readCalls(text);
    } catch (error) {
      return { body: await answer({ id: null, error: error as RpcError }, channel) };
    }
    const asked = admit?.(incoming.calls);
    const tooMany = asked instanceof Promise ? await asked : asked;
    if (tooMany) return { body: undefined, tooMany };
    if (!incoming.batch) return { body: await answer(incoming.calls[0] as Call | Malformed, channel) };
    const replies: string[] = [];
    // One after the other: a later call of a batch sees what an earlier one did.
    for (const call of incoming.calls) {
      const reply = await answer(call, channel);
      if (reply !== undefined) replies.push(reply);
    }
    return { body: replies.length > 0 ? `[${replies.join(',')}]` : undefined };
  };
}

function isServed(spec: MethodSpec, channel: Channel): boolean {
  return (
    spec.access === 'open' || channel === 'any' || spec.access === (channel === 'internal' ? 'internal' : 'client')
  );
}

const NO_CRED: Cred = { user: '', token: '' };
const MAX_CRED_LENGTH = 512;

function readCred(kind: CredKind, cred: Record<string, unknown> | undefined): Cred {
  if (kind === 'none') return NO_CRED;
  if (cred === undefined) throw new RpcError('not_authorized', { errors: ['cred is missing.'] });
  const { user, token } = cred;
  if (!isCredText(user)) throw new RpcError('not_authorized', { errors: [credSentence('user')] });
  if (!isCredText(token)) throw new RpcError('not_authorized', { errors: [credSentence('token')] });
  if (kind !== 'session' && !DIGEST_SHAPE.test(token)) {
    throw new RpcError('not_authorized', {
      errors: ['cred.token must be a SHA-1 digest of 40 lowercase hexadecimal characters.'],
    });
  }
  return { user, token };
}

function credSentence(member: string): string {
  return `cred.${member} must be a string of 1 to ${MAX_CRED_LENGTH} characters.`;
}

function isCredText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_CRED_LENGTH;
}

function readParams(spec: MethodSpec, params: Call['params']): Record<string, unknown> {
  const parsed = spec.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => `${['params', ...issue.path].join('.')}: ${issue.message}`);
  throw new RpcError('invalid_params', { errors });
}
