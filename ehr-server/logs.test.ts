import { expect, test } from 'vitest';
import { anna } from '#testing/people.ts';
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
