import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { initCommand } from '../../../engine/cli/commands/init.ts';
import { InputError } from '../../../engine/input-error.ts';
import { seenExchanges } from '../../../engine/learn/exchange.ts';
import { startRecording } from '../../../engine/learn/recording.ts';
import type { Role } from '../../../engine/role.ts';
import { runCli } from '../../../testing/cli.ts';
import { harFileOf } from '../../../testing/har-file.ts';
import { role } from '../index.ts';
import { patientStems } from '../people/patients.ts';
import { type Walk, walkPlain, walkRpc } from './testing/example-walks.ts';
import { diagnosesOf, freePorts, harOf, initFrom, startExample } from './testing/examples.ts';
import { signIn } from './testing/recordings.ts';

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
    const har = await harOf(walk, await startExample(program, ports), ports);
    const { file, text } = await initFrom(har, ports, answers);
    expect((await diagnosesOf(file)).filter(({ ok }) => !ok)).toEqual([]);
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
  await harOf(walkPlain, recording.url, ports);
  // The client calls the EHR server by itself: this recording has the authorization server alone.
  const { file, text } = await initFrom(readFileSync(harFileOf(recording.exchanges()), 'utf8'), ports);
  expect(text).toContain(`url: "${server}"`);
  expect((await diagnosesOf(file)).filter(({ ok }) => !ok)).toEqual([]);
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

test('a broken recording ends with exit code 2, and no file is written', async () => {
  const directory = temporaryFolder();
  const [file, bad] = [join(directory, 'my-server.yaml'), join(directory, 'bad.har')];
  writeFileSync(bad, '{ "log": ');
  const { code, output } = await runCli('init', file, '--from', bad);
  expect(code, output).toBe(2);
  expect(output).toContain('bad.har');
  expect(output).not.toMatch(/^ {4}at /m);
  expect(existsSync(file)).toBe(false);
});

const GOOD = seenExchanges(signIn({ userId: 'u-1', token: 'tokTok8877665544aa' }));

/** Runs `init` on the good recording. Returns each file that a role was opened by, with its text. */
async function openedBy(directory: string, { doctor = true } = {}) {
  const file = join(directory, 'my-server.yaml');
  const opened: string[] = [];
  const watched: Role = {
    ...role,
    async open({ config }) {
      opened.push(config, readFileSync(config, 'utf8'));
      throw new InputError('This test plays nothing.');
    },
  };
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([]) as typeof process.stdin);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const ended = initCommand({ file, from: harFileOf(GOOD), doctor, force: false }, watched);
  const result = await ended.catch((error: Error) => error.message);
  return { file, opened, result };
}

test('after a good recording the doctor opens the written file', async () => {
  const directory = temporaryFolder();
  const { file, opened, result } = await openedBy(directory);
  expect(result).toContain('This test plays nothing.');
  expect(opened).toEqual([file, expect.stringContaining('/login')]);
});

test('with --no-doctor nothing is opened', async () => {
  const directory = temporaryFolder();
  const { file, opened, result } = await openedBy(directory, { doctor: false });
  expect([result, opened, existsSync(file)]).toEqual([0, [], true]);
});
