/** What stands here while the token is missing or wrong: what this page is, and how to open it. */
import { type FormEvent, useState } from 'react';
import type { Moment } from '../../api.ts';
import { tokenIn } from '../connection/token.ts';
import type { OpenedLink } from '../model/moment-link.ts';
import { useConsole } from './context.ts';
import { Button } from './parts/button.tsx';

/** @param opened what the link opens after the token */
export function Gate({ opened }: { opened: OpenedLink | undefined }) {
  const { say, act } = useConsole();
  const moment = opened && 'moment' in opened ? opened.moment : undefined;
  return (
    <main className="gate" id="lanes">
      <h1>{say(moment ? 'lockedLink' : 'tokenTitle')}</h1>
      {act.hasToken && (
        <p className="gate-wrong" role="alert">
          {say('tokenWrong')}
        </p>
      )}
      {moment && <Situation moment={moment} />}
      <p>{say('tokenWhat')}</p>
      <h2>{say('tokenHow')}</h2>
      <ol>
        <li>
          <span>{say('tokenStart')}</span> <code>npm run demo</code>
        </li>
        <li>
          <span>{say('tokenCopy')}</span> <code>{`${new URL('.', window.location.href).href}?token=…`}</code>
        </li>
        <li>
          <span>{say(moment ? 'tokenPasteLink' : 'tokenPaste')}</span>
          <TokenForm />
        </li>
      </ol>
    </main>
  );
}

function Situation({ moment: { scenario, step } }: { moment: Moment }) {
  const { say } = useConsole();
  return <p>{scenario === null ? say('lockedSituation') : say('lockedScenario', { id: scenario, step })}</p>;
}

function TokenForm() {
  const { say } = useConsole();
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
        <span>{say('tokenLabel')}</span>
        <input
          className="btn"
          required
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <Button type="submit" className="btn btn-primary" text="tokenOpen" />
    </form>
  );
}
