/** What the signs of the page mean, and what the seed of the demo is. */
import type { TextKey } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { Dialog } from '../parts/dialog.tsx';

/** A sign as the page draws it. `is` is the class that gives it its look. */
type Sign = { sign: string; is: string; text: TextKey };

const SIGNS: readonly Sign[] = [
  { sign: '#7', is: '', text: 'legendNumber' },
  { sign: '§4.2', is: '', text: 'legendClause' },
  { sign: ' ', is: 'sign-band', text: 'legendBand' },
  { sign: '⟶', is: '', text: 'legendCall' },
  { sign: '⇠', is: 'done', text: 'legendDone' },
  { sign: '⇠', is: 'refused', text: 'legendRefused' },
  { sign: '✕', is: 'broken', text: 'legendBroken' },
  { sign: '⟶', is: 'underWay', text: 'legendUnderWay' },
  { sign: '✓', is: 'done', text: 'legendHolds' },
  { sign: '! ≠', is: 'refused', text: 'legendAdvice' },
  { sign: '✕', is: 'sign-fail', text: 'legendFail' },
  { sign: '‹user 1›', is: 'sign-mask', text: 'legendMask' },
];

export function LegendDialog({ onClose }: { onClose: () => void }) {
  const { model, say } = useConsole();
  const seed = model.overview?.seed;
  return (
    <Dialog title={say('legend')} onClose={onClose}>
      <dl className="legend">
        {SIGNS.map(({ sign, is, text }) => (
          <div key={text}>
            <dt>
              <span className={`sign ${is}`}>{sign}</span>
            </dt>
            <dd>{say(text)}</dd>
          </div>
        ))}
        {seed !== undefined && (
          <div>
            <dt>
              <span className="sign">{say('seed', { n: seed })}</span>
            </dt>
            <dd>{say('legendSeed')}</dd>
          </div>
        )}
      </dl>
    </Dialog>
  );
}
