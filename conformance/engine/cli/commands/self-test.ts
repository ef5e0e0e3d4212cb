/** `self-test`: every defect must be found, and no harmless variant may change a verdict. */
import { writeFileSync } from 'node:fs';
import { refusalOf, requireFile } from '#service/process/writing.ts';
import { defects } from '../../../roles/auth-server/defects/index.ts';
import { scenarios } from '../../../roles/auth-server/flows/index.ts';
import { type PairRow, selfTestPairs } from '../../../roles/auth-server/self-test/pairs.ts';
import { playVariant, type SelfTestRow, selfTest } from '../../../roles/auth-server/self-test/self-test.ts';
import { clientCatalogue, clientSelfTest } from '../../../roles/client/self-test/self-test.ts';
import { ehrCatalogue, ehrSelfTest } from '../../../roles/ehr-server/self-test/self-test.ts';
import { EXIT } from '../../check/verdict.ts';
import type { Catalogue, Row, Variant } from '../../defects/one-shape.ts';
import { type WholeRow, wholeRows } from '../../defects/whole.ts';
import type { Role } from '../../journal/run-file.ts';
import { breakable, clock, Stop } from './common.ts';

export type SelfTestCommand = { seed: number; share?: { part: number; of: number }; only?: string; json?: string };

/** @returns 0 when all rows are ok, else 1 */
export async function runSelfTest(command: SelfTestCommand): Promise<number> {
  const rows = await selfTest(optionsOf(command));
  return told(command, rows, scoreFile(command.seed, rows));
}

/**
 * The self-test of a role whose right program has one shape.
 * @returns 0 when all rows are ok, else 1
 */
export async function runSelfTestOf(role: 'ehr-server' | 'client', command: SelfTestCommand): Promise<number> {
  const selfTests = { 'ehr-server': ehrSelfTest, client: clientSelfTest };
  const rows = await selfTests[role].rows(optionsOf(command));
  return told(command, rows, oneShapeScoreFile(command.seed, rows));
}

function optionsOf({ seed, share, only, json }: SelfTestCommand) {
  if (json !== undefined) requireFile('--json', json);
  return {
    clock,
    seed,
    signal: breakable(),
    ...(share && { share }),
    only,
    onRow: (row: Row, done: number, total: number) =>
      void process.stdout.write(`${String(done).padStart(3)}/${total} ${line(row)}\n`),
  };
}

/** @throws Stop when nothing was chosen: a self-test of nothing proves nothing */
function told({ only, share, json }: SelfTestCommand, rows: readonly ScoredRow[], file: object): number {
  if (rows.every(({ kind }) => kind === 'reference')) {
    const chosen = [only === undefined ? '' : `--only ${only}`, share ? `--part ${share.part} --of ${share.of}` : ''];
    throw new Stop(
      `${chosen.join(' ').trim()} chooses nothing: parts count from 0, and docs/defects.md has the ids of all variants.`,
      { exitCode: EXIT.notSetUp },
    );
  }
  const score = scoreOf(rows);
  process.stdout.write(`\n${score.sentence}\n`);
  keep(json, file);
  return score.ok ? EXIT.conformant : EXIT.notConformant;
}

/** Writes the score where `--json` says. The score counts without its file, too. */
function keep(json: string | undefined, score: object): void {
  if (json === undefined) return;
  try {
    writeFileSync(json, `${JSON.stringify(score, null, 2)}\n`);
  } catch (error) {
    process.stderr.write(`Failed to write ${json}: ${refusalOf(error)}.\n`);
  }
}

export type PairsCommand = Pick<SelfTestCommand, 'seed' | 'only' | 'json'> & { pairs: number };

/** @returns 0 when in every pair both defects are found or one hides the other, else 1 */
export async function runPairs({ seed, pairs, only, json }: PairsCommand): Promise<number> {
  if (json !== undefined) requireFile('--json', json);
  const rows = await selfTestPairs({
    clock,
    seed,
    signal: breakable(),
    count: pairs,
    only,
    onRow: ({ id, result, found }, done, total) =>
      process.stdout.write(
        `${String(done).padStart(3)}/${total} ${UNMET.has(result) ? 'NOT' : 'ok '} ${id}: ${result} (${found})\n`,
      ),
  });
  const score = scoreOfPairs(rows);
  process.stdout.write(`\n${score.sentence}\n`);
  keep(json, { seed, ...score, rows });
  return score.ok ? EXIT.conformant : EXIT.notConformant;
}

export type WholeCommand = Pick<SelfTestCommand, 'seed' | 'only' | 'json'> & { sample: number };

/** Of twenty whole runs so many must name the cause of the defect first. */
const MIN_FIRST_SHARE = 18 / 20;

/** @returns 0 when of the drawn defects enough are in the first cause of their report, else 1 */
export async function runWhole(role: Role, { seed, sample, only, json }: WholeCommand): Promise<number> {
  if (json !== undefined) requireFile('--json', json);
  const options = { clock, seed: 1, signal: breakable() };
  const onRow = (row: WholeRow, done: number, total: number) =>
    void process.stdout.write(`${String(done).padStart(3)}/${total} ${wholeLine(row)}\n`);
  const about = { seed, sample, only, onRow };
  const ofOneShape = <V extends Variant>({ defects: wrong, play }: Catalogue<V>) =>
    wholeRows({ role, defects: wrong, play: (defect) => play(defect, options) }, about);
  const players: Record<Role, () => Promise<WholeRow[]>> = {
    'auth-server': () => wholeRows({ role, defects, play: (defect) => playVariant(defect, scenarios, options) }, about),
    'ehr-server': () => ofOneShape(ehrCatalogue),
    client: () => ofOneShape(clientCatalogue),
  };
  const rows = await players[role]();
  const score = scoreOfWhole(rows);
  process.stdout.write(`\n${score.sentence}\n`);
  keep(json, { role, seed, ...score, rows });
  return score.ok ? EXIT.conformant : EXIT.notConformant;
}

