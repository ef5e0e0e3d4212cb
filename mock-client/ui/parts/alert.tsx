/** Boxes that tell what happened: a problem with its way onward, or a notice. */
import { type ReactNode, useEffect, useRef } from 'react';
import { type Failure, reasonOf } from '../../calls.ts';
import type { Notice } from '../../flow/state.ts';
import { say } from '../../messages.ts';
import { noticeMessages } from '../../notices.ts';
import { Icon } from './icons.tsx';

export type ProblemProps = {
  failure: Failure;
  /** Said before the failure's own words, where the step has something to add. */
  title?: string;
  text?: string;
  /** Buttons: the ways onward. */
  children?: ReactNode;
};

/** A problem takes the focus as it appears, so that its text and its buttons come next. */
export function Problem({ failure, title, text, children }: ProblemProps) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new failure takes the focus, also one with the same words
  useEffect(() => box.current?.focus(), [failure]);
  const said = say(failure);
  // Being asked to wait is no mishap.
  const calm = reasonOf(failure) === 'otp_throttled';
  return (
    <div className={calm ? 'box box-calm' : 'box box-problem'} role="alert" tabIndex={-1} ref={box}>
      <Icon of={calm ? 'info' : 'warning'} />
      <div>
        <p className="box-title">{title ?? said.title}</p>
        {text && <p>{text}</p>}
        <p>
          {title && `${said.title}. `}
          {said.text}
        </p>
        {children && <div className="actions">{children}</div>}
      </div>
    </div>
  );
}

export function NoticeBox({ notice }: { notice: Notice | undefined }) {
  return (
    <div role="status">
      {notice && (
        <div className="box box-notice">
          <Icon of="info" />
          <p>{noticeMessages[notice]}</p>
        </div>
      )}
    </div>
  );
}
