/** What is recorded: the link to this moment, and run.json to save and to open. */
import { type ChangeEvent, useEffect, useState } from 'react';
import { linkTo } from '../../model/moment-link.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { saveFile } from '../save-file.ts';

export function RecordDialog({ onClose }: { onClose: () => void }) {
  const { act } = useConsole();

  function open({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    onClose();
    if (file) void file.text().then(act.replay);
  }

  async function save() {
    const text = await act.runJson();
    if (text !== undefined) saveFile('run.json', text);
  }

  return (
    <Dialog title={texts.recordTitle} onClose={onClose}>
      <MomentLink />
      <h3>run.json</h3>
      <p className="row">
        <Button text={texts.saveRun} onClick={() => void save()} />
        <label className="btn file-button">
          <span>{texts.openRun}</span>
          <input type="file" accept=".json,application/json" onChange={open} />
        </label>
        <span className="hint">{texts.dropRun}</span>
      </p>
    </Dialog>
  );
}

function MomentLink() {
  const { act } = useConsole();
  const [link, setLink] = useState('');
  useEffect(() => {
    void act.moment().then((moment) => moment && setLink(linkTo(moment, window.location.href)));
  }, [act]);
  return (
    <>
      <h3>{texts.link}</h3>
      <p className="row">
        <input className="btn link-field" readOnly aria-label={texts.link} value={link} />
        <CopyButton of={link} text={texts.copy} />
      </p>
      <p className="hint">{texts.linkMade}</p>
    </>
  );
}

/** Takes a run.json that is dropped anywhere on the page. */
export function useDroppedRun(onRun: (text: string) => void): void {
  useEffect(() => {
    const onDragOver = (event: DragEvent) => event.preventDefault();
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      void event.dataTransfer?.files[0]?.text().then(onRun);
    };
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('drop', onDrop);
    };
  });
}
