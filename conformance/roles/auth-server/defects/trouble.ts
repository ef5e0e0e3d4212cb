/** Defects in how calls are sent to an EHR server in trouble, and in what becomes of the replies. */
import { isObject } from '#protocol/wire/envelope.ts';
import { authInfoOf, callIn, doneReply, readAgain, saidIn } from './change-calls.ts';
import { type Change, defect, type Send } from './defect.ts';

type Ending = {
  id: unknown;
  error?: unknown;
  /** Whether the authorization server gave the call up, because its own time limit had passed. */
  gaveUp: boolean;
  response?: Response;
  text?: string;
  body?: unknown;
};

type Looks = (ending: Ending) => boolean;

const member = (body: unknown, name: string) => (isObject(body) ? body[name] : undefined);
const has = (body: unknown, name: string) => isObject(body) && name in body;

/** By the id of a trouble, how the authorization server recognizes it. */
const LOOKS = {
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
const isNoAcknowledgement: Looks = ({ response, body, id }) =>
  response?.status !== 200 ||
  !has(body, 'result') ||
  has(body, 'error') ||
  LOOKS['wrong-id']({ body, id, gaveUp: false });

const userIn = (init?: RequestInit) => member(callIn(init).params.authInfo, 'user');

/** Decides by the ending of a call what the server reads; undefined: what really came. */
type Then = (ending: Ending, user: unknown) => Promise<Response> | undefined;

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

const takesForDone = (looks: Looks): Change => ({
  fetch: looking((ending) => (looks(ending) ? Promise.resolve(doneReply(ending.id)) : undefined)),
});

/** Does not understand the reply to calls that ended in this way, and reads an empty object instead. */
const misreads = (looks: Looks): Change => ({
  fetch: looking((ending) => (looks(ending) ? Promise.resolve(new Response('{}')) : undefined)),
});

const waitsAfter = (looks: Looks): Change => ({
  fetch: looking((ending) => (looks(ending) ? new Promise<never>(() => undefined) : undefined)),
});

/** Fails all further calls, or those of the same user, once a call has ended in this way. */
const breaksAfter = (looks: Looks, { forUser = false } = {}): Change => ({
  fetch: (send, seen) => {
    const keyOf = (user: unknown) => (forUser ? user : '');
    const broken = seen.notes('broken');
    const watched = looking((ending, user) => {
      if (looks(ending)) broken.set(keyOf(user), true);
    })(send);
    return (input, init) =>
      broken.has(keyOf(userIn(init)))
        ? Promise.reject(new TypeError('The connection is in a broken state.'))
        : watched(input, init);
  },
});

/** Thrown where a defective server would die. The self-test then stops the server. */
export class ServerDies extends Error {
  override name = 'ServerDies';
  override message = 'The server ended here.';
}

/** Reads the reply to a call that was given up as the reply to the next call of the same user. */
const readsLateReply: Send =
  (send, seen) =>
  (input, { signal, ...init } = {}) => {
    const unread = seen.notes<Promise<Response>>('unread replies');
    const { user } = authInfoOf({ call: callIn(init) });
    const nextReply = send(input, init);
    // Nobody may ever read this reply; without this line its failure would end the process.
    nextReply.catch(() => undefined);
    const reply = unread.get(user) ?? nextReply;
    if (reply !== nextReply) unread.set(user, nextReply);
    const givenUp = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => {
        if (!unread.has(user)) unread.set(user, reply);
        reject(new TypeError('The call was given up.'));
      }),
    );
    return Promise.race([reply, givenUp]);
  };

