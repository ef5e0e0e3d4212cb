/** What is recorded: the link to this moment, run.json to save and to open, and snapshots. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Snapshot } from '../../../api.ts';
import { linkTo } from '../../connection/address.ts';
import { useConsole } from '../context.ts';
import { dayOf, timeOfDay } from '../format.ts';
import { Button, CopyButton, Dialog, saveFile } from '../parts.tsx';

export function RecordDialog({ onClose }: { onClose: () => void }) {
  const { act } = useConsole();
  const openRun = useOpenRun();

  async function save() {
    const text = await act.runJson();
    if (text !== undefined) saveFile('run.json', text);
  }

  return (
    <Dialog title="Record and replay" onClose={onClose}>
      <MomentLink />
      <h3>run.json</h3>
      <p className="row">
        <Button text="Save run.json" onClick={() => void save()} />
        <label className="btn file-button">
          <span>Open a run.json</span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => openRun(target.files?.[0])}
          />
        </label>
        <span className="hint">or drop one anywhere on the page</span>
      </p>
      <Snapshots />
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
      <h3>Link to this moment</h3>
      <p className="row">
        <input className="btn link-field" readOnly aria-label="Link to this moment" value={link} />
        <CopyButton of={link} text="Copy" />
      </p>
      <p className="hint">
        In another demo the link plays the same steps, moves the clocks and arms the trouble. It contains no
        secret. What you did by hand is not in it: save a run.json for that.
      </p>
    </>
  );
}

function Snapshots() {
  const { act } = useConsole();
  const [snapshots, setSnapshots] = useState<readonly Snapshot[]>([]);
  const [name, setName] = useState('');
  const [restored, setRestored] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    void act.snapshots().then(setSnapshots);
  }, [act]);

  async function take(event: FormEvent) {
    event.preventDefault();
    const taken = await act.takeSnapshot({ name });
    if (taken) setSnapshots([taken, ...snapshots]);
    setName('');
  }

  async function restore({ id, name: of }: Snapshot) {
    setRestored((await act.restore(id)) && of);
  }

  /** The button of the deleted one is gone, so the focus goes to the heading of all. */
  async function remove(id: number) {
    setSnapshots((await act.deleteSnapshot(id)) ?? snapshots);
    heading.current?.focus();
  }

  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        Snapshots
      </h3>
      <form className="row" onSubmit={(event) => void take(event)}>
        <label>
          <span>Name</span>{' '}
          <input className="btn" required value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <Button type="submit" text="Take a snapshot" />
      </form>
      {snapshots.length === 0 && <p className="hint">None yet.</p>}
      <ul className="armed">
        {snapshots.map((snapshot) => (
          <Kept
            key={snapshot.id}
            snapshot={snapshot}
            onRestore={() => void restore(snapshot)}
            onDelete={() => void remove(snapshot.id)}
          />
        ))}
      </ul>
      <p role="status">
        {restored !== undefined &&
          `“${restored}” is restored. Messages are no part of a snapshot: the lanes begin empty.`}
      </p>
    </>
  );
}

type KeptProps = { snapshot: Snapshot; onRestore: () => void; onDelete: () => void };

/** A snapshot with the time of the demo to which it leads back. */
function Kept({ snapshot: { name, at }, onRestore, onDelete }: KeptProps) {
  return (
    <li className="row">
      <span className="grow">
        <span>{name}</span> <small>{`${dayOf(at)}, ${timeOfDay(at)}`}</small>
      </span>
      <Button text="Restore" aria-label={`Restore ${name}`} onClick={onRestore} />
      <Button text="Delete" aria-label={`Delete ${name}`} onClick={onDelete} />
    </li>
  );
}

/** Opens a saved run. A dialog or the introduction steps aside, since it covers the lanes. */
export function useOpenRun(): (file: File | undefined) => void {
  const { act, setUi } = useConsole();
  return (file) => {
    if (!file) return;
    setUi({ dialog: undefined, tour: false });
    void act.replay(file);
  };
}
