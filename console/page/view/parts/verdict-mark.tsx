/** Verdicts in the margin of the message that decided them: a sign and the clause of the worst one. */
import type { LiveVerdict } from '../../../api.ts';
import { clauseIn, requiredIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

const SIGNS: Readonly<Record<LiveVerdict['outcome'], string>> = { fail: '✕', warning: '!', pass: '✓' };
const ORDER = Object.keys(SIGNS);

export function VerdictMark({ verdicts }: { verdicts: readonly LiveVerdict[] }) {
  const { language } = useConsole();
  const [worst] = worstFirst(verdicts);
  if (!worst) return null;
  const more = verdicts.length > 1 ? ` +${verdicts.length - 1}` : '';
  return (
    <span
      className={`mark mark-${worst.outcome}`}
      title={verdicts.map((verdict) => requiredIn(language, verdict).text).join('\n')}
    >
      <span>{signOf(worst)}</span>{' '}
      <span className="mark-clause">{`${shortClause(clauseIn(language, worst.clause))}${more}`}</span>
    </span>
  );
}

/** Returns the first paragraph of a clause, such as `§2.3` of `good practice, §2.3, §2.4`. */
function shortClause(clause: string): string {
  return /§[\d.]*\d/.exec(clause)?.[0] ?? clause;
}

export function signOf({ outcome }: LiveVerdict): string {
  return SIGNS[outcome];
}

export function worstFirst(verdicts: readonly LiveVerdict[]): LiveVerdict[] {
  return [...verdicts].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
}
