/** Asks for confirmation of something that cannot be undone. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { TextKey } from '../../texts/texts.ts';
import { useLanguage } from '../language.tsx';
import { Button } from './button.tsx';

export type ConfirmDialogProps = {
  open: boolean;
  title: TextKey;
  children: ReactNode;
  confirm: TextKey;
  kind?: 'primary' | 'danger';
  onConfirm: () => void;
  onCancel: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirm, kind = 'primary', onConfirm, onCancel } = props;
  const { say } = useLanguage();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  const [titleId, textId] = [`${id}-title`, `${id}-text`];
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onClose={onCancel}
    >
      <h2 id={titleId}>{say(title)}</h2>
      <div id={textId} className="dialog-text">
        {children}
      </div>
      <div className="actions actions-end">
        <Button kind="secondary" text="cancel" onPress={onCancel} />
        <Button kind={kind} text={confirm} onPress={onConfirm} />
      </div>
    </dialog>
  );
}
