#!/usr/bin/env node
/** Runs the right client with the difference whose id the environment variable DEFECT has. */
import { run } from '../../../examples/plain-client/client.mjs';
import { around, now } from '../../../examples/plain-client/faults.mjs';
import { clientDefects, harmlessClients, REFERENCE } from './index.mjs';

/** Remembers the actions, screens and calls of the client, for changes that depend on what went before. */
class Ledger {
  /** What the person did, and what the client showed then, before a later change altered it. */
  actions = [];
  screens = [];
  /** The calls, each with its time (ms), its session, and its result or its error. */
  calls = [];

  get form() {
    return this.#last('fillForm')?.values;
  }

  get code() {
    return this.#last('enterCode')?.code;
  }

  get record() {
    return this.#results.at(-1)?.patient;
  }

  get signs() {
    return this.#results.map(({ user_sign, userSign }) => user_sign ?? userSign);
  }

  get sign() {
    return this.signs.at(-1);
  }

  get recordScreens() {
    return this.screens.filter(({ sees }) => sees === 'patient');
  }

  get sessions() {
    return this.calls.flatMap(({ session }) => session ?? []);
  }

  answered(method) {
    return this.calls.filter((call) => call.method === method && call.result);
  }

  /** The calls of a method that had an error, or no answer. */
  failed(method) {
    return this.calls.filter((call) => call.method === method && call.error);
  }

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

function withLedger(client) {
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

const all = [REFERENCE, ...clientDefects, ...harmlessClients];
const variant = all.find(({ id }) => id === process.env.DEFECT);
if (!variant) throw new Error(`There is no variant ${process.env.DEFECT}.`);
await run((client) => variant.change?.(withLedger(client)));
