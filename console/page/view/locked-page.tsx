/** The page while its token is missing or wrong: it says what it is, and how to open it. */
import { type FormEvent, useState } from 'react';
import type { Moment } from '../../api.ts';
import { type OpenedLink, tokenIn } from '../connection/address.ts';
import { useConsole } from './context.ts';
import { Button } from './parts.tsx';

/** @param opened what the link opens after the token */
export function LockedPage({ opened }: { opened: OpenedLink | undefined }) {
  const { act } = useConsole();
  const moment = opened && 'moment' in opened ? opened.moment : undefined;
  return (
    <main className="page-without-lanes" id="lanes">
      <h1>{moment ? 'This link leads into a locked demo' : 'The console is locked'}</h1>
      {act.hasToken && (
        <p className="wrong-token" role="alert">
          This demo has another token. Each start of a demo prints a new one.
        </p>
      )}
      {moment && <Situation moment={moment} />}
      <p>
        This page shows, message by message, what a client, an authorization server and an EHR server say to
        each other. It also controls all three, so it opens only with the token of its demo.
      </p>
      <h2>How to open it</h2>
      <ol>
        <li>
          <span>Start the demo on this computer, unless it runs:</span> <code>npm run demo</code>
        </li>
        <li>
          <span>Copy the address of the console that it prints. The token stands at its end:</span>{' '}
          <code>{`${new URL('.', window.location.href).href}?token=…`}</code>
        </li>
        <li>
          <span>
            {moment
              ? 'Paste it here, and open. The situation of the link then comes up.'
              : 'Paste it here, and open.'}
          </span>
          <TokenForm />
        </li>
      </ol>
    </main>
  );
}

function Situation({ moment: { scenario, step } }: { moment: Moment }) {
  return (
    <p>
      {scenario === null
        ? 'The link has a situation in it: clocks and trouble, without a scenario.'
        : `The link has a situation in it: the scenario ${scenario}, after ${step} steps.`}
    </p>
  );
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
        <span>Address or token</span>
        <input
          className="btn"
          required
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <Button type="submit" className="btn btn-primary" text="Open" />
    </form>
  );
}
