/** What the signs of the page mean, and what the seed of the demo is. */
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Dialog } from '../parts.tsx';

/** A sign as the page draws it. `is` is the class that gives it its look. */
type Sign = { sign: string; is: string; text: string };

const SIGNS: readonly Sign[] = [
  { sign: '#7', is: '', text: texts.legendNumber },
  { sign: '§4.2', is: '', text: texts.legendClause },
  { sign: ' ', is: 'sign-band', text: texts.legendBand },
  { sign: '⟶', is: '', text: texts.legendCall },
  { sign: '⇠', is: 'done', text: texts.legendDone },
  { sign: '⇠', is: 'refused', text: texts.legendRefused },
  { sign: '✕', is: 'broken', text: texts.legendBroken },
  { sign: '⟶', is: 'underWay', text: texts.legendUnderWay },
  { sign: '✓', is: 'done', text: texts.legendHolds },
  { sign: '! ≠', is: 'refused', text: texts.legendAdvice },
  { sign: '✕', is: 'sign-fail', text: texts.legendFail },
  { sign: '‹user 1›', is: 'sign-mask', text: texts.legendMask },
];

export function LegendDialog({ onClose }: { onClose: () => void }) {
  const { model } = useConsole();
  const seed = model.overview?.seed;
  return (
    <Dialog title={texts.legend} onClose={onClose}>
      <dl className="legend">
        {SIGNS.map(({ sign, is, text }) => (
          <div key={text}>
            <dt>
              <span className={`sign ${is}`}>{sign}</span>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        {seed !== undefined && (
          <div>
            <dt>
              <span className="sign">{texts.seed(seed)}</span>
            </dt>
            <dd>{texts.legendSeed}</dd>
          </div>
        )}
      </dl>
    </Dialog>
  );
}
