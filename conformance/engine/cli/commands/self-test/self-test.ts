/**
 * The command `self-test`: proves the kit on parties with a known difference. Every defect must be found by
 * its check, and no harmless variant may change a verdict. `--pairs` puts two defects into one server;
 * `--whole` plays whole runs, and looks which cause the report names first.
 */
import { writeFileSync } from 'node:fs';
import { addressOf } from '#protocol/site.ts';
import { refusalOf, requireFile } from '#service/process/files/writing.ts';
import { EXIT } from '../../../check/verdict.ts';
import { type WholeRow, wholeRows } from '../../../defects/drawn/whole.ts';
import type { PairRow } from '../../../defects/pair-row.ts';
import { SelfTest, type SelfTestRow } from '../../../defects/self-test.ts';
import type { Role } from '../../../role.ts';
import { breakable, clock, Stop } from '../common.ts';

/** The options of the command line. */
export type SelfTestCommand = {
  seed: number;
  /** Plays every `of`-th variant, starting with number `part`, counted from 0; all unless given. */
  share?: { part: number; of: number };
  /** Plays only variants whose id contains one of these texts, which commas separate. */
  only?: string;
  /** File for the rows and the score; none unless given. */
  json?: string;
};

/**
 * Plays the right parties, defects and harmless variants of a role, and shows a line for each.
 * @returns 0 when all rows are ok, else 1
 */
export async function runSelfTest(role: Role, command: SelfTestCommand): Promise<number> {
  const rows = await new SelfTest(await role.catalogue()).rows(optionsOf(command));
  return told(command, rows);
}

function optionsOf({ seed, share, only, json }: SelfTestCommand) {
  if (json !== undefined) requireFile('--json', json);
  return {
    clock,
    seed,
    signal: breakable(),
    ...(share && { share }),
    only,
    onRow: (row: SelfTestRow, done: number, total: number) =>
      void process.stdout.write(`${String(done).padStart(3)}/${total} ${line(row)}\n`),
  };
}

/**
 * Shows the score, writes its file, and returns the exit code.
 * @throws Stop when the options choose no variant: a self-test of nothing proves nothing
 */
function told({ seed, only, share, json }: SelfTestCommand, rows: readonly SelfTestRow[]): number {
  if (rows.every(({ kind }) => kind === 'reference')) {
    const chosen = [
      only === undefined ? '' : `--only ${only}`,
      share ? `--part ${share.part} --of ${share.of}` : '',
    ];
    throw new Stop(
      `${chosen.join(' ').trim()} chooses nothing: parts count from 0, and ${addressOf.defects} has the ids of all variants.`,
      { exitCode: EXIT.notSetUp },
    );
  }
  const score = scoreOf(rows);
  process.stdout.write(`\n${score.sentence}\n`);
  keep(json, scoreFile(seed, rows));
  return score.ok ? EXIT.conformant : EXIT.notConformant;
}

/** Writes the score to the file of `--json`. When that fails, the exit code of the command stays. */
export function keep(json: string | undefined, score: object): void {
  if (json === undefined) return;
  try {
    writeFileSync(json, `${JSON.stringify(score, null, 2)}\n`);
  } catch (error) {
    process.stderr.write(`Failed to write ${json}: ${refusalOf(error)}.\n`);
  }
}

/** The options with `--pairs`, which is the number of pairs. */
export type PairsCommand = Pick<SelfTestCommand, 'seed' | 'only' | 'json'> & { pairs: number };

/**
 * Plays pairs of defects in one party, and shows a line for each pair.
 * @param command `pairs` is how many pairs are drawn
 * @returns 0 when in every pair both defects are found or one hides the other, else 1
 */
export async function runPairs(role: Role, { seed, pairs, only, json }: PairsCommand): Promise<number> {
  if (json !== undefined) requireFile('--json', json);
  if (!role.pairs) {
    const because = `two defects cannot be put into one ${role.party}: please leave out --role ${role.id}`;
    throw new Stop(`--pairs: ${because}.`, { exitCode: EXIT.notSetUp });
  }
  const rows = await role.pairs({
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

/** The options of the kinds that draw their defects. `sample` is how many are drawn. */
export type DrawnCommand = Pick<SelfTestCommand, 'seed' | 'only' | 'json'> & { sample: number };

/** In this share of the whole runs the first cause of the report must be that of the defect. */
const MIN_FIRST_SHARE = 18 / 20;

/**
 * Plays a whole run for each of `sample` drawn defects. A report puts its failures together by cause.
 * @returns 0 when the first cause of the report is that of the defect in enough runs, else 1
 */
export async function runWhole(role: Role, { seed, sample, only, json }: DrawnCommand): Promise<number> {
  if (json !== undefined) requireFile('--json', json);
  const onRow = (row: WholeRow, done: number, total: number) =>
    void process.stdout.write(`${String(done).padStart(3)}/${total} ${wholeLine(row)}\n`);
  const options = { clock, seed: 1, signal: breakable(), drawSeed: seed, sample, only, onRow };
  const rows = await wholeRows(await role.catalogue(), options);
  const score = scoreOfWhole(rows);
  process.stdout.write(`\n${score.sentence}\n`);
  keep(json, { role: role.id, seed, ...score, rows });
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

/** The score of a self-test in numbers and in one sentence. */
export function scoreOf(rows: readonly SelfTestRow[]) {
  const of = (kind: SelfTestRow['kind']) => rows.filter((row) => row.kind === kind);
  const good = (kind: SelfTestRow['kind']) => of(kind).filter(({ ok }) => ok).length;
  const ok = rows.every((row) => row.ok);
  const right = wordsOfReferences(of('reference'));
  const sentence = `${good('defect')} of ${of('defect').length} defects found by the check that names them, ${good('harmless')} of ${of('harmless').length} harmless variants left every verdict as it was${right}.`;
  return {
    ok,
    defects: of('defect').length,
    defectsFound: good('defect'),
    harmless: of('harmless').length,
    harmlessUnharmed: good('harmless'),
    sentence,
  };
}

function wordsOfReferences(references: readonly SelfTestRow[]): string {
  const failed = references.filter(({ ok }) => !ok);
  if (failed.length > 0)
    return `, the right server DID NOT PASS of: ${failed.map(({ shape }) => shape).join(', ')}`;
  if (references.length === 0) return '';
  const which = references.length === 1 ? 'its shape' : `each of ${references.length} shapes`;
  return `, the right server of ${which} passed`;
}

/** The score by shape. A shape is a right server of one build, in which the defects are put. */
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
 * What `--json` writes: the score in all, by shape where there are several, and for each variant of a kind
 * whether it has the required result.
 */
export function scoreFile(seed: number, rows: readonly SelfTestRow[]) {
  const shapes = scoreByShape(rows);
  return {
    seed,
    ...scoreOf(rows),
    ...(Object.keys(shapes).length > 1 && { shapes }),
    rows: outcomesOf(rows),
  };
}

/** For each variant of a kind whether it has the required result. */
function outcomesOf(rows: readonly SelfTestRow[]) {
  const of = (kind: SelfTestRow['kind']) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ id, ok }) => [id, ok]));
  return { reference: of('reference'), defect: of('defect'), harmless: of('harmless') };
}

/** A row as one line of text for the terminal. */
function line({ kind, id, check, ok, found }: SelfTestRow): string {
  return `${ok ? 'ok ' : 'NOT'} ${kind.padEnd(9)} ${id.padEnd(32)} ${(check ?? '').padEnd(34)} ${found}`;
}
