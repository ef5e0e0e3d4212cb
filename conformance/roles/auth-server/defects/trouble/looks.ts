/** Recognizes how a call to an EHR server in trouble ended, and makes defects that handle it wrongly. */
import { isObject } from '#protocol/wire/envelope.ts';
import { callIn, doneReply, readAgain } from '../calls/outgoing.ts';
import type { Change } from '../change.ts';

export type Ending = {
  id: unknown;
  /** The error of the call; absent when the reply was read to its end. */
  error?: unknown;
  /** Whether the authorization server gave the call up, because its own time limit had passed. */
  gaveUp: boolean;
  /** The response, as soon as its headers came. */
  response?: Response;
  /** The text of the body, if it was read to its end. */
  text?: string;
  /** The body as JSON, if it is JSON. */
  body?: unknown;
};

export type Looks = (ending: Ending) => boolean;

const member = (body: unknown, name: string) => (isObject(body) ? body[name] : undefined);
const has = (body: unknown, name: string) => isObject(body) && name in body;

/** By the id of a trouble, how the authorization server recognizes it. */
export const LOOKS = {
  down: ({ error, gaveUp, response }) => error !== undefined && !gaveUp && response === undefined,
  hang: ({ gaveUp, response }) => gaveUp && response === undefined,
  trickle: ({ gaveUp, response }) => gaveUp && response !== undefined,
  truncate: ({ gaveUp, response, text }) => !gaveUp && response !== undefined && text === undefined,
  'wrong-id': ({ body, id }) => has(body, 'id') && String(member(body, 'id')) !== String(id),
  'http-500': ({ response }) => response?.status === 500,
  redirect: ({ response }) => response !== undefined && [302, 307, 308].includes(response.status),
  'error-text': ({ body }) => typeof member(body, 'error') === 'string',
  huge: ({ text }) => text !== undefined && text.length > 1024 * 1024,
} as const satisfies Readonly<Record<string, Looks>>;

/** Recognizes every reply that acknowledges nothing. */
export const isNoAcknowledgement: Looks = ({ response, body, id }) =>
  response?.status !== 200 ||
  !has(body, 'result') ||
  has(body, 'error') ||
  LOOKS['wrong-id']({ body, id, gaveUp: false });

/** Recognizes an error of the EHR server with this reason. */
export const isRefusal =
  (reason: string): Looks =>
  ({ body }) =>
    JSON.stringify(member(body, 'error'))?.includes(`"${reason}"`) ?? false;

const userIn = (init?: RequestInit) => member(callIn(init).params.authInfo, 'user');

/** Decides by the ending of a call what the server reads; undefined: what really came. */
type Then = (ending: Ending, user: unknown) => Promise<Response> | undefined;

/** Sends each call, examines how it ended, and lets `then` replace the reply. */
const looking =
  (then: Then) =>
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const { id } = callIn(init);
    const ending: Ending = { id, gaveUp: false };
    let whole: Response | undefined;
    try {
      const response = await send(input, init);
      ending.response = response.clone();
      ending.text = await response.text();
      whole = readAgain(response, ending.text);
      ending.body = JSON.parse(ending.text);
    } catch (error) {
      if (!whole) Object.assign(ending, { error, gaveUp: init?.signal?.aborted === true });
    }
    const instead = then(ending, userIn(init));
    if (instead !== undefined) return instead;
    if (whole) return whole;
    if (ending.response && ending.error instanceof Error) return readAgain(ending.response, ending.error);
    throw ending.error;
  };

export const takesForDone = (looks: Looks): Change => ({
  fetch: looking((ending) => (looks(ending) ? Promise.resolve(doneReply(ending.id)) : undefined)),
});

/** Does not understand the reply to calls that ended in this way, and reads an empty object instead. */
export const misreads = (looks: Looks): Change => ({
  fetch: looking((ending) => (looks(ending) ? Promise.resolve(new Response('{}')) : undefined)),
});

/** Waits without end for the reply to calls that ended in this way. */
export const waitsAfter = (looks: Looks): Change => ({
  fetch: looking((ending) => (looks(ending) ? new Promise<never>(() => undefined) : undefined)),
});

/** Fails all further calls, or those of the same user, once a call has ended in this way. */
export const breaksAfter = (looks: Looks, { forUser = false } = {}): Change => ({
  fetch: (send, ledger) => {
    const keyOf = (user: unknown) => (forUser ? user : '');
    const broken = ledger.notes('broken');
    const watched = looking((ending, user) => {
      if (looks(ending)) broken.set(keyOf(user), true);
      return undefined;
    })(send);
    return (input, init) =>
      broken.has(keyOf(userIn(init)))
        ? Promise.reject(new TypeError('The connection is in a broken state.'))
        : watched(input, init);
  },
});
