/** Formats a comparison for a terminal, the worst changes first. */
import { hanging, type Paint } from '../terminal/terminal.ts';
import { count, harmless } from '../words.ts';
import { type Change, type Comparison, changeKinds } from './changes.ts';

export type TextOptions = { paint: Paint; width: number };

/** The whole comparison as text, without a final line break. */
export function comparisonText(
  { changes, differences, same, exitCode }: Comparison,
  { paint, width }: TextOptions,
): string {
  const sections = changeKinds.flatMap((kind) => {
    const of = changes.filter((change) => change.kind === kind);
    if (of.length === 0) return [];
    return [paint('bold', `${kind} (${of.length})`), ...of.flatMap((change) => lines(change, { paint, width })), ''];
  });
  const runs = differences.flatMap(({ what, was, now }) => hanging(`  ${what}: `, harmless(`${was} → ${now}`), width));
  return [
    ...sections,
    ...(runs.length > 0 ? [paint('bold', 'The runs differ'), ...runs, ''] : []),
    `${changes.length === 0 ? 'No verdict changed' : `${count(changes.length, 'verdict')} changed`}, ${same} stayed the same.`,
    exitCode === 0 ? paint('green', 'not worse') : paint(['bold', 'red'], 'worse'),
  ].join('\n');
}

function lines({ check, title, was, now, detail, worse }: Change, { paint, width }: TextOptions): string[] {
  const sign = worse ? paint('red', '✕') : '·';
  const path = `${was ?? 'not asked'} → ${now ?? 'not asked'}`;
  return [
    ...hanging(`  ${sign} `, `${check} (${path}): ${title}`, width),
    ...(detail === '' ? [] : hanging('    ', harmless(detail), width)),
  ];
}
