/** Keeps files of known failures up to date: `--baseline-prune` and `--baseline-write`. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { isOfSystem, refusalOf, requireFile, writeWhole } from '#service/process/files/writing.ts';
import { InputError } from '../../input-error.ts';
import { withEntries, withoutEntries } from '../../report/baseline/edit.ts';
import { readDay, readReason } from '../../report/baseline/given.ts';
import { type BaselineIds, parseBaseline, textOfBaseline } from '../../report/baseline/load.ts';
import { redIn } from '../../report/red-parts.ts';
import type { Report } from '../../report/schema/schema.ts';
import { count } from '../../report/words.ts';
import { InitStopped } from '../init/answers.ts';
import { type Accepted, type AskingMeans, accept } from './accept.ts';
import type { BaselineOptions } from './options.ts';

/** What an update needs from outside. */
export type UpdateMeans = AskingMeans & {
  /** What the files may name. */
  ids: BaselineIds;
  /** Tells the user in a sentence what was written. */
  say: (sentence: string) => void;
  /** Tells the user in a sentence what was not written, and why. */
  sayProblem: (sentence: string) => void;
};

/** Updates the files after a run. `fixed`: the checks whose entries go. */
export type BaselineUpdate = (reported: { report: Report; fixed: readonly string[] }) => Promise<void>;

/**
 * Checks the options before the run.
 * @returns the update. It does not throw when a file cannot be written, since the verdicts count without it
 * @throws SettingsError when an option is wrong, or lacks another
 * @throws InputError when a file cannot be read
 */
export function planUpdate(options: BaselineOptions, means: UpdateMeans): BaselineUpdate {
  const { baseline, baselinePrune = false, baselineWrite } = options;
  if (baselinePrune) {
    if (baseline === undefined) throw new SettingsError(lacks('--baseline-prune', '--baseline FILE'));
    requirePlace('--baseline', baseline);
  }
  const accepted = readAccepted(options, means);
  return async ({ report, fixed }) => {
    if (!baselinePrune && baselineWrite === undefined) return;
    if (!report.summary.finished)
      return means.say('Not everything was judged, so the known failures are left as they are.');
    if (baseline !== undefined && fixed.length > 0) await telling(means, () => prune(baseline, fixed, means));
    if (baselineWrite !== undefined)
      await telling(means, () => addRed(baselineWrite, report, accepted, means));
  };
}

/** What the options say about new entries. Refuses what cannot be written, or asked for. */
function readAccepted(options: BaselineOptions, { ids, input, today }: UpdateMeans): Accepted {
  const { baselineWrite: file, reason, until } = options;
  if (file === undefined) {
    if (reason !== undefined) throw new SettingsError(lacks('--reason', '--baseline-write FILE'));
    if (until !== undefined) throw new SettingsError(lacks('--until', '--baseline-write FILE'));
    return {};
  }
  requirePlace('--baseline-write', file);
  textIn(file, ids);
  const missing = [reason === undefined && '--reason TEXT', until === undefined && '--until DAY'];
  const asked = missing.filter((option) => option !== false).join(' and ');
  if (asked !== '' && input.isTTY !== true)
    throw new SettingsError(`${lacks('--baseline-write', asked)} It asks only on a terminal.`);
  return {
    reason: reason === undefined ? undefined : readReason('--reason', reason),
    day: until === undefined ? undefined : readDay('--until', until, today),
  };
}

const lacks = (option: string, other: string) => `${option} needs more: please give ${other} too.`;

/** Requires that the file can be written, in a directory that exists. */
function requirePlace(option: string, file: string): void {
  if (!existsSync(dirname(resolve(file))))
    throw new SettingsError(
      `${option} must name a file in a directory that exists; given was "${file}". Please create the directory, or correct the name.`,
    );
  requireFile(option, file);
}

/** Says what was done, or why it was not. */
async function telling(means: UpdateMeans, change: () => string | Promise<string>): Promise<void> {
  try {
    means.say(await change());
  } catch (error) {
    if (error instanceof InputError || error instanceof InitStopped) means.sayProblem(error.message);
    else if (isOfSystem(error)) means.sayProblem(`Failed to write the known failures: ${refusalOf(error)}.`);
    else throw error;
  }
}

function prune(file: string, fixed: readonly string[], { ids }: UpdateMeans): string {
  save(file, withoutEntries(textIn(file, ids), fixed), ids);
  return `Fixed, and taken off ${file}: ${fixed.join(', ')}.`;
}

/** Adds the red checks that neither this file nor the list of the run has. */
async function addRed(file: string, report: Report, accepted: Accepted, means: UpdateMeans): Promise<string> {
  const { failures } = parseBaseline(textIn(file, means.ids), file, means.ids);
  const listed = new Set(failures.map(({ check }) => check));
  const red = redIn(report).filter(({ check }) => !listed.has(check));
  if (red.length === 0) return `Nothing is red that ${file} does not list: nothing was added to it.`;
  const added = new Set(red.map(({ check }) => check));
  const own = report.causes
    .map((cause) => ({ ...cause, checks: cause.checks.filter((check) => added.has(check)) }))
    .filter(({ checks }) => checks.length > 0);
  const entries = await accept(own, accepted, means);
  save(file, withEntries(textIn(file, means.ids), entries), means.ids);
  const written = Object.keys(entries);
  return `Added ${count(written.length, 'known failure')} to ${file}: ${written.join(', ')}.`;
}

/** The text of the file, which can be read; an empty text where there is no file. */
function textIn(file: string, ids: BaselineIds): string {
  if (!existsSync(file)) return '';
  const text = textOfBaseline(file);
  parseBaseline(text, file, ids);
  return text;
}

/** Writes the file, once it is sure that it can be read. */
function save(file: string, text: string, ids: BaselineIds): void {
  parseBaseline(text, file, ids);
  writeWhole(file, text);
}
