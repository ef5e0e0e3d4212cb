/** Reaches the console and the parties in a worker of the page. No request leaves the browser. */
import type { Network } from '#console/page/connection/network.ts';
import type { EventsSource } from '#console/page/connection/stream.ts';
import { CONSOLE_URL, type FromWorker, type ToWorker } from './addresses.ts';

/** What the client in its frame takes for its network. */
export type PartiesWindow = Window & { partiesFetch?: typeof fetch };

type Waiting = { resolve(response: Response): void; reject(error: Error): void };
type Listener = (event: MessageEvent<string>) => void;

export function openNetwork(page: Window): Network {
  const base = new URL('.', page.location.href).pathname;
  const port = openPort(clientAddress(page, base));
  (page as PartiesWindow).partiesFetch = port.fetch;
  const consoleUrl = (address: string) => address.replace(`${base}api`, CONSOLE_URL);
  return {
    fetch: (address, options) => port.fetch(consoleUrl(String(address)), options),
    openEvents: (address) => port.openEvents(address.includes('secrets=show')),
    token: '',
  };
}

function openPort(clientFrame: Promise<string>) {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  const listening = new Map<number, Map<string, Listener>>();
  let lastId = 0;

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === 'event') {
      listening.get(data.id)?.get(data.name)?.(new MessageEvent(data.name, { data: data.json }));
      return;
    }
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.kind === 'failure') call?.reject(new TypeError(data.message));
    else call?.resolve(responseOf(data));
  });
  const opened = clientFrame.then((address) => worker.postMessage({ kind: 'open', clientFrame: address }));
  const tell = (message: ToWorker) => void opened.then(() => worker.postMessage(message));

  return {
    fetch: ((address, { method = 'GET', headers, body, signal } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        signal?.addEventListener('abort', () => {
          tell({ kind: 'abort', id });
          reject(signal.reason);
        });
        const text = typeof body === 'string' ? body : undefined;
        tell({
          kind: 'request',
          id,
          address: String(address),
          method,
          headers: [...new Headers(headers)],
          body: text,
        });
      })) as typeof fetch,
    openEvents(showsSecrets: boolean): EventsSource {
      const id = ++lastId;
      const listeners = new Map<string, Listener>();
      listening.set(id, listeners);
      tell({ kind: 'events', id, showsSecrets });
      return {
        readyState: EventSource.OPEN,
        addEventListener: (name, listener) => void listeners.set(name, listener),
        close() {
          listening.delete(id);
          tell({ kind: 'abort', id });
        },
      };
    },
  };
}

function responseOf({ status, headers, body }: Extract<FromWorker, { kind: 'answer' }>): Response {
  return new Response(status === 204 ? null : body, { status, headers });
}

/** The files that the client's page names. */
const FILES = /"\.\/(assets\/[^"]+)"/g;

/** Another address for each visit: what an earlier client kept would name sessions that are gone. */
async function clientAddress({ location, localStorage, fetch }: Window, base: string): Promise<string> {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(`${location.origin}/`)) localStorage.removeItem(key);
  const kept = async (file: string) =>
    URL.createObjectURL(await (await fetch(`${base}client/${file}`)).blob());
  const html = await (await fetch(`${base}client/`)).text();
  const names = [...html.matchAll(FILES)].map(([, name = '']) => name);
  const addresses = await Promise.all(names.map(kept));
  const moved = names.reduce((text, name, at) => text.replace(`./${name}`, addresses[at] ?? ''), html);
  return URL.createObjectURL(new Blob([moved], { type: 'text/html' }));
}
