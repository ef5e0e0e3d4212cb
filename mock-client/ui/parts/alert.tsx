/** Boxes for a problem, with its ways to continue, or for a notice. */
import { type ReactNode, useEffect, useRef } from 'react';
import { type Failure, reasonOf } from '../../calls.ts';
import type { Notice } from '../../flow/state.ts';
import { failureMessage, type Message } from '../../texts/messages.ts';
import { useLanguage } from '../language.tsx';
import { Icon } from './icons.tsx';

export type ProblemProps = {
  failure: Failure;
  /** Shown instead of the failure's own text. */
  instead?: Message | undefined;
  /** Shown before the failure's own text, where the step has something to add. */
  title?: string;
  text?: string;
  /** Buttons: the ways to continue. */
  children?: ReactNode;
};

/** Shows a problem and moves the focus to it, so that its text and buttons are read next. */
export function Problem({ failure, instead, title, text, children }: ProblemProps) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new failure takes the focus
  useEffect(() => box.current?.focus(), [failure]);
  const { language } = useLanguage();
  const message = instead ?? failureMessage(failure, language);
  // A request to wait is not shown as an error.
  const calm = reasonOf(failure) === 'otp_throttled';
  return (
    <div className={calm ? 'box box-calm' : 'box box-problem'} role="alert" tabIndex={-1} ref={box}>
      <Icon of={calm ? 'info' : 'warning'} />
      <div>
        <p className="box-title">{title ?? message.title}</p>
        {text && <p>{text}</p>}
        <p>{title ? `${message.title}. ${message.text}` : message.text}</p>
        {children && <div className="actions">{children}</div>}
      </div>
    </div>
  );
}

export function NoticeBox({ notice }: { notice: Notice | undefined }) {
  const { say } = useLanguage();
  return (
    <div role="status">
      {notice && (
        <div className="box box-notice">
          <Icon of="info" />
          <p>{say(notice)}</p>
        </div>
      )}
    </div>
  );
}
