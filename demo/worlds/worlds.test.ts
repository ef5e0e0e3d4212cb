/** Many worlds in one process: nothing of one is in another, over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Addresses, Message, MessageDetail, Overview, Row, State, TextMessage } from '#console/api.ts';
import type { Consoles } from '#console/server/open-console.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { runProgram } from '#testing/programs/use-program.ts';
import { CONSOLE_FILE, writeDemoFile } from '../prepare/demo-file.ts';
import { portProblem } from '../prepare/ports.ts';
import { portsOfWorlds } from '../settings.ts';
import { portsOfWorld } from './setup.ts';
import { startWorlds } from './start-worlds.ts';

const COUNT = 50;
/** How many of them play at the same time: enough to show a mixture, which needs two. */
const PLAYING = 8;
/** Each of them starts nine listeners and plays a flow. */
const TIMEOUT_MS = 120_000;
const names = Array.from({ length: COUNT }, (_, index) => `colleague-${index + 1}`);
const READ = 'patient.get_patient';
const [first, second] = names as [string, string];

let folder: string;
let worlds: Consoles;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'worlds-'));
  const misDatabase = join(folder, 'population.sqlite');
  await writePopulation({ file: misDatabase, patients: 0, seed: 7, locales: ['en'] });
  const pagePort = await freePagePort();
  worlds = await startWorlds({
    worlds: names.map((name, index) => ({
      name,
      token: tokenOf(name),
      ports: portsOfWorld(pagePort, index),
    })),
    pagePort,
    pageDirectory: folder,
    misDatabase,
    internalUser: 'auth-server',
    internalPassword: 'internal-password',
    seed: 7,
    logLevel: 'silent',
  });
}, TIMEOUT_MS);

afterAll(async () => {
  await worlds?.stop();
  rmSync(folder, { recursive: true, force: true });
}, TIMEOUT_MS);

/** Returns a free port with free ports after it, below those that systems give out. */
async function freePagePort(): Promise<number> {
  for (let port = 10_000 + (process.pid % 50) * 250; ; port += 250) {
    const needed = portsOfWorlds({ worlds: names, consolePort: port });
    if ((await portProblem(needed)) === undefined) return port;
  }
}

function tokenOf(name: string): string {
  return `token-of-${name}`;
}

async function ask<T>(
  name: string,
  method: string,
  path: string,
  body?: unknown,
  token = tokenOf(name),
): Promise<T> {
  const response = await fetch(`${worlds.url}/w/${name}/api/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as T;
  if (!response.ok) throw new Error(`${path} of ${name}: HTTP ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const get = <T>(name: string, path: string) => ask<T>(name, 'GET', path);
const totals = ({ tables }: State) => tables.map(({ total }) => total);

async function playFirstLink(name: string): Promise<void> {
  for (let made = 0; made < 6; made++)
    await ask(name, 'POST', 'scenario', { do: 'step', ...(made === 0 && { id: 'first-link' }) });
}

/** Everything that a world tells of itself. */
async function allOf(name: string) {
  const [overview, rows, state, phone, faults, snapshots] = await Promise.all([
    get<Overview>(name, 'overview'),
    get<Row[]>(name, 'messages?secrets=show'),
    get<State>(name, 'state'),
    get<TextMessage[]>(name, 'phone'),
    get<unknown[]>(name, 'faults'),
    get<unknown[]>(name, 'snapshots'),
  ]);
  return { overview, rows, state, phone, faults, snapshots };
}

test('what happens in one of fifty worlds is in no other', { timeout: TIMEOUT_MS }, async () => {
  await Promise.all(names.map((name) => ask(name, 'POST', 'reset')));
  await playFirstLink(second);
  await ask(second, 'POST', 'snapshots', { name: 'linked' });
  await ask(second, 'POST', 'clock', { advanceMs: 86_400_000 });
  await ask(second, 'POST', 'clock', { party: 'client', skewMs: 5_000 });
  await ask(second, 'POST', 'faults', { wire: 'auth->ehr', fault: 'down', times: 'untilOff' });

  const own = await allOf(second);
  expect(own.rows.filter(({ kind }) => kind === 'message')).toHaveLength(9);
  expect(totals(own.state)).toEqual([0, 1, 1, 1, 1]);
  expect([own.phone.length, own.faults.length, own.snapshots.length]).toEqual([1, 1, 1]);
  const others = await Promise.all(names.filter((name) => name !== second).map(allOf));
  for (const { overview, rows, state, phone, faults, snapshots } of others) {
    expect([rows, phone, faults, snapshots]).toEqual([[], [], [], []]);
    expect(totals(state)).toEqual([0, 0, 0, 0, 0]);
    expect(Math.abs(overview.clock.offsetMs)).toBeLessThan(1_000);
    expect(overview.clock.skewMs).toEqual({ client: 0, auth: 0, ehr: 0 });
    expect(overview.scenario).toEqual({ id: null, step: 0, phase: 'idle' });
  }
});

test('worlds that play the same flow at once have sessions of their own', {
  timeout: TIMEOUT_MS,
}, async () => {
  const players = names.slice(0, PLAYING);
  await Promise.all(players.map((name) => ask(name, 'POST', 'reset')));
  await Promise.all(players.map(playFirstLink));
  const all = await Promise.all(players.map(allOf));
  for (const { overview, rows, state } of all) {
    expect(overview.scenario).toMatchObject({ phase: 'done' });
    expect(rows.filter(({ kind }) => kind === 'message')).toHaveLength(9);
    expect(totals(state)).toEqual([0, 1, 1, 1, 1]);
  }
  const rowIds = all.map(({ state }) => state.tables.find(({ table }) => table === 'sessions')?.rows[0]?.id);
  expect(new Set(rowIds).size).toBe(PLAYING);
  for (const part of ['client', 'clientFrame', 'auth', 'ehr'] satisfies (keyof Addresses)[])
    expect(new Set(worlds.worlds.map(({ addresses }) => addresses[part])).size).toBe(COUNT);
  // Anna is linked in each of them: a session of one world opens nothing in another.
  const [one, other] = all as [(typeof all)[0], (typeof all)[0]];
  const { id } = one.rows.find(
    (row): row is Message => row.kind === 'message' && row.method === READ,
  ) as Message;
  const { request } = await get<MessageDetail>(first, `messages/${id}?secrets=show`);
  const { cred } = JSON.parse(request.body);
  const read = async (url: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: READ, params: {}, cred });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    return (await response.json()) as { result?: object; error?: { data: { reason: string } } };
  };
  expect((await read(one.overview.addresses.ehr)).result).toBeDefined();
  expect((await read(other.overview.addresses.ehr)).error?.data.reason).toBe('not_authorized');
});

