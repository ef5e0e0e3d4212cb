/** Judges a recorded run by the checks of its role. The run itself says which of the three roles it is of. */
import type { Check } from '../engine/check/check.ts';
import { judging as judgingBy } from '../engine/check/judge.ts';
import type { Verdict } from '../engine/check/verdict.ts';
import { InputError } from '../engine/input-error.ts';
import type { Run } from '../engine/journal/run-file.ts';
import type { JudgedRole } from '../engine/role.ts';
import { judged as authServer } from './auth-server/judged.ts';
import { judged as client } from './client/judged.ts';
import { judged as ehrServer } from './ehr-server/judged.ts';

/** The roles by their ids. */
export const judgedRoles = {
  'auth-server': authServer,
  'ehr-server': ehrServer,
  client,
} as const satisfies Readonly<Record<string, JudgedRole>>;

export type RoleName = keyof typeof judgedRoles;

type JudgeOptions = {
  /** The checks to judge by; all checks of the role unless given. */
  checks?: readonly Check[];
};

/** Returns the verdicts of all checks on a run. */
export function judge(run: Run, options: JudgeOptions = {}): Verdict[] {
  return [...judging(run, options)];
}

/** Yields the verdicts one by one, because a check takes a while on a long journal. */
export function judging(run: Run, options: JudgeOptions = {}): Generator<Verdict, void> {
  return judgingBy(run, { ...roleOf(run), ...options });
}

/** Finds the role of a run. Runs of older kits name none. @throws InputError where the role is unknown */
function roleOf({ meta }: Run): JudgedRole {
  const { role = 'auth-server' } = meta;
  if (!Object.hasOwn(judgedRoles, role))
    throw new InputError(`There is no role ${role} whose runs could be judged.`);
  return judgedRoles[role as RoleName];
}
