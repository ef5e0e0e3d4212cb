/** What stands here while the token is missing or wrong: what this page is, and how to open it. */
import { type FormEvent, useState } from 'react';
import type { Moment } from '../../api.ts';
import { type OpenedLink, tokenIn } from '../connection/address.ts';
import { texts } from '../texts.ts';
import { useConsole } from './context.ts';
import { Button } from './parts.tsx';

/** @param opened what the link opens after the token */
export function Gate({ opened }: { opened: OpenedLink | undefined }) {
  const { act } = useConsole();
  const moment = opened && 'moment' in opened ? opened.moment : undefined;
  return (
    <main className="gate" id="lanes">
      <h1>{moment ? texts.lockedLink : texts.tokenTitle}</h1>
      {act.hasToken && (
        <p className="gate-wrong" role="alert">
          {texts.tokenWrong}
        </p>
      )}
      {moment && <Situation moment={moment} />}
      <p>{texts.tokenWhat}</p>
      <h2>{texts.tokenHow}</h2>
      <ol>
        <li>
          <span>{texts.tokenStart}</span> <code>npm run demo</code>
        </li>
        <li>
          <span>{texts.tokenCopy}</span> <code>{`${new URL('.', window.location.href).href}?token=…`}</code>
        </li>
        <li>
          <span>{moment ? texts.tokenPasteLink : texts.tokenPaste}</span>
          <TokenForm />
        </li>
      </ol>
    </main>
  );
}

function Situation({ moment: { scenario, step } }: { moment: Moment }) {
  return <p>{scenario === null ? texts.lockedSituation : texts.lockedScenario(scenario, step)}</p>;
}

function TokenForm() {
  const [typed, setTyped] = useState('');

  /** The situation of a link stands behind the `#`, and stays there. */
  function open(event: FormEvent) {
    event.preventDefault();
    const address = new URL(window.location.href);
    address.searchParams.set('token', tokenIn(typed));
    window.location.assign(address);
  }

  return (
    <form className="row" onSubmit={open}>
      <label>
        <span>{texts.tokenLabel}</span>
        <input
          className="btn"
          required
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <Button type="submit" className="btn btn-primary" text={texts.tokenOpen} />
    </form>
  );
}
