/** Changes the calls of a server to the EHR server, and its reading of the replies. */
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { Change, Layer, Mock, Send } from '../change.ts';

/** The call that saves a session. */
export const SAVE = 'embedded_storage.save_auth_info';

type Json = Record<string, unknown>;

/** A call on its way out; change it in place. */
export type Outgoing = {
  url: URL;
  init: RequestInit & { headers: Record<string, string> };
  call: Json & { params: Json; cred: Json };
};

/** The call of a request. */
export const callIn = (init?: RequestInit) => JSON.parse(String(init?.body)) as Outgoing['call'];

/** What a reply says, which is read once more later; nothing where it breaks off. */
export const saidIn = (response: Response) =>
  response
    .clone()
    .text()
    .catch(() => '');

/** Applies `change` to each call before it is sent. */
function changed(change: (outgoing: Outgoing) => void): Send {
  return (send) => (input, init) => {
    const outgoing: Outgoing = {
      url: new URL(String(input)),
      init: { ...init, headers: { ...(init?.headers as Record<string, string>) } },
      call: callIn(init),
    };
    change(outgoing);
    const body = outgoing.init.body === init?.body ? JSON.stringify(outgoing.call) : outgoing.init.body;
    return send(outgoing.url, { ...outgoing.init, body: body ?? null });
  };
}

const at =
  (layer: Layer) =>
  (fetch: Send): Change => ({ fetch, layer });

/** Sees how calls end, and fails later because of it. */
export const watches = at('watches');
/** Waits for a reply without end. */
export const waits = at('waits');
/** Takes another reply for the one that came. */
export const replaces = at('replaces');

/** Changes each call before it is sent. */
export const sends = (change: (outgoing: Outgoing) => void, layer: Layer = 'calls'): Change => ({
  fetch: changed(change),
  layer,
});

/** The last call of the mock, as a digest knows it. */
type Digested = { call: Outgoing['call']; mock: Mock };

/** Computes `cred.token` of each call from the internal password and the secret of that call. */
export const digests = (make: (password: string, secret: string, digested: Digested) => string): Change => ({
  layer: 'digests',
  parts(mock) {
    mock.send = changed(({ call }) => {
      call.cred.token = make(mock.password, secretOf(mock, call), { call, mock });
    })(mock.send, mock.ledger);
  },
});

/** Computes the digests over user_signs in another way. */
export const signDigests = (make: (password: string, sign: string, digested: Digested) => string): Change =>
  digests((password, secret, digested) =>
    digested.call.method === SAVE ? make(password, secret, digested) : digest(password, secret),
  );

/** The secret of a call: an exchange token, or the user_sign with which a session is saved. */
function secretOf({ ledger }: Mock, { params }: Outgoing['call']): string {
  const { token } = params.authInfo as { token: string };
  return String(params.exchangeToken ?? ledger.notes<string>('signs').get(token));
}

/** The authInfo of a call of any method. */
export function authInfoOf({ call }: Pick<Outgoing, 'call'>): Json {
  return call.params.authInfo as Json;
}

/** Reads each reply with `read` instead of whole and unchanged. */
export function readAs(read: (response: Response) => Promise<Response>): Send {
  return (send) => async (input, init) => read(await send(input, init));
}

/** Rebuilds a response whose body was read, with this body; an error breaks its body off. */
export function readAgain({ status, headers }: Response, body: string | Error): Response {
  const brokenOff = (error: Error) => new ReadableStream({ start: (controller) => controller.error(error) });
  const content = typeof body === 'string' ? body : brokenOff(body);
  return new Response(status === 204 ? null : content, { status, headers });
}

/** A reply that says that the call was done. */
export function doneReply(id: unknown): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', result: { id: 'made-up' }, id }), { status: 200 });
}

/** Replaces the id for the EHR server by that of `make`; the server under test gets its own back. */
export function withId(make: (id: unknown) => string | number): Send {
  return (send) => async (input, init) => {
    const call = callIn(init);
    const id = make(call.id);
    const response = await send(input, { ...init, body: JSON.stringify({ ...call, id }) });
    const text = await response.text().catch((error: Error) => error);
    if (typeof text !== 'string') return readAgain(response, text);
    // Changes only the id, so that a strange reply stays as strange as it is.
    const own = new RegExp(`("id"\\s*:\\s*)"?${id}"?(?=\\s*[,}])`, 'g');
    const body = text.replace(own, (_, name: string) => name + JSON.stringify(call.id));
    return readAgain(response, body);
  };
}

/** Tries a call once more whose connection was lost. */
export const onceMore: Send = (send) => (input, init) =>
  send(input, init).catch((error: unknown) =>
    init?.signal?.aborted ? Promise.reject(error) : send(input, init),
  );
