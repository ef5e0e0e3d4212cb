import { expect, test } from 'vitest';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';

test('logs carry no token, no signature, no digest and no patient data', async () => {
  const lines: string[] = [];
  const ehr = await linkedEhr({ logTo: { level: 'debug', write: (line) => lines.push(line) } });
  await ehr.authenticate('secret-exchange', { ...anna, name: 'Canary' });
  await ehr.post({ jsonrpc: '2.0', id: 1, method: 'secret-method' });
  await ehr.post({
    jsonrpc: '2.0',
    id: 1,
    method: 'patient.get_patient',
    cred: { user: 'u-anna', token: 5 },
  });
  const log = lines.join('');
  expect(log).toContain('patient.get_patient');
  for (const secret of [
    'token-anna',
    ehr.userSign,
    'secret-exchange',
    'Canary',
    'Petrova',
    '79990000001',
    'secret-method',
  ])
    expect(log).not.toContain(secret);
});

proves(['DE-internal-error', 'DE-internal-error-silent'], 'the log has the cause of an error', async () => {
  const lines: string[] = [];
  const ehr = await linkedEhr({
    mayFail: true,
    logTo: { level: 'error', write: (line) => lines.push(line) },
  });
  ehr.mis.close();
  ehr.mis.record = () => {
    throw new Error('disk on fire at /var/secret');
  };
  const reply = await ehr.read(ehr.cred);
  expect(reply.error).toEqual({
    code: -32603,
    message: expect.any(String),
    data: { reason: 'internal_error' },
  });
  expect(JSON.stringify(reply)).not.toContain('fire');
  expect(lines.join('')).toContain('disk on fire');
});
