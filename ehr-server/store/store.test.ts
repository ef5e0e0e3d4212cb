import { expect } from 'vitest';
import { hashToken } from '#protocol/wire/secrets.ts';
import { onEachEngine } from '#testing/on-each-engine.ts';
import {
  attempt,
  auditLines,
  link,
  MINUTE_MS,
  NOW,
  saveToken,
  session,
  TEN_MINUTES_MS,
  use,
} from '#testing/store-steps.ts';
import type { Store } from './store.ts';

const test = onEachEngine();
const HOUR_MS = 60 * MINUTE_MS;

const linkOfU = { user: 'u', patientId: 'p', userSign: 'sign-p' };

/** The engines give hashes as arrays of bytes or as buffers. */
const bytesAsArrays = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (_name, member) =>
      member?.type === 'Buffer'
        ? Object.values(member.data)
        : member instanceof Uint8Array
          ? [...member]
          : member,
    ),
  );

const save = (store: Store, user: string, token: string, userSign: string, now = NOW, mayRecord = true) =>
  store.saveSession(session(user, token), userSign, now, mayRecord);

test('what the store holds is listed, without what has ended, and without signatures', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await link(store, 'v', 'q', 't-v', NOW + MINUTE_MS);
  await save(store, 'u', 't-2', 'sign-p');
  await store.removeSession(hashToken('t-2'), 'u', NOW);
  await saveToken(store, 'x', 'u', 't-3');
  await saveToken(store, 'y', 'v', 't-4', NOW + MINUTE_MS);
  await store.countFailure(attempt('x'));
  const sessions = [
    { tokenHash: hashToken('t-v'), user: 'v', patientId: 'q', expiresAt: NOW + HOUR_MS + MINUTE_MS },
    { tokenHash: hashToken('t'), user: 'u', patientId: 'p', expiresAt: NOW + HOUR_MS },
  ];
  const exchangeTokens = [
    { hash: hashToken('y'), user: 'v', expiresAt: NOW + TEN_MINUTES_MS + MINUTE_MS, failures: 0 },
    { hash: hashToken('x'), user: 'u', expiresAt: NOW + TEN_MINUTES_MS, failures: 1 },
  ];
  const links = [
    { user: 'u', patientId: 'p' },
    { user: 'v', patientId: 'q' },
  ];
  expect(bytesAsArrays(await store.contents(9))).toEqual(bytesAsArrays({ sessions, exchangeTokens, links }));
  expect(bytesAsArrays(await store.contents(1))).toEqual(
    bytesAsArrays({
      sessions: sessions.slice(0, 1),
      exchangeTokens: exchangeTokens.slice(0, 1),
      links: links.slice(0, 1),
    }),
  );
  await store.removeUser(hashToken('t'), 'u', NOW);
  expect(await store.contents(9)).toMatchObject({ sessions: [{ user: 'v' }], links: [{ user: 'v' }] });
});

test('a session is saved for a linked user with the link’s signature', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await link(store, 'v', 'q', 't-v');
  expect(await save(store, 'nobody', 't-2', 'sign-p')).toEqual({ refused: 'user_unknown' });
  expect(await save(store, 'u', 't-2', 'sign-q')).toEqual({ refused: 'user_unknown' });
  expect(await store.findSession(hashToken('t-2'))).toBeUndefined();
  expect(await save(store, 'u', 't-2', 'sign-p')).toEqual({ id: 'r-t-2' });
  expect(await store.findSession(hashToken('t-2'))).toEqual({ link: linkOfU, expiresAt: NOW + HOUR_MS });
});

test('a token is saved once, whatever became of its session', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await link(store, 'v', 'q', 't-v');
  await save(store, 'u', 't-2', 'sign-p');
  const refused = { refused: 'token_already_stored' };
  expect(await save(store, 'u', 't-2', 'sign-p')).toEqual(refused);
  expect(await save(store, 'v', 't-2', 'sign-q')).toEqual(refused);
  expect(await save(store, 'u', 't-2', 'sign-p', NOW + 2 * HOUR_MS)).toEqual(refused);
  await store.removeSession(hashToken('t-2'), 'u', NOW);
  expect(await save(store, 'u', 't-2', 'sign-p')).toEqual(refused);
});

