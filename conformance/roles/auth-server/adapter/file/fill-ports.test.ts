import { expect, test } from 'vitest';
import { loadVariant } from '../testing/adapter-file.ts';
import { fillPorts } from './load.ts';

test('ports that are 0 become different free ones wherever they are named', async () => {
  const { settings } = await loadVariant({
    ports: { auth: 0, control: 0, fixed: 4711 },
    server: {
      url: 'http://127.0.0.1:${ports.auth}',
      start: {
        command: ['serve', '--port=${ports.auth}', '$${ports.auth}'],
        env: { C: '${ports.control} ${ehrUrl}' },
      },
    },
    otp: {
      fixed: undefined,
      outbox: { request: { url: 'http://127.0.0.1:${ports.control}/outbox?to=${phone}' }, code: '/code' },
    },
    steps: {
      requestOtp: {
        method: 'POST',
        url: 'http://127.0.0.1:${ports.fixed}/',
        json: { to: ['${ports.auth}', '${phone}', null, 7] },
      },
    },
  });
  const filled = await fillPorts(settings);
  const { auth, control, fixed } = filled.ports;
  expect(fixed).toBe(4711);
  expect(new Set([auth, control, 0]).size).toBe(3);
  expect(filled.server.url).toBe(`http://127.0.0.1:${auth}`);
  expect(filled.server.start?.command).toEqual(['serve', `--port=${auth}`, '$${ports.auth}']);
  expect(filled.server.start?.env).toEqual({ C: `${control} \${ehrUrl}` });
  expect(filled.otp?.outbox?.request.url).toBe(`http://127.0.0.1:${control}/outbox?to=\${phone}`);
  expect(filled.steps.requestOtp).toMatchObject({
    url: 'http://127.0.0.1:4711/',
    json: { to: [String(auth), '${phone}', null, 7] },
  });
});

test('ports are filled in nowhere else, such as in a password', async () => {
  const { settings } = await loadVariant(
    { ports: { auth: 1 }, internal: { password: { env: 'ODD' } } },
    { ODD: '${ports.auth}' },
  );
  expect((await fillPorts(settings)).internal.password).toBe('${ports.auth}');
});
