import { expect, test } from 'vitest';
import { runText } from '#conformance/journal/run-file.ts';
import { fakeRun } from '#conformance/report/testing/fake-run.ts';
import { replayOf } from './run-json.ts';

test('a saved run tells what each of its messages changed at the EHR server', () => {
  const { rows, details, verdicts } = replayOf(JSON.parse(runText(fakeRun({ crowd: 1 }).run)));
  const linking = Object.values(details).filter(({ method }) => method === 'embedded_storage.authenticate');
  const done = linking.find(({ outcome }) => outcome === 'done');
  expect(done?.changes.map(({ party, table, how, row }) => [party, table, how, row.id])).toEqual([
    ['ehr', 'exchangeTokens', 'removed', '‹exchange-token 1›'],
    ['ehr', 'sessions', 'added', '‹session-token 1›'],
    ['ehr', 'links', 'added', '‹user 1›'],
  ]);
  expect(rows.length).toBeGreaterThan(Object.keys(details).length);
  for (const { evidence } of verdicts) for (const id of evidence) expect(typeof id).toBe('number');
});