test('the session that authenticate stored is recorded once, under the id that it has', async ({ open }) => {
  const store = await open();
  await saveToken(store, 'x', 'u', 't');
  await use(store, 'x', 'p');
  expect(await save(store, 'u', 't', 'sign-p')).toEqual({ id: 'r-x' });
  expect(await save(store, 'u', 't', 'sign-p')).toEqual({ refused: 'token_already_stored' });
  expect(await store.findSession(hashToken('t'))).toEqual({ link: linkOfU, expiresAt: NOW + HOUR_MS });
});

test('an unfit session is not recorded: of another, ended, or not allowed', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await link(store, 'v', 'q', 't-v');
  const refused = { refused: 'token_already_stored' };
  expect(await save(store, 'v', 't', 'sign-q')).toEqual(refused);
  expect(await save(store, 'u', 't', 'sign-p', NOW + HOUR_MS)).toEqual(refused);
  expect(await save(store, 'u', 't', 'sign-p', NOW, false)).toEqual(refused);
  await link(store, 'u', 'p', 't-2');
  await store.removeSession(hashToken('t-2'), 'u', NOW);
  expect(await save(store, 'u', 't-2', 'sign-p')).toEqual(refused);
  expect(await save(store, 'u', 't', 'sign-p', NOW + HOUR_MS - 1)).toMatchObject({ id: expect.any(String) });
});

test('an exchange token is stored once, whatever session it is for', async ({ open }) => {
  const store = await open();
  expect(await saveToken(store, 'x', 'u', 't')).toEqual({ id: 'x-r-t' });
  expect(await saveToken(store, 'x', 'v', 't-2')).toEqual({ refused: 'exchange_token_already_stored' });
  await use(store, 'x', 'p');
  // Both reasons apply; the exchange token is reported first.
  expect(await saveToken(store, 'x', 'v', 't')).toEqual({ refused: 'exchange_token_already_stored' });
  expect(await saveToken(store, 'y', 'v', 't')).toEqual({ refused: 'token_already_stored' });
  expect(await store.refusalOf(attempt('y'))).toBe('exchange_token_unknown');
});

test('an exchange token may be for one’s own live session, or an ended', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  expect(await saveToken(store, 'x', 'u', 't')).toEqual({ id: 'x-r-t' });
  expect(await saveToken(store, 'y', 'u', 't', NOW + HOUR_MS)).toEqual({ refused: 'token_already_stored' });
  await store.removeSession(hashToken('t'), 'u', NOW);
  expect(await saveToken(store, 'z', 'v', 't')).toEqual({ id: 'x-r-t' });
});

test('an exchange token can be used for ten minutes, five failures long, and once', async ({ open }) => {
  const store = await open();
  expect(await store.refusalOf(attempt('x'))).toBe('exchange_token_unknown');
  await saveToken(store, 'x', 'u', 't');
  expect(await store.refusalOf(attempt('x', NOW + TEN_MINUTES_MS - 1))).toBeUndefined();
  expect(await store.refusalOf(attempt('x', NOW + TEN_MINUTES_MS))).toBe('exchange_token_expired');
  for (let failure = 1; failure <= 5; failure++)
    expect(await store.countFailure(attempt('x'))).toBeUndefined();
  expect(await store.refusalOf(attempt('x'))).toBe('exchange_token_exhausted');
  expect(await store.countFailure(attempt('x'))).toBe('exchange_token_exhausted');
  expect(await store.refusalOf(attempt('x', NOW + TEN_MINUTES_MS))).toBe('exchange_token_expired');
  expect(await store.countFailure(attempt('x', NOW + TEN_MINUTES_MS))).toBe('exchange_token_expired');
  await saveToken(store, 'y', 'u', 't');
  await use(store, 'y', 'p');
  expect(await store.refusalOf(attempt('y', NOW + TEN_MINUTES_MS))).toBe('exchange_token_unknown');
  expect(await store.countFailure(attempt('y'))).toBe('exchange_token_unknown');
});

