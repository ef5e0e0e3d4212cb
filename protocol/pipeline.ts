/**
 * The path of a call: parse, method, channel, cred, params, verify, run, reply. It knows neither the
 * transport nor the work of the methods.
 */

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
import { type MaybePromise, whenKnown } from '#protocol/maybe-promise.ts';
import type { Cred, CredKind, MethodSpec, MethodTable, Params, Result } from '#protocol/method-spec.ts';

/**
 * The channel of a call: the clients' listener, the authorization server's, or one endpoint that serves both.
 */
export type Channel = 'public' | 'internal' | 'any';

/**
 * The outcome of one call, for a log line or a counter. It contains no parameter and no credential.
 * `durationMs` is present if there is a stopwatch.
 */
export type CallReport = {
  method: string;
  channel: Channel;
  reason: Reason | undefined;
  cause?: unknown;
  durationMs?: number;
};

/** A rejection by the rate limiter: what is limited, and how long until another try may succeed. */
export type RateLimited = { limited: 'address' | 'exchange_token'; retryAfterMs: number };

/**
 * The answer to a request body. `body` is undefined if there is nothing to answer: a notification, or a batch
 * of notifications. With `rateLimited`, no call was executed.
 */
export type Answer = { body: string | undefined; rateLimited?: RateLimited };

/** Decides whether all calls of one body may be executed, or none of them. */
export type Admit = (calls: readonly (Call | Malformed)[]) => MaybePromise<RateLimited | undefined>;

/**
 * Turns a request body into its answer, at once if nothing has to be waited for. It never throws or rejects.
 * `admit` is called before the first call is executed.
 */
export type Pipeline = (text: string, channel: Channel, admit?: Admit) => MaybePromise<Answer>;

type Run<Table extends MethodTable, Verified> = {
  [Name in keyof Table]: (
    params: Params<Table[Name]>,
    verified: Verified,
  ) => MaybePromise<Result<Table[Name]> | JsonText>;
};

export type PipelineOptions<Table extends MethodTable, Verified> = {
  methods: Table;
  run: Run<Table, Verified>;
  /**
   * Verifies the credentials of a call whose cred and params have the right shape. Returns what the method
   * gets to know of its caller.
   * @throws RpcError when they are wrong
   */
  verify: (kind: CredKind, cred: Cred, params: Record<string, unknown>) => MaybePromise<Verified>;
  /** Lists how params of the right shape violate the settings of this server, one sentence each. */
  limits?: (params: Record<string, unknown>) => string[];
  replyId: ReplyId;
  onCall?: (report: CallReport) => void;
  /** A monotonic time in milliseconds. If given, the duration of calls is reported. */
  stopwatch?: (() => number) | undefined;
};

/** Create the pipeline of one endpoint. The order of its steps is observable and promised (decision 8). */
export function createPipeline<Table extends MethodTable, Verified>(
  options: PipelineOptions<Table, Verified>,
): Pipeline {
  const answer = createAnswer(options, createExecute(options));

  async function answerAll(calls: readonly (Call | Malformed)[], channel: Channel): Promise<Answer> {
    const replies: string[] = [];
    // One after the other: a later call of a batch sees the effect of an earlier one.
    for (const call of calls) {
      const reply = await answer(call, channel);
      if (reply !== undefined) replies.push(reply);
    }
    return { body: replies.length > 0 ? `[${replies.join(',')}]` : undefined };
  }

  const asAnswer = (body: string | undefined): Answer => ({ body });

  return (text, channel, admit) => {
    let incoming: ReturnType<typeof readCalls>;
    try {
      incoming = readCalls(text);
    } catch (error) {
      return whenKnown(answer({ id: null, error: error as RpcError }, channel), asAnswer);
    }
    const { batch, calls } = incoming;
    return whenKnown(admit?.(calls), (rateLimited): MaybePromise<Answer> => {
      if (rateLimited) return { body: undefined, rateLimited };
      if (batch) return answerAll(calls, channel);
      return whenKnown(answer(calls[0] as Call | Malformed, channel), asAnswer);
    });
  };
}

type Execute = (call: Call, channel: Channel) => unknown;

/** Create the function that checks one call and runs its method. */
function createExecute<Table extends MethodTable, Verified>(options: PipelineOptions<Table, Verified>): Execute {
  const { methods } = options;
  const run = options.run as Record<string, (params: unknown, verified: Verified) => unknown>;
  return (call, channel) => {
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
    // cred verified, then run
    return whenKnown(options.verify(spec.cred, cred, params), (verified) =>
      (run[call.method] as (typeof run)[string])(params, verified),
    );
  };
}

type AnswerOptions = Pick<PipelineOptions<MethodTable, unknown>, 'replyId' | 'onCall' | 'stopwatch'>;
type AnswerCall = (call: Call | Malformed, channel: Channel) => MaybePromise<string | undefined>;

/** Create the function that executes one call, reports it and writes its reply. */
function createAnswer({ replyId, onCall, stopwatch }: AnswerOptions, execute: Execute): AnswerCall {
  return (call, channel) => {
    const method = isMalformed(call) ? '' : call.method;
    const start = stopwatch?.() ?? 0;
    const tell = (reason: Reason | undefined, cause?: unknown) => {
      if (!onCall) return;
      const report: CallReport = { method, channel, reason, cause };
      if (stopwatch) report.durationMs = stopwatch() - start;
      onCall(report);
    };
    const refuse = (cause: unknown) => {
      const error = cause instanceof RpcError ? cause : new RpcError('internal_error', { cause });
      tell(error.reason, error.cause);
      return call.id === undefined ? undefined : replyText({ id: call.id, error: error.toObject() }, replyId);
    };
    const succeed = (result: unknown) => {
      try {
        const reply = call.id === undefined ? undefined : replyText({ id: call.id, result }, replyId);
        tell(undefined);
        return reply;
      } catch (cause) {
        return refuse(cause);
      }
    };
    try {
      if (isMalformed(call)) throw call.error;
      const result = execute(call, channel);
      return result instanceof Promise ? result.then(succeed, refuse) : succeed(result);
    } catch (cause) {
      return refuse(cause);
    }
  };
}

function isServed(spec: MethodSpec, channel: Channel): boolean {
  return (
    spec.access === 'open' || channel === 'any' || spec.access === (channel === 'internal' ? 'internal' : 'client')
  );
}

const NO_CRED: Cred = { user: '', token: '' };
const MAX_CRED_CHARS = 512;

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
  return `cred.${member} must be a string of 1 to ${MAX_CRED_CHARS} characters.`;
}

function isCredText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_CRED_CHARS;
}

function readParams(spec: MethodSpec, params: Call['params']): Record<string, unknown> {
  const parsed = spec.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => `${['params', ...issue.path].join('.')}: ${issue.message}`);
  throw new RpcError('invalid_params', { errors });
}