test('npm run clock moves the world that is named, or lists them', { timeout: TIMEOUT_MS }, async () => {
  const data = mkdtempSync(join(folder, 'data-'));
  const addresses = names.map((name) => [name, `${worlds.url}/w/${name}/?token=${tokenOf(name)}`]);
  writeDemoFile(join(data, CONSOLE_FILE), { worlds: Object.fromEntries(addresses) });
  await Promise.all([first, second].map((name) => ask(name, 'POST', 'reset')));
  await ask(second, 'POST', 'clock', { party: 'auth', skewMs: 5_000 });
  const before = Date.now();
  const moved = await clock('--data', data, '--world', second, 'advance', '10m');
  const minutes = moved.text
    .trim()
    .split('\n')
    .map((line) => [Date.parse(line.slice(0, 24)) - before, line.slice(26)]);
  expect(minutes.map(([ms, server]) => [Math.floor(Number(ms) / 60_000), server])).toEqual([
    [10, 'the EHR server'],
    [10, 'the authorization server'],
  ]);
  expect(Number(minutes[1]?.[0]) - Number(minutes[0]?.[0])).toBe(5_000);
  expect(Math.abs((await get<Overview>(first, 'overview')).clock.offsetMs)).toBeLessThan(1_000);
  const unnamed = await clock('--data', data, 'show');
  expect(unnamed.code).toBe(1);
  expect(unnamed.text).toContain(`one of the worlds of this demo with --world: ${first}, ${second},`);
});

/** Runs `npm run clock` with these words. */
const clock = (...words: string[]) =>
  runProgram(['--import', 'tsx', 'demo/commands/clock.ts', ...words], { cwd: root });

test('a world opens by its own token alone, to no other page', async () => {
  const statusOf = async (name: string, origin?: string) => {
    const headers = {
      Authorization: `Bearer ${tokenOf(name)}`,
      ...(origin !== undefined && { Origin: origin }),
    };
    return (await fetch(`${worlds.url}/w/${second}/api/overview`, { headers })).status;
  };
  expect(await statusOf(first)).toBe(401);
  expect(await statusOf(second)).toBe(200);
  expect(await statusOf(second, worlds.worlds[1]?.addresses.client)).toBe(403);
});

test('an address without a known world answers with the names', async () => {
  const read = async (path: string, accept: string) => {
    const response = await fetch(worlds.url + path, { headers: { Accept: accept } });
    return { status: response.status, text: await response.text() };
  };
  for (const path of ['/w/nobody', '/w/nobody/', '/w/nobody/api/overview', '/w/']) {
    const page = await read(path, 'text/html,*/*');
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.text).toContain(`<a href="/w/${second}/">${second}</a>`);
    expect(page.text).not.toContain('nobody');
    const told = await read(path, 'application/json');
    expect(JSON.parse(told.text)).toMatchObject({ error: { reason: 'world_unknown', worlds: names } });
  }
  expect(await read('/', 'text/html')).toMatchObject({
    status: 200,
    text: expect.stringContaining(`/w/${first}/`),
  });
  expect((await read('/elsewhere', '*/*')).status).toBe(404);
});
