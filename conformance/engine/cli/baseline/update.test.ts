import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { usualDemands } from '../../check/verdict.ts';
import { temporaryDirectory } from '../../journal/testing/directory.ts';
import { fixedIn } from '../../report/baseline/apply.ts';
import { parseBaseline } from '../../report/baseline/load.ts';
import type { ReportOptions } from '../../report/model.ts';
import { fakeReport, fakeRun } from '../../report/testing/fake-run.ts';
import type { BaselineOptions } from './options.ts';
import { planUpdate } from './update.ts';

const fake = fakeRun({ crowd: 1 });
const ids = { checks: fake.checks.map(({ id }) => id), requirements: [] };
const RED = ['auth-info-ttl', 'session-dead-after-logout', 'wrong-code-refused'];
const [REASON, UNTIL] = ['ticket 12', '2027-03-31'];
const said = { reason: REASON, until: UNTIL };
const lineOf = (check: string) => `${check}: ${REASON}, until ${UNTIL}\n`;

/** A file of this text in a new directory; without a text it is not there yet. */
function fileOf(text?: string): string {
  const file = join(temporaryDirectory(), 'known.yaml');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

/** Plans an update, at a terminal or not. `told`: what the user was told; `type` answers a question. */
function planned(options: BaselineOptions, { isTTY = false } = {}) {
  const [told, problems]: string[][] = [[], []];
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough().setEncoding('utf8');
  onTestFinished(() => void input.end());
  let shown = '';
  output.on('data', (text: string) => {
    shown += text;
  });
  const update = planUpdate(options, {
    ...{ ids, today: '2026-01-15', input, output },
    say: (sentence) => told?.push(sentence),
    sayProblem: (sentence) => problems?.push(sentence),
  });
  const type = async (question: string, answer: string) => {
    await expect.poll(() => shown).toContain(question);
    shown = '';
    input.write(answer);
  };
  return { update, told, problems, type };
}

/** Runs an update on the invented run. */
async function updated(options: BaselineOptions, more: Partial<ReportOptions> = {}, played = fake) {
  const { update, told, problems } = planned(options);
  const text = options.baseline === undefined ? '' : readFileSync(options.baseline, 'utf8');
  const fixed = fixedIn(played.verdicts, parseBaseline(text, 'known.yaml', ids).failures);
  await update({ report: fakeReport(played, more), fixed: fixed.map(({ check }) => check) });
  return { told, problems };
}

const entriesIn = (file: string) =>
  parseBaseline(readFileSync(file, 'utf8'), file, ids).failures.map(({ check }) => check);

test('every red check that is not listed yet gets an entry', async () => {
  const file = fileOf();
  const { told } = await updated({ baselineWrite: file, ...said });
  expect(entriesIn(file).sort()).toEqual(RED);
  expect(told).toEqual([expect.stringMatching(`^Added 3 known failures to ${file}: .*auth-info-ttl`)]);
  const before = readFileSync(file, 'utf8');
  expect(before).toContain(lineOf('auth-info-ttl'));
  const again = await updated({ baselineWrite: file, ...said, reason: 'another' });
  expect(again.told).toEqual([`Nothing is red that ${file} does not list: nothing was added to it.`]);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('what the list of the run has already is not written to another', async () => {
  const file = fileOf();
  const baseline = RED.slice(1).map((check) => ({
    ...{ check, reason: 'known', lastDay: undefined, place: 'other.yaml:1:1' },
  }));
  await updated({ baselineWrite: file, ...said }, { baseline });
  expect(entriesIn(file)).toEqual(['auth-info-ttl']);
});

test('warnings are listed where they count', async () => {
  const file = fileOf();
  await updated({ baselineWrite: file, ...said }, { demands: { ...usualDemands, strict: true } });
  expect(entriesIn(file).sort()).toEqual([
    'answer-in-time',
    ...RED.slice(0, 1),
    'resend-limited',
    ...RED.slice(1),
  ]);
});

test('a listed check that passes now is taken off, and a flaky one stays', async () => {
  const file = fileOf(
    '# ours\n\ndigest-shape: x, until y\nauth-info-ttl: x, until y\nflaky:\n  jsonrpc: x, until y\n',
  );
  const { told } = await updated({ baseline: file, baselinePrune: true });
  expect(told).toEqual([`Fixed, and taken off ${file}: digest-shape.`]);
  expect(readFileSync(file, 'utf8')).toBe(
    '# ours\n\nauth-info-ttl: x, until y\nflaky:\n  jsonrpc: x, until y\n',
  );
});

test('one file is pruned and written to in one run', async () => {
  const file = fileOf('digest-shape: x, until y\nauth-info-ttl: x, until y\n');
  await updated({ baseline: file, baselinePrune: true, baselineWrite: file, ...said });
  expect(entriesIn(file).sort()).toEqual(RED);
});

test('without these options no file is written', async () => {
  const text = 'digest-shape: x, until y\n';
  const file = fileOf(text);
  expect(await updated({ baseline: file })).toEqual({ told: [], problems: [] });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a run that was broken off changes no file', async () => {
  const [file, list] = [fileOf(), fileOf('digest-shape: x, until y\n')];
  const broken = fakeRun({ crowd: 1, finished: false });
  const { told } = await updated(
    { baseline: list, baselinePrune: true, baselineWrite: file, ...said },
    {},
    broken,
  );
  expect(told).toEqual(['Not everything was judged, so the known failures are left as they are.']);
  expect([existsSync(file), entriesIn(list)]).toEqual([false, ['digest-shape']]);
});

test('a file that cannot be written after the run is told', async () => {
  const file = fileOf();
  const { update, told, problems } = planned({ baselineWrite: file, ...said });
  writeFileSync(file, 'no-such-check: x, until y\n');
  await update({ report: fakeReport(fake), fixed: [] });
  expect([told, problems]).toEqual([[], [expect.stringContaining('There is no check "no-such-check".')]]);
  expect(readFileSync(file, 'utf8')).toBe('no-such-check: x, until y\n');
});

test('a person is asked for a reason and a day until both are right', async () => {
  const file = fileOf();
  const { update, type, told } = planned({ baselineWrite: file }, { isTTY: true });
  const done = update({ report: fakeReport(fake), fixed: [] });
  await type(
    'The reason for 3 new known failures (Enter alone: another one for each cause): ',
    'x, until y\n',
  );
  await type('The reason must not say ", until"', `${REASON}\n`);
  await type('The last day, such as 2027-03-31: ', '2020-03-31\n');
  await type('The last day must not have passed', `${UNTIL}\n`);
  await done;
  expect(told).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toContain(lineOf('wrong-code-refused'));
});

test('a person may give each cause a reason of its own', async () => {
  const file = fileOf();
  const { update, type } = planned({ baselineWrite: file, until: UNTIL }, { isTTY: true });
  const done = update({ report: fakeReport(fake), fixed: [] });
  await type('for each cause): ', '\n');
  const order = fakeReport(fake).causes.flatMap(({ checks }) =>
    checks.filter((check) => RED.includes(check)),
  );
  for (const check of order) await type(`(${check})`, `this is ${check}\n`);
  await done;
  const lines = order.map((check) => `${check}: this is ${check}, until ${UNTIL}\n`);
  expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
});

test('a person who stops writes nothing, and the verdicts count', async () => {
  const file = fileOf();
  const { update, type, problems } = planned({ baselineWrite: file }, { isTTY: true });
  const done = update({ report: fakeReport(fake), fixed: [] });
  await type('The reason for 3', '\u0003');
  await done;
  expect([problems, existsSync(file)]).toEqual([['Stopped: nothing was written.'], false]);
});

/** Wrong options, with the complaint. `FILE` in them is a list with this text. */
const WRONG: readonly [what: string, BaselineOptions, message: string, text?: string][] = [
  [
    'no reason and no day',
    { baselineWrite: 'FILE' },
    '--baseline-write needs more: please give --reason TEXT and --until DAY too. It asks only on a terminal.',
  ],
  [
    'no day',
    { baselineWrite: 'FILE', reason: 'x' },
    '--baseline-write needs more: please give --until DAY too.',
  ],
  ['a reason in two lines', { baselineWrite: 'FILE', ...said, reason: 'a\nb' }, '--reason must be one line'],
  [
    'a day that has passed',
    { baselineWrite: 'FILE', ...said, until: '2026-01-14' },
    '--until must not have passed',
  ],
  ['a directory', { baselineWrite: '.', ...said }, '--baseline-write must name a file; "." is a directory.'],
  [
    'a file in a directory that is not there',
    { baselineWrite: 'no/known.yaml', ...said },
    '--baseline-write must name a file in a directory that exists; given was "no/known.yaml". Please create',
  ],
  [
    'a list that cannot be read',
    { baselineWrite: 'FILE', ...said },
    'known.yaml:1:1: There is no check "digest-shap".',
    'digest-shap: x, until y\n',
  ],
  ['a device', { baselineWrite: '/dev/null', ...said }, 'Failed to read /dev/null: it is a device.'],
  ['a reason alone', { reason: 'x' }, '--reason needs more: please give --baseline-write FILE too.'],
  ['a day alone', { until: UNTIL }, '--until needs more: please give --baseline-write FILE too.'],
  [
    'pruning without a list',
    { baselinePrune: true },
    '--baseline-prune needs more: please give --baseline FILE too.',
  ],
];

test.each(WRONG)('%s is refused before the run', (_what, options, message, text) => {
  const file = fileOf(text);
  const named = options.baselineWrite === 'FILE' ? { ...options, baselineWrite: file } : options;
  expect(() => planned(named)).toThrow(message);
});

test('the check before the run leaves nothing behind', () => {
  const file = fileOf();
  planned({ baselineWrite: file, ...said });
  expect(existsSync(file)).toBe(false);
  mkdirSync(file);
  expect(() => planned({ baselineWrite: file, ...said })).toThrow('is a directory');
});
