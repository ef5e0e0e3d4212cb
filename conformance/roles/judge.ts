/** Judges a run by all checks of its role, for callers that know the roles by name. */
import type { Check } from '../engine/check/check.ts';
import { judging as judgingBy } from '../engine/check/judge.ts';
import type { Verdict } from '../engine/check/verdict.ts';
import { InputError } from '../engine/journal/input-file.ts';
import type { Run } from '../engine/journal/run-file.ts';
import type { JudgedRole } from '../engine/role.ts';
import { role as authServer } from './auth-server/index.ts';
import { role as client } from './client/index.ts';
import { role as ehrServer } from './ehr-server/index.ts';

export const judgedRoles = {
  'auth-server': authServer,
  'ehr-server': ehrServer,
  client,
} as const satisfies Readonly<Record<string, JudgedRole>>;

export type RoleName = keyof typeof judgedRoles;

type JudgeOptions = {
  /** All of the role unless given. */
  checks?: readonly Check[];
};

export function judge(run: Run, options: JudgeOptions = {}): Verdict[] {
  return [...judging(run, options)];
}

/** The same, one check at a time: of a long journal each takes its while. */
export function judging(run: Run, options: JudgeOptions = {}): Generator<Verdict, void> {
  return judgingBy(run, { ...roleOf(run), ...options });
}

/** @throws InputError where a file names a role that there is not */
function roleOf({ meta }: Run): JudgedRole {
  const { role = 'auth-server' } = meta;
  if (!Object.hasOwn(judgedRoles, role))
    throw new InputError(`There is no role ${role} whose runs could be judged.`);
  return judgedRoles[role as RoleName];
}
