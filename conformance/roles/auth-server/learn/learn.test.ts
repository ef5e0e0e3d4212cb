import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { startRecording } from '../../../engine/learn/recording.ts';
import { harFileOf } from '../../../testing/har-of.ts';
import { patientStems } from '../people/patients/patients.ts';
import { type Walk, walkPlain, walkRpc } from './testing/example-walks.ts';
import { examined, freePorts, learnedFrom, recorded, startExample } from './testing/learned.ts';

const RUN = { timeout: 60_000 };

/** The answers to the questions of `init`, in order: name, address, and the number of the way of codes. */
const OUTBOX = ['', '', 'outbox'];

const servers: [string, string, Walk, string[]][] = [
  ['the plain JavaScript server', 'plain-js/server.mjs', walkPlain, []],
  ['the mock', 'mock-server.mjs', walkRpc, OUTBOX],
];

for (const [name, program, walk, answers] of servers) {
  test(`the file learned from a recording of ${name} passes the doctor`, RUN, async () => {
    const ports = await freePorts();
    const har = await recorded(walk, await startExample(program, ports), ports);
    const { file, text } = await learnedFrom(har, ports, answers);
    expect((await examined(file)).filter(({ ok }) => !ok)).toEqual([]);
    expect(secretsIn(text, har)).toEqual([]);
  });
}

test('what crossed between a client and a server is learned from', RUN, async () => {
  const ports = await freePorts();
  const server = await startExample('plain-js/server.mjs', ports);
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const recording = await startRecording({ server, port: 0, clock: systemClock, say });
  onTestFinished(() => recording.stop());
  await recorded(walkPlain, recording.url, ports);
  // The client calls the EHR server by itself: this recording has the authorization server alone.
  const { file, text } = await learnedFrom(readFileSync(harFileOf(recording.exchanges()), 'utf8'), ports);
  expect(text).toContain(`url: "${server}"`);
  expect((await examined(file)).filter(({ ok }) => !ok)).toEqual([]);
  // The phone and the code of the walk stand in no line.
  expect(lines).toContain('POST /login/start  202');
  expect(lines.join('\n')).not.toMatch(/\d{4}/);
  const foreign = await fetch(recording.url, { headers: { origin: 'https://foreign.example' } });
  expect(foreign.status).toBe(403);
  expect(lines.at(-1)).toBe('A request is refused: its Origin is foreign.');
});

/** The values of a recording that look like secrets or belong to a person, and stand in a text. */
function secretsIn(text: string, har: string): string[] {
  const drawn = har.match(/[\w-]{20,}/g) ?? [];
  const people = ['4821', ...patientStems.keys()];
  const given = new Set([...drawn.filter((value) => /\d/.test(value) && /[A-Za-z]/.test(value)), ...people]);
  return [...given].filter((value) => text.includes(value));
}
