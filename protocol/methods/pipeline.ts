/**
 * The path of a call: method, channel, cred, params, verify, run, reply. It knows neither the transport nor
 * the work of the methods.
 */
import { MAX_TOKEN_CHARS } from '../limits.ts';
import {
  type Call,
  type Incoming,
  isMalformed,
  type JsonText,
  type Malformed,
  type ReplyId,
  readCalls,
  replyText,
} from '../wire/envelope.ts';
import { type Reason, RpcError } from '../wire/errors.ts';
import { DIGEST_SHAPE } from '../wire/hashes.ts';
import type { Cred, CredKind, MethodSpec, MethodTable, Params, Result } from './method-spec.ts';

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

/** A request body: its text, and the calls read from it. */
export type RequestBody = Incoming & { text: string };

/** The answer to a request body. `body` is undefined for a notification, or a batch of notifications. */
export type Answer = { body: string | undefined };

/**
 * Runs the calls of a request body, at once if nothing has to be waited for. It never throws or rejects.
 */
export type Pipeline = (request: RequestBody, channel: Channel) => MaybePromise<Answer>;

/** A pipeline that reads the calls itself. */
export type TextPipeline = (text: string, channel: Channel) => MaybePromise<Answer>;

type Run<Table extends MethodTable, Verified> = {
  [Name in keyof Table]: (
    params: Params<Table[Name]>,
    verified: Verified,
  ) => MaybePromise<Result<Table[Name]> | JsonText>;
};

type PipelineOptions<Table extends MethodTable, Verified> = {
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

/**
 * Read the calls of a request body. It never throws: a body that cannot be read is one malformed call without
 * an id.
 */
export function readRequest(text: string): RequestBody {
  try {
    return { text, ...readCalls(text) };
  } catch (error) {
    return unreadable(error as RpcError, text);
  }
}

/** A request body that cannot be read, as the call that is answered with `error`. */
export function unreadable(error: RpcError, text = ''): RequestBody {
  return { text, batch: false, calls: [{ id: null, error }] };
}

/** Put the reading of calls before a pipeline. */
export function onText(pipeline: Pipeline): TextPipeline {
  return (text, channel) => pipeline(readRequest(text), channel);
}

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

  return ({ batch, calls }, channel) =>
    batch
      ? answerAll(calls, channel)
      : whenKnown(answer(calls[0] as Call | Malformed, channel), (body) => ({ body }));
}

type Execute = (call: Call, channel: Channel) => unknown;

/** Create the function that verifies one call and runs its method. */
function createExecute<Table extends MethodTable, Verified>(
  options: PipelineOptions<Table, Verified>,
): Execute {
  const run = options.run as Record<string, (params: unknown, verified: Verified) => unknown>;
  return (call, channel) => {
    const { spec, cred, params } = check(call, channel, options);
    return whenKnown(options.verify(spec.cred, cred, params), (verified) =>
      (run[call.method] as (typeof run)[string])(params, verified),
    );
  };
}

/** What a call asks for, and by whom, when its shape is right. */
type Checked = { spec: MethodSpec; cred: Cred; params: Record<string, unknown> };

/**
 * Check the shape of a call: its method, its channel, its cred and its params, in this order.
 * @throws RpcError when one of them is wrong
 */
function check(
  call: Call,
  channel: Channel,
  { methods, limits }: Pick<PipelineOptions<MethodTable, unknown>, 'methods' | 'limits'>,
): Checked {
  if (!Object.hasOwn(methods, call.method)) throw new RpcError('method_not_found');
  const spec = methods[call.method] as MethodSpec;
  if (!isServed(spec, channel)) throw new RpcError('access_forbidden');
  const cred = readCred(spec.cred, call.cred);
  const params = readParams(spec, call.params);
  const beyond = limits?.(params) ?? [];
  if (beyond.length > 0) throw new RpcError('invalid_params', { errors: beyond });
  return { spec, cred, params };
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
    spec.access === 'open' ||
    channel === 'any' ||
    spec.access === (channel === 'internal' ? 'internal' : 'client')
  );
}

const NO_CRED: Cred = { user: '', token: '' };

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
  return `cred.${member} must be a string of 1 to ${MAX_TOKEN_CHARS} characters.`;
}

function isCredText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TOKEN_CHARS;
}

function readParams(spec: MethodSpec, params: Call['params']): Record<string, unknown> {
  const parsed = spec.params.safeParse(params);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(
    (issue) => `${['params', ...issue.path].join('.')}: ${issue.message}`,
  );
  throw new RpcError('invalid_params', { errors });
}

/** A value available now or later. A step that knows its answer must not make a call wait for a microtask. */
export type MaybePromise<T> = T | Promise<T>;

/** Pass `value` to `next`, at once if it is no promise. Then an error of `next` is thrown. */
export function whenKnown<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
