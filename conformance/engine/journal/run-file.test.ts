import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ExchangeEntry } from './entry.ts';
import { type Run, readRun, runText } from './run-file.ts';

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

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'run.json');
}

test('a saved run is read as it was written', () => {
  const name = file();
  writeFileSync(name, runText(run));
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
  for (const text of ['no JSON', 'null', '[]', '7']) {
    writeFileSync(name, text);
    expect(() => readRun(name)).toThrow(`Failed to read ${name}`);
  }
  writeFileSync(name, JSON.stringify({ format: 'embedded-ehr-run/1', meta: {}, entries: [] }));
  expect(() => readRun(name)).toThrow('its format is "embedded-ehr-run/1"');
});

const exchange: ExchangeEntry = {
  kind: 'exchange',
  seq: 2,
  at: 1,
  endedAt: 2,
  scenario: undefined,
  link: 'client->auth',
  request: { httpVersion: '1.1', method: 'POST', path: '/', headers: [['Host', 'a']], body: '' },
  response: { status: 200, headers: [], body: '' },
  facts: {},
};

test('a run whose seal was made anew is refused with the place of what this tool does not write', () => {
  const name = file();
  const at = (
    change: (run: { meta: Record<string, unknown>; entries: [ExchangeEntry, ...ExchangeEntry[]] }) => void,
  ) => {
    const changed = structuredClone({ meta: run.meta, entries: [exchange] });
    change(changed as never);
    writeFileSync(name, runText(changed as Run));
    return () => readRun(name);
  };
  expect(at(() => undefined)).not.toThrow();
  for (const [change, words] of [
    [
      ({ entries: [one] }) => Object.assign(one.request, { method: 'POST $(touch x) ;touch y #' }),
      'entries.0.request.method is not as this tool writes it (it is no HTTP method). Please name a run.json',
    ],
    [({ entries: [one] }) => Object.assign(one.request, { path: '/\u0015touch x' }), 'entries.0.request.path is not'],
    [({ entries: [one] }) => one.request.headers.push(['a\r\nb', '']), 'entries.0.request.headers.1.0 is not'],
    [({ entries: [one] }) => Object.assign(one.request, { body: null }), 'entries.0.request.body is not'],
    [({ entries: [one] }) => Object.assign(one, { response: { status: '200' } }), 'entries.0.response.status is not'],
    [({ entries: [one] }) => Object.assign(one, { endedAt: 1e300 }), 'entries.0.endedAt is not'],
    [({ entries: [one] }) => Object.assign(one, { kind: 'script' }), 'entries.0.kind is not'],
    [({ entries: [one] }) => Object.assign(one.facts, { call: { method: 7 } }), 'entries.0.facts.call.method is not'],
    [({ entries }) => entries.push(null as never), 'entries.1 is not as this tool writes it'],
    [({ meta }) => Object.assign(meta, { startedAt: 'soon' }), 'meta.startedAt is not'],
    [({ meta }) => Object.assign(meta, { role: 'nurse' }), 'meta.role is not'],
  ] as [Parameters<typeof at>[0], string][])
    expect(at(change)).toThrow(`Failed to read ${name}: ${words}`);
});

test('a run of an older version, which lacks later members, and one of a later version are read', () => {
  const name = file();
  const { facts: _facts, ...rest } = exchange;
  const older = { ...rest, facts: { call: { method: 'm', idType: 'string', jsonrpc: '2.0', params: {} } } };
  const later = { ...exchange, seq: 3, colour: 'green', facts: { mood: 'good' } };
  const both = { meta: { ...run.meta, weather: 'fine' }, entries: [older, later] };
  writeFileSync(name, runText(both as Run));
  expect(JSON.stringify(readRun(name))).toBe(JSON.stringify(both));
});
