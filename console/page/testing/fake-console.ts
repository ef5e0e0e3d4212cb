/** For the tests of the page: the routes of the console over scripted data, and the built page. */
import { createServer, type ServerResponse } from 'node:http';
import express from 'express';
import { personaList } from '#mis-fixtures/personas.ts';
import { bind } from '#service/http/listener/ports.ts';
import { builtPage, pageHeaders } from '#service/http/pages.ts';
import type {
  Events,
  HeldSession,
  Message,
  Overview,
  Replay,
  Row,
  Snapshot,
  State,
  Time,
} from '../../api.ts';
import { onlyWithToken } from '../../server/http.ts';
import { buildConsolePage } from '../build.ts';
import {
  detailOf,
  exchange,
  linkedState,
  moment,
  pendingState,
  START,
  verdicts,
} from './scripted-exchange.ts';

/** A page in the place of the client, with its three forms one after the other. For the page's tests. */
const clientPage = `<!doctype html>
<html lang="en"><title>Client</title><meta name="viewport" content="width=device-width">
<style>body { font: 16px sans-serif; padding: 1rem; } label { display: block; margin: 2rem 0; }</style>
<main><h1>Sign in</h1>
<form id="sign-in"><label>Phone <input name="phone"></label><button>Send code</button></form></main>
<script>
  const next = {
    'sign-in': '<h1>Code</h1><form id="code"><label>Code <input name="code"></label><button>Confirm</button></form>',
    code: '<h1>Who are you?</h1><form id="who"><label>Name <input name="name"></label>' +
      '<label>Surname <input name="surname"></label><label>Born <input type="date" name="date"></label>' +
      '<label>Gender <select name="gender"><option></option><option value="0">m</option><option value="1">f</option></select></label>' +
      '<label>Phone <input name="phone"></label><button>Connect</button></form>',
  };
  document.addEventListener('submit', (event) => {
    event.preventDefault();
    document.querySelector('main').innerHTML = next[event.target.id] ?? '';
  });
</script></html>`;

type Asked = { readonly method: string; readonly path: string; readonly body: unknown };

export type FakeConsole = {
  /** The address that a demo would print. */
  readonly address: string;
  /** What the page asked for with another method than GET. */
  readonly asked: readonly Asked[];
  /** Sends an event to the page. */
  send<N extends keyof Events>(name: N, data: Events[N]): void;
  stop(): Promise<void>;
};

export type FakeOptions = {
  rows?: readonly Row[];
  state?: State;
  overview?: Partial<Overview>;
  /** What a scenario that is taken over leaves to the client. */
  held?: HeldSession;
};

const TOKEN = 'token-of-the-tests';

export async function startFakeConsole(options: FakeOptions = {}): Promise<FakeConsole> {
  const { directory } = await buildConsolePage();
  const streams = new Set<ServerResponse>();
  const asked: Asked[] = [];
  const api = scriptedApi(options);
  const app = express().disable('etag');
  builtPage(directory, pageHeaders("connect-src 'self'", "frame-src 'self'"))(app, express);
  app.get('/client/', (_request, response) => void response.send(clientPage));
  app.use('/api', onlyWithToken(TOKEN), express.json());
  app.get('/api/events', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    streams.add(response);
    response.on('close', () => streams.delete(response));
    event(response, 'overview', api.overview);
  });
  app.use('/api', ({ method, path, body }, response) => {
    const below = path.slice(1);
    if (method !== 'GET') asked.push({ method, path: below, body });
    response.json(api.answer(method, below, body));
  });

  const server = createServer(app);
  const port = await bind(server);
  return {
    address: `http://127.0.0.1:${port}/?token=${TOKEN}`,
    asked,
    send(name, data) {
      if (name === 'row') api.add(data as Row);
      for (const response of streams) event(response, name, data);
    },
    stop() {
      server.closeAllConnections();
      return new Promise((stopped) => server.close(() => stopped()));
    },
  };
}

