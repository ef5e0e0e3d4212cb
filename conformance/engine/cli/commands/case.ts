/** The command `case`: writes one failing check as a script that needs nothing but Node, or curl. */
import { writeFileSync } from 'node:fs';
import { requireFile } from '#service/process/files/writing.ts';
import { makeCase } from '../../case/make.ts';
import type { CurlCase } from '../../case/shell/curl-case.ts';
import type { CaseParty } from '../../case/told.ts';
import type { Check } from '../../check/check.ts';
import { EXIT } from '../../check/verdict.ts';
import { readReport } from '../../report/schema/schema.ts';
import { activityOn } from '../../report/terminal/progress.ts';
import { paintFor } from '../../report/terminal/terminal.ts';
import { harmless } from '../../report/words.ts';
import { entryOf, type Role, type RoleEntry, type RunOpening } from '../../role.ts';
import { breakable, openingOf, Stop, stopNotSetUp, toolVersion } from './common.ts';
import { requireSetUp } from './require-set-up.ts';
import { configOf } from './rerun-plan.ts';

/** The options of the command line. */
export type CaseOptions = {
  /** A report that names the party, its role and the seed, unless given. */
  report?: string | undefined;
  config?: string;
  role?: string;
  seed?: number;
  /** The file of the script; named after the check unless given. */
  out?: string;
};

/** What writing a case takes from its surroundings. */
type CaseSurroundings = {
  /** Breaks it off. */
  signal: AbortSignal;
  /** Takes what is being done. */
  onDoing?: (what: string) => void;
};

/**
 * Tells a failing check as a script.
 * @returns 0 when the script was written
 * @throws as {@link writeCase}
 */
export async function tellCase(
  id: string,
  options: CaseOptions,
  roles: readonly RoleEntry[],
): Promise<number> {
  const screen = process.stdout;
  const begun = `Playing ${id} with both parties, and leaving out calls: this may take minutes.`;
  const { status, end } = activityOn({ screen, paint: paintFor(screen, process.env) }, begun);
  const around = { signal: breakable(), onDoing: status };
  const text = await writeCase(id, options, roles, around).finally(end);
  screen.write(`${text}\n`);
  return EXIT.conformant;
}

/**
 * Writes a failing check as a script.
 * @returns what the script shows, where it is, and how to play it
 * @throws InputError when the check passes, or cannot be told by a script
 */
export async function writeCase(
  id: string,
  options: CaseOptions,
  roles: readonly RoleEntry[],
  { signal, onDoing }: CaseSurroundings,
): Promise<string> {
  const { config, role: roleId, seed } = partyIn(options);
  const stop = (message: string) => new Stop(message, { exitCode: EXIT.notSetUp });
  const { role, check } = await found(id, roleId === undefined ? roles : [entryOf(roles, roleId)], stop);
  if (!role.cases) throw stop(`--role ${role.id}: a check of this role cannot be told as a script.`);
  const { out = `${id}.mjs` } = options;
  requireFile('--out', out);
  const opening = openingOf(config, seed, signal);
  const cases = await role.cases();
  const party = { play: playing(role, opening), stand: () => cases.standOf(opening).catch(stopNotSetUp) };
  const right = { ...(await cases.rightFor(opening)), isAlike: cases.isAlike };
  const about = { check, blamed: role.party, party, right, signal, onDoing, sides: cases.sides };
  const made = await makeCase({ ...about, isByCurl: true });
  writeFileSync(out, made.script);
  const calls = made.calls === 1 ? '1 call' : `${made.calls} calls`;
  return [
    harmless(made.sentence),
    `Wrote ${out} (${calls}), which fails here. Play it by: node ${out}`,
    ...(made.curl ? [byCurl(made.curl, out)] : []),
  ].join('\n');
}

/** The file of the script by curl, beside the one for Node. */
export const curlFileOf = (out: string): string => `${out.replace(/\.mjs$/, '')}.sh`;

/** Finds the check and its role, which the name of the check mostly says. */
async function found(
  id: string,
  entries: readonly RoleEntry[],
  stop: (message: string) => Stop,
): Promise<{ role: Role; check: Check }> {
  const loaded = await Promise.all(entries.map((each) => each.load()));
  const having = loaded.flatMap((role) =>
    role.checks.filter((check) => check.id === id).map((check) => ({ role, check })),
  );
  const [first, second] = having;
  const names = entries.map((entry) => entry.id).join(', ');
  if (!first) throw stop(`${id}: there is no check of this name (${names}). See --list.`);
  if (second)
    throw stop(
      `${id} is a check of several roles: please name one by --role (${having.map(({ role }) => role.id).join(', ')}).`,
    );
  return first;
}

/** Writes the script by curl beside the one for Node, and says so; or says why there is none. */
function byCurl(curl: CurlCase, out: string): string {
  if ('because' in curl) return `A script by curl cannot show it: ${harmless(curl.because)}.`;
  const file = curlFileOf(out);
  requireFile('--out', file);
  writeFileSync(file, curl.script);
  return `Wrote ${file}, which does the same by curl. Play it by: sh ${file}`;
}

/** Finds out which party is meant: what the command line leaves open, the report says. */
function partyIn({ report, config, role, seed }: CaseOptions) {
  if (config !== undefined && report === undefined) return { config, role, seed: seed ?? 1 };
  const file = report ?? 'conformance-report/report.json';
  const read = readReport(file);
  const { meta } = read;
  return { config: config ?? configOf(file, read), role: role ?? meta.role, seed: seed ?? meta.seed };
}

/** Plays the scenarios of a check with the party of the file. */
const playing =
  (role: Role, opening: Omit<RunOpening, 'checks' | 'slow'>): CaseParty['play'] =>
  async (check, tap) => {
    const run = await role.open({ ...opening, checks: [check], slow: false, tap }).catch(stopNotSetUp);
    const meta = (finished: boolean) => run.meta({ tool: toolVersion(), finished });
    try {
      await requireSetUp(run);
      await run.play(() => meta(false));
      return { meta: meta(true), entries: run.recorder.entries() };
    } finally {
      await run.close();
    }
  };
