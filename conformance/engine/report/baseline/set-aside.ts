/** Leaves out the requirements that a project contests, and the checks that judge nothing else. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Check } from '../../check/check.ts';

/** Requirements that the project does not hold itself to, by id, each with the reason. */
export type SetAside = Readonly<Partial<Record<RequirementId, string>>>;

/** Returns the checks without these requirements. A check with no other requirement is left out. */
export function withoutSetAside(checks: readonly Check[], setAside: SetAside): readonly Check[] {
  return checks.flatMap((check) => {
    const [first, ...others] = check.requirements.filter((id) => setAside[id] === undefined);
    return first === undefined ? [] : [{ ...check, requirements: [first, ...others] }];
  });
}
