/**
 * Records what a client of the self-test did and what it was answered, in order. The changes that make a
 * client wrong read this ledger, so that no change keeps a state of its own.
 */
import { around, now } from '../../../examples/plain-client/faults.mjs';

class Ledger {
  /** What the person did, and what the client showed then, before a later change altered it. */
  actions = [];
  screens = [];
  /** The calls, each with its time (ms), its session, and its result or its error. */
  calls = [];

  /** What was typed into the last form. */
  get form() {
    return this.#last('fillForm')?.values;
  }

  /** The code that was typed last. */
  get code() {
    return this.#last('enterCode')?.code;
  }

  /** The last record that the EHR server sent. */
  get record() {
    return this.#results.at(-1)?.patient;
  }

  /** The user_signs of all links, in order; the interface has two names for the member. */
  get signs() {
    return this.#results.map(({ user_sign, userSign }) => user_sign ?? userSign);
  }

  /** The user_sign of the last link. */
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

  /** The calls of a method that had a result. */
  answered(method) {
    return this.calls.filter((call) => call.method === method && call.result);
  }

  /** The calls of a method that had an error, or no answer. */
  failed(method) {
    return this.calls.filter((call) => call.method === method && call.error);
  }

  /** The calls after the given one. */
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
