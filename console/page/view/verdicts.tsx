/** A verdict: as a mark in the margin of the message that decided it, and as a box that tells all of it. */
import { addressOf, pathOf } from '#protocol/site.ts';
import type { LiveVerdict } from '../../api.ts';
import { partyNames } from './format.ts';
import { Clause, MessageLink, SiteLink } from './parts.tsx';

/** The worst one first. */
const OUTCOMES = {
  fail: { sign: '✕', word: 'broken', one: 'One rule is broken', several: 'rules are broken' },
  warning: { sign: '!', word: 'advice not followed', one: 'One remark', several: 'remarks' },
  pass: { sign: '✓', word: 'holds', one: 'One check holds', several: 'checks hold' },
} as const;
const ORDER = Object.keys(OUTCOMES);

/** Enough to see how it came about; the newest ones. */
const MAX_EVIDENCE = 6;

/** The kit's names of the parties. */
const PARTIES: Readonly<Record<string, string>> = {
  'auth server': partyNames.auth,
  'EHR server': partyNames.ehr,
  client: partyNames.client,
  harness: 'this test harness',
  environment: 'the environment',
};

/** @example '3 checks hold' */
export function verdictCount(outcome: LiveVerdict['outcome'], count: number): string {
  const { one, several } = OUTCOMES[outcome];
  return count === 1 ? one : `${count} ${several}`;
}

export function worstFirst(verdicts: readonly LiveVerdict[]): LiveVerdict[] {
  return [...verdicts].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
}

/** How many checks came out as the worst one did. Each is told by its sentence when the mark is pointed at. */
export function VerdictMark({ verdicts }: { verdicts: readonly LiveVerdict[] }) {
  const [worst] = worstFirst(verdicts);
  if (!worst) return null;
  const alike = verdicts.filter(({ outcome }) => outcome === worst.outcome);
  return (
    <span className={`mark ${worst.outcome}`} title={alike.map(({ title }) => title).join('\n')}>
      <span>{OUTCOMES[worst.outcome].sign}</span>{' '}
      <span className="mark-words">{verdictCount(worst.outcome, alike.length)}</span>
    </span>
  );
}

type VerdictBoxProps = { verdict: LiveVerdict; withEvidence?: boolean };

/** The clause, whether it holds, and where it does not what was expected and seen. */
export function VerdictBox({ verdict, withEvidence = false }: VerdictBoxProps) {
  const { check, title, clause, party, outcome, expected, actual, advice, blame, evidence } = verdict;
  const { sign, word } = OUTCOMES[outcome];
  const parts = [
    ['Expected', expected],
    ['Actual', actual],
    ['Party at fault', blame && (PARTIES[blame] ?? blame)],
    ['Advice', advice],
  ] as const;
  const given = parts.filter(([, text]) => text !== undefined);
  return (
    <div className={`clause ${outcome}`}>
      <p>
        <Clause clause={clause} /> <span className="clause-party soft">{partyNames[party]}</span>{' '}
        <SiteLink address={addressOf(pathOf.check(check))} text={title} />{' '}
        <b className="clause-word">{`${sign} ${word}`}</b>
      </p>
      {given.length > 0 && (
        <dl>
          {given.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {withEvidence && evidence.length > 0 && (
        <p className="row evidence">
          <span>shown by</span>
          {evidence.slice(-MAX_EVIDENCE).map((id) => (
            <MessageLink key={id} id={id} />
          ))}
        </p>
      )}
    </div>
  );
}
