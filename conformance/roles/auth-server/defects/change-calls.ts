/** Changes the calls of the mock to the EHR server on their way, and makes replies to them. */
import type { Members } from '../../../engine/defects/rpc-call.ts';
import type { Change, Send } from './defect.ts';

/** A call before it is sent: address, HTTP request and JSON-RPC body. Defects change these in place. */
export type Outgoing = {
  url: URL;
  init: RequestInit & { headers: Record<string, string> };
  call: Members & { params: Members; cred: Members };
};

export const callIn = (init?: RequestInit) => JSON.parse(String(init?.body)) as Outgoing['call'];

/** The text of a reply, which can still be read afterwards; '' where the reply breaks off. */
export const saidIn = (response: Response) =>
  response
    .clone()
    .text()
    .catch(() => '');

export function changed(change: (outgoing: Outgoing) => void): Send {
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

export function authInfoOf({ call }: Pick<Outgoing, 'call'>): Members {
  return call.params.authInfo as Members;
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

/** Sends a call a second time when its connection was lost, unless the server has given the call up. */
export const onceMore: Send = (send) => (input, init) =>
  send(input, init).catch((error: unknown) =>
    init?.signal?.aborted ? Promise.reject(error) : send(input, init),
  );
