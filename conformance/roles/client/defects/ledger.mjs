/** What a client did and met, in order. Changes read it in place of keeping anything themselves. */
import { around, now } from '../../../examples/plain-client/faults.mjs';

class Ledger {
  /** What the person did, and what the right client showed then. */
  actions = [];
  screens = [];
  /** The calls, each with its time, its session, and its result or its error. */
  calls = [];

  /** What was typed into the last form. */
  get form() {
    return this.#last('fillForm')?.values;
  }

  /** The code that was typed last. */
  get code() {
    return this.#last('enterCode')?.code;
  }

  /** The last record that a server sent. */
  get record() {
    return this.#results.at(-1)?.patient;
  }

  /** The signatures of all links, in order. */
  get signs() {
    return this.#results.map(({ user_sign, userSign }) => user_sign ?? userSign);
  }

  get sign() {
    return this.signs.at(-1);
  }

  /** The screens that showed a record. */
  get recordScreens() {
    return this.screens.filter(({ sees }) => sees === 'patient');
  }

  /** The sessions of all calls, in order. */
  get sessions() {
    return this.calls.flatMap(({ session }) => session ?? []);
  }

  get token() {
    return this.sessions.at(-1)?.token;
  }

  get exchangeToken() {
    return this.answered('auth.exchange_token').at(-1)?.result.exchangeToken;
  }

  /** The calls of a method that had a result. */
  answered(method) {
    return this.calls.filter((call) => call.method === method && call.result);
  }

  /** The calls of a method that had none. */
  failed(method) {
    return this.calls.filter((call) => call.method === method && call.error);
  }

  /** The calls after this one. */
  after(call) {
    return this.calls.slice(this.calls.indexOf(call) + 1);
  }

  #last(what) {
    return this.actions.findLast((action) => action.do === what);
  }

  get #results() {
    return this.calls.flatMap(({ result }) => (result?.patient ? [result] : []));
  }
}

/** Gives a client its ledger, as `client.ledger`. */
export function withLedger(client) {
  const ledger = new Ledger();
  around(client, 'act', async (right, action) => {
    ledger.actions.push(action);
    const seen = await right(action);
    ledger.screens.push(seen);
    return seen;
  });
  for (const server of ['auth', 'ehr'])
    around(client, server, async (right, method, params, ...rest) => {
      const call = { method, params, session: client.storage.session, at: now() };
      ledger.calls.push(call);
      try {
        call.result = await right(method, params, ...rest);
        return call.result;
      } catch (error) {
        call.error = error;
        throw error;
      }
    });
  return Object.assign(client, { ledger });
}
