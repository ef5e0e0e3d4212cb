/** A worker's belief about its group. It steers the load towards meaningful calls and judges nothing. */
import type { Call } from '../check/history.ts';

export type Pair = { user: number; token: number };

export class View {
  /** Number of session tokens and of exchange tokens named so far. */
  tokens = 0;
  exchanges = 0;
  /** Exchange tokens that are probably unused, with what they open. */
  readonly pending = new Map<number, Pair>();
  /** Every exchange token named so far. */
  readonly opens: Pair[] = [];
  /** Session token to its probable holder. */
  readonly live = new Map<number, number>();
  /** Session tokens opened by authenticate and not yet recorded. */
  readonly recordable = new Set<number>();
  readonly ended: Pair[] = [];
  /** By user. */
  readonly signs = new Map<number, number>();
  readonly patients = new Map<number, number>();
  unknown = 0;

  learn(call: Call): void {
    const { outcome } = call;
    if (outcome.kind === 'unknown') this.unknown++;
    if (outcome.kind === 'refused') this.#learnRefusal(call, outcome.reason);
    if (outcome.kind !== 'ok') return;
    switch (call.method) {
      case 'saveExchangeToken':
        this.pending.set(call.exchange, { user: call.user, token: call.token });
        return;
      case 'authenticate': {
        const opened = this.opens[call.exchange];
        this.pending.delete(call.exchange);
        if (!opened) return;
        if (!this.live.has(opened.token)) this.recordable.add(opened.token);
        this.live.set(opened.token, opened.user);
        this.#learnLink(opened.user, outcome);
        return;
      }
      case 'saveAuthInfo':
        this.live.set(call.token, call.user);
        this.recordable.delete(call.token);
        return;
      case 'getPatient':
        this.#learnLink(call.user, outcome);
        return;
      case 'removeAuthInfo':
        this.#end(call.token);
        return;
      case 'removeAuthentication':
        this.signs.delete(call.user);
        this.patients.delete(call.user);
        for (const [token, user] of this.live) if (user === call.user) this.#end(token);
    }
  }

  #learnRefusal(call: Call, reason: string): void {
    if (call.method === 'authenticate' && reason.startsWith('exchange_token_')) this.pending.delete(call.exchange);
    if (call.method === 'getPatient' && this.live.get(call.token) === call.user) this.#end(call.token);
    if (call.method === 'saveAuthInfo') this.recordable.delete(call.token);
  }

  #learnLink(user: number, { patient, sign }: { patient?: number; sign?: number }): void {
    if (patient !== undefined) this.patients.set(user, patient);
    if (sign !== undefined) this.signs.set(user, sign);
  }

  #end(token: number): void {
    const user = this.live.get(token);
    if (user !== undefined) this.ended.push({ user, token });
    this.live.delete(token);
    this.recordable.delete(token);
  }
}
