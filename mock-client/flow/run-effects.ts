/** The only effect runner: holds the state, executes effects of transitions, and feeds the answers back. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Rpc } from '../rpc.ts';
import { next } from './machine.ts';
import { boot, type Memory, snapshotOf } from './memory.ts';
import type { Effect, FlowEvent, Model, Replied, Transition, UserEvent } from './state.ts';

export type Flow = {
  current(): Model;
  send(event: UserEvent): void;
  /** Calls `wake` after each change. The returned function unsubscribes. */
  subscribe(wake: () => void): () => void;
};

export type FlowOptions = { rpc: Rpc; memory: Memory; clock: Clock };

/** Starts the flow from the tab's stored snapshot. */
export function startFlow({ rpc, memory, clock }: FlowOptions): Flow {
  const listeners = new Set<() => void>();
  const queue: FlowEvent[] = [];
  let draining = false;
  const start = boot(memory.readSnapshot());
  let model = start.model;
  apply(start);

  return {
    current: () => model,
    send: dispatch,
    subscribe(wake) {
      listeners.add(wake);
      return () => void listeners.delete(wake);
    },
  };

  function dispatch(event: FlowEvent): void {
    queue.push(event);
    // An effect that answers at once must not start a transition inside another.
    if (draining) return;
    draining = true;
    for (let due = queue.shift(); due; due = queue.shift()) apply(next(model, due));
    draining = false;
    for (const wake of listeners) wake();
  }

  function apply(transition: Transition): void {
    model = transition.model;
    // Stored before the calls are sent, so that a reload during a call knows of it.
    memory.writeSnapshot(snapshotOf(model));
    for (const effect of transition.effects) run(effect);
  }

  function run(effect: Effect): void {
    switch (effect.type) {
      case 'call': {
        const { id, call } = effect;
        void rpc.call(call).then((outcome) => {
          dispatch({ type: 'replied', id, at: clock.now(), method: call.method, outcome } as Replied);
        });
        return;
      }
      case 'recall_sign':
        dispatch({ type: 'sign_recalled', id: effect.id, sign: memory.recallSign(effect.attribute) });
        return;
      case 'keep_sign':
        memory.keepSign(effect.attribute, effect.sign);
        return;
      case 'forget_sign':
        memory.forgetSign(effect.attribute);
        return;
    }
  }
}