test('what cannot be used links nobody and leaves no trace', async ({ open }) => {
  const store = await open();
  await saveToken(store, 'x', 'u', 't');
  for (let failure = 1; failure <= 5; failure++) await store.countFailure(attempt('x'));
  await saveToken(store, 'y', 'u', 't');
  const before = await auditLines(store);
  expect(await use(store, 'unknown', 'p')).toEqual({ refused: 'exchange_token_unknown' });
  expect(await use(store, 'x', 'p')).toEqual({ refused: 'exchange_token_exhausted' });
  expect(await store.countFailure(attempt('x'))).toBe('exchange_token_exhausted');
  expect(await use(store, 'y', 'p', NOW + TEN_MINUTES_MS)).toEqual({ refused: 'exchange_token_expired' });
  expect(await auditLines(store)).toEqual(before);
  expect([await store.findLink('u'), await store.findSession(hashToken('t'))]).toEqual([
    undefined,
    undefined,
  ]);
});

test('a link keeps its signature, and a live session stays as it is', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await saveToken(store, 'x', 'u', 't', NOW + MINUTE_MS);
  expect(await use(store, 'x', 'p', NOW + MINUTE_MS, 'another')).toEqual({ userSign: 'sign-p' });
  expect(await store.findLink('u')).toEqual(linkOfU);
  expect(await store.findSession(hashToken('t'))).toEqual({ link: linkOfU, expiresAt: NOW + HOUR_MS });
  expect(await use(store, 'x', 'p', NOW + MINUTE_MS)).toEqual({ refused: 'exchange_token_unknown' });
});

test('another patient, or another’s patient, counts as a failure and leaves the token usable', async ({
  open,
}) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await saveToken(store, 'x', 'u', 't-2');
  await saveToken(store, 'y', 'v', 't-3');
  for (let failure = 1; failure <= 5; failure++) {
    expect(await use(store, 'x', 'q')).toEqual({ refused: 'patient_already_matched' });
    expect(await store.refusalOf(attempt('y'))).toBeUndefined();
    expect(await use(store, 'y', 'p')).toEqual({ refused: 'patient_already_linked' });
  }
  expect(await use(store, 'x', 'p')).toEqual({ refused: 'exchange_token_exhausted' });
  expect(await use(store, 'y', 'q')).toEqual({ refused: 'exchange_token_exhausted' });
  expect([await store.findLink('v'), await store.findSession(hashToken('t-2'))]).toEqual([
    undefined,
    undefined,
  ]);
});

test('a session token that became another’s is refused first, and counts no failure', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't-u');
  for (const exchangeToken of ['x', 'y'])
    await saveToken(store, exchangeToken, exchangeToken === 'x' ? 'u' : 'v', 't');
  await link(store, 'w', 'q', 't');
  for (let attempt = 1; attempt <= 6; attempt++) {
    expect(await use(store, 'x', 'q')).toEqual({ refused: 'token_already_stored' });
    expect(await use(store, 'y', 'r')).toEqual({ refused: 'token_already_stored' });
  }
  expect(await store.findLink('v')).toBeUndefined();
  await store.removeSession(hashToken('t'), 'w', NOW);
  expect(await use(store, 'y', 'r')).toEqual({ userSign: 'sign-r' });
});

test('authenticate reopens an ended session, to be recorded once', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await save(store, 'u', 't', 'sign-p');
  await store.removeSession(hashToken('t'), 'u', NOW);
  expect(await store.findSession(hashToken('t'))).toBeUndefined();
  await saveToken(store, 'x', 'v', 't', NOW + MINUTE_MS);
  expect(await use(store, 'x', 'q', NOW + MINUTE_MS)).toEqual({ userSign: 'sign-q' });
  expect(await store.findSession(hashToken('t'))).toEqual({
    link: { user: 'v', patientId: 'q', userSign: 'sign-q' },
    expiresAt: NOW + MINUTE_MS + HOUR_MS,
  });
  expect(await save(store, 'v', 't', 'sign-q', NOW + MINUTE_MS)).toEqual({ id: 'r-x' });
});

