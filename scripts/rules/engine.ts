/** The engine of the conformance kit knows no role: it imports none, and names none. */
import { parties } from '#protocol/requirements/requirement.ts';
import { nameOf, type Source } from '../source.ts';
import { type Finding, findNodes } from './finding.ts';

/** The ids of roles that are no usual word. */
const IDS: readonly string[] = parties.filter((id) => id.includes('-'));

/** Reports imports of roles, and texts that are the id of one. Tests may play a role. */
export function engineRule(source: Source): Finding[] {
  const { file } = source;
  if (!file.startsWith('conformance/engine/') || /\.test\.|\/testing\//.test(file)) return [];
  return findNodes(source, (node) => {
    const target = nameOf(node.source);
    if (target?.includes('/roles/')) return `${target}: the engine imports no role. Hand it in by a Role.`;
    if (node.type === 'Literal' && IDS.includes(String(node.value)))
      return `'${node.value}': the engine names no role. Let the Role say what differs.`;
    return undefined;
  });
}
