/**
 * Operators that turn a right party into one with a defect. An operator wraps the pipeline, the function that
 * answers the JSON-RPC requests of the party, and so changes calls or answers. A defect is an operator with
 * the calls that it changes. `Parts` is what a party is built of (store, clock, rules) in its role.
 */
import type { Channel, TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Ledger } from './ledger.ts';
import {
  callIn,
  inEnvelope,
  isDone,
  type Members,
  membersOf,
  type RpcCall,
  type RpcReply,
  reasonOf,
  replyIdOf,
} from './rpc-call.ts';

/** One call on its way through a party. Params, cred and authInfo are empty where they are no objects. */
export type Turn<Parts> = {
  call: RpcCall;
  params: Members;
  cred: Members;
  authInfo: Members;
  /** The body of the request as it came. */
  text: string;
  channel: Channel;
  parts: Parts;
  seen: Ledger;
  /** Let the right party answer this call, or another call. */
  next: (call?: RpcCall) => Promise<RpcReply>;
};

export type Answered<Parts> = Turn<Parts> & { reply: Members; result: Members };

/** Selects calls: by a method, by several methods, or by a predicate. */
export type Which<Parts> = string | readonly string[] | ((turn: Turn<Parts>) => boolean);

/** Selects calls by the reply of the right party, too. */
export type Outcome<Parts> = { which: Which<Parts>; isMeant: (reply: Members) => boolean };

/** A defect: it replaces the right pipeline by a wrong one. */
export type PipelineChange<Parts> = { pipeline: (pipeline: TextPipeline, parts: Parts) => TextPipeline };

export const ANY = () => true;

export const done = <Parts>(which: Which<Parts>): Outcome<Parts> => ({ which, isMeant: isDone });

/** Select the calls that the right party refuses for one of these reasons; for any reason unless given. */
export const refused = <Parts>(which: Which<Parts>, ...reasons: readonly unknown[]): Outcome<Parts> => ({
  which,
  isMeant: (reply) => 'error' in reply && (reasons.length === 0 || reasons.includes(reasonOf(reply))),
});

/** Wrap a right pipeline so that the ledger notes each call with its reply. Batches are not noted. */
export function seenBy(ledger: Ledger, pipeline: TextPipeline): TextPipeline {
  return async (text, channel) => {
    const answer = await pipeline(text, channel);
    const call = callIn(text);
    if (call) ledger.see(call, answer.body === undefined ? null : JSON.parse(answer.body));
    return answer;
  };
}

/** Nothing, given at once or promised, keeps the call or the reply as it is. */
type Maybe<T> = T | undefined | false | Promise<T | undefined | false>;
type KeyOf<Parts> = (turn: Turn<Parts>) => unknown;

export class Operators<Parts extends { seen: Ledger; clock: Clock }> {
  readonly #momentMs: number;
  readonly #idOf: (call: RpcCall) => unknown;

  /** `idOf`: the id of a reply that the defect makes by itself; the id of the call as text unless given. */
  constructor(momentMs: number, idOf: (call: RpcCall) => unknown = replyIdOf) {
    this.#momentMs = momentMs;
    this.#idOf = idOf;
  }

