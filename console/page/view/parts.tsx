/** The small parts of the page: buttons, choices, dialogs, bodies of messages, links. */
import {
  type ButtonHTMLAttributes,
  Fragment,
  type ReactNode,
  type SelectHTMLAttributes,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { placesOf } from '#protocol/site.ts';
import type { TextTrouble } from '../../api.ts';
import { useConsole } from './context.ts';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { text?: string };

export function Button({ text, children, className = 'btn', ...button }: ButtonProps) {
  return (
    <button type="button" {...button} className={className}>
      {text ?? children}
    </button>
  );
}

export type Option = readonly [value: string, text: string];

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
  options: readonly Option[];
  onChoose?: (value: string) => void;
};

export function Select({ options, onChoose, ...select }: SelectProps) {
  return (
    <select
      className="btn"
      {...select}
      {...(onChoose && { onChange: ({ target }) => onChoose(target.value) })}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** How many calls or messages meet a trouble, to choose from. */
export function timesOptions(numbers: readonly number[]): Option[] {
  const several = numbers.map((n): Option => [String(n), `the next ${n}`]);
  return [['1', 'the next one'], ...several, ['untilOff', 'until switched off']];
}

/** The choice among {@link timesOptions} as the server takes it. */
export function timesChosen(value: string): TextTrouble['times'] {
  return value === 'untilOff' ? value : Number(value);
}

export function Labelled({ text, children }: { text: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label>
      <span>{text}</span>
      {children}
    </label>
  );
}

type DialogProps = { title: string; children: ReactNode; onClose: () => void };

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
        <Button text="Close" onClick={() => dialog.current?.close()} />
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
        <Button text="Cancel" onClick={dialog.onClose} />
      </p>
    </Dialog>
  );
}

/** A longer body is cut on the page; the HAR has all of it. */
const MAX_CHARS = 20_000;

export function Json({ text, label }: { text: string; label: string }) {
  if (text === '') return null;
  const shown = indented(text).slice(0, MAX_CHARS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="json" tabIndex={0} aria-label={label}>
      <pre>
        {shown.split(/(‹[^›\n]{1,60}›)/).map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
          index % 2 === 1 ? <i key={index}>{part}</i> : <span key={index}>{part}</span>,
        )}
      </pre>
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

type SiteLinkProps = { address: string | undefined; text: string };

export function SiteLink({ address, text }: SiteLinkProps) {
  if (address === undefined) return <span>{text}</span>;
  return (
    <a className="site-link" href={address} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** The places of a clause, each as a link where it has a page. */
export function Clause({ clause }: { clause: string }) {
  // Several decisions are one remark.
  const places = new Map(placesOf(clause).map(({ text, address }) => [placeInWords(text), address]));
  return (
    <b>
      {[...places].map(([text, address], index) => (
        <Fragment key={text}>
          {index > 0 && <span>, </span>}
          <SiteLink address={address} text={text} />
        </Fragment>
      ))}
    </b>
  );
}

/** The numbers of our decisions tell a visitor nothing. */
function placeInWords(place: string): string {
  return /^(?:decision |design)/.test(place) ? 'beyond the interface' : place;
}

/** The number of a message, which leads to it: it is chosen, and the lanes show it. */
export function MessageLink({ id, className = '' }: { id: number; className?: string }) {
  const { act, show } = useConsole();

  function open() {
    act.follow(false);
    show(id);
  }

  return (
    <Button className={`text-button ${className}`} aria-label={`message ${id}`} onClick={open}>
      {`#${id}`}
    </Button>
  );
}

/** How long the button says that it copied. */
const SAID_MS = 2_000;

export function CopyButton({ of, text }: { of: string; text: string }) {
  const { clock } = useConsole();
  const [copied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(of);
    setCopied(true);
    clock.after(SAID_MS, () => setCopied(false));
  }

  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{copied ? 'Copied' : text}</span>
    </Button>
  );
}

/** Saves a text as a file, as the browser saves a download. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