function scriptedApi({ rows = exchange, state = pendingState, overview, held }: FakeOptions) {
  const told: Overview = { ...scriptedOverview, ...overview };
  const lists: Record<string, unknown> = { messages: rows, state, verdicts, phone: [], faults: [] };
  const snapshots = keepSnapshots(told.clock.now);
  const messages = rows.filter((row): row is Message => row.kind === 'message');
  const replay: Replay = {
    target: 'clinic-auth',
    startedAt: '2026-01-15T09:00:00.000Z',
    mode: 'scenarios',
    judged: 'auth',
    rows: exchange,
    details: Object.fromEntries(
      exchange.flatMap((row) => (row.kind === 'message' ? [[row.id, detailOf(row)]] : [])),
    ),
    verdicts,
  };
  return {
    overview: told,
    add: (row: Row) => row.kind === 'message' && messages.push(row),
    answer(method: string, path: string, body: unknown): unknown {
      if (path === 'overview') return told;
      if (path === 'moment') return method === 'GET' ? moment : told.scenario;
      if (path === 'replay') return replay;
      if (path === 'scenario') return { id: null, step: 0, phase: 'idle', ...(held && { held }) };
      if (path === 'reset') return linkedState;
      if (path.startsWith('snapshots')) return snapshots(method, path, body);
      const [, id] = /^messages\/(\d+)$/.exec(path) ?? [];
      // A message comes twice: as it leaves, and with its reply.
      const found = messages.findLast((message) => message.id === Number(id));
      if (found) return detailOf(found);
      return method === 'GET' ? lists[path] : {};
    },
  };
}

function keepSnapshots(at: Time) {
  let kept: readonly Snapshot[] = [];
  return (method: string, path: string, body: unknown) => {
    if (method === 'DELETE') kept = kept.filter(({ id }) => path !== `snapshots/${id}`);
    if (method !== 'POST' || path !== 'snapshots') return kept;
    const taken = { id: kept.length + 1, at, ...(body as { name: string }) };
    kept = [taken, ...kept];
    return taken;
  };
}

function event(response: ServerResponse, name: string, data: unknown): void {
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

export const scriptedOverview: Overview = {
  version: '0.0.0',
  seed: 7,
  addresses: {
    client: 'http://127.0.0.1:4300',
    clientFrame: '/client/',
    auth: 'http://127.0.0.1:4200',
    ehr: 'http://127.0.0.1:4100/1.0-alpha/',
  },
  clock: {
    now: START + 2_000,
    offsetMs: 0,
    skewMs: { client: 0, auth: 0, ehr: 500 },
    tokenEndsAt: START + 601_015,
    sessionEndsAt: null,
  },
  people: personaList,
  faults: [],
  faultKinds: [
    { name: 'down', title: 'The connection is refused', group: 'cut', hasDelay: false },
    { name: 'late', title: 'The reply comes late', group: 'slow', hasDelay: true },
    {
      name: 'reply-lost',
      title: 'The call is executed, and its reply is lost',
      group: 'reply-lost',
      hasDelay: false,
    },
    { name: 'refuse', title: 'The call is refused with an error', group: 'refuse', hasDelay: false },
    { name: 'not-json', title: 'The answer is a page of HTML', group: 'nonsense', hasDelay: false },
  ],
  errors: [
    { reason: 'not_authorized', code: -33_000, message: 'Not authorized.' },
    { reason: 'user_unknown', code: -34_007, message: 'No entry in the correspondence table.' },
  ],
  textTrouble: { kind: 'none', times: 1 },
  scenarios: [
    {
      id: 'first-link',
      title: 'The first link',
      sentence: 'Anna signs in, is asked who she is, and her session is linked to her record.',
      steps: ['Anna signs in', 'Anna asks for an exchange token', 'Anna says who she is'],
    },
    {
      id: 'token-ends',
      title: 'Exchange token at 9:59.999',
      sentence: 'The token works for ten minutes, and not a millisecond longer.',
      steps: ['Anna signs in', 'The clock moves', 'Anna says who she is'],
    },
  ],
  scenario: { id: null, step: 0, phase: 'idle' },
  alarm: null,
};
