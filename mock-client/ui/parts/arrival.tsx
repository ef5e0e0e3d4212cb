/** Moves the focus to the heading of a step as the user arrives there, so that a screen reader starts reading there. */
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';

const Arrived = createContext<RefObject<boolean>>({ current: false });

/** `value` holds whether a step was shown before: only then does a new one take the focus. */
export function Arrival({ value, children }: { value: RefObject<boolean>; children: ReactNode }) {
  return <Arrived value={value}>{children}</Arrived>;
}

/** The one `h1` of a step. Give it a `key` that changes when what it says is a new step. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrived = useContext(Arrived);
  useEffect(() => {
    if (arrived.current) {
      window.scrollTo(0, 0);
      heading.current?.focus();
    }
    arrived.current = true;
  }, [arrived]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
