import { beforeAll, expect, test } from 'vitest';
import { judge } from '../../../engine/check/judge.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import { idsInTrace } from '../../../engine/journal/headers.ts';
import { reportOf } from '../../../engine/report/model.ts';
import { allEhrChecks } from '../flows/index.ts';
import { playEhr } from '../self-test/play.ts';

type Logged = { trace: string | undefined; isFromPage: boolean };

async function play() {
  const logged: Logged[] = [];
  const run = await playEhr(
    {
      http: (listener) => (request, response) => {
        const { traceparent, origin } = request.headers;
        logged.push({ trace: idsInTrace(String(traceparent))[0], isFromPage: origin !== undefined });
        listener(request, response);
      },
    },
    { scenarios: ['ttl-in-minutes', 'origin-allowed'] },
  );
  return { run, logged };
}

let played: ReturnType<typeof play>;
beforeAll(() => {
  played = play();
});

const exchangesIn = (entries: readonly { kind: string }[]) =>
  entries.filter((entry): entry is ExchangeEntry => entry.kind === 'exchange');

test('what an EHR server logs is found again in the report', async () => {
  const { run, logged } = await played;
  const checks = allEhrChecks.filter(({ id }) => id === 'ttl-in-minutes');
  const report = reportOf(run, judge(run, { checks, party: 'EHR server' }), { role: 'ehr-server', checks });
  const evidence = report.verdicts.flatMap(
    ({ finding }) => ('evidence' in finding && finding.evidence) || [],
  );
  const shown = exchangesIn(report.entries).filter(({ seq }) => evidence.includes(seq));
  const named = shown.map(({ trace }) => trace);
  expect(named.length).toBeGreaterThan(0);
  const found = logged.map(({ trace }) => trace);
  for (const trace of named) expect(found).toContain(trace);
});

test('each call has its own trace, a page of another origin none', async () => {
  const { run, logged } = await played;
  const fromPage = logged.filter(({ isFromPage }) => isFromPage);
  expect(fromPage.length).toBeGreaterThan(1);
  expect(fromPage.filter(({ trace }) => trace !== undefined)).toEqual([]);
  const ids = logged.filter(({ isFromPage }) => !isFromPage).map(({ trace }) => trace);
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
  expect(exchangesIn(run.entries).flatMap(({ trace }) => trace ?? [])).toEqual(ids);
});
