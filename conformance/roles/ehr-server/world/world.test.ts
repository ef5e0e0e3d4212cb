import { beforeAll, expect, test } from 'vitest';
import { seededRandom } from '#protocol/time/random.ts';
import { judge } from '../../../engine/check/judge.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import { idsInTrace } from '../../../engine/journal/headers.ts';
import { reportOf } from '../../../engine/report/model.ts';
import { allEhrChecks } from '../flows/index.ts';
import { explore, type Play } from '../flows/state-table.ts';
import { playEhr } from '../self-test/serve.ts';
import { readCall, resultOf } from './messages.ts';
import { Patients } from './patients.ts';
import { ReplySearch } from './reply-search.ts';

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

/** A server that errs at a disconnection after an authenticate. */
const errs: Play = async (steps, isWanted) => {
  const opened = steps.findIndex(({ kind }) => kind === 'authenticate');
  const at = steps.findIndex(({ kind }, index) => kind === 'removeAuthentication' && index > opened);
  const step = steps[at];
  if (opened < 0 || !step) return undefined;
  const difference = { step, breaks: 'does', expected: 'not_authorized', actual: 'ok' } as const;
  return isWanted(difference) ? { ...difference, at: at + 1 } : undefined;
};

const explored = (seed: number) =>
  explore(errs, seededRandom(seed), { canAdvance: true, maxSteps: 100, isLate: () => false });

test('records whose ids are numbers equal as doubles are two patients', () => {
  const seen = ['9223372036854775001', '9223372036854775002'].map((id) => {
    const text = `{"jsonrpc":"2.0","id":"1","result":{"patient":{"id":${id}}},"error":null}`;
    return resultOf({ kind: 'answer', status: 200, headers: new Headers(), text }, (name) => name);
  });
  expect(seen).toEqual([
    { kind: 'done', values: { patient: '9223372036854775001' } },
    { kind: 'done', values: { patient: '9223372036854775002' } },
  ]);
});

test('the card of a relative is told whatever number is beside it', () => {
  const replySearch = new ReplySearch([], 'password');
  const relatives = '[{"patientId":9223372036854775001,"medcardNumber":"MC-1"}]';
  const text = `{"result":{"patient":{"familyMembers":${relatives}}}}`;
  const answer = { kind: 'answer', status: 200, headers: new Headers(), text } as const;
  replySearch.examine({ scenario: 'a', label: 'read' }, readCall({}), answer);
  expect(replySearch.takeFound('a').told?.what).toContain('card of a relative');
});

test('a sequence is shortened to the steps that matter', async () => {
  const { shortest } = await explored(1);
  expect(shortest.map(({ steps }) => steps.map(({ kind }) => kind))).toEqual([
    ['authenticate', 'removeAuthentication'],
  ]);
});

test('a seed gives the same sequence each time', async () => {
  const first = await explored(1);
  expect(await explored(1)).toEqual(first);
  expect(await explored(2)).not.toEqual(first);
});

const person = (name: string) => ({ name, surname: 'Petrova', date: '1985-04-12', phone: '79990000001' });

test('a held patient is not lent, and no scenario waits for its own', async () => {
  const patients = new Patients([person('Anna'), person('Vera')]);
  const anna = await patients.take(({ name }) => name === 'Anna');
  if (!anna) throw new Error('Anna is free.');
  patients.giveBack(anna, 'the first scenario');
  expect(await patients.take(({ name }) => name === 'Anna')).toBe(anna);
  expect(patients.hold(anna)).toBe('the first scenario');
  patients.giveBack(anna, 'the second scenario');
  expect(await patients.take(({ name }) => name === 'Anna')).toBeUndefined();
  expect(patients.heldSince(({ name }) => name === 'Anna')).toBe('the first scenario');
  expect((await patients.take())?.name).toBe('Vera');
  expect(await patients.take()).toBeUndefined();
  expect(patients.heldSince(({ name }) => name === 'Vera')).toBe('the first scenario');
});
