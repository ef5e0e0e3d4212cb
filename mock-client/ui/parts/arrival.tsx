/** Moves the focus to the heading of a new step, so that a screen reader starts reading there. */
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';

const Arrived = createContext<RefObject<boolean>>({ current: false });

/** `value` tells whether a step was shown before: only a later step takes the focus. */
export function Arrival({ value, children }: { value: RefObject<boolean>; children: ReactNode }) {
  return <Arrived value={value}>{children}</Arrived>;
}

/** The only `h1` of a step. Its `key` must change when the heading stands for a new step. */
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
