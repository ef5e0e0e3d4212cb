/** A dialog of the page: a heading, its content, and a button that closes it. Escape closes it as well. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useConsole } from '../context.ts';

export function Dialog({
  title,
  children,
  onClose,
}: {
  title: string;
  children: ReactNode;
  onClose: () => void;
}) {
  const { say } = useConsole();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <div className="dialog-heading">
        <h2 id={id}>{title}</h2>
        <button type="button" className="btn" onClick={() => dialog.current?.close()}>
          {say('close')}
        </button>
      </div>
      {children}
    </dialog>
  );
}
