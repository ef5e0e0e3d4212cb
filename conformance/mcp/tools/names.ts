/** Finds checks, requirements and scenarios of all roles by their names. */
import { requirements } from '#protocol/requirements.ts';
import { InputError } from '../../engine/input-error.ts';
import type { Role } from '../../engine/role.ts';
import { roles } from '../../roles/index.ts';

/** The roles that are asked about: one, or all. */
export const rolesOf = (id: string | undefined): Promise<Role[]> =>
  Promise.all(roles.filter((entry) => id === undefined || entry.id === id).map((entry) => entry.load()));

/** Limits the names that a part of a name finds. */
const MAX_FOUND = 30;

/**
 * The checks, requirements and scenarios in whose names or titles a text stands, a line each.
 * @throws InputError where there is none
 */
export function namesLike(part: string, all: readonly Role[]): string {
  const wanted = part.toLowerCase();
  const named = [
    ...all.flatMap(({ id: role, checks, scenarios }) => [
      ...checks.map(({ id, title }) => ({ id, line: `check ${id} (${role}): ${title}` })),
      ...scenarios.map(({ id, title }) => ({ id, line: `scenario ${id} (${role}): ${title}` })),
    ]),
    ...requirements.map(({ id, text }) => ({ id, line: `requirement ${id}: ${text}` })),
  ];
  const found = named.filter(({ line }) => line.toLowerCase().includes(wanted));
  if (found.length === 0)
    throw new InputError(
      `"${part}" is no check, requirement or scenario, and stands in no title. Please name one as a report does, or a word such as "token".`,
    );
  const more = found.length - MAX_FOUND;
  return [
    `"${part}" is no name, but stands in these:`,
    ...found.slice(0, MAX_FOUND).map(({ line }) => line),
    ...(more > 0 ? [`… and ${more} more: give a longer part.`] : []),
    '',
  ].join('\n');
}
