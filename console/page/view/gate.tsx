/** What stands here while the token is missing or wrong. */
import { type FormEvent, useState } from 'react';
import { tokenIn } from '../connection/token.ts';
import { useConsole } from './context.ts';
import { Button } from './parts/button.tsx';

export function Gate() {
  const { say } = useConsole();
  const [typed, setTyped] = useState('');

  function open(event: FormEvent) {
    event.preventDefault();
    const address = new URL(window.location.href);
    address.searchParams.set('token', tokenIn(typed));
    window.location.assign(address);
  }

  return (
    <main className="gate" id="lanes">
      <h1>{say('tokenTitle')}</h1>
      <p>{say('tokenText')}</p>
      <form className="row" onSubmit={open}>
        <label>
          <span>{say('tokenLabel')}</span>{' '}
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
    </main>
  );
}
