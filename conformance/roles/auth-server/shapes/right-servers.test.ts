/** The independent servers are right without a fault: the flow, and an EHR server in trouble. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ANN, authenticate, BEA, NO_MEMBER, otherThan, STRANGER, signIn, startWorld } from './testing/drive.ts';
import { type Call, json } from './testing/ehr.ts';
import type { Answer } from './testing/http.ts';
import { confirmReturn, linkUser, returnUser, savesOf } from './testing/linked.ts';

const shapes = ['challenge', 'carried-sign'] as const;

function stateFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'shape-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'state.json');
}

const error = (code: number) => (call: Call) =>
  json({ jsonrpc: '2.0', id: call.id, error: { code, message: 'words of the EHR server', data: { reason: 'x' } } });

/** Answers of the EHR server that are no acknowledgement. */
const noAcknowledgements: Readonly<Record<string, (call: Call) => Answer>> = {
  'HTTP 500': ({ id }) => ({ ...json({ jsonrpc: '2.0', id, result: {} }), status: 500 }),
  'HTTP 204': () => ({ status: 204, headers: {}, body: '' }),
  'a redirect': () => ({ status: 307, headers: { location: '/elsewhere' }, body: '' }),
  'no answer': () => 'hang',
  'a page': () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }),
  nothing: () => json(''),
  'the reply to another call': () => json({ jsonrpc: '2.0', id: 'another', result: {} }),
  'no id': () => json({ jsonrpc: '2.0', result: {} }),
  'a result of null': ({ id }) => json({ jsonrpc: '2.0', id, result: null }),
  'a result that is a text': ({ id }) => json({ jsonrpc: '2.0', id, result: 'ok' }),
  'neither result nor error': ({ id }) => json({ jsonrpc: '2.0', id }),
  'result and error': ({ id }) => json({ jsonrpc: '2.0', id, result: {}, error: { code: 1, message: '' } }),
  'an error that is a text': ({ id }) => json({ jsonrpc: '2.0', id, error: 'refused' }),
  'a list': ({ id }) => json([{ jsonrpc: '2.0', id, result: {} }]),
  'members that stand twice': ({ id }) => json(`{"jsonrpc":"2.0","id":"${id}","result":{},"result":{}}`),
  'a huge body': ({ id }) => json({ jsonrpc: '2.0', id, result: { filler: 'x'.repeat(100_000) } }),
  'a refusal of the call': error(-33403),
  'an internal error': error(-32603),
};

