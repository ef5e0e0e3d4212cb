/** A role: one party that the kit judges, and everything that is known of it. */

import type { RequirementId } from '#protocol/requirements.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { Check } from './check/check.ts';
import type { Asking } from './cli/init/asking.ts';
import type { Watched, WatchPorts } from './cli/watched.ts';
import type { Catalogue, Variant } from './defects/catalogue.ts';
import type { PairOptions, PairRow } from './defects/pair-row.ts';
import type { Party } from './journal/entry.ts';
import { InputError } from './journal/input-file.ts';
import type { Recorder } from './journal/recorder.ts';
import type { RunMeta } from './journal/run-file.ts';
import type { Diagnosis } from './party/diagnosis.ts';
import type { Env } from './party/file/env.ts';

/** What every way of opening a party is given. */
export type Opening = {
  /** The file about the party. */
  config: string;
  seed: number;
  clock: Clock;
  random: Random;
  env: Env;
  /** Aborts the run. */
  signal: AbortSignal;
  /** Tells the person something during the run, such as a code. */
  tell: (sentence: string) => void;
  /** Asks the person; undefined where nobody can answer. */
  ask: (question: string, signal: AbortSignal) => Promise<string | undefined>;
};

export type RunOpening = Opening & {
  /** The checks that the run is for: what they do not need is not played. */
  checks: readonly Check[];
  /** Waits in real time where the clock of the party cannot be moved. */
  slow: boolean;
};

/** A run against a party. */
export type JudgedRun = {
  readonly recorder: Recorder;
  /** Scenarios to play, for the progress line. */
  readonly total: number;
  examine(onDiagnosis: (diagnosis: Diagnosis) => void): Promise<readonly Diagnosis[]>;
  /** A sentence about how long the run takes, where that is long. */
  readonly duration?: string | undefined;
  play(meta: () => RunMeta): Promise<void>;
  meta(about: Pick<RunMeta, 'tool' | 'finished'>): RunMeta;
  close(): Promise<void>;
};

/** What judging needs of a role. */
export type JudgedRole = {
  /** As on the command line and in run.json. */
  readonly id: string;
  /** How findings name the party. */
  readonly party: Party;
  readonly checks: readonly Check[];
  /** The scenarios that a run plays. `--only` takes their names. */
  readonly scenarios: readonly { readonly id: string; readonly title: string }[];
  /** Requirements that no run can decide for every party of this kind, each with the reason. */
  readonly notJudged: Readonly<Partial<Record<RequirementId, string>>>;
};

export type Role = JudgedRole & {
  /**
   * Opens a run.
   * @throws Error of the set-up: a file that is wrong, a port that is taken, a program that does not start
   */
  open(opening: RunOpening): Promise<JudgedRun>;
  /** Opens a session that a person drives. @throws as {@link open} */
  watch(opening: Opening & { ports: WatchPorts }): Promise<Watched>;
  readonly init: {
    /** The file that is written unless another is named. */
    readonly file: string;
    /** Asks the questions, and writes the text of the file from the answers. */
    ask(asking: Asking, file: string): Promise<FileText>;
  };
  /** The right parties, the defects and the harmless variants that prove the checks. */
  catalogue(): Promise<Catalogue<Variant>>;
  /** Plays pairs of defects in one party, where the variants of this role can be combined. */
  pairs?(options: PairOptions): Promise<PairRow[]>;
};

/** The file that `init` writes. */
export type FileText = {
  text: string;
  /** Sentences that tell the user the next steps, in order. */
  left: readonly string[];
};

/** A role as the command line knows it before it is used: its modules are loaded when they are needed. */
export type RoleEntry = {
  /** As on the command line and in run.json. */
  readonly id: string;
  /** In a sentence: "an EHR server". */
  readonly one: string;
  load(): Promise<Role>;
};

/**
 * The role of a run. Runs of the first role need not name theirs.
 * @throws InputError where there is no such role
 */
export function entryOf(roles: readonly RoleEntry[], role: string | undefined): RoleEntry {
  const [first] = roles;
  const found = role === undefined ? first : roles.find(({ id }) => id === role);
  if (!found)
    throw new InputError(`There is no role ${role}: name one of ${roles.map(({ id }) => id).join(', ')}.`);
  return found;
}
