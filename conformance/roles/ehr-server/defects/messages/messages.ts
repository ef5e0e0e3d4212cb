/** Changes what a server does with a call, or what it replies, around the right pipeline. */
import { matchQuery } from '#ehr-server/match-patient.ts';
import type { Channel } from '#protocol/methods/pipeline.ts';
import { randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { type Reason, RpcError } from '#protocol/wire/errors.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';

export const SAVE = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
export const AUTHENTICATE = 'embedded_storage.authenticate';
export const READ = 'patient.get_patient';
export const LOG_OUT = 'embedded_storage.remove_auth_info';
export const DISCONNECT = 'embedded_storage.remove_authentication';

export type Members = Record<string, unknown>;

/** A call as it came. Its members are what a caller may have sent. */
export type WireCall = Members & { method: string };

/** A reply; null where nothing is answered. */
export type WireReply = Members | null;

export type Tools = {
  parts: EhrServerParts;
  channel: Channel;
  /** The body as it came. */
  text: string;
  /** Lets the right server answer this call, or another one. */
  next: (call?: WireCall) => Promise<WireReply>;
};

export type Answer = (call: WireCall, tools: Tools) => WireReply | Promise<WireReply>;

/** Answers single calls in another way. `create` makes what one server remembers. */
export function answering(create: () => Answer): EhrChange {
  return {
    pipeline(pipeline, parts) {
      const answer = create();
      return async (text, channel) => {
        const call = callIn(text);
        if (!call) return pipeline(text, channel);
        const next = async (given = call): Promise<WireReply> => {
          const { body } = await pipeline(given === call ? text : JSON.stringify(given), channel);
          return body === undefined ? null : JSON.parse(body);
        };
        const reply = await answer(call, { parts, channel, text, next });
        return { body: reply === null ? undefined : JSON.stringify(reply) };
      };
    },
  };
}

/** Changes calls before they are carried out. */
export function inCalls(change: (call: WireCall, tools: Tools) => WireCall): EhrChange {
  return answering(() => (call, tools) => tools.next(change(call, tools)));
}

/** Changes the replies to single calls. */
export function inReplies(change: (reply: Members, call: WireCall, tools: Tools) => Members): EhrChange {
  return answering(() => async (call, tools) => {
    const reply = await tools.next();
    return reply && change(reply, call, tools);
  });
}

/** Changes the result of the successful calls of a method. */
export function inResults(methods: readonly string[], change: (result: Members) => unknown): EhrChange {
  return inReplies((reply, { method }) =>
    methods.includes(method) && isObject(reply.result) ? { ...reply, result: change(reply.result) } : reply,
  );
}

/** Changes the record in replies. */
export function inRecords(change: (record: Members) => Members): EhrChange {
  return inResults([READ, AUTHENTICATE], (result) => ({
    ...result,
    patient: change(membersOf(result.patient)),
  }));
}

/** Answers success where the right server refuses a method for a reason. */
export function saysYes(method: string, ...reasons: readonly Reason[]): EhrChange {
  return answering(() => async (call, tools) => {
    const reply = await tools.next();
    const reason = reasonOf(reply);
    if (call.method !== method || reason === undefined || !reasons.some((each) => each === reason)) return reply;
    return success(call, tools.parts);
  });
}

function callIn(text: string): WireCall | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.method === 'string' ? (value as WireCall) : undefined;
  } catch {
    // No JSON: the right server says so.
    return undefined;
  }
}

export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

export function paramsOf(call: WireCall): Members {
  return membersOf(call.params);
}

export function credOf(call: WireCall): Members {
  return membersOf(call.cred);
}

export function authInfoOf(call: WireCall): Members {
  return membersOf(paramsOf(call).authInfo);
}

/** What a search is by: the properties, with searchStrategy and medCardId, which stand beside them. */
export function propertiesIn(call: WireCall): Members {
  const { patientProperties, searchStrategy, medCardId } = paramsOf(call);
  return {
    ...(searchStrategy !== undefined && { searchStrategy }),
    ...(medCardId !== undefined && { medCardId }),
    ...membersOf(patientProperties),
  };
}

/** The call with other members among its params. */
export function withParams(call: WireCall, params: Members): WireCall {
  return { ...call, params: { ...paramsOf(call), ...params } };
}

/** The call with other members in its authInfo. */
export function withAuthInfo(call: WireCall, authInfo: Members): WireCall {
  return withParams(call, { authInfo: { ...authInfoOf(call), ...authInfo } });
}

export function reasonOf(reply: WireReply): unknown {
  return membersOf(membersOf(reply?.error).data).reason;
}

export function isDone(reply: WireReply): boolean {
  return reply !== null && 'result' in reply;
}

export function accepted({ id }: WireCall, result: unknown): WireReply {
  return { jsonrpc: '2.0', result, id: id === undefined || id === null ? null : String(id) };
}

export function refusal({ id }: Members, reason: Reason): WireReply {
  return { jsonrpc: '2.0', error: new RpcError(reason).toObject(), id: id === undefined ? null : String(id) };
}

/** A success of the call, whatever a right server would say. */
export async function success(call: WireCall, parts: EhrServerParts): Promise<WireReply> {
  if (call.method === LOG_OUT || call.method === DISCONNECT) return accepted(call, {});
  const drawn = randomToken(parts.random);
  if (call.method === SAVE || call.method === SAVE_EXCHANGE_TOKEN) return accepted(call, { id: drawn });
  const patient = await patientFitting(call, parts);
  return accepted(call, { patient: patient ?? null, user_sign: drawn, userSign: drawn });
}

/** The one patient whom the properties of authenticate fit. */
export async function patientFitting(call: WireCall, { mis, rules }: EhrServerParts): Promise<Patient | undefined> {
  if (call.method !== AUTHENTICATE) return undefined;
  try {
    const query = matchQuery(paramsOf(call) as Parameters<typeof matchQuery>[0], rules.matchingRequired);
    const [id] = await mis.match(query);
    return id === undefined ? undefined : await mis.get(id);
  } catch {
    // Properties that no search can be made of fit nobody.
    return undefined;
  }
}
