import { expect, test } from 'vitest';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { no } from '../../../engine/defects/rpc-call.ts';
import {
  AUTHENTICATE,
  before,
  instead,
  internalCred,
  matchesOnlyIf,
  propertiesIn,
  SAVES,
} from '../defects/changes.ts';
import { ehrHarmless } from '../defects/harmless.ts';
import { dayIn, HOUR_MS, without } from '../defects/linking.ts';
import { inResponses } from '../defects/message-changes.ts';
import { secretOf } from '../defects/other-users.ts';
import { type EhrChange, INTERNAL, onServed } from '../self-test/serve.ts';
import { examineEhr } from './doctor.ts';

const examinedEhr = (change: EhrChange, clock?: Clock) =>
  onServed(change, { ...(clock && { clock }) }, (run) => examineEhr(run, () => undefined));

/** Longer timers never ring, so that a busy machine ends no call. */
const MAX_REAL_MS = 400;

/** Calls take no time by this clock: the pace of a busy machine is not seen. */
const CALM: Clock = {
  now: () => 0,
  after: (ms, ring) => (ms < MAX_REAL_MS ? systemClock.after(ms, ring) : () => undefined),
};

async function said(change: EhrChange, clock?: Clock) {
  const diagnoses = await examinedEhr(change, clock);
  return Object.fromEntries(diagnoses.map(({ id, ok, found }) => [id, `${ok ? 'ok' : 'not'}: ${found}`]));
}

/** Makes a server that takes this wrong digest for the right one, and refuses all others. */
const acceptsOnly = (wrongDigest: (secret: string) => string) =>
  before(SAVES, async (turn) => {
    const secret = (await secretOf(turn)) ?? '';
    const isTaken = turn.cred.token === wrongDigest(secret);
    return { ...turn.call, cred: internalCred(turn.parts, isTaken ? secret : 'another secret') };
  });

const WRONG_DIGESTS = {
  'the secret first': (secret: string) => digest(secret, INTERNAL.password),
  'with the password without its letters beyond ASCII': (secret: string) =>
    digest(INTERNAL.password.replace(/\P{ASCII}/gu, ''), secret),
};

test('a right server is in order', async () => {
  expect(await said({}, CALM)).toEqual({
    endpoint: expect.stringMatching(/^ok: http:/),
    pace: 'ok: 0 ms a call, several calls at a time',
    'internal-channel': 'ok: an exchange token was saved',
    patients: 'ok: 6 of 6',
  });
});

test('a server that serves one call at a time is told so', async () => {
  const inTurn = ehrHarmless.find(({ id }) => id === 'requests-in-turn') ?? {};
  expect(await said(inTurn)).toMatchObject({
    pace: expect.stringContaining('one call at a time'),
    patients: 'ok: 6 of 6',
  });
});

test.each(Object.entries(WRONG_DIGESTS))(
  'a wrong digest is told, and the kit prepares its checks by it: %s',
  async (way, wrongDigest) => {
    const found = await said(acceptsOnly(wrongDigest));
    expect(found['internal-channel']).toMatch(/^ok: the digest is refused, /);
    expect(found['internal-channel']).toContain(`: ${way}. This`);
    expect(found.patients).toBe('ok: 6 of 6');
  },
);

test('a wrong password is a fault of the set-up', async () => {
  const internal = { ...INTERNAL, password: 'another password', insecureLiteral: true };
  const found = await said({ settings: { internal } });
  expect(found['internal-channel']).toMatch(/^not: save_exchange_token was answered: it was refused/);
  expect(found.patients).toBeUndefined();
});

test('a gender that is refused is told, and the kit leaves it out', async () => {
  const refuses = instead(AUTHENTICATE, (turn) =>
    propertiesIn(turn).gender === undefined ? undefined : no('invalid_params'),
  );
  const found = await said(refuses);
  expect(found.patients).toMatch(/^ok: 6 of 6; some only without the gender \(whole: .*invalid_params/);
});

test('a shifted day of birth is told, and the kit sends noon', async () => {
  const found = await said(matchesOnlyIf(dayIn(-3 * HOUR_MS)));
  expect(found.patients).toMatch(/^ok: 6 of 6; some only .*noon/);
});

test('a name that is ignored is told by the two who differ in it', async () => {
  const { patients } = await said(without('name'));
  expect(patients).toMatch(/^ok: 4 of 6; person 2, 3 .*Persons 2 and 3 differ in name alone/);
});

test('patients who are not there are a fault of the set-up', async () => {
  const found = await said({ patients: () => [] });
  expect(found.patients).toMatch(/^not: 0 of 6; person 1, 2, 3, 4, 5, 6 .*patient_not_matched/);
});

test('a body that is cut short is a fault of the server', async () => {
  const found = await said(inResponses(({ body }) => ({ body: body.slice(0, -3) })));
  expect(found.endpoint).toMatch(/^ok: .* is not JSON: .*cut off.*fault of the server/);
  expect(found.patients).toMatch(/^ok: .*save an exchange token.*fault of the server/);
});

test('a page that is no JSON-RPC is a fault of the set-up', async () => {
  const found = await said(inResponses(() => ({ body: '<html>' })));
  expect(found).toEqual({ endpoint: expect.stringMatching(/^not: .* is not JSON: it is HTML/) });
});

const NOT_FOUND = { status: 404, body: '{"error":"not found"}' };

test('an address that answers 404 to all calls lacks the version segment', async () => {
  const [endpoint, ...others] = await examinedEhr(inResponses(() => NOT_FOUND));
  expect(endpoint).toMatchObject({
    ok: false,
    remedy: expect.stringMatching(/server\.url .*version segment/),
  });
  expect(others).toEqual([]);
});

test('an internal channel that answers 404 is a wrong address, not a wrong password', async () => {
  const notFound = inResponses(() => NOT_FOUND).http;
  const diagnoses = await examinedEhr({
    http: (listener, channel) => (channel === 'internal' && notFound?.(listener, channel)) || listener,
  });
  const { ok, found, remedy } = diagnoses.at(-1) ?? {};
  expect(ok).toBe(false);
  expect(found).toMatch(/HTTP 404, at http:/);
  expect(remedy).toMatch(/give internalUrl .*version segment/);
});

test('an answer that breaks off sends the user to the log of the server', async () => {
  const [endpoint] = await examinedEhr({ http: () => (request) => void request.socket.destroy() });
  expect(endpoint).toMatchObject({ ok: false, remedy: expect.stringContaining('log of the server') });
});

test('a server that falls silent is told apart from one that is absent', async () => {
  let calls = 0;
  const found = await said({
    // Only the first call is answered.
    http: (listener) => (request, response) => void (calls++ === 0 && listener(request, response)),
    settings: { internalUrl: undefined, timeouts: { callMs: 150 } },
  });
  expect(found['internal-channel']).toMatch(/^not: .*timeout.*; the server answered calls before/);
});
