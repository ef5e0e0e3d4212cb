import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readRun } from './input-file.ts';
import { type Run, runText } from './run-file.ts';
import { exchange as exchangeOf, request, response } from './testing/exchanges.ts';

const run: Run = {
  meta: {
    tool: '1',
    node: '20',
    startedAt: '2026-01-15T09:00:00.000Z',
    seed: 1,
    mode: 'scenarios',
    target: 'a server',
    configuration: {},
    abilities: { absentSteps: [], canAdvanceClock: true, otpLifetimeSeconds: undefined },
    longestSilenceMs: 0,
    finished: true,
  },
  entries: [{ kind: 'note', seq: 1, at: 0, scenario: undefined, text: 'ä' }],
};

const file = () => join(temporaryFolder(), 'run.json');

test('a saved run is read as written, after a byte order mark too', () => {
  const name = file();
  writeFileSync(name, `\ufeff${runText(run)}`);
  expect(JSON.stringify(readRun(name))).toBe(JSON.stringify(run));
});

test('a run that was altered by hand is refused, whatever was altered', () => {
  const name = file();
  writeFileSync(name, runText(run));
  const text = readFileSync(name, 'utf8');
  for (const [from, to] of [
    ['"ä"', '"b"'],
    ['"seed": 1', '"seed": 2'],
    ['"finished": true', '"finished": false'],
    ['"seq": 1', '"seq": 2'],
  ] as const) {
    expect(text).toContain(from);
    writeFileSync(name, text.replace(from, to));
    expect(() => readRun(name)).toThrow('it was altered after it was written');
  }
});

test('what is no run is told apart from a run of another version', () => {
  const name = file();
  for (const [text, words] of [
    ['no JSON', 'it is not a saved run'],
    ...['null', '[]', '7', '{}'].map((each) => [each, 'it is no run.json'] as const),
    ['{"format":"embedded-ehr-run/3"}', 'its member "entries" is missing'],
    ['{"format":"embedded-ehr-run/3","entries":[]}', 'its member "meta" is missing'],
  ] as const) {
    writeFileSync(name, text);
    expect(() => readRun(name)).toThrow(`Failed to read ${name}: ${words}. Please name a run.json`);
  }
  writeFileSync(name, JSON.stringify({ format: 'embedded-ehr-run/1', meta: {}, entries: [] }));
  expect(() => readRun(name)).toThrow('its format is "embedded-ehr-run/1"');
});

const exchange = exchangeOf(2, { request: request({ headers: [['Host', 'a']] }), response: response('') });

test('a run sealed again after a change is refused, naming the changed member', () => {
  const name = file();
  const reading = (changed: object) => {
    writeFileSync(name, runText({ meta: run.meta, entries: [exchange], ...changed } as Run));
    return () => readRun(name);
  };
  const entry = (change: object) => ({ entries: [{ ...exchange, ...change }] });
  const asked = (change: object) => entry({ request: { ...exchange.request, ...change } });
  expect(reading({})).not.toThrow();
  for (const [changed, words] of [
    [
      asked({ method: 'POST $(touch x) ;touch y #' }),
      'entries.0.request.method is not as this tool writes it (it is no HTTP method). Please name a run.json',
    ],
    [asked({ path: '/\u0015touch x' }), 'entries.0.request.path is not'],
    [asked({ headers: [['a\r\nb', '']] }), 'entries.0.request.headers.0.0 is not'],
    [asked({ body: null }), 'entries.0.request.body is not'],
    [entry({ response: { status: '200' } }), 'entries.0.response.status is not'],
    [entry({ endedAt: 1e300 }), 'entries.0.endedAt is not'],
    [entry({ kind: 'script' }), 'entries.0.kind is not'],
    [entry({ facts: { call: { method: 7 } } }), 'entries.0.facts.call.method is not'],
    [{ entries: [exchange, null] }, 'entries.1 is not as this tool writes it'],
    [{ meta: { ...run.meta, startedAt: 'soon' } }, 'meta.startedAt is not'],
  ] as const)
    expect(reading(changed)).toThrow(`Failed to read ${name}: ${words}`);
});

test('runs of an older and of a later version are read', () => {
  const name = file();
  const { facts: _facts, ...rest } = exchange;
  const older = { ...rest, facts: { call: { method: 'm', idType: 'string', jsonrpc: '2.0', params: {} } } };
  const later = { ...exchange, seq: 3, colour: 'green', facts: { mood: 'good' } };
  const both = { meta: { ...run.meta, weather: 'fine' }, entries: [older, later] };
  writeFileSync(name, runText(both as Run));
  expect(JSON.stringify(readRun(name))).toBe(JSON.stringify(both));
});
