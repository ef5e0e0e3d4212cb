/** A dialog of the page: a heading, its content, and a button that closes it. Escape closes it as well. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { texts } from '../../texts.ts';
import { Button } from './button.tsx';

export type DialogProps = { title: string; children: ReactNode; onClose: () => void };

export function Dialog({ title, children, onClose }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <div className="dialog-heading">
        <h2 id={id}>{title}</h2>
        <Button text={texts.close} onClick={() => dialog.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}

/** Asks before something is lost. */
export function ConfirmDialog({
  confirm,
  onConfirm,
  children,
  ...dialog
}: DialogProps & { confirm: string; onConfirm: () => void }) {
  function go() {
    onConfirm();
    dialog.onClose();
  }

  return (
    <Dialog {...dialog}>
      {children}
      <p className="row">
        <Button className="btn btn-primary" text={confirm} onClick={go} />
        <Button text={texts.cancel} onClick={dialog.onClose} />
      </p>
    </Dialog>
  );
}