export const troubleDefects = [
  defect('trouble-told-at-exchange-token', 'swallows-every-trouble', {
    title: 'Whatever comes in the place of an acknowledgement is answered with success',
    ...takesForDone(isNoAcknowledgement),
  }),
  defect('trouble-told-at-exchange-token', 'id-not-compared', {
    title: 'The id of the reply is not compared',
    ...takesForDone(LOOKS['wrong-id']),
  }),
  defect('trouble-told-at-exchange-token', 'hangs-with-the-ehr', {
    title: 'There is no timeout on calls to the EHR server',
    ...waitsAfter(LOOKS.hang),
  }),
  defect('trouble-told-at-link', 'swallows-every-trouble-on-save', {
    title:
      'Whatever comes in the place of an acknowledgement is answered with success, when a session is saved',
    ...takesForDone(isNoAcknowledgement),
  }),
  defect('trouble-told-at-link', 'half-a-reply-is-success', {
    title: 'A reply that breaks off is taken as success',
    ...takesForDone(LOOKS.truncate),
  }),
  defect('trouble-told-at-link', 'waits-after-huge', {
    title: 'After a reply of 8 MiB the client gets no answer',
    ...waitsAfter(LOOKS.huge),
  }),
  defect('trouble-told-at-sign-in', 'swallows-every-trouble-at-sign-in', {
    title:
      'Whatever comes in the place of an acknowledgement is answered with success, when a linked user signs in',
    ...takesForDone(isNoAcknowledgement),
  }),
  defect('trouble-told-at-sign-in', 'swallows-internal-error', {
    title: 'The internal_error of the EHR server is answered with success',
    ...takesForDone(
      ({ body }) => JSON.stringify(member(body, 'error'))?.includes('"internal_error"') ?? false,
    ),
  }),
  defect('trouble-survived-at-exchange-token', 'broken-after-one-break', {
    title: 'After one broken connection no call works any more',
    ...breaksAfter(LOOKS.down),
  }),
  defect('trouble-survived-at-exchange-token', 'late-reply-read-as-next', {
    title: 'The reply to a call that was given up is read as the reply to the next',
    fetch: readsLateReply,
  }),
  defect('trouble-survived-at-link', 'broken-after-every-trouble', {
    title: 'After any trouble no call for that user works any more',
    ...breaksAfter(isNoAcknowledgement, { forUser: true }),
  }),
  defect('trouble-survived-at-link', 'stuck-after-error-text', {
    title: 'After an error that is a text no call for that user works any more',
    ...breaksAfter(LOOKS['error-text'], { forUser: true }),
  }),
  defect('trouble-survived-at-sign-in', 'stuck-after-trickle-at-sign-in', {
    title: 'After a reply without end no call for that user works any more',
    ...breaksAfter(LOOKS.trickle, { forUser: true }),
  }),
  defect('trouble-survived-at-sign-in', 'broken-after-500', {
    title: 'After an HTTP 500 no call works any more',
    ...breaksAfter(LOOKS['http-500']),
  }),
  defect('redirect-told', 'redirect-is-success', {
    title: 'A redirect is taken as success',
    ...takesForDone(LOOKS.redirect),
  }),
  defect('calls-in-trouble-bounded', 'repeats-thirty-times', {
    title: 'A call that fails is sent thirty times',
    fetch: (send) => async (input, init) => {
      for (let sent = 1; ; sent++) {
        const response = await send(input, init).catch((error: unknown) => {
          if (sent === 30 || init?.signal?.aborted) throw error;
          return undefined;
        });
        if (response && (response.status < 500 || sent === 30)) return response;
      }
    },
  }),
  defect('calls-accepted', 'sends-twice', {
    title: 'Every call is sent twice',
    fetch: (send) => async (input, init) => {
      const response = await send(input, init);
      await send(input, init)
        .then((second) => second.text())
        .catch(() => undefined);
      return response;
    },
  }),
  defect('understands-reply', 'impatient', {
    title: 'The EHR server is given a tenth of a second',
    env: { AUTH_EHR_TIMEOUT: '100' },
  }),
  defect('understands-reply', 'string-id-not-understood', {
    title: 'Only a number is accepted as the id of a reply',
    ...misreads(({ body }) => isObject(body) && typeof body.id === 'string'),
  }),
  defect('understands-reply', 'empty-result-not-understood', {
    title: 'A result without an id is not taken for success',
    ...misreads(({ body }) => isObject(body) && isObject(body.result) && !('id' in body.result)),
  }),
  defect('server-survives', 'dies-at-html', {
    title: 'A reply that is a page of HTML ends the server',
    fetch: (send) => async (input, init) => {
      const response = await send(input, init);
      if ((await saidIn(response)).startsWith('<')) throw new ServerDies();
      return response;
    },
  }),
];
