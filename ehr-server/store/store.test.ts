import { expect } from 'vitest';
import { hashHex, hashToken } from '#protocol/wire/hashes.ts';
import { onEachEngine } from '#testing/on-each-engine.ts';
import {
  attempt,
  HOUR_MS,
  link,
  MINUTE_MS,
  NOW,
  save,
  saveToken,
  session,
  TEN_MINUTES_MS,
  use,
} from '#testing/store-steps.ts';
import { contentsInHex } from './contents.ts';
import type { Store } from './store.ts';

const test = onEachEngine();
const { proves } = test;

const linkOfU = { user: 'u', patientId: 'p', userSign: 'sign-p' };

/** What a store of any engine holds, at most so many rows of each kind. */
const held = (store: Store, limit: number) => contentsInHex({ contents: () => store.contents(limit) });
const hashOf = (token: string) => hashHex('sha256', token);

test('what the store holds is listed, without what has ended, and without signatures', async (store) => {
  await link(store, 'u', 'p', 't');
  await link(store, 'v', 'q', 't-v', NOW + MINUTE_MS);
  await save(store, 'u', 't-2', 'sign-p');
  await store.removeSession(hashToken('t-2'), 'u', NOW);
  await saveToken(store, 'x', 'u', 't-3');
  await saveToken(store, 'y', 'v', 't-4', NOW + MINUTE_MS);
  await store.countFailure(attempt('x'));
  const sessions = [
    { tokenHash: hashOf('t-v'), user: 'v', patientId: 'q', expiresAt: NOW + HOUR_MS + MINUTE_MS },
    { tokenHash: hashOf('t'), user: 'u', patientId: 'p', expiresAt: NOW + HOUR_MS },
  ];
  const exchangeTokens = [
    { hash: hashOf('y'), user: 'v', expiresAt: NOW + TEN_MINUTES_MS + MINUTE_MS, failures: 0 },
    { hash: hashOf('x'), user: 'u', expiresAt: NOW + TEN_MINUTES_MS, failures: 1 },
  ];
  const links = [
    { user: 'u', patientId: 'p' },
    { user: 'v', patientId: 'q' },
  ];
  expect(await held(store, 9)).toEqual({ sessions, exchangeTokens, links });
  const first = [sessions, exchangeTokens, links].map((rows) => rows.slice(0, 1));
  expect(Object.values(await held(store, 1))).toEqual(first);
  await store.removeUser(hashToken('t'), 'u', NOW);
  expect(await store.contents(9)).toMatchObject({ sessions: [{ user: 'v' }], links: [{ user: 'v' }] });
});

test('a session is saved for a linked user with the link’s signature', async (store) => {
  await link(store, 'u', 'p', 't');
  await link(store, 'v', 'q', 't-v');
  expect(await save(store, 'nobody', 't-2', 'sign-p')).toEqual({ refused: 'user_unknown' });
  expect(await save(store, 'u', 't-2', 'sign-q')).toEqual({ refused: 'user_unknown' });
  expect(await store.findSession(hashToken('t-2'))).toBeUndefined();
  expect(await save(store, 'u', 't-2', 'sign-p')).toEqual({ id: 'r-t-2' });
  expect(await store.findSession(hashToken('t-2'))).toEqual({ link: linkOfU, expiresAt: NOW + HOUR_MS });
});

test('a token is saved once, whatever became of its session', async (store) => {
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

proves(
  [
    'D14-first-save-records',
    'DE-token-already-stored',
    '4.1-repeat-refused',
    '3-repeated-save-changes-nothing',
  ],
  'the session that authenticate stored is recorded once, under the id that it has',
  async (store) => {
    await saveToken(store, 'x', 'u', 't');
    await use(store, 'x', 'p');
    expect(await save(store, 'u', 't', 'sign-p')).toEqual({ id: 'r-x' });
    const shorter = session('u', 't', { lifetime: MINUTE_MS });
    expect(await store.saveSession(shorter, 'sign-p', NOW, { mayRecord: true })).toEqual({
      refused: 'token_already_stored',
    });
    expect(await store.findSession(hashToken('t'))).toEqual({ link: linkOfU, expiresAt: NOW + HOUR_MS });
  },
);

test('an unfit session is not recorded: of another, ended, or not allowed', async (store) => {
  await link(store, 'u', 'p', 't');
  await link(store, 'v', 'q', 't-v');
  const refused = { refused: 'token_already_stored' };
  expect(await save(store, 'v', 't', 'sign-q')).toEqual(refused);
  expect(await save(store, 'u', 't', 'sign-p', NOW + HOUR_MS)).toEqual(refused);
  expect(await save(store, 'u', 't', 'sign-p', NOW, { mayRecord: false })).toEqual(refused);
  await link(store, 'u', 'p', 't-2');
  await store.removeSession(hashToken('t-2'), 'u', NOW);
  expect(await save(store, 'u', 't-2', 'sign-p')).toEqual(refused);
  expect(await save(store, 'u', 't', 'sign-p', NOW + HOUR_MS - 1)).toMatchObject({ id: expect.any(String) });
});

test('a session ends once, for its own user', async (store) => {
  await link(store, 'u', 'p', 't');
  expect(await store.removeSession(hashToken('t'), 'v', NOW)).toBe(false);
  expect(await store.removeSession(hashToken('other'), 'u', NOW)).toBe(false);
  expect(await store.removeSession(hashToken('t'), 'u', NOW)).toBe(true);
  expect(await store.removeSession(hashToken('t'), 'u', NOW)).toBe(false);
  expect(await store.removeSession(hashToken('t'), '', NOW)).toBe(false);
  expect(await store.findLink('u')).toMatchObject({ patientId: 'p' });
});

test('a live session removes its user with link and all sessions', async (store) => {
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

test('sessions ended with their link stay ended after a new link', async (store) => {
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

test('names are compared as they are written', async (store) => {
  const names = ['é', 'e\u0301', 'E', 'e', 'e ', ' e', "e'", 'e"{},\\', '\u{1F600}'];
  for (const [index, name] of names.entries()) await link(store, name, `p-${name}`, `t-${index}`);
  const links = await Promise.all(names.map((name) => store.findLink(name)));
  expect(links.map((found) => [found?.user, found?.patientId])).toEqual(
    names.map((name) => [name, `p-${name}`]),
  );
});

test('what a sender says of the time of creation may be any text', async (store) => {
  await link(store, 'u', 'p', 't');
  const odd = session('u', 't-2', { created: 'then\0"{,\\' });
  expect(await store.saveSession(odd, 'sign-p', NOW, { mayRecord: true })).toEqual({ id: 'r-t-2' });
});

test('times far away stay exact', async (store) => {
  await link(store, 'u', 'p', 't');
  const far = Number.MAX_SAFE_INTEGER - NOW;
  await store.saveSession(session('u', 't-2', { lifetime: far }), 'sign-p', NOW, { mayRecord: true });
  expect(await store.findSession(hashToken('t-2'))).toEqual({
    link: linkOfU,
    expiresAt: Number.MAX_SAFE_INTEGER,
  });
});
