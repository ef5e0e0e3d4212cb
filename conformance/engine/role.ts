/**
 * A role is one party that the kit can judge: the authorization server, the EHR server or the client. The
 * engine finds everything about a party through the type `Role`.
 */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { Check } from './check/check.ts';
import type { Asking } from './cli/commands/answers.ts';
import type { Catalogue, Variant } from './defects/catalogue.ts';
import { InputError } from './input-error.ts';
import type { Party } from './journal/entry.ts';
import type { Recorder } from './journal/recorder.ts';
import type { RunMeta } from './journal/run-file.ts';
import type { SeenExchange } from './learn/exchange.ts';
import type { Env } from './party/file/fields.ts';

/** The means to open a party under test. */
export type Opening = {
  config: string;
  seed: number;
  clock: Clock;
  random: Random;
  env: Env;
  signal: AbortSignal;
  /** Tells the user of the kit something during the run, such as a code. */
  tell: (sentence: string) => void;
  /** Asks the user of the kit. Resolves to `undefined` where nobody can answer. */
  ask: (question: string, signal: AbortSignal) => Promise<string | undefined>;
};

export type RunOpening = Opening & {
  /** The checks that the run is for. Scenarios that none of them needs are not played. */
  checks: readonly Check[];
  /** Whether the run waits in real time where the clock of the party cannot be moved. */
  slow: boolean;
};

export type JudgedRun = {
  readonly recorder: Recorder;
  /** How many scenarios are played, for the progress line. */
  readonly total: number;
  /** Examines the set-up before the run: the doctor. Calls `onDiagnosis` after each examination. */
  examine(onDiagnosis: (diagnosis: Diagnosis) => void): Promise<readonly Diagnosis[]>;
  /** A sentence that says how long the run takes, where that is long. */
  readonly duration?: string | undefined;
  /** Plays all scenarios. `meta` returns what the run records about itself. */
  play(meta: () => RunMeta): Promise<void>;
  /** What the run records about itself in run.json. */
  meta(about: Pick<RunMeta, 'tool' | 'finished'>): RunMeta;
  /** Ends the party and the servers of the kit. */
  close(): Promise<void>;
};

export type JudgedRole = {
  /** As on the command line and in run.json. */
  readonly id: string;
  readonly party: Party;
  readonly checks: readonly Check[];
  /** The scenarios that a run plays. `--only` takes their names. */
  readonly scenarios: readonly { readonly id: string; readonly title: string }[];
  /** Requirements that no run can decide for parties of this role, each with the reason. */
  readonly notJudged?: Readonly<Partial<Record<RequirementId, string>>>;
};

/** Everything that the engine needs to know about a role. */
export type Role = JudgedRole & {
  /** @throws Error when the set-up is wrong: the file, a port that is taken, a program that does not start */
  open(opening: RunOpening): Promise<JudgedRun>;
  readonly init: {
    readonly file: string;
    /** Asks the user about the party, and returns the text of the file. */
    ask(asking: Asking, file: string): Promise<FileText>;
    /**
     * Makes the text of the file of a recording, and asks what it cannot show. Absent where nothing can be
     * learned of such a party.
     * @throws InputError when the recording does not show enough
     */
    learn?(exchanges: readonly SeenExchange[], asking: Asking, file: string): Promise<FileText>;
  };
  /** The right party, the defects and the harmless variants by which the self-test proves the checks. */
  catalogue(): Promise<Catalogue<Variant>>;
};

/** The file that `init` writes. */
export type FileText = { text: string; left: readonly string[] };

/** A role whose modules are loaded when they are needed, so that the command line starts fast. */
export type RoleEntry = {
  readonly id: string;
  /** The party in a sentence: "an EHR server". */
  readonly one: string;
  load(): Promise<Role>;
};

/** Finds a role; the first one for undefined. @throws InputError when there is no such role */
export function entryOf(roles: readonly RoleEntry[], role: string | undefined): RoleEntry {
  const [first] = roles;
  const found = role === undefined ? first : roles.find(({ id }) => id === role);
  if (!found)
    throw new InputError(`There is no role ${role}: name one of ${roles.map(({ id }) => id).join(', ')}.`);
  return found;
}

/** What the doctor, which examines the set-up before a party is judged, found about one part of it. */
export type Diagnosis = {
  /** kebab-case, stable. */
  id: string;
  title: string;
  ok: boolean;
  found: string;
  /** What the user should do; only where `ok` is false. */
  remedy?: string;
};
