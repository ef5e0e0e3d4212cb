/**
 * Buttons that keep the focus while a call is pending: they are marked as unavailable instead of being
 * disabled.
 */
import type { ReactNode } from 'react';

export type ButtonProps = {
  children: ReactNode;
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  /** Submits its form instead of calling `onPress`. */
  submit?: boolean;
  busy?: boolean;
  onPress?: () => void;
};

export function Button({ children, kind = 'primary', submit = false, busy = false, onPress }: ButtonProps) {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={`button button-${kind}`}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onPress}
    >
      {children}
    </button>
  );
}

/** Announces pending work, visibly and to screen readers. */
export function Busy({ when, children }: { when: boolean; children: ReactNode }) {
  return (
    <p className="busy" role="status">
      {when && (
        <>
          <span className="spinner" aria-hidden="true" />
          <span>{children}</span>
        </>
      )}
    </p>
  );
}
