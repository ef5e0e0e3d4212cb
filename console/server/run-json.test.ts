import { expect, test } from 'vitest';
import type { ExchangeEntry } from '#conformance/journal/entry.ts';
import { runText } from '#conformance/journal/run-file.ts';
import { judge } from '#conformance/judge.ts';
import { htmlOf } from '#conformance/report/html.ts';
import { fakeReport, fakeRun } from '#conformance/report/testing/fake-run.ts';
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

/** What stands in the HTML report: its messages with their methods, and what each changed. */
function readReport(page: string) {
  const unescaped = page.replaceAll('&#39;', "'").replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const messages = [...unescaped.matchAll(/class="message" id="m(\d+)">.*?<code>(.*?)<\/code>/gs)];
  const held = [...unescaped.matchAll(/class="held"><b>(.*?) server after (\d+)<\/b>(.*?)<span class="total">/g)];
  return {
    messages: messages.map(([, seq, method]) => [Number(seq), method]),
    changes: held.flatMap(([, server, seq, spans = '']) =>
      [...spans.matchAll(/class="(added|removed)">. ([^‹]*)(‹.*?›)/g)].map(([, how, , name]) => {
        return [Number(seq), server === 'EHR' ? 'ehr' : 'auth', how, name];
      }),
    ),
  };
}

test('a saved run has the same messages, states and verdicts as the HTML report of it', () => {
  const fake = fakeRun({ crowd: 1 });
  const verdicts = judge(fake.run);
  const report = fakeReport({ ...fake, verdicts });
  const page = readReport(htmlOf(fake.run, report));
  const replay = replayOf(JSON.parse(runText(fake.run)));

  const exchanges = fake.run.entries.filter((entry): entry is ExchangeEntry => entry.kind === 'exchange');
  const isShown = new Set(
    exchanges.flatMap(({ seq, link, scenario }) => (scenario && link !== 'auth->sms' ? [seq] : [])),
  );
  const rows = replay.rows.flatMap((row) =>
    row.kind === 'message' && isShown.has(row.id) ? [[row.id, row.method]] : [],
  );
  const bySeq = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0]);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows).toEqual(page.messages.filter(([seq]) => isShown.has(seq as number)).sort(bySeq));

  const changes = Object.values(replay.details).flatMap(({ id, changes: own }) =>
    own.map(({ party, how, row: { token, user } }) => [id, party, how, token ?? user]),
  );
  expect(changes.length).toBeGreaterThan(10);
  expect(changes.sort(bySeq)).toEqual(page.changes.sort(bySeq));

  const reached = report.verdicts.filter(({ outcome }) => /^(?:pass|fail|warning)$/.test(outcome));
  const told = ({ check, outcome }: { check: string; outcome: string }) => `${check} ${outcome}`;
  expect(replay.verdicts.map(told).sort()).toEqual(reached.map(told).sort());
});
