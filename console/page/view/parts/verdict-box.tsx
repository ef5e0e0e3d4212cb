/** A verdict in words: the clause, whether it holds, and where it does not what was expected and seen. */
import type { LiveVerdict } from '../../../api.ts';
import { clauseIn, partyIn, requiredIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { signOf } from './verdict-mark.tsx';

const WORDS = { pass: 'holds', fail: 'isBroken', warning: 'isWarning' } as const;

export function VerdictBox({
  verdict,
  withEvidence = false,
}: {
  verdict: LiveVerdict;
  withEvidence?: boolean;
}) {
  const { say, language } = useConsole();
  const { clause, party, outcome, expected, actual, advice, blame } = verdict;
  const required = requiredIn(language, verdict);
  const parts = [
    ['expected', 'en', expected],
    ['actual', 'en', actual],
    ['blame', language, blame && partyIn(language, blame)],
    ['advice', 'en', advice],
  ] as const;
  const given = parts.filter(([, , text]) => text !== undefined);
  return (
    <div className={`clause clause-${outcome}`}>
      <p>
        <b>{clauseIn(language, clause)}</b> <span className="clause-party">{say(party)}</span>{' '}
        <span lang={required.lang}>{required.text}</span>{' '}
        <b className="clause-word">{`${signOf(verdict)} ${say(WORDS[outcome])}`}</b>
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
      {withEvidence && <Evidence verdict={verdict} />}
    </div>
  );
}

/** Enough to see how it came about; the newest ones. */
const MAX_EVIDENCE = 6;

function Evidence({ verdict: { evidence } }: { verdict: LiveVerdict }) {
  const { act, say, setUi } = useConsole();
  if (evidence.length === 0) return null;
  return (
    <p className="evidence">
      {evidence.slice(-MAX_EVIDENCE).map((id) => (
        <button
          key={id}
          type="button"
          className="text-button"
          onClick={() => {
            void act.choose(id);
            setUi({ tab: 'message' });
          }}
        >
          {say('showEvidence', { id })}
        </button>
      ))}
    </p>
  );
}
