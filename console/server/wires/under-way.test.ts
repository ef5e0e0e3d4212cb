import { expect, test } from 'vitest';
import type { MessageDetail, Row } from '../../api.ts';
import { startConsole } from '../testing/start-console.ts';

const call = (url: string, method: string, params: object = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).catch(() => undefined);

test('a call is told when it leaves, and its end takes the same row', async () => {
  const { addresses, ask, events, get, post } = await startConsole();
  const stream = await events();
  const { id } = await post<{ id: number }>('/api/faults', { wire: 'client->auth', fault: 'hang', times: 1 });
  const hanging = call(addresses.auth, 'auth.request_otp', { phone: '79990000001' });
  const row = await stream.until('row', ({ kind }) => kind === 'message');
  expect(row).toMatchObject({ outcome: 'underWay', answer: '', fault: 'hang', person: 'anna' });
  const later = call(addresses.ehr, 'patient.get_patient');
  await stream.until('row', (heard) => heard.kind === 'message' && heard.outcome === 'refused');
  expect(await get<Row[]>('/api/messages')).toMatchObject([row, { outcome: 'refused' }]);
  const detail = await get<MessageDetail>(`/api/messages/${row.id}`);
  expect(detail).toMatchObject({ ...row, request: { method: 'POST' } });
  expect(JSON.stringify([row, detail])).not.toContain('79990000001');
  expect(detail.reply).toBeUndefined();

  await ask('DELETE', `/api/faults/${id}`);
  await Promise.all([hanging, later]);
  const ended = await stream.until('row', (heard) => heard.kind === 'message' && heard.outcome === 'broken');
  expect(ended.id).toBe(row.id);
  expect(await get<Row[]>('/api/messages')).toMatchObject([ended, { outcome: 'refused' }]);
});

test('patient data raise the alarm when the request leaves, and once', async () => {
  const { addresses, events } = await startConsole();
  const stream = await events();
  await call(addresses.auth, 'auth.request_otp', { phone: '79990000001', of: 'Petrova' });
  await stream.until('row', (heard) => heard.kind === 'message' && heard.outcome !== 'underWay');
  const { message, found } = await stream.until('alarm');
  expect(found).toEqual(['the surname in the request body, plain']);
  expect(await stream.until('row', ({ id }) => id === message)).toMatchObject({ patientData: found });
  const told = stream.heard.filter(({ name }) => name === 'row' || name === 'alarm');
  expect(told.map(({ name }) => name)).toEqual(['row', 'alarm', 'row']);
});
