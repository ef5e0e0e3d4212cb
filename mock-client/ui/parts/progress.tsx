/** Shows how far the user has come on the way to their record. */
import { useLanguage } from '../language.tsx';

const STEPS = ['atSignIn', 'atConfirm', 'atConnect', 'atRecord'] as const;

export type ProgressStep = (typeof STEPS)[number];

export function Progress({ at }: { at: ProgressStep }) {
  const { say } = useLanguage();
  const current = STEPS.indexOf(at);
  return (
    <nav aria-label={say('progress')}>
      <ol className="progress">
        {STEPS.map((name, index) => (
          <li
            key={name}
            className={
              index < current ? 'progress-done' : index === current ? 'progress-current' : 'progress-next'
            }
            aria-current={index === current ? 'step' : undefined}
          >
            {say(name)}
          </li>
        ))}
      </ol>
    </nav>
  );
}
