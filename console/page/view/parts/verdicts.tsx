/** A verdict: as a mark in the margin of the message that decided it, and as a box that tells all of it. */
import { addressOf, pathOf, placesOf } from '#protocol/site.ts';
import type { LiveVerdict } from '../../../api.ts';
import { clauseIn, partyIn, requiredIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { MessageLink } from './message-link.tsx';
import { Clause, SiteLink } from './site-link.tsx';

/** The worst one first. */
const OUTCOMES = {
  fail: { sign: '✕', word: 'isBroken' },
  warning: { sign: '!', word: 'isWarning' },
  pass: { sign: '✓', word: 'holds' },
} as const;
const ORDER = Object.keys(OUTCOMES);

/** Enough to see how it came about; the newest ones. */
const MAX_EVIDENCE = 6;

export function worstFirst(verdicts: readonly LiveVerdict[]): LiveVerdict[] {
  return [...verdicts].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
}

/** The sign and the clause of the worst verdict. */
export function VerdictMark({ verdicts }: { verdicts: readonly LiveVerdict[] }) {
  const { language } = useConsole();
  const [worst] = worstFirst(verdicts);
  if (!worst) return null;
  // The first paragraph of a clause, such as §2.3 of "good practice, §2.3, §2.4".
  const places = placesOf(worst.clause);
  const place = places.find(({ text }) => text.startsWith('§')) ?? places[0];
  const shortClause = /§[\d.]*\d/.exec(place?.text ?? '')?.[0] ?? clauseIn(language, worst.clause);
  return (
    <span
      className={`mark ${worst.outcome}`}
      title={verdicts.map((verdict) => requiredIn(language, verdict).text).join('\n')}
    >
      <span>{OUTCOMES[worst.outcome].sign}</span>{' '}
      <span className="mark-clause">
        {place?.address === undefined ? (
          <span>{shortClause}</span>
        ) : (
          <SiteLink address={place.address} text={shortClause} />
        )}
        {verdicts.length > 1 && <span>{` +${verdicts.length - 1}`}</span>}
      </span>
    </span>
  );
}

export type VerdictBoxProps = { verdict: LiveVerdict; withEvidence?: boolean };

/** The clause, whether it holds, and where it does not what was expected and seen. */
export function VerdictBox({ verdict, withEvidence = false }: VerdictBoxProps) {
  const { say, language } = useConsole();
  const { check, clause, party, outcome, expected, actual, advice, blame, evidence } = verdict;
  const { sign, word } = OUTCOMES[outcome];
  const required = requiredIn(language, verdict);
  const parts = [
    ['expected', 'en', expected],
    ['actual', 'en', actual],
    ['blame', language, blame && partyIn(language, blame)],
    ['advice', 'en', advice],
  ] as const;
  const given = parts.filter(([, , text]) => text !== undefined);
  return (
    <div className={`clause ${outcome}`}>
      <p>
        <Clause clause={clause} /> <span className="clause-party">{say(party)}</span>{' '}
        <SiteLink address={addressOf(pathOf.check(check))} {...required} />{' '}
        <b className="clause-word">{`${sign} ${say(word)}`}</b>
      </p>
      {given.length > 0 && (
        <dl>
          {given.map(([key, lang, text]) => (
            <div key={key}>
              <dt>{say(key)}</dt>
              <dd lang={lang}>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {withEvidence && evidence.length > 0 && (
        <p className="row evidence">
          <span>{say('shownBy')}</span>
          {evidence.slice(-MAX_EVIDENCE).map((id) => (
            <MessageLink key={id} id={id} />
          ))}
        </p>
      )}
    </div>
  );
}
