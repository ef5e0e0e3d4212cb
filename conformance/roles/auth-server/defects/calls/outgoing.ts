/** Makes defects that send other calls to the EHR server, or read its replies otherwise. */
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { Change, Mock, Send } from '../defect.ts';

/** A letter beyond ASCII shows a wrong encoding, blanks at the ends their loss. */
export const SELF_TEST_PASSWORD = ' self-test-pässword ';

/** Has a letter beyond ASCII, so that a Content-Length in characters, not bytes, cuts the body short. */
export const SELF_TEST_USER = 'auth-sërver';

export const SAVE = 'embedded_storage.save_auth_info';

type Json = Record<string, unknown>;

/** A call before it is sent: address, HTTP request and JSON-RPC body. Defects change these in place. */
export type Outgoing = {
  url: URL;
  init: RequestInit & { headers: Record<string, string> };
  call: Json & { params: Json; cred: Json };
};

export const callIn = (init?: RequestInit) => JSON.parse(String(init?.body)) as Outgoing['call'];

/** The text of a reply, which can still be read afterwards; '' where the reply breaks off. */
export const saidIn = (response: Response) =>
  response
    .clone()
    .text()
    .catch(() => '');

function changed(change: (outgoing: Outgoing) => void): Send {
  return (send) => (input, init) => {
    const outgoing: Outgoing = {
      url: new URL(String(input)),
      init: { ...init, headers: { ...(init?.headers as Record<string, string>) } },
      call: callIn(init),
    };
    change(outgoing);
    // A change of the body itself counts; otherwise the body is the call, as the change left it.
    const body = outgoing.init.body === init?.body ? JSON.stringify(outgoing.call) : outgoing.init.body;
    return send(outgoing.url, { ...outgoing.init, body: body ?? null });
  };
}

export const sends = (change: (outgoing: Outgoing) => void): Change => ({ fetch: changed(change) });

type Digested = { call: Outgoing['call']; mock: Mock };

/** Computes `cred.token` of each call with `make` instead of as the interface says. */
export const digests = (make: (password: string, secret: string, digested: Digested) => string): Change => ({
  // A mock without a `fetch` of its own sends nothing through `send`.
  fetch: (send) => send,
  parts(mock) {
    mock.send = changed(({ call }) => {
      call.cred.token = make(mock.password, secretOf(mock, call), { call, mock });
    })(mock.send, mock.seen);
  },
});

/** Computes the digests over user_signs with `make`; the digests over exchange tokens stay right. */
export const signDigests = (make: (password: string, sign: string, digested: Digested) => string): Change =>
  digests((password, secret, digested) =>
    digested.call.method === SAVE ? make(password, secret, digested) : digest(password, secret),
  );

function secretOf({ seen }: Mock, { params }: Outgoing['call']): string {
  const { token } = params.authInfo as { token: string };
  return String(params.exchangeToken ?? seen.notes<string>('signs').get(token));
}

export function authInfoOf({ call }: Pick<Outgoing, 'call'>): Json {
  return call.params.authInfo as Json;
}

/** Rebuilds a response whose body was read, with this body. An error makes the body break off with it. */
export function readAgain({ status, headers }: Response, body: string | Error): Response {
  const brokenOff = (error: Error) => new ReadableStream({ start: (controller) => controller.error(error) });
  const content = typeof body === 'string' ? body : brokenOff(body);
  // A response with status 204 must not have a body.
  return new Response(status === 204 ? null : content, { status, headers });
}

export function doneReply(id: unknown): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', result: { id: 'made-up' }, id }), { status: 200 });
}

/** Sends each call with the id of `make`. In the reply the server reads the id that it had chosen itself. */
export function withId(make: (id: unknown) => string | number): Send {
  return (send) => async (input, init) => {
    const call = callIn(init);
    const id = make(call.id);
    const response = await send(input, { ...init, body: JSON.stringify({ ...call, id }) });
    const text = await response.text().catch((error: Error) => error);
    if (typeof text !== 'string') return readAgain(response, text);
    // Changes only the id, so that a strange reply stays as strange as it is.
    const idMember = new RegExp(`("id"\\s*:\\s*)"?${id}"?(?=\\s*[,}])`, 'g');
    const body = text.replace(idMember, (_, name: string) => name + JSON.stringify(call.id));
    return readAgain(response, body);
  };
}

/** Sends a call a second time when its connection was lost, unless the server has given the call up. */
export const onceMore: Send = (send) => (input, init) =>
  send(input, init).catch((error: unknown) =>
    init?.signal?.aborted ? Promise.reject(error) : send(input, init),
  );
