/**
 * The few ways in which a wrong party differs from the right one. Each changes a pipeline of JSON-RPC, and
 * reads the ledger of what the party saw. A party is known here by its parts alone.
 */
import type { Channel, TextPipeline } from '#protocol/methods/pipeline.ts';
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
  /** The body as it came. */
  text: string;
  channel: Channel;
  parts: Parts;
  seen: Ledger;
  /** Let the right party answer this call, or another one. */
  next: (call?: RpcCall) => Promise<RpcReply>;
};

/** A turn with the reply of the right party. */
export type Answered<Parts> = Turn<Parts> & { reply: Members; result: Members };

/** The calls that are meant: of a method, of several, or of those that fit. */
export type Which<Parts> = string | readonly string[] | ((turn: Turn<Parts>) => boolean);

/** The calls that are meant, by their reply. */
export type Outcome<Parts> = { which: Which<Parts>; isMeant: (reply: Members) => boolean };

/** A change of the way from a body to its answer. */
export type PipelineChange<Parts> = { pipeline: (pipeline: TextPipeline, parts: Parts) => TextPipeline };

/** Means every call. */
export const ANY = () => true;

/** Means the calls that the right party carries out. */
export const done = <Parts>(which: Which<Parts>): Outcome<Parts> => ({ which, isMeant: isDone });

/** Means the calls that the right party refuses: for one of these reasons, or for any. */
export const refused = <Parts>(which: Which<Parts>, ...reasons: readonly unknown[]): Outcome<Parts> => ({
  which,
  isMeant: (reply) => 'error' in reply && (reasons.length === 0 || reasons.includes(reasonOf(reply))),
});

/** Put the ledger before a right pipeline, which notes each single call with its reply. */
export function seenBy(ledger: Ledger, pipeline: TextPipeline): TextPipeline {
  return async (text, channel) => {
    const answer = await pipeline(text, channel);
    const call = callIn(text);
    if (call) ledger.see(call, answer.body === undefined ? null : JSON.parse(answer.body));
    return answer;
  };
}

type OperatorOptions<Parts> = {
  ledgerOf: (parts: Parts) => Ledger;
  /** Resolves a moment later, so that calls at the same time meet. */
  aMoment: (parts: Parts) => Promise<void>;
  /** The id of a reply that the right party does not give; the id of the call as text unless given. */
  idOf?: (call: RpcCall) => unknown;
};

type Maybe<T> = T | undefined | Promise<T | undefined>;
type KeyOf<Parts> = (turn: Turn<Parts>) => unknown;

/** The operators of one kind of party. */
export class Operators<Parts> {
  readonly #ledgerOf: OperatorOptions<Parts>['ledgerOf'];
  readonly #aMoment: OperatorOptions<Parts>['aMoment'];
  readonly #idOf: (call: RpcCall) => unknown;

  constructor({ ledgerOf, aMoment, idOf = replyIdOf }: OperatorOptions<Parts>) {
    this.#ledgerOf = ledgerOf;
    this.#aMoment = aMoment;
    this.#idOf = idOf;
  }

