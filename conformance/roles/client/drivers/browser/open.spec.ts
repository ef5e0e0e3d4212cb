import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { generate } from 'selfsigned';
import { systemClock } from '#protocol/time/clock.ts';
import { PHONE_IN_FORM } from '../driver.ts';
import { openBrowser } from './open.ts';
import { browserSchema } from './settings.ts';

const PAGE = `<!doctype html><p>Please sign in</p><script>
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const utc = new Date('1962-03-07T00:00').toISOString();
const day = new Date('1987-11-23').getDate();
document.querySelector('p').append(' ', [navigator.language, zone, utc, day].join(' '));
</script>`;

const names = ['signIn', 'resend', 'enterCode', 'fillForm', 'readPatient', 'logout'];
const FILE = {
  actions: Object.fromEntries(names.map((name) => [name, [{ reload: true }]])),
  screens: { code: 'A', form: 'B', patient: 'C', signedOut: 'Please sign in', error: 'D' },
};

const open = (more: object) =>
  openBrowser(browserSchema(() => undefined).parse({ ...FILE, ...more }), {
    ...{ authUrl: 'http://auth.test', ehrUrl: 'http://ehr.test', port: 0, clock: systemClock },
    timeouts: { actionMs: 20_000, leaveMs: 1_000 },
    env: process.env,
    mask: (text) => text,
    signal: new AbortController().signal,
  });

test('a page that takes connections and never answers is given up in time', async () => {
  const silent = net.createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const start = { command: [process.execPath, '-e', 'setInterval(Boolean, 1_000)'], readyWithinMs: 500 };
  await expect(open({ address, start })).rejects.toThrow('did not answer within 500 ms');
  silent.close();
});

test('a form has a phone only where a step of its file types one', async () => {
  const hasPhone = async (typed: string) => {
    const fillForm = [{ fill: { field: 'A field', with: `\${${typed}}` } }];
    const { can, close } = await open({
      address: 'http://page.test/',
      actions: { ...FILE.actions, fillForm },
    });
    await close();
    return can.has(PHONE_IN_FORM);
  };
  expect([await hasPhone('phone'), await hasPhone('name')]).toEqual([true, false]);
});

test('a page has the language and authority of its file, and the kit’s zone', async () => {
  const own = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.UTC(2099, 0, 1)),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const server = createServer({ cert: own.cert, key: own.private }, (_request, response) =>
    response.setHeader('content-type', 'text/html').end(PAGE),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const authority = test.info().outputPath('ca.pem');
  writeFileSync(authority, own.cert);
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await expect(open({ address })).rejects.toThrow('Name its authority as browser.authority');
    const drivers = await open({ address, authority, language: 'ru-RU' });
    const driver = await drivers.start(test.info().outputPath('storage'));
    const { text } = await driver.act({ do: 'readPatient' });
    // East of Greenwich at the birth of one person, west at that of another: a shift shows with one of them.
    expect(text).toBe('Please sign in ru-RU Pacific/Kwajalein 1962-03-06T13:00:00.000Z 22');
    await drivers.close();
  } finally {
    server.close();
  }
});
