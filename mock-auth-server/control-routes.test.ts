import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '#protocol/wire/hashes.ts';
import { openControl } from '#service/http/control.ts';
import { ANNA, ANNA_MAIL } from './testing/config.ts';
import { startWorld } from './testing/start.ts';

async function startControlled() {
  const world = await startWorld();
  const control = await openControl(world.clock, 0, '--control-port', world.server.controlRoutes);
  onTestFinished(() => control.stop());
  return { ...world, control };
}

test('the control port lists the correspondence table without a signature', async () => {
  const { call, control, signIn } = await startControlled();
  const { authInfo } = await signIn(ANNA);
  await signIn(ANNA_MAIL);
  await call('auth.report_link', { user_sign: 'secret-sign' }, authInfo);
  const text = await (await fetch(`${control.url}/correspondence`)).text();
  expect(text).not.toContain('secret-sign');
  const internalId = expect.stringMatching(/^int-[\w-]{22}$/);
  const user = expect.any(String);
  expect(
    (JSON.parse(text) as { attribute: { value: string } }[]).sort((a, b) =>
      a.attribute.value.localeCompare(b.attribute.value),
    ),
  ).toEqual([
    { user: authInfo.user, attribute: { kind: 'phone', value: ANNA }, internalId, userSignOnRecord: true },
    { user, attribute: { kind: 'email', value: ANNA_MAIL }, internalId, userSignOnRecord: false },
  ]);
});

test('the control port lists the sessions by the hashes of their tokens', async () => {
  const { control, signIn } = await startControlled();
  const { authInfo } = await signIn(ANNA);
  expect(await (await fetch(`${control.url}/sessions`)).json()).toEqual([
    {
      tokenHash: Buffer.from(hashToken(authInfo.token)).toString('hex'),
      user: authInfo.user,
      expiresAt: expect.any(Number),
    },
  ]);
});

test('an entry is removed by public user id, phone or e-mail address, once', async () => {
  const { control, server, signIn } = await startControlled();
  const { authInfo } = await signIn('79990000002');
  await signIn(ANNA);
  await signIn(ANNA_MAIL);
  for (const user of [authInfo.user, '+7 999 000-00-01', ANNA_MAIL]) {
    const remove = () =>
      fetch(`${control.url}/correspondence/${encodeURIComponent(user)}`, { method: 'DELETE' });
    const removed = await remove();
    expect([removed.status, await removed.json()]).toEqual([200, { removed: true }]);
    expect((await remove()).status).toBe(404);
  }
  expect(server.correspondence.list()).toEqual([]);
});

test('the service port has none of the control routes', async () => {
  const { server, signIn } = await startControlled();
  await signIn(ANNA);
  expect((await fetch(`${server.url}/correspondence`)).status).toBe(404);
  expect((await fetch(`${server.url}/correspondence/${ANNA}`, { method: 'DELETE' })).status).toBe(404);
  expect((await fetch(`${server.url}/clock`)).status).toBe(404);
  expect((await fetch(`${server.url}/sessions`)).status).toBe(404);
  expect(server.correspondence.list()).toHaveLength(1);
});
