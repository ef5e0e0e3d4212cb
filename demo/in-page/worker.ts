/** The worker of the page: runs both servers, the wires between the parties, and the console. */
import { answerTo, openEvents } from '#console/server/api-routes.ts';
import type { DemoWorld } from '#console/server/demo-world.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { CONSOLE_URL, type FromWorker, type ToWorker } from './addresses.ts';
import { openPageWorld, type PageWorld } from './world.ts';

/** Version of this package, written here by the build. */
declare const PACKAGE_VERSION: string;

const tell = (message: FromWorker) => globalThis.postMessage(message);
const underWay = new Map<number, AbortController>();
const streams = new Map<number, () => void>();
let opened: PageWorld;

globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'open') open(data.clientFrame);
  else if (data.kind === 'request') void answer(data);
  else if (data.kind === 'events') void stream(data.id, data.showsSecrets);
  else {
    underWay.get(data.id)?.abort();
    streams.get(data.id)?.();
  }
});

function open(clientFrame: string): void {
  const { userAgent: runtime } = navigator;
  opened = openPageWorld({
    clientFrame,
    runtime,
    version: PACKAGE_VERSION,
    machineClock: systemClock,
    random: systemRandom,
  });
  void opened.world.watch();
}

async function answer({ id, address, ...init }: Extract<ToWorker, { kind: 'request' }>): Promise<void> {
  const aborting = new AbortController();
  underWay.set(id, aborting);
  try {
    const url = new URL(address);
    const response =
      url.origin === CONSOLE_URL
        ? await consoleAnswer(opened.world, url, init)
        : await opened.fetch(address, { ...init, body: init.body ?? null, signal: aborting.signal });
    const { status, headers } = response;
    tell({ kind: 'answer', id, status, headers: [...headers], body: await response.text() });
  } catch (error) {
    tell({ kind: 'failure', id, message: (error as Error).message });
  } finally {
    underWay.delete(id);
  }
}

type Asked = Pick<Extract<ToWorker, { kind: 'request' }>, 'method' | 'body'>;

async function consoleAnswer(world: DemoWorld, url: URL, { method, body }: Asked): Promise<Response> {
  const showsSecrets = url.searchParams.get('secrets') === 'show';
  const path = url.pathname.slice(1);
  const { status, json } = await answerTo(world, { method, path, showsSecrets, body: jsonIn(body) });
  return new Response(json, { status, headers: { 'content-type': 'application/json' } });
}

/** The value of a body. A text that is no JSON, such as that of a dropped file, is refused as it is. */
function jsonIn(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return body;
  }
}

async function stream(id: number, showsSecrets: boolean): Promise<void> {
  const sink = {
    send: (name: Extract<FromWorker, { kind: 'event' }>['name'], json: string) =>
      tell({ kind: 'event', id, name, json }),
    end: () => undefined,
  };
  streams.set(id, await openEvents(opened.world, sink, showsSecrets));
}
