/** Starts the console in front of a world, as the demo does, whose servers keep what they hold in memory. */
import { onTestFinished } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { createLog } from '#service/process/log.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { type ControlledWorld, useControlledWorld } from '#testing/worlds/use-world.ts';
import type { WorldOptions } from '#testing/worlds/world.ts';
import type { Events, LiveVerdict } from '../../api.ts';
import { openConsole } from '../open-console.ts';
import { Actor } from '../scenarios/actor.ts';

export const TOKEN = 'control-token';

type ConsoleJson = Record<string, unknown>;

/** Settings of the parties, a wrong authorization server, or another EHR server for clients. */
type ConsoleParties = Pick<WorldOptions, 'env' | 'startWrongAuth'> & { ehrUrl?: string };

/** The console, and ways to ask it. `waits` counts the waits between the steps of a scenario. */
export async function startConsole(
  clientUrl = 'http://127.0.0.1:9',
  given: ConsoleParties = {},
  waits: Pick<Clock, 'after'> = systemClock,
) {
  const { ehrUrl, ...parts } = given;
  const world = await useControlledWorld(parts);
  const startedAt = world.clock.now();
  // The world's clock stands still but for moves: the console's does, too.
  const machineClock: Clock = { now: () => startedAt, after: waits.after };
  const opened = await openConsole(
    { ...SETTINGS, parties: partiesOf(world, clientUrl, ehrUrl), machineClock },
    createLog('console', 'silent'),
  );
  onTestFinished(() => opened.stop());
  world.proxies.authToEhr.retarget(opened.internalUrl);
  await opened.watch();
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(opened.url + path, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as never };
  };
  return {
    ...opened,
    world,
    get: async <T>(path: string): Promise<T> => (await ask('GET', path)).body,
    post: async <T = ConsoleJson>(path: string, body: unknown = {}): Promise<T> =>
      (await ask('POST', path, body)).body,
    ask,
    /** Opens the event stream. It is closed at the end of the test. */
    events: (query = '') => openStream(`${opened.url}/api/events?token=${TOKEN}${query}`),
  };
}

const SETTINGS = {
  page: { port: 0 },
  ports: { ehr: 0, internal: 0, auth: 0 },
  apiVersion: '1.0-alpha',
  internalUser: INTERNAL_USER,
  internalPassword: INTERNAL_PASSWORD,
  token: TOKEN,
  seed: 7,
  version: '0.0.0',
};

function partiesOf(
  { ehr, auth, ehrControl, authControl }: ControlledWorld,
  client: string,
  ehrUrl = ehr.url,
) {
  const controls = { ehrControl: ehrControl.url, authControl: authControl.url };
  return { ehr: ehrUrl, internal: ehr.internalUrl, auth: auth.url, client, ...controls };
}

type Heard = { [Name in keyof Events]: { name: Name; data: Events[Name] } }[keyof Events];

async function openStream(url: string) {
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal });
  onTestFinished(() => abort.abort());
  const heard: Heard[] = [];
  let wake: () => void = () => undefined;
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
        if (name !== undefined) heard.push({ name, data: JSON.parse(data) } as Heard);
      }
      wake();
    }
  };
  read().catch(() => undefined);
  return {
    heard,
    async until<Name extends keyof Events>(name: Name, fits: (data: Events[Name]) => boolean = () => true) {
      for (;;) {
        const found = heard.find((event) => event.name === name && fits(event.data as Events[Name]));
        if (found) return found.data as Events[Name];
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

export type Demo = Awaited<ReturnType<typeof startConsole>>;

export async function redOf({ get }: Demo): Promise<string[]> {
  const verdicts = await get<LiveVerdict[]>('/api/verdicts');
  return verdicts
    .filter(({ outcome }) => outcome !== 'pass')
    .map(({ check, blame, actual }) => `${check}, ${blame}: ${actual}`);
}

export function actorIn({ addresses, world }: Demo, name: keyof typeof personas = 'anna'): Actor {
  return new Actor(personas[name], {
    fetch,
    authUrl: `${addresses.auth}/`,
    ehrEndpoint: addresses.ehr,
    internal: { endpoint: world.ehr.internalUrl, user: INTERNAL_USER, password: INTERNAL_PASSWORD },
    outboxUrl: world.auth.url,
    advance: async () => undefined,
    arm: () => undefined,
  });
}

export async function link(actor: Actor): Promise<void> {
  await actor.signIn();
  await actor.takeExchangeToken();
  await actor.authenticate();
  await actor.reportLink();
}

/** Sends a call to a party. Status 0: the connection broke. */
export const send = (url: string, call: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: {}, ...call }),
  }).then(
    async (response) => ({ status: response.status, body: await response.text() }),
    () => ({ status: 0, body: '' }),
  );
