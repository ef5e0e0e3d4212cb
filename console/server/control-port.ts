/** Calls to the control port of a server: what it holds, its clock, its snapshots. */

/** How long a control port may take to answer. */
const TIMEOUT_MS = 5_000;

export type ControlPort = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  delete(path: string): Promise<unknown>;
};

/** @param url base URL without a trailing slash */
export function controlPort(url: string): ControlPort {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, ...sent, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`The control port ${url}${path} answered HTTP ${response.status}.`);
    return (await response.json()) as T;
  };
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    delete: (path) => ask('DELETE', path),
  };
}
