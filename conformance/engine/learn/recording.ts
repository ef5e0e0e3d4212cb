/** Records what crosses between a person's own client and a server, for `learn`. */
import type { Clock } from '#protocol/time/clock.ts';
import { Recorder } from '../journal/recorder.ts';
import { Knowledge } from '../journal/secrets/knowledge.ts';
import { startProxy } from '../wire/proxy.ts';
import { type RecordedExchange, type SeenExchange, seenExchanges } from './exchange.ts';

/** Limits the exchanges that are kept. A sign-in, a link and a logout have some hundred with all pictures. */
const MAX_EXCHANGES = 5_000;

type RecordingOptions = {
  /** An address of the server, of which the origin counts. */
  server: string;
  /** The port of the recording on this machine; 0: a free one. */
  port: number;
  clock: Clock;
  say: (line: string) => void;
};

/** Begins a recording, which is kept in memory alone. Only this machine can reach it. */
export async function startRecording({ server, port, clock, say }: RecordingOptions) {
  const { origin } = new URL(server);
  const recorder = new Recorder(clock, new Knowledge('', ''), { isKept: () => false });
  const kept: RecordedExchange[] = [];
  recorder.onEntry((entry) => {
    if (entry.kind !== 'exchange') return;
    const { request, response, facts } = entry;
    if (facts.stray !== undefined) return say(`A request is refused: ${facts.stray}.`);
    const { method, path, headers, body } = request;
    const answer = response ?? { status: 0, headers: [], body: '' };
    const recorded = { startedAt: entry.at, request: { method, url: origin + path, headers, body }, answer };
    const [seen] = seenExchanges([recorded]);
    if (seen) say(lineOf(seen));
    if (kept.length < MAX_EXCHANGES) kept.push(recorded);
  });
  const proxy = await startProxy({ link: 'client->auth', target: origin, port, recorder, clock });
  return {
    /** The origin that the client uses in place of that of the server. */
    url: proxy.url,
    exchanges: (): readonly SeenExchange[] => seenExchanges(kept),
    stop() {
      recorder.stop();
      return proxy.stop();
    },
  };
}

/** One exchange in one line, without secrets and patient data: method, path and status. */
function lineOf({ request: { method, url }, answer: { status } }: SeenExchange): string {
  const path = url.pathname.split('/').map((part) => (part === '' || PATH_WORD.test(part) ? part : '…'));
  return `${method} ${path.join('/')}  ${status === 0 ? 'no answer' : status}`;
}

/** A part of a path that a programmer wrote: no capital letter as in names, few digits, and short. */
const PATH_WORD = /^(?!(.*\d){3})[a-z\d_][\w.~-]{0,23}$/;