for (const shape of shapes) {
  test(`${shape}: a user signs in, links, and reads the record again after returning`, async () => {
    const world = await startWorld(shape);
    const session = await signIn(world);
    expect(savesOf(world)).toEqual([]);
    expect(session.ttl).toBe(1440);
    const sign = await authenticate(world, session);
    const { user, token } = session;
    expect(world.ehr.calls.at(-1)?.params.authInfo).toEqual({ user, token, ttl: 1440 });
    if (world.reportsLinks) {
      expect((await world.link(session, sign)).status).toBe(204);
      expect(savesOf(world).at(-1)?.params.authInfo).toEqual({ user, token, ttl: 1440 });
      // The reply to the first report may have been lost.
      expect((await world.link(session, sign)).status).toBe(204);
    }
    for (const returned of [await returnUser(world, ANN, sign), await signIn(world, ANN, sign)]) {
      expect(returned.user).toBe(user);
      expect(returned.token).not.toBe(token);
      expect(world.ehr.tokens.has(returned.token)).toBe(true);
      expect(savesOf(world).some(({ params }) => params.authInfo?.token === returned.token)).toBe(true);
    }
    // Without trouble every call is accepted and has a different id.
    expect(new Set(world.ehr.calls.map(({ id }) => id)).size).toBe(world.ehr.calls.length);
  });

  test(`${shape}: no session and no exchange token come of what is no acknowledgement, and the next attempt succeeds`, async () => {
    const world = await startWorld(shape, { ehrTimeoutMs: 1_000, codesPerDay: 100 });
    const { session, sign } = await linkUser(world);
    const attempt = await world.attempt(ANN);
    for (const [name, make] of Object.entries(noAcknowledgements)) {
      const calls = world.ehr.calls.length;
      world.ehr.answerWith(make);
      const replies = [await world.exchange(session), await world.confirm(attempt, attempt.code, sign)];
      for (const reply of replies) {
        expect(world.isDone(reply), name).toBe(false);
        expect(reply.text).not.toMatch(/words of the EHR server|[0-9a-f]{40}|[\w-]{43}/);
      }
      expect(world.ehr.calls.length - calls, `calls at ${name}`).toBe(2);
      world.ehr.answerWith();
      expect(world.isDone(await world.exchange(session)), `after ${name}`).toBe(true);
    }
    // Trouble uses up neither the code nor the tries.
    expect(world.isDone(await world.confirm(attempt, attempt.code, sign))).toBe(true);
  });

  for (const code of [-33000, -34007]) {
    test(`${shape}: a link that is gone at the EHR server (${code}) opens an unlinked session and can be made anew`, async () => {
      const world = await startWorld(shape);
      const { session, sign } = await linkUser(world);
      world.ehr.answerWith(error(code));
      const reply = await confirmReturn(world, ANN, sign);
      expect(world.isDone(reply)).toBe(true);
      expect(reply.text).toContain('"linked":false');
      world.ehr.answerWith();
      world.ehr.disconnect(session.user);
      const saves = savesOf(world).length;
      await signIn(world);
      expect(savesOf(world)).toHaveLength(saves);
      const again = await linkUser(world);
      expect(world.ehr.tokens.has((await returnUser(world, ANN, again.sign)).token)).toBe(true);
    });
  }

  test(`${shape}: a token that is stored already is drawn anew, three times at most`, async () => {
    const world = await startWorld(shape);
    const { session, sign } = await linkUser(world);
    const before = world.ehr.calls.length;
    const stored = (method: string) => error(method.endsWith('exchange_token') ? -34004 : -34003);
    world.ehr.answerWith((call, right) =>
      world.ehr.calls.length % 2 === (before + 1) % 2 ? stored(call.method)(call) : right(),
    );
    const returned = world.sessionOf(await confirmReturn(world, ANN, sign));
    expect(world.ehr.tokens.has(returned.token)).toBe(true);
    expect(world.isDone(await world.exchange(session))).toBe(true);
    const drawn = world.ehr.calls.slice(before).map(({ params }) => params.exchangeToken ?? params.authInfo?.token);
    expect(new Set(drawn).size).toBe(4);

    world.ehr.answerWith((call) => stored(call.method)(call));
    expect(world.isDone(await world.exchange(session))).toBe(false);
    expect(world.isDone(await confirmReturn(world, ANN, sign))).toBe(false);
    expect(world.ehr.calls.length - before).toBe(4 + 3 + 3);
  });

  test(`${shape}: a reply with a number as id, with members in another order and of its own is understood`, async () => {
    const world = await startWorld(shape);
    const session = await signIn(world);
    world.ehr.answerWith(({ id }) => json({ id, result: {}, jsonrpc: '2.0', more: { id: 1, result: 2 } }));
    expect(world.isDone(await world.exchange(session))).toBe(true);
  });

  test(`${shape}: a restart keeps users, links, sessions, codes and the count of tries`, async () => {
    const world = await startWorld(shape, { stateFile: stateFile() });
    const { session, sign } = await linkUser(world);
    const [spent, pending] = [await world.attempt(BEA), await world.attempt(ANN)];
    for (let tried = 0; tried < 5; tried++) await world.confirm(spent, otherThan(spent.code));
    await world.restart();
    expect(world.isDone(await world.confirm(spent, spent.code))).toBe(false);
    expect(world.isDone(await world.confirm(pending, pending.code, sign))).toBe(true);
    expect(world.isDone(await world.exchange(session))).toBe(true);
    const returned = await returnUser(world, ANN, sign);
    expect(returned.user).toBe(session.user);
    expect(world.ehr.tokens.has(returned.token)).toBe(true);
  });

  test(`${shape}: the remaining ttl is sent, and at its end the session is over`, async () => {
    const world = await startWorld(shape);
    const session = await signIn(world);
    world.advance(60 * 60_000 + 1);
    await world.exchange(session);
    expect(world.ehr.calls.at(-1)?.params.authInfo?.ttl).toBe(1440 - 60);
    // The control moves the same clock.
    await world.control('/clock', { advance: (1440 - 60) * 60_000 - 2 });
    expect(world.isDone(await world.exchange(session))).toBe(true);
    world.advance(1);
    const calls = world.ehr.calls.length;
    expect(world.isDone(await world.exchange(session))).toBe(false);
    expect(world.ehr.calls).toHaveLength(calls);
  });

  test(`${shape}: codes and tokens are drawn by what is handed in`, async () => {
    let drawn = 0;
    const world = await startWorld(shape, { random: { code: () => '012345', token: () => `drawn-${++drawn}` } });
    expect((await world.attempt(BEA)).code).toBe('012345');
    expect((await signIn(world)).token).toMatch(/^drawn-\d$/);
  });

  test(`${shape}: a user without a correspondence entry is an error as soon as a session is to be recorded`, async () => {
    const world = await startWorld(shape);
    const session = await signIn(world, NO_MEMBER);
    const sign = await authenticate(world, session);
    const { session: ann } = await linkUser(world, ANN);
    await world.control(`/correspondence/${ANN}`);
    const saves = savesOf(world).length;
    for (const phone of [NO_MEMBER, ANN]) {
      const attempt = await world.attempt(phone);
      expect(world.isDone(await world.confirm(attempt, attempt.code, sign))).toBe(false);
      expect(world.isDone(await world.confirm(attempt, attempt.code))).toBe(true);
    }
    if (world.reportsLinks) {
      for (const reported of [session, ann]) expect((await world.link(reported, sign)).status).toBe(409);
    }
    expect(savesOf(world)).toHaveLength(saves);
  });
}

