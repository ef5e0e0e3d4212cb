import { expect, test } from 'vitest';
import type {
  LiveVerdict,
  Message,
  MessageDetail,
  Moment,
  Row,
  State,
  StateRow,
  StateTable,
} from '../api.ts';
import { startConsole, TOKEN } from './testing/start-console.ts';

const messagesIn = (rows: readonly Row[]) => rows.filter((row): row is Message => row.kind === 'message');
const tableOf = ({ tables }: State, party: StateTable['party'], name: StateTable['table']) =>
  tables.find((table) => table.party === party && table.table === name)?.rows ?? [];

test('a first link crosses three wires, is judged, and shows what changed', async () => {
  const { events, get, post } = await startConsole();
  const stream = await events();
  expect((await stream.until('overview')).scenario.phase).toBe('idle');
  // What each step changed is read before the next one: of calls that come at once it is read together.
  for (let phase = 'idle', made = 0; phase !== 'done'; made++) {
    ({ phase } = await post<{ phase: string }>('/api/scenario', {
      do: 'step',
      ...(made === 0 && { id: 'first-link' }),
    }));
    await get<State>('/api/state');
  }
  const rows = await get<Row[]>('/api/messages');
  expect(
    messagesIn(rows).map(({ wire, method, outcome, person }) => [wire, method, outcome, person].join(' ')),
  ).toEqual([
    ...['client->auth auth.request_otp done anna', 'client->auth auth.confirm_otp done anna'],
    ...['client->ehr patient.get_patient refused anna', 'client->auth auth.exchange_token done anna'],
    'auth->ehr embedded_storage.save_exchange_token done anna',
    ...['client->ehr embedded_storage.authenticate done anna', 'client->auth auth.report_link done anna'],
    ...['auth->ehr embedded_storage.save_auth_info done anna', 'client->ehr patient.get_patient done anna'],
  ]);
  expect(rows.find((row) => row.kind === 'remark')).toMatchObject({
    text: expect.stringMatching(/^Anna signs in/),
  });
  const save = messagesIn(rows).find(({ method }) => method.endsWith('save_exchange_token')) as Message;
  expect(save).toMatchObject({ from: 'auth', to: 'ehr', clause: '§4.2', summary: 'exchangeToken, authInfo' });

  await stream.until('state', (told) => tableOf(told, 'ehr', 'sessions').length === 1);
  const verdict = await stream.until(
    'verdict',
    ({ clause, evidence }) => clause.includes('§5.2') && evidence.includes(save.id),
  );
  expect(verdict).toMatchObject({ outcome: 'pass', message: save.id });
  const failed = (await get<LiveVerdict[]>('/api/verdicts')).filter(({ outcome }) => outcome !== 'pass');
  expect(failed).toEqual([]);

  const detail = await get<MessageDetail>(`/api/messages/${save.id}`);
  expect(detail.changes).toMatchObject([{ party: 'ehr', table: 'exchangeTokens', how: 'added' }]);
  expect(detail.verdicts.map(({ clause }) => clause)).toContain(verdict.clause);
  const isSigned = (row?: StateRow) => row?.signOnRecord === true && row.changedBy !== undefined;
  const state = await stream.until('state', (told) => isSigned(tableOf(told, 'auth', 'correspondence')[0]));
  expect(tableOf(state, 'ehr', 'links')).toMatchObject([{ person: 'anna', patient: 'p-anna' }]);
  expect(tableOf(state, 'ehr', 'sessions')).toMatchObject([
    { token: '‹session-token 1›', changedBy: expect.any(Number) },
  ]);
});

test('secrets and patient data are masked until they are asked for in clear', async () => {
  const { events, get, post, world } = await startConsole();
  const masked = await events();
  const clear = await events('&secrets=show');
  await post('/api/scenario', { do: 'play', id: 'first-link' });
  await clear.until('scenario', ({ phase }) => phase === 'done');
  const rows = messagesIn(await get<Row[]>('/api/messages'));
  const details = await Promise.all(rows.map(({ id }) => get<MessageDetail>(`/api/messages/${id}`)));
  const shown = await Promise.all(
    rows.map(({ id }) => get<MessageDetail>(`/api/messages/${id}?secrets=show`)),
  );
  const ofMethod = (name: string, all = shown) => all.find(({ method }) => method === name);
  const confirmed = ofMethod('auth.confirm_otp');
  const authenticated = ofMethod('embedded_storage.authenticate');
  const { authInfo } = JSON.parse(confirmed?.reply?.body ?? '').result;
  const { exchangeToken, patientProperties } = JSON.parse(authenticated?.request.body ?? '').params;
  const userSign = JSON.parse(authenticated?.reply?.body ?? '').result.user_sign;
  const code = world.auth.latestMessage('79990000001')?.code as string;
  const run = await get<unknown>('/api/run.json');
  const state = await get<State>('/api/state');
  // A text has the code in clear, as a phone shows it, and the overview the people of the demo.
  const heardMasked = masked.heard.filter(({ name }) => name !== 'text' && name !== 'overview');
  const told = JSON.stringify([rows, details, run, state, heardMasked]);
  for (const secret of [authInfo.token, exchangeToken, userSign, code, patientProperties.surname])
    expect(told).not.toContain(secret);
  expect(JSON.stringify(shown)).toContain(patientProperties.surname);
  const saved = ofMethod('embedded_storage.save_exchange_token', details);
  expect(saved?.curl).toContain("curl -X POST 'http://127.0.0.1:");
});

