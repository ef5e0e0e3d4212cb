/** Changes the calls of a server to the EHR server, and its reading of the replies. */

/** The call that saves a session. */
export const SAVE = 'embedded_storage.save_auth_info';

type Json = Record<string, unknown>;

/** A call on its way out; change it in place. */
export type Outgoing = {
  url: URL;
  init: RequestInit & { headers: Record<string, string> };
  call: Json & { params: Json; cred: Json };
};

/** Applies `change` to each call before it is sent. */
export function changed(change: (outgoing: Outgoing) => void): (send: typeof fetch) => typeof fetch {
  return (send) => (input, init) => {
    const outgoing: Outgoing = {
      url: new URL(String(input)),
      init: { ...init, headers: { ...(init?.headers as Record<string, string>) } },
      call: JSON.parse(String(init?.body)) as Outgoing['call'],
    };
    change(outgoing);
    const body = outgoing.init.body === init?.body ? JSON.stringify(outgoing.call) : outgoing.init.body;
    return send(outgoing.url, { ...outgoing.init, body: body ?? null });
  };
}

/** The authInfo of a call of any method. */
export function authInfoOf({ call }: Outgoing): Json {
  return call.params.authInfo as Json;
}

/** Reads each reply with `read` instead of whole and unchanged. */
export function readAs(
  read: (response: Response, request: { id: unknown }) => Promise<Response>,
): (send: typeof fetch) => typeof fetch {
  return (send) => async (input, init) => {
    const { id } = JSON.parse(String(init?.body)) as { id: unknown };
    return read(await send(input, init), { id });
  };
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

/** Recovers from failed calls instead of passing the failure on. */
export function onFailure(recover: (id: unknown) => Response): (send: typeof fetch) => typeof fetch {
  return (send) => async (input, init) => {
    const { id } = JSON.parse(String(init?.body)) as { id: unknown };
    return send(input, init).catch(() => recover(id));
  };
}

/** Replaces the id for the EHR server by that of `make`; the server under test gets its own back. */
export function withId(make: (id: unknown) => string | number): (send: typeof fetch) => typeof fetch {
  return (send) => async (input, init) => {
    const call = JSON.parse(String(init?.body)) as { id: unknown };
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
