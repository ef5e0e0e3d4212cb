import { expect } from 'vitest';
import { linkedEhr } from '#testing/linked-ehr.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { post, resultOf } from '#testing/wire.ts';

type Case = { what: string; body: string | Uint8Array<ArrayBuffer>; status?: number; reason: string };

const logoutOf = (cred: object) =>
  `{"jsonrpc":"2.0","id":1,"method":"embedded_storage.remove_auth_info","cred":${JSON.stringify(cred)}`;
const authenticate = (properties: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"embedded_storage.authenticate","params":{"exchangeToken":"pending","patientProperties":${properties}}}`;
const withName = (name: string) => authenticate(JSON.stringify(anna).replace('"Anna"', name));

/** If its defect were overlooked, each body would log out or link the user. */
function cases(cred: object): Case[] {
  const logout = logoutOf(cred);
  return [
    { what: 'empty body', body: '', reason: 'parse_error' },
    { what: 'truncated JSON', body: logout, reason: 'parse_error' },
    { what: 'trailing text', body: `${logout}} x`, reason: 'parse_error' },
    { what: 'two documents', body: `${logout}}${logout}}`, reason: 'parse_error' },
    { what: 'raw NUL in a string', body: withName('"An\u0000na"'), reason: 'parse_error' },
    {
      what: 'invalid UTF-8',
      body: new Uint8Array([...new TextEncoder().encode(`${logout},"x":"`), 0xc3, 0x28, 0x22, 0x7d]),
      reason: 'parse_error',
    },
    { what: 'UTF-16', body: new Uint8Array(Buffer.from(`${logout}}`, 'utf16le')), reason: 'parse_error' },
    { what: 'a number', body: '5', reason: 'invalid_request' },
    { what: 'null', body: 'null', reason: 'invalid_request' },
    { what: 'a string', body: '"embedded_storage.remove_auth_info"', reason: 'invalid_request' },
    { what: 'empty batch', body: '[]', reason: 'invalid_request' },
    { what: 'batch of 101', body: `[${Array(101).fill(`${logout}}`).join()}]`, reason: 'invalid_request' },
    { what: 'deep nesting', body: `${logout},"x":${'['.repeat(40)}${']'.repeat(40)}}`, reason: 'invalid_request' },
    {
      what: 'very deep nesting',
      body: `${logout},"x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
      reason: 'invalid_request',
    },
    {
      what: 'nesting of more brackets than a body may have',
      body: `${logout},"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      status: 413,
      reason: 'too_large',
    },
    { what: 'duplicate keys', body: `${logout},"id":1}`, reason: 'invalid_request' },
    {
      what: 'duplicate keys in cred',
      body: logout.replace('"user"', '"user":"x","user"').concat('}'),
      reason: 'invalid_request',
    },
    { what: 'duplicate keys, one escaped', body: `${logout},"\\u0069d":1}`, reason: 'invalid_request' },
    { what: '__proto__ in the envelope', body: `${logout},"__proto__":{"admin":true}}`, reason: 'invalid_request' },
    {
      what: '__proto__ in the properties',
      body: authenticate(`${JSON.stringify(anna).slice(0, -1)},"__proto__":{}}`),
      reason: 'invalid_request',
    },
    { what: 'a lone surrogate', body: withName('"Anna\\ud800"'), reason: 'invalid_request' },
    { what: 'jsonrpc 1.0', body: `${logout}}`.replace('"2.0"', '"1.0"'), reason: 'invalid_request' },
    { what: 'jsonrpc as a number', body: `${logout}}`.replace('"2.0"', '2.0'), reason: 'invalid_request' },
    { what: 'an object as id', body: `${logout}}`.replace('"id":1', '"id":{}'), reason: 'invalid_request' },
    { what: 'true as id', body: `${logout}}`.replace('"id":1', '"id":true'), reason: 'invalid_request' },
    {
      what: 'an id beyond 2^53',
      body: `${logout}}`.replace('"id":1', '"id":9007199254740993'),
      reason: 'invalid_request',
    },
    { what: 'a number as method', body: '{"jsonrpc":"2.0","id":1,"method":5}', reason: 'invalid_request' },
    { what: 'params as a string', body: `${logout},"params":"x"}`, reason: 'invalid_request' },
    {
      what: 'cred as a string',
      body: '{"jsonrpc":"2.0","id":1,"method":"embedded_storage.remove_auth_info","cred":"x"}',
      reason: 'invalid_request',
    },
    { what: 'params by position', body: `${logout},"params":[1]}`, reason: 'invalid_params' },
    { what: 'a name of 100 kB', body: withName(`"${'A'.repeat(100_000)}"`), reason: 'invalid_params' },
    { what: 'an escaped NUL in a name', body: withName('"An\\u0000na"'), reason: 'invalid_params' },
    { what: 'a number as name', body: withName('5'), reason: 'invalid_params' },
    { what: 'null as name', body: withName('null'), reason: 'invalid_params' },
    { what: 'a list as name', body: withName('["Anna"]'), reason: 'invalid_params' },
    { what: 'properties as a list', body: authenticate('[]'), reason: 'invalid_params' },
    {
      what: 'a cred.token of 100 kB',
      body: logoutOf({ ...cred, token: 'x'.repeat(100_000) }).concat('}'),
      reason: 'not_authorized',
    },
    { what: 'a body of 2 MB', body: `${logout},"x":"${'x'.repeat(2_000_000)}"}`, status: 413, reason: 'too_large' },
  ];
}

proves(
  [
    'X-ijson',
    'DE-parse-error',
    'DE-invalid-request',
    'DE-invalid-params',
    '2.1-jsonrpc-checked',
    '2.1-method-checked',
    '2.1-params-checked',
    '2.2-cred-checked',
    '2.5-types-checked',
    'D2-too-large-413',
    'DE-no-secrets-echoed',
  ],
  'broken input gets its documented error, echoes nothing and changes nothing',
  async () => {
    const ehr = await linkedEhr();
    resultOf(await ehr.saveExchangeToken('pending', { user: 'u-anna', token: 'token-2', ttl: 60 }));
    for (const { what, body, status = 200, reason } of cases(ehr.cred)) {
      const reply = await post(ehr.ehr.endpoint, body);
      const { error } = JSON.parse(reply.text);
      expect([what, reply.status, error?.data?.reason ?? error?.reason]).toEqual([what, status, reason]);
      for (const secret of ['token-anna', 'Petrova', '79990000001']) expect(reply.text).not.toContain(secret);
    }
    // Nothing was logged out, linked or used up, and no user became an admin.
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    resultOf(await ehr.call('patient.get_patient', {}, ehr.cred));
    resultOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'pending', patientProperties: anna }));
  },
);
