/** All verdicts so far, the worst first. */
import { verdictsShown } from '../../model/model.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { VerdictBox, worstFirst } from '../parts/verdicts.tsx';

export function VerdictsTab() {
  const { model } = useConsole();
  const verdicts = worstFirst(verdictsShown(model));
  return (
    <>
      {!model.replay && <p className="hint">{texts.judgedLive}</p>}
      {verdicts.length === 0 && <p className="hint">{texts.noVerdicts}</p>}
      {verdicts.map((verdict) => (
        <VerdictBox key={verdict.check} verdict={verdict} withEvidence />
      ))}
    </>
  );
}
