import { anna } from '#testing/people.ts';
import type { World } from '#testing/world.ts';
import { expect, proves, test } from './test.ts';

const PHONE = '79991112233';

/** Returns a function that lists the calls made from now on. */
function callsAfter(world: World): () => string[] {
  const before = world.callsSeen().length;
  return () => world.callsSeen().slice(before);
}

test(
  'log out ends the session at the EHR server first, then at the authorization server',
  proves(['4.5-called-at-exit', '4.5-ehr-first', '4.5-params', '5.4-removals-cred', 'DA-logout']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    const calls = callsAfter(world);
    await app.press('Log out');
    await app.sees('You are logged out');
    expect(calls()).toEqual(['ehr embedded_storage.remove_auth_info', 'auth auth.logout']);
  },
);

test(
  'with the EHR server unreachable the authorization server is not called, the user is told, and a later try succeeds',
  proves(['4.5-auth-after-success', '4.5-ehr-first']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    const calls = callsAfter(world);
    world.proxies.clientToEhr.cut(true);
    await app.press('Log out');
    await app.sees('You are still signed in');
    await app.isTold('The records server cannot be reached');
    expect(calls()).toEqual([]);
    world.proxies.clientToEhr.cut(false);
    await app.press('Try again');
    await app.sees('You are logged out');
    expect(calls()).toEqual(['ehr embedded_storage.remove_auth_info', 'auth auth.logout']);
  },
);

for (const [what, fulfil] of [
  ['HTTP 500', { status: 500, body: '' }],
  ['a page of HTML', { status: 200, contentType: 'text/html', body: '<p>hello' }],
  [
    'an internal error',
    {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: '0',
        error: { code: -32603, message: 'x', data: { reason: 'internal_error' } },
      }),
    },
  ],
] as const) {
  test(
    `when the EHR server answers the logout with ${what}, the authorization server is not called and the user is told`,
    proves(['4.5-auth-after-success']),
    async ({ app, world, page }) => {
      await app.connect(PHONE, anna);
      const calls = callsAfter(world);
      const origin = world.client?.url ?? '';
      await page.route(/1\.0-alpha/, async (route) => {
        const request = route.request().postDataJSON() as { id?: unknown } | null;
        const body = fulfil.body.replace('"id":"0"', `"id":${JSON.stringify(request?.id ?? null)}`);
        const cors = {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-allow-headers': 'content-type',
        };
        await (route.request().method() === 'OPTIONS'
          ? route.fulfill({ status: 204, headers: cors })
          : route.fulfill({ ...fulfil, body, headers: cors }));
      });
      await app.press('Log out');
      await app.sees('You are still signed in');
      expect(calls()).toEqual([]);
    },
  );
}

test(
  'when only the authorization server fails, the user is told what is left and can finish it',
  proves(['4.5-auth-after-success']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    const calls = callsAfter(world);
    world.proxies.clientToAuth.cut(true);
    await app.press('Log out');
    await app.sees('Almost logged out');
    world.proxies.clientToAuth.cut(false);
    await app.press('Finish logging out');
    await app.sees('You are logged out');
    expect(calls()).toEqual(['ehr embedded_storage.remove_auth_info', 'auth auth.logout']);
  },
);

test(
  'disconnect alone leaves the user signed in, and the record can be connected again',
  proves(['4.6-called-at-disconnect', '4.6-alone', '4.6-params', '3-disconnect-ends-session']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    const calls = callsAfter(world);
    await app.press('Disconnect records');
    await app.press('Yes, disconnect');
    await app.sees('Find your record');
    await app.isNotified('Your records are disconnected');
    expect(calls()).toEqual(['ehr embedded_storage.remove_authentication']);
    await app.findRecord(anna);
    await app.seesRecordOf(anna);
  },
);

test(
  'deletion disconnects at the EHR server first, then deletes at the authorization server',
  proves(['4.6-with-deletion', '4.6-ehr-first', 'DA-delete-user']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    const calls = callsAfter(world);
    await app.press('Delete my data');
    await app.press('Yes, delete');
    await app.sees('Your data is deleted');
    expect(calls()).toEqual(['ehr embedded_storage.remove_authentication', 'auth auth.delete_user']);
    expect(world.auth.correspondence.list()).toEqual([]);
  },
);

test(
  'when the disconnection fails, nothing is deleted and the user is told',
  proves(['4.6-auth-after-success', '4.6-ehr-first']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    const calls = callsAfter(world);
    world.proxies.clientToEhr.cut(true);
    await app.press('Delete my data');
    await app.press('Yes, delete');
    await app.sees('Your data was not deleted');
    expect(calls()).toEqual([]);
    world.proxies.clientToEhr.cut(false);
    await app.press('Try again');
    await app.sees('Your data is deleted');
    expect(calls()).toEqual(['ehr embedded_storage.remove_authentication', 'auth auth.delete_user']);
  },
);

test('a dialog that is cancelled calls nobody', async ({ app, world, page }) => {
  await app.connect(PHONE, anna);
  const calls = callsAfter(world);
  await app.press('Delete my data');
  await page.keyboard.press('Escape');
  await app.seesRecordOf(anna);
  expect(calls()).toEqual([]);
});