test('challenge: a logout ends one session, a deletion all, and the registration stays', async () => {
  const world = await startWorld('challenge');
  const { session, sign } = await linkUser(world);
  const [second, third] = [await returnUser(world, ANN, sign), await returnUser(world, ANN, sign)];
  expect((await world.logout(session)).status).toBe(204);
  const ended = [await world.exchange(session), await world.link(session, sign), await world.logout(session)];
  expect(ended.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect((await world.exchange(second)).status).toBe(201);

  const pending = await world.attempt(ANN);
  expect((await world.remove(second)).status).toBe(204);
  expect((await world.exchange(third)).status).toBe(401);
  expect((await world.confirm(pending, pending.code)).status).toBe(401);
  const saves = savesOf(world).length;
  const anew = await signIn(world);
  expect(anew.user).toBe(session.user);
  expect(savesOf(world)).toHaveLength(saves);
  const again = await linkUser(world);
  expect(world.ehr.tokens.has((await returnUser(world, ANN, again.sign)).token)).toBe(true);
});

test('challenge: a deletion while the EHR server saves the session of a sign-in leaves nothing of the link', async () => {
  const world = await startWorld('challenge');
  const { session } = await linkUser(world);
  const attempt = await world.attempt(ANN);
  world.ehr.answerWith(async (_call, right) => {
    await world.remove(session);
    return right();
  });
  expect((await world.confirm(attempt, attempt.code)).status).toBe(401);
  world.ehr.answerWith();
  const saves = savesOf(world).length;
  await signIn(world);
  expect(savesOf(world)).toHaveLength(saves);
});

test('challenge: a phone that is not registered is answered like one that is, and gets no message', async () => {
  const world = await startWorld('challenge', { resendSeconds: 30 });
  const stranger = await world.request(STRANGER);
  const ann = await world.request(ANN);
  const code = await world.sms.code(ANN);
  expect(stranger.status).toBe(ann.status);
  expect(Object.keys(stranger.body)).toEqual(Object.keys(ann.body));
  const replies = [];
  for (const { body } of [stranger, ann]) {
    const attempt = { phone: '', challenge: body.challenge, code };
    replies.push(await world.confirm(attempt, otherThan(code)));
  }
  const again = [await world.request(STRANGER), await world.request(ANN)];
  for (const [unknown, known] of [replies, again]) {
    expect([unknown?.status, unknown?.text]).toEqual([known?.status, known?.text]);
  }
  expect(again[0]?.status).toBe(429);
  expect(world.sms.messages.map(({ to }) => to)).toEqual([ANN]);
  expect((await world.confirm({ phone: '', challenge: stranger.body.challenge, code }, code)).status).toBe(401);
});

test('challenge: a signature that the EHR server refused at the report is not kept', async () => {
  const world = await startWorld('challenge');
  const { sign } = await linkUser(world, BEA);
  const session = await signIn(world, ANN);
  await authenticate(world, session);
  expect((await world.link(session, sign)).status).toBe(502);
  const saves = savesOf(world).length;
  await signIn(world, ANN);
  expect(savesOf(world)).toHaveLength(saves);
});

test('carried-sign: no signature is written to the file', async () => {
  const file = stateFile();
  const world = await startWorld('carried-sign', { stateFile: file });
  const { sign } = await linkUser(world);
  await returnUser(world, ANN, sign);
  expect(readFileSync(file, 'utf8')).not.toContain(sign);
});