function wholeLine({ id, check, causes, place, leader, first }: WholeRow): string {
  if (place === 1)
    return `ok  ${id}: ${check} is in the first of ${causes}${leader === check ? '' : `, led by ${leader}`}`;
  const where = place === 0 ? 'in no cause' : `in cause ${place} of ${causes}`;
  return `NOT ${id}: ${check} is ${where}; first is ${first}`;
}

/** The score of whole runs in numbers and in one sentence. */
export function scoreOfWhole(rows: readonly WholeRow[]) {
  const first = rows.filter(({ place }) => place === 1);
  const leading = first.filter(({ check, leader }) => check === leader).length;
  const sentence = `Of ${rows.length} whole runs with one defect, the first cause has the check that names the defect in ${first.length}, and is led by it in ${leading}.`;
  const ok = rows.length > 0 && first.length / rows.length >= MIN_FIRST_SHARE;
  return { ok, runs: rows.length, first: first.length, leading, sentence };
}

/** The results that make the command fail. */
const UNMET: ReadonlySet<PairRow['result']> = new Set(['not named', 'disturbed', 'crashed']);

/** The score of pairs in numbers and in one sentence. */
export function scoreOfPairs(rows: readonly PairRow[]) {
  const of = (result: PairRow['result']) => rows.filter((row) => row.result === result).length;
  const [both, one, apart] = [of('both named'), of('one hides the other'), of('not composed')];
  const [missed, disturbed, crashed] = [of('not named'), of('disturbed'), of('crashed')];
  const sentence = `Of ${rows.length} pairs of defects, both were named in ${both}, one was and said what it hides in ${one}, ${apart} cannot be in one server, and ${missed} were not named.${crashed > 0 ? ` In ${crashed} the server crashed.` : ''}${disturbed > 0 ? ` In ${disturbed} the kit itself stood still: please run again on a quieter machine.` : ''}`;
  const ok = missed + disturbed + crashed === 0 && both + one > 0;
  return { ok, both, one, apart, missed, disturbed, crashed, sentence };
}

/** A row of any role. */
type ScoredRow = Pick<SelfTestRow, 'kind' | 'id' | 'ok'> & { shape?: SelfTestRow['shape'] };

/** The score in numbers and in one sentence. */
export function scoreOf(rows: readonly ScoredRow[]) {
  const of = (kind: SelfTestRow['kind']) => rows.filter((row) => row.kind === kind);
  const good = (kind: SelfTestRow['kind']) => of(kind).filter(({ ok }) => ok).length;
  const ok = rows.every((row) => row.ok);
  const failed = of('reference').filter((row) => !row.ok);
  const right =
    failed.length === 0
      ? `the right server of ${of('reference').length === 1 ? 'its shape' : `each of ${of('reference').length} shapes`} passed`
      : `the right server DID NOT PASS of: ${failed.map(({ id, shape = id }) => shape).join(', ')}`;
  const sentence = `${good('defect')} of ${of('defect').length} defects found by the check that names them, ${good('harmless')} of ${of('harmless').length} harmless variants left every verdict as it was, ${right}.`;
  return {
    ok,
    defects: of('defect').length,
    defectsFound: good('defect'),
    harmless: of('harmless').length,
    harmlessUnharmed: good('harmless'),
    sentence,
  };
}

/** The score of each shape of server that was run. */
function scoreByShape(rows: readonly SelfTestRow[]) {
  const shapes = [...new Set(rows.map(({ shape }) => shape))];
  return Object.fromEntries(
    shapes.map((shape) => {
      const { sentence: _sentence, ...score } = scoreOf(rows.filter((row) => row.shape === shape));
      return [shape, score];
    }),
  );
}

/**
 * What `--json` writes: the score in all and by shape, and for each variant of a kind whether it has the
 * required result.
 */
export function scoreFile(seed: number, rows: readonly SelfTestRow[]) {
  return { seed, ...scoreOf(rows), shapes: scoreByShape(rows), rows: outcomesOf(rows) };
}

/** What `--json` writes for a role whose right program has one shape. */
export function oneShapeScoreFile(seed: number, rows: readonly ScoredRow[]) {
  return { seed, ...scoreOf(rows), rows: outcomesOf(rows) };
}

/** For each variant of a kind whether it has the required result. */
function outcomesOf(rows: readonly ScoredRow[]) {
  const of = (kind: SelfTestRow['kind']) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ id, ok }) => [id, ok]));
  return { reference: of('reference'), defect: of('defect'), harmless: of('harmless') };
}

function line({ kind, id, check, ok, found }: Row): string {
  return `${ok ? 'ok ' : 'NOT'} ${kind.padEnd(9)} ${id.padEnd(32)} ${(check ?? '').padEnd(34)} ${found}`;
}