  /** Resolves a moment later, so that calls at the same time overlap. */
  readonly aMoment = ({ clock }: Parts, ms = this.#momentMs) =>
    new Promise<void>((resolve) => clock.after(ms, resolve));

  /** Answer the selected calls by `answer`, which may ask the right party by `turn.next`. */
  readonly around = (
    which: Which<Parts>,
    answer: (turn: Turn<Parts>) => RpcReply | Promise<RpcReply>,
  ): PipelineChange<Parts> => ({
    pipeline: (pipeline, parts) => async (text, channel) => {
      const call = callIn(text);
      const turn = call && turnOf(call, { text, channel, parts, seen: parts.seen, pipeline });
      if (!turn || !isMeant(which, turn)) return pipeline(text, channel);
      const answered = await Promise.resolve(turn).then(answer).catch(refusalFor);
      const reply = inEnvelope(answered, this.#idOf(turn.call));
      return { body: reply === null ? undefined : JSON.stringify(reply) };
    },
  });

  /** Do something else first. If `act` returns a call, carry out that call instead. */
  readonly before = (which: Which<Parts>, act: (turn: Turn<Parts>) => Maybe<RpcCall>) =>
    this.around(which, async (turn) => turn.next((await act(turn)) || turn.call));

  /** Do something else afterwards. If `act` returns a reply, answer by it. Calls without a reply stay. */
  readonly after = (which: Which<Parts> | Outcome<Parts>, act: (turn: Answered<Parts>) => Maybe<Members>) => {
    const meant = isOutcome(which) ? which : { which, isMeant: ANY };
    return this.around(meant.which, async (turn) => {
      const reply = await turn.next();
      if (reply === null || !meant.isMeant(reply)) return reply;
      return (await act({ ...turn, reply, result: membersOf(reply.result) })) || reply;
    });
  };

  /** Answer without the right party. If `answer` returns undefined, the right party answers. */
  readonly instead = (which: Which<Parts>, answer: (turn: Turn<Parts>) => Maybe<RpcReply>) =>
    this.around(which, async (turn) => {
      const own = await answer(turn);
      return own === undefined || own === false ? turn.next() : own;
    });

  /** Answer by the result that an earlier call of the same key had: a cache that nothing clears. */
  readonly cached = (which: Which<Parts>, keyOf: KeyOf<Parts>) =>
    this.around(which, async (turn) => {
      const results = turn.seen.notes<unknown>('results');
      const key = JSON.stringify(keyOf(turn));
      if (results.has(key)) return { result: results.get(key) };
      const reply = await turn.next();
      if (isDone(reply)) results.set(key, reply?.result);
      return reply;
    });

  /** Put replies into one variable for all requests: a second request overwrites it before it is read. */
  readonly inSharedVariable = (which: Which<Parts>, variable: KeyOf<Parts> = () => '') =>
    this.around(which, async (turn) => {
      const reply = await turn.next();
      if (reply === null || !isDone(reply)) return reply;
      const variables = turn.seen.notes<Members>('variables');
      variables.set(variable(turn), reply);
      await this.aMoment(turn.parts);
      return { ...variables.get(variable(turn)), id: reply.id };
    });

  /** Answer calls that come while a call of the same key is under way by the reply to that first call. */
  readonly asOneCall = (which: Which<Parts>, keyOf: KeyOf<Parts>) =>
    this.around(which, async (turn) => {
      const underWay = turn.seen.notes<Promise<RpcReply>>('under way');
      const key = keyOf(turn);
      const others = underWay.get(key);
      if (others) {
        const reply = await others;
        return reply && { ...reply, id: this.#idOf(turn.call) };
      }
      const own = turn.next().then(async (reply) => {
        await this.aMoment(turn.parts);
        underWay.delete(key);
        return reply;
      });
      underWay.set(key, own);
      return own;
    });

  /** Lose the notes of this name when the party restarts. */
  readonly forgets = (name: string) => ({
    forget: (parts: Parts): Parts => {
      parts.seen.forget(name);
      return parts;
    },
  });

  /** Combine several changes. The last one gets a call first. */
  readonly both = (...changes: readonly PipelineChange<Parts>[]): PipelineChange<Parts> => ({
    pipeline: (pipeline, parts) => changes.reduce((inner, change) => change.pipeline(inner, parts), pipeline),
  });
}

type Given<Parts> = Pick<Turn<Parts>, 'text' | 'channel' | 'parts' | 'seen'> & { pipeline: TextPipeline };

/** An unchanged call goes on as the text that came, with members that stand twice. */
function turnOf<Parts>(call: RpcCall, { pipeline, ...given }: Given<Parts>): Turn<Parts> {
  const { text, channel } = given;
  const params = membersOf(call.params);
  const next = async (changed = call): Promise<RpcReply> => {
    const { body } = await pipeline(changed === call ? text : JSON.stringify(changed), channel);
    return body === undefined ? null : JSON.parse(body);
  };
  return { ...given, call, params, cred: membersOf(call.cred), authInfo: membersOf(params.authInfo), next };
}

function isMeant<Parts>(which: Which<Parts>, turn: Turn<Parts>): boolean {
  if (typeof which === 'function') return which(turn);
  return typeof which === 'string' ? which === turn.call.method : which.includes(turn.call.method);
}

function isOutcome<Parts>(which: Which<Parts> | Outcome<Parts>): which is Outcome<Parts> {
  return typeof which === 'object' && 'isMeant' in which;
}

/** An error in a defect is answered as an error of the right party would be. */
function refusalFor(error: unknown): Members {
  const known = error instanceof RpcError ? error : new RpcError('internal_error', { cause: error });
  return { error: known.toObject() };
}
