/** What the signs of the page mean, and what the seed of the demo is. */
import { useConsole } from '../context.ts';
import { Dialog } from '../parts.tsx';

/** A sign as the page draws it. `is` is the class that gives it its look. */
type Sign = { sign: string; is: string; text: string };

const SIGNS: readonly Sign[] = [
  { sign: '#7', is: '', text: 'Number of a message. Wherever it is named, it leads to the message.' },
  { sign: '§4.2', is: '', text: 'Clause of the interface. It opens its text on the site.' },
  {
    sign: ' ',
    is: 'sign-band',
    text: 'Internal channel: the authorization server calls the EHR server, and no client sees it.',
  },
  { sign: '⟶', is: '', text: 'A request.' },
  { sign: '⇠', is: 'done', text: 'The reply: done.' },
  { sign: '⇠', is: 'refused', text: 'The reply: refused.' },
  { sign: '✕', is: 'broken', text: 'The call failed, or no reply crossed.' },
  { sign: '⟶', is: 'underWay', text: 'Under way: it waits for its reply.' },
  { sign: '✓', is: 'done', text: 'A check of the clause holds.' },
  { sign: '! ≠', is: 'refused', text: 'An advice is not followed; an open point is decided otherwise.' },
  { sign: '✕', is: 'sign-fail', text: 'The clause is broken here.' },
  {
    sign: '‹user 1›',
    is: 'sign-mask',
    text: 'Stands for a secret or private value. The same value has the same name.',
  },
];

export function LegendDialog({ onClose }: { onClose: () => void }) {
  const { model } = useConsole();
  const seed = model.overview?.seed;
  return (
    <Dialog title="Legend" onClose={onClose}>
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
              <span className="sign">{`seed ${seed}`}</span>
            </dt>
            <dd>The number from which the patients are invented: the same seed gives the same ones.</dd>
          </div>
        )}
      </dl>
    </Dialog>
  );
}
