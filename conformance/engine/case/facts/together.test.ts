import { expect, test } from 'vitest';
import { differences } from '../fact.ts';
import { runScript } from '../run-script.ts';
import { tracedCall, traceOfCalls } from '../testing/traces.ts';
import { functionsFor } from '../text/runtime.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';
import { factsOf } from './facts.ts';

const PHONE = '79995550001';

/** The facts that hold in the right trace and not in the wrong one, in words. */
function told(right: Trace, wrong: Trace): string[] {
  const played = new Set(wrong.calls.map(({ key }) => key));
  return differences(factsOf(right), factsOf(wrong), { near: played, played }).map(({ text }) => text);
}

/** A trace in which these codes came, one after another. */
const ofCodes = (codes: readonly string[]) =>
  traceOfCalls(
    codes.map((code, index) => tracedCall(`ask ${index}`, { codes: [{ code, phone: PHONE }], group: index })),
    { [PHONE]: 'phone of Mia' },
  );
const DRAWN = ['518204', '930571', '047733', '662019'];

test.each([
  [['111111', '111111', '111111', '111111'], '2 codes differ'],
  [['481201', '481202', '481203', '481204'], '4 codes do not count up, and are no seconds of a clock'],
  [['100000', '350000', '600000', '850000'], '4 codes do not lie equally far apart'],
  [['277758', '608089', '767510', '101121'], '4 codes do not follow from each other'],
  [['550001', '930571', '047733', '662019'], 'the code of "ask 0" is not the end of the phone'],
])('the codes %j are told from drawn ones', (codes, fact) => {
  expect(told(ofCodes(DRAWN), ofCodes(codes))).toContain(fact);
  expect(told(ofCodes(DRAWN), ofCodes([...DRAWN]))).toEqual([]);
});

test('the script tells the same of codes and tokens', async () => {
  const play = `console.log(JSON.stringify([
    ...[${JSON.stringify(DRAWN)}, ['277758', '608089', '767510', '101121'], ['743980', '695765', '289720', '106865']].map(isForetold),
    ...[['100000', '350000', '600000']].map(stepsOf),
    leastApart(['token-1', 'token-2', 'other-31']),
  ]))`;
  const { said } = await runScript(`${functionsFor(play)}\n${play}`, {
    env: {},
    signal: new AbortController().signal,
  });
  expect(JSON.parse(said)).toEqual([false, true, true, [250_000, 250_000], 1]);
});

test('a message to a further phone is told by its request', () => {
  const names = { [PHONE]: 'phone of Mia', '79995550002': 'phone of Max' };
  const sent = (phones: readonly string[]) =>
    traceOfCalls(
      [tracedCall('ask', { phone: PHONE, codes: phones.map((phone) => ({ code: '518204', phone })) })],
      names,
    );
  expect(told(sent([PHONE]), sent(Object.keys(names)))).toContain(
    '"ask" sends no message to the phone of Max',
  );
});

test('tokens that are counted are told from drawn ones', () => {
  const given = (tokens: readonly string[]) =>
    traceOfCalls(
      tokens.map((token, group) =>
        tracedCall(`sign in ${group}`, {
          step: 'confirmOtp',
          group,
          result: { kind: 'done', values: { token } },
        }),
      ),
      Object.fromEntries(tokens.map((token, index) => [token, `token ${index}`])),
    );
  expect(told(given(['abcdefghijkl', 'mnopqrstuvwx']), given(['token-000001', 'token-000002']))).toEqual([
    '2 session tokens differ from each other in at least 8 places',
  ]);
});

/** A call during which the EHR server was called, and had answered at this time. */
const calling = (ehrEnded: number, ended: number): TracedCall => {
  const body = JSON.stringify({ method: 'embedded_storage.save_auth_info', params: {} });
  const { request, response } = tracedCall('');
  const inner = { request: { ...request, body }, response, fault: undefined, broke: undefined, took: 1 };
  return tracedCall('report', { ended, inner: [{ ...inner, ended: ehrEnded }] });
};

test('an answer before the EHR server has answered, and a slow one, are told', () => {
  expect(told(traceOfCalls([calling(5, 10)]), traceOfCalls([calling(400, 10)]))).toEqual([
    '"report" is answered after the EHR server has answered embedded_storage.save_auth_info',
  ]);
  expect(told(traceOfCalls([calling(5, 10)]), traceOfCalls([calling(5, 500)]))).toEqual([
    '"report" is answered within 300 ms',
  ]);
});

test('answers to equal steps are compared by their lengths and times', () => {
  const answered = (body: string, ended: number) =>
    traceOfCalls([
      tracedCall('known', { group: 1 }),
      tracedCall('unknown', { group: 2, ended, response: { status: 200, headers: [], body } }),
    ]);
  expect(told(answered('{}', 10), answered('{   }', 10))).toContain(
    'the answers to "known" and "unknown" have one length',
  );
  expect(told(answered('{}', 10), answered('{}', 250))).toContain('"unknown" takes about as long as "known"');
});

test('of calls at once the script counts what is understood, and what is sent', () => {
  const atOnce = (status: number) =>
    traceOfCalls([
      tracedCall('one'),
      tracedCall('two', { response: { status, headers: [], body: '{}' }, result: undefined }),
    ]);
  expect(told(atOnce(400), atOnce(500))).toContain(
    'of 2 calls at once, each is answered, and not by an internal error',
  );
});
