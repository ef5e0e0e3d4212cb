/** Shows how far the user has come on the way to their record. */

const STEPS = ['Sign in', 'Confirm', 'Connect', 'Your record'] as const;

export type ProgressStep = (typeof STEPS)[number];

export function Progress({ at }: { at: ProgressStep }) {
  const current = STEPS.indexOf(at);
  return (
    <nav aria-label="Progress">
      <ol className="progress">
        {STEPS.map((name, index) => (
          <li
            key={name}
            className={index < current ? 'progress-done' : index === current ? 'progress-current' : 'progress-next'}
            aria-current={index === current ? 'step' : undefined}
          >
            {name}
          </li>
        ))}
      </ol>
    </nav>
  );
}
