import { expect } from 'vitest';
import { callText } from '#protocol/wire/envelope.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { post, reasonOf } from '#testing/wire.ts';
import { linkedEhr, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';

const discover = callText({ id: 1, method: 'rpc.discover' });
const withInternalPort = { env: { EHR_INTERNAL_PORT: '0' } };

proves(
  [
    '9-version-in-path',
    'D1-default-version',
    'D1-path',
    '9-pre-release-label',
    '4-one-endpoint',
    '4-post-json',
  ],
  'the endpoint answers with and without the closing slash',
  async () => {
    const { ehr } = await unlinkedEhr();
    expect(ehr.endpoint).toBe(`${ehr.url}/1.0-alpha/`);
    expect((await post(`${ehr.url}/1.0-alpha/`, discover)).status).toBe(200);
    expect((await post(`${ehr.url}/1.0-alpha`, discover)).status).toBe(200);
  },
);

proves(['D1-other-version', 'D2-wrong-path-404', 'D2-faults-have-json'], 'other versions: 404', async () => {
  const { ehr } = await unlinkedEhr();
  for (const path of ['/2.0/', '/', '/1.0-alpha/more', '/1.0-ALPHA/']) {
    const reply = await post(ehr.url + path, discover);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text).error).toMatchObject({
      status: 404,
      reason: 'not_found',
      apiVersion: '1.0-alpha',
    });
  }
});

proves(['D1-empty-version'], 'with an empty version the endpoint is the base URL itself', async () => {
  const { ehr } = await unlinkedEhr({ env: { EHR_API_VERSION: '' } });
  expect((await post(`${ehr.url}/`, discover)).status).toBe(200);
  expect((await post(`${ehr.url}/1.0-alpha/`, discover)).status).toBe(404);
});

proves(
  [
    '1-internal-channel-closed',
    'DE-access-forbidden',
    '4.1-internal-channel',
    '4.2-internal-channel',
    'T-client-11',
    'T-password-6',
  ],
  'an internal listener takes the two saves, the public one refuses them',
  async () => {
    const ehr = await unlinkedEhr(withInternalPort);
    for (const method of [
      'embedded_storage.save_auth_info',
      'embedded_storage.save_exchange_token',
    ] as const) {
      const reply = await ehr.call(method, {});
      expect(reply.error).toMatchObject({ code: -33403, data: { reason: 'access_forbidden' } });
    }
    const opened = await ehr.link('u-anna', 'token-anna', anna);
    expect(opened.patient.name).toBe('Anna');
    const cred = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, opened.userSign) };
    const stolen = { authInfo: { user: 'u-anna', token: 'stolen', ttl: 60 } };
    expect(reasonOf(await ehr.call('embedded_storage.save_auth_info', stolen, cred))).toBe(
      'access_forbidden',
    );
  },
);

proves(['X-internal-listener', 'T-password-2'], 'the internal listener serves no client method', async () => {
  const ehr = await linkedEhr(withInternalPort);
  expect(ehr.ehr.internalUrl).not.toBe(ehr.ehr.url);
  for (const method of [
    'embedded_storage.authenticate',
    'patient.get_patient',
    'embedded_storage.remove_auth_info',
  ] as const)
    expect(reasonOf(await ehr.toInternal(method, {}, ehr.cred))).toBe('access_forbidden');
});

proves(['D7-configured-origins', 'D7-credentials', 'T-client-9'], 'a known origin is named', async () => {
  const ehr = await unlinkedEhr({ env: { EHR_INTERNAL_PORT: '0', EHR_ORIGINS: 'http://app.example' } });
  const ours = await post(ehr.ehr.endpoint, discover, { origin: 'http://app.example' });
  expect(ours.headers.get('access-control-allow-origin')).toBe('http://app.example');
  expect(ours.headers.get('access-control-allow-credentials')).toBe('true');
  expect(ours.headers.get('vary')).toContain('Origin');
  const theirs = await post(ehr.ehr.endpoint, discover, { origin: 'http://evil.example' });
  expect(theirs.headers.get('access-control-allow-origin')).toBeNull();
  const internal = await post(ehr.internalEndpoint, discover, { origin: 'http://app.example' });
  expect(internal.headers.get('access-control-allow-origin')).toBeNull();
});

proves(
  ['D3-echo', '2.1-id-echoed', '4-id-as-string'],
  'ids come back as strings, or as they came',
  async () => {
    const asString = await unlinkedEhr();
    const asSent = await unlinkedEhr({ env: { EHR_REPLY_ID: 'echo' } });
    const message = { jsonrpc: '2.0', id: 7, method: 'rpc.discover' };
    expect((await asString.post(message)).id).toBe('7');
    expect((await asSent.post(message)).id).toBe(7);
  },
);

proves(['D0-field-client-served', 'D2-rpc-is-200'], 'a public client’s bodies are served', async () => {
  // Each body is a text as sent over the wire; only tokens and personal data are filled in.
  const bodies = [
    '{"jsonrpc":"2.0","id":"2","cred":null,"apiKey":null,"method":"embedded_storage.authenticate","params":{"exchangeToken":"x-1","searchStrategy":"PHONE","patientProperties":{"name":"Rufus","surname":"Shields","date":"1945-08-15 00:00:00Z","phone":"8065931458","gender":0},"medCardId":""}}',
    '{"jsonrpc":"2.0","id":"2","cred":null,"apiKey":null,"method":"embedded_storage.authenticate","params":{"exchangeToken":"x-2","searchStrategy":"MEDCARD","patientProperties":{"name":"Rufus","surname":"Shields","date":"1945-08-15 00:00:00Z","phone":"806.593.1458 x29688","gender":0},"medCardId":"123456"}}',
  ];
  for (const [index, body] of bodies.entries()) {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken(`x-${index + 1}`, { user: 'u', token: 't', ttl: 60 });
    const { status, text } = await post(ehr.ehr.endpoint, body);
    expect(status).toBe(200);
    const reply = JSON.parse(text);
    expect(reply).toMatchObject({ jsonrpc: '2.0', id: '2', result: { patient: { name: 'Rufus' } } });
    expect(reply.result.userSign).toBe(reply.result.user_sign);
  }
});

proves(
  ['1-no-own-sign-in', 'D35-method-names', 'DE-method-not-found'],
  'no method signs in, and none has the published name auth.*',
  async () => {
    const ehr = await unlinkedEhr();
    for (const method of ['auth.login', 'auth.save_auth_info', 'auth.authenticate', 'embedded_storage']) {
      const reply = await ehr.post({ jsonrpc: '2.0', id: 1, method, params: {} });
      expect(reply.error).toMatchObject({ code: -32601, data: { reason: 'method_not_found' } });
    }
  },
);