  /** Answer the calls that are meant by a function around the right party. */
  readonly around = (
    which: Which<Parts>,
    answer: (turn: Turn<Parts>) => RpcReply | Promise<RpcReply>,
  ): PipelineChange<Parts> => ({
    pipeline: (pipeline, parts) => async (text, channel) => {
      const call = callIn(text);
      const turn = call && turnOf(call, { text, channel, parts, seen: this.#ledgerOf(parts), pipeline });
      if (!turn || !isMeant(which, turn)) return pipeline(text, channel);
      const answered = await Promise.resolve(turn).then(answer).catch(refusalFor);
      const reply = inEnvelope(answered, this.#idOf(turn.call));
      return { body: reply === null ? undefined : JSON.stringify(reply) };
    },
  });

  /** Do something else first, or carry another call out in the place of that which came. */
  readonly before = (which: Which<Parts>, act: (turn: Turn<Parts>) => Maybe<RpcCall>) =>
    this.around(which, async (turn) => turn.next((await act(turn)) ?? turn.call));

  /** Do something else afterwards, or answer otherwise. A call without a reply is left alone. */
  readonly after = (which: Which<Parts> | Outcome<Parts>, act: (turn: Answered<Parts>) => Maybe<Members>) => {
    const meant = isOutcome(which) ? which : { which, isMeant: ANY };
    return this.around(meant.which, async (turn) => {
      const reply = await turn.next();
      if (reply === null || !meant.isMeant(reply)) return reply;
      return (await act({ ...turn, reply, result: membersOf(reply.result) })) ?? reply;
    });
  };

  /** Answer without the right party, where an answer is given. */
  readonly instead = (which: Which<Parts>, answer: (turn: Turn<Parts>) => Maybe<RpcReply>) =>
    this.around(which, async (turn) => {
      const own = await answer(turn);
      return own === undefined ? turn.next() : own;
    });

  /** Answer by the result that a call of the same key had before: a cache that nothing clears. */
  readonly memoised = (which: Which<Parts>, keyOf: KeyOf<Parts>) =>
    this.around(which, async (turn) => {
      const results = turn.seen.notes<unknown>('results');
      const key = JSON.stringify(keyOf(turn));
      if (results.has(key)) return { result: results.get(key) };
      const reply = await turn.next();
      if (isDone(reply)) results.set(key, reply?.result);
      return reply;
    });

  /** Put replies into one variable of all requests, which a later one overwrites before it is read. */
  readonly shared = (which: Which<Parts>, variable: KeyOf<Parts> = () => '') =>
    this.around(which, async (turn) => {
      const reply = await turn.next();
      if (reply === null || !isDone(reply)) return reply;
      const variables = turn.seen.notes<Members>('variables');
      variables.set(variable(turn), reply);
      await this.#aMoment(turn.parts);
      return { ...variables.get(variable(turn)), id: reply.id };
    });

  /** Answer calls of one key that come while one of them is under way by what that one found. */
  readonly joined = (which: Which<Parts>, keyOf: KeyOf<Parts>) =>
    this.around(which, async (turn) => {
      const underWay = turn.seen.notes<Promise<RpcReply>>('under way');
      const key = keyOf(turn);
      const others = underWay.get(key);
      if (others) return copyOf(await others, this.#idOf(turn.call));
      const own = turn.next().then(async (reply) => {
        await this.#aMoment(turn.parts);
        underWay.delete(key);
        return reply;
      });
      underWay.set(key, own);
      return own;
    });

  /** Carry a call out once more, and answer by the first reply. */
  readonly twice = (which: Which<Parts>) =>
    this.around(which, async (turn) => {
      const reply = await turn.next();
      await turn.next();
      return reply;
    });

  /** Lose at a restart what was noted under this name. */
  readonly forgets = (name: string) => ({
    forget: (parts: Parts): Parts => {
      this.#ledgerOf(parts).forget(name);
      return parts;
    },
  });

  /** Replace parts of the party: store, clock, random, rules. */
  readonly withParts = (parts: (parts: Parts) => Partial<Parts>) => ({ parts });

  /** Differ in several ways. The last stands nearest to the caller. */
  readonly both = (...changes: readonly PipelineChange<Parts>[]): PipelineChange<Parts> => ({
    pipeline: (pipeline, parts) => changes.reduce((inner, change) => change.pipeline(inner, parts), pipeline),
  });
}

type Given<Parts> = Pick<Turn<Parts>, 'text' | 'channel' | 'parts' | 'seen'> & { pipeline: TextPipeline };

/** A call that is left as it is goes on as it came, with every member that stands twice. */
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

function copyOf(reply: RpcReply, id: unknown): RpcReply {
  return reply && { ...reply, id };
}

/** A failure in a change is answered like one of the right party. */
function refusalFor(error: unknown): Members {
  const known = error instanceof RpcError ? error : new RpcError('internal_error', { cause: error });
  return { error: known.toObject() };
}
