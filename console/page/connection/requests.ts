/** The page's requests to the console's server. Only this file and the stream use the network. */
import type { Refusal } from '../../api.ts';
import type { Network } from './network.ts';
import type { EventsSource } from './stream.ts';

/** A request that the server refused, with what to do. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Requests = ReturnType<typeof createRequests>;

export type RequestOptions = Network & {
  /** The path of the page, with a slash at its end. */
  base: string;
};

/** Returns ways to ask for a path below `/api/`. */
export function createRequests({ base, token, fetch, openEvents }: RequestOptions) {
  async function responseTo(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${base}api/${path}`, { method, headers, ...(text && { body: text }) });
    if (response.ok) return response;
    const refusal = (await response.json().catch(() => undefined)) as Refusal | undefined;
    throw new Refused(response.status, refusal?.error?.message ?? `HTTP ${response.status}`);
  }
  const answerTo = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await responseTo(method, path, body)).json();
  return {
    hasToken: token !== '',
    get: <T>(path: string) => answerTo<T>('GET', path),
    text: async (path: string) => (await responseTo('GET', path)).text(),
    /** @param body a value, or the text of one in JSON */
    post: <T>(path: string, body?: unknown) => answerTo<T>('POST', path, body),
    remove: <T>(path: string) => answerTo<T>('DELETE', path),
    /** Opens the events. They cannot send headers. */
    events: (inClear: boolean): EventsSource =>
      openEvents(`${base}api/events?${new URLSearchParams({ ...(inClear && { secrets: 'show' }), token })}`),
  };
}
