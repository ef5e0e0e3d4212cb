/** Asks for confirmation of something that cannot be undone. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useLanguage } from '../language.tsx';
import { Button } from './button.tsx';

export type ConfirmDialogProps = {
  open: boolean;
  title: string;
  children: ReactNode;
  confirm: string;
  danger?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

export function ConfirmDialog({
  open,
  title,
  children,
  confirm,
  danger = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const { say } = useLanguage();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onCancel}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-text`} className="dialog-text">
        {children}
      </div>
      <div className="actions actions-end">
        <Button kind="secondary" onPress={onCancel}>
          {say('cancel')}
        </Button>
        <Button kind={danger ? 'danger' : 'primary'} onPress={onConfirm}>
          {confirm}
        </Button>
      </div>
    </dialog>
  );
}
