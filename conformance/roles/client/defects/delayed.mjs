/** Operators of clients that do something late: they take a late reply, or write their storage later. */
import { after, around, both } from './operators.mjs';

/** How long (ms) a client waits for a reply before it goes on without it. */
const REPLY_WAIT_MS = 600;
const FAILED = Symbol('failed');

/** `late` gets what came late; the client then shows what it has left in `shownNext` at its next action. */
export const inBackground = (name, ask, late) =>
  both(
    around(name, async (right, client) => {
      const { session } = client.storage;
      if (!session) return right();
      const limit = AbortSignal.timeout(REPLY_WAIT_MS);
      const asked = ask(client, right);
      const came = await Promise.race([
        asked.catch(() => FAILED),
        new Promise((resolve) => limit.addEventListener('abort', () => resolve(undefined))),
      ]);
      if (came === FAILED) return right();
      if (came !== undefined) return name === 'readPatient' ? client.show(came) : came;
      void asked.then(
        (result) => late(client, result, session),
        () => undefined,
      );
      throw Object.assign(new Error('late'), { code: 'late' });
    }),
    around('act', async (right, client) => {
      const seen = await right();
      const { shownNext } = client;
      return shownNext ? Object.assign(client, { shownNext: undefined }) && shownNext : seen;
    }),
  );

const LATE_MS = 1_000;

/** Writes a value of the ledger into the client's storage a second after an action has succeeded. */
export const writesLate = (name, what) =>
  after(name, (client) => {
    const left = what(client.ledger);
    const write = () => Object.assign(client.storage, { left }) && client.save();
    AbortSignal.timeout(LATE_MS).addEventListener('abort', write);
  });