test('nobody without the token, from another page or by another name is answered', async () => {
  const { url, addresses } = await startConsole();
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(url + path, { headers })).status;
  expect(await status('/api/overview', {})).toBe(401);
  expect(await status('/api/overview', { Authorization: 'Bearer wrong' })).toBe(401);
  expect(await status('/api/events?token=wrong', {})).toBe(401);
  expect(await status(`/api/overview?token=${TOKEN}`, {})).toBe(200);
  expect(await status(`/api/overview?token=${TOKEN}`, { Origin: 'http://evil.example' })).toBe(403);
  expect(await status(`/api/overview?token=${TOKEN}`, { Origin: addresses.client })).toBe(403);
  expect(await status(`/api/overview?token=${TOKEN}`, { Origin: url })).toBe(200);
  const { request } = await import('node:http');
  const foreign = await new Promise((resolve) => {
    request(`${url}/api/overview?token=${TOKEN}`, { headers: { Host: 'evil.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(foreign).toBe(403);
});

const TOO_LONG_MS = 366 * 86_400_000 + 1;
const long = 'x'.repeat(101);
const down = { wire: 'client->ehr', fault: 'down' };

const bodies: readonly [path: string, body: unknown, refusal: string][] = [
  ['clock', {}, 'the body: Invalid input'],
  ['clock', { advanceMs: TOO_LONG_MS }, 'advanceMs: Too big'],
  ['clock', { to: 'beforeTokenEnd', advanceMs: 1 }, 'the body: Invalid input'],
  ['clock', { party: 'sms', skewMs: 0 }, 'the body: Invalid input'],
  ['faults', { ...down, wire: 'client->sms' }, 'wire: Invalid option'],
  ['faults', { ...down, more: 1 }, 'the body: Unrecognized key: "more"'],
  ['faults', { ...down, times: 0 }, 'times: Too small'],
  ['faults', { ...down, times: 1_000_001 }, 'times: Too big'],
  ['faults', { ...down, delayMs: 3_600_001 }, 'delayMs: Too big'],
  ['faults', { ...down, delayMs: -1 }, 'delayMs: Too small'],
  ['faults', { ...down, method: '' }, 'method: Too small'],
  ['faults', { ...down, fault: long }, 'fault: Too big'],
  ['faults', { ...down, reason: null }, 'reason: Invalid input: expected string'],
  ['text-trouble', { kind: 'eaten', times: 1 }, 'kind: Invalid option'],
  ['text-trouble', { kind: 'lost' }, 'times: Invalid input'],
  ['text-trouble', { kind: 'lost', times: 1, more: 1 }, 'the body: Unrecognized key: "more"'],
  ['scenario', { do: 'jump' }, 'do: Invalid option'],
  ['scenario', { do: 'play', id: long }, 'id: Too big'],
  ['scenario', { do: 'play', paceMs: 60_001 }, 'paceMs: Too big'],
  ['scenario', { do: 'step', more: 1 }, 'the body: Unrecognized key: "more"'],
  ['snapshots', { name: '' }, 'name: Too small'],
  ['snapshots', { name: long }, 'name: Too big'],
  ['snapshots', { name: 'a', more: 1 }, 'the body: Unrecognized key: "more"'],
];

const moments: readonly [change: object, refusal: string][] = [
  [{ version: 2 }, 'version: Invalid input: expected 1'],
  [{ step: 101 }, 'step: Too big'],
  [{ movedMs: -TOO_LONG_MS }, 'movedMs: Too small'],
  [{ skewMs: { client: 0 } }, 'skewMs.auth: Invalid input'],
  [{ faults: Array.from({ length: 51 }, () => down) }, 'faults: Too big'],
  [{ faults: [{ ...down, times: 0 }] }, 'faults.0.times: Too small'],
  [{ scenario: long }, 'scenario: Too big'],
  [{ more: 1 }, 'the body: Unrecognized key: "more"'],
];

test('a strange member, type or value is refused, and its place is named', async () => {
  const { ask, get } = await startConsole();
  const now = await get<Moment>('/api/moment');
  const ofMoment = moments.map(([change, refusal]) => ['moment', { ...now, ...change }, refusal] as const);
  for (const [path, body, refusal] of [...bodies, ...ofMoment]) {
    const message = expect.stringMatching(new RegExp(`^Please look at ${refusal}`));
    expect(await ask('POST', `/api/${path}`, body)).toEqual({
      status: 400,
      body: { error: { reason: 'invalid', message } },
    });
  }
  expect(await get('/api/moment')).toEqual(now);
});

test('what is not possible, or not there, is refused with its status', async () => {
  const { ask } = await startConsole();
  for (const [method, path, body, status, reason, message] of [
    ['POST', 'clock', { to: 'afterSessionEnd' }, 409, 'not_possible', /^The EHR server holds no session/],
    ['POST', 'scenario', { do: 'step' }, 409, 'not_possible', /^No scenario is chosen/],
    ['POST', 'faults', { ...down, fault: 'flood' }, 409, 'not_possible', /^"flood" is no fault/],
    ['POST', 'faults', { ...down, fault: 'refuse' }, 409, 'not_possible', /and none was given\.$/],
    ['DELETE', 'faults/9', undefined, 404, 'not_found', /^No fault of this id is armed/],
    ['POST', 'snapshots/7/restore', undefined, 404, 'not_found', /^There is no such snapshot/],
    ['DELETE', 'snapshots/7', undefined, 404, 'not_found', /^There is no such snapshot/],
    ['GET', 'messages/9', undefined, 404, 'not_found', /^There is no such message/],
    ['GET', 'messages/9/har', undefined, 404, 'not_found', /^There is no such message/],
    ['GET', 'elsewhere', undefined, 404, 'not_found', /^The console has no such route/],
  ] as const)
    expect(await ask(method, `/api/${path}`, body)).toEqual({
      status,
      body: { error: { reason, message: expect.stringMatching(message) } },
    });
});