test('a session ends once, for its own user', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  expect(await store.removeSession(hashToken('t'), 'v', NOW)).toBe(false);
  expect(await store.removeSession(hashToken('other'), 'u', NOW)).toBe(false);
  expect(await store.removeSession(hashToken('t'), 'u', NOW)).toBe(true);
  expect(await store.removeSession(hashToken('t'), 'u', NOW)).toBe(false);
  expect(await store.removeSession(hashToken('t'), '', NOW)).toBe(false);
  expect(await store.findLink('u')).toMatchObject({ patientId: 'p' });
});

test('a live session removes its user with link and all sessions', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await link(store, 'u', 'p', 't-ended');
  await link(store, 'v', 'q', 't-v');
  await save(store, 'u', 't-2', 'sign-p');
  await store.removeSession(hashToken('t-ended'), 'u', NOW);
  expect(await store.removeUser(hashToken('t-ended'), 'u', NOW)).toBe(false);
  expect(await store.removeUser(hashToken('t-v'), 'u', NOW)).toBe(false);
  expect(await store.findLink('u')).toMatchObject({ patientId: 'p' });
  expect(await store.removeUser(hashToken('t'), 'u', NOW)).toBe(true);
  expect(await store.removeUser(hashToken('t'), 'u', NOW)).toBe(false);
  for (const token of ['t', 't-2']) expect(await store.findSession(hashToken(token))).toBeUndefined();
  expect(await store.findLink('u')).toBeUndefined();
  expect(await store.findSession(hashToken('t-v'))).toMatchObject({ link: { user: 'v' } });
  await saveToken(store, 'x', 'w', 't-w');
  expect(await use(store, 'x', 'p', NOW, 'new')).toEqual({ userSign: 'new' });
});

test('sessions ended with their link stay ended after a new link', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  await save(store, 'u', 't-2', 'sign-p');
  await store.removeUser(hashToken('t'), 'u', NOW);
  await saveToken(store, 'x', 'u', 't');
  expect(await use(store, 'x', 'p', NOW, 'new')).toEqual({ userSign: 'new' });
  expect(await store.findSession(hashToken('t'))).toMatchObject({ link: { userSign: 'new' } });
  expect(await store.findSession(hashToken('t-2'))).toBeUndefined();
  expect(await store.removeSession(hashToken('t-2'), 'u', NOW)).toBe(false);
  expect(await store.removeUser(hashToken('t-2'), 'u', NOW)).toBe(false);
  expect(await save(store, 'u', 't-2', 'new')).toEqual({ refused: 'token_already_stored' });
  await saveToken(store, 'y', 'v', 't-2');
  expect(await use(store, 'y', 'q')).toEqual({ userSign: 'sign-q' });
  expect(await store.findSession(hashToken('t-2'))).toMatchObject({ link: { user: 'v' } });
});

test('names are compared as they are written', async ({ open }) => {
  const store = await open();
  const names = ['é', 'e\u0301', 'E', 'e', 'e ', ' e', "e'", 'e"{},\\', '\u{1F600}'];
  for (const [index, name] of names.entries()) await link(store, name, `p-${name}`, `t-${index}`);
  const links = await Promise.all(names.map((name) => store.findLink(name)));
  expect(links.map((found) => [found?.user, found?.patientId])).toEqual(
    names.map((name) => [name, `p-${name}`]),
  );
});

test('what a sender says of the time of creation may be any text', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  const odd = session('u', 't-2', { created: 'then\0"{,\\' });
  expect(await store.saveSession(odd, 'sign-p', NOW, true)).toEqual({ id: 'r-t-2' });
});

test('times far away stay exact', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  const far = Number.MAX_SAFE_INTEGER - NOW;
  await store.saveSession(session('u', 't-2', { lifetime: far }), 'sign-p', NOW, true);
  expect(await store.findSession(hashToken('t-2'))).toEqual({
    link: linkOfU,
    expiresAt: Number.MAX_SAFE_INTEGER,
  });
});
