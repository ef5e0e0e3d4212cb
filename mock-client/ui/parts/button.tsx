/** Buttons keep the focus while a call is pending: they are marked as unavailable instead of disabled. */
import type { TextKey } from '../../texts/texts.ts';
import { useLanguage } from '../language.tsx';

export type ButtonProps = {
  text: TextKey;
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  /** Absent: it submits its form. */
  onPress?: () => void;
  busy?: boolean;
};

export function Button({ text, kind = 'primary', busy = false, onPress }: ButtonProps) {
  const { say } = useLanguage();
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      className={`button button-${kind}`}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onPress}
    >
      {say(text)}
    </button>
  );
}

/** Announces pending work, visibly and to screen readers. */
export function Busy({ when, text = 'oneMoment' }: { when: boolean; text?: TextKey }) {
  const { say } = useLanguage();
  return (
    <p className="busy" role="status">
      {when && (
        <>
          <span className="spinner" aria-hidden="true" />
          <span>{say(text)}</span>
        </>
      )}
    </p>
  );
}
