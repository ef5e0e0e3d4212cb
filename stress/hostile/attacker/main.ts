/** A process of attackers: takes an order, says when it stands, and tells what came of it when it is asked to stop. */
import { systemClock } from '#protocol/clock.ts';
import type { AttackOrder } from '../messages.ts';
import { type Attack, startAttack } from './attack.ts';

let attack: Attack | undefined;

process.on('message', (message: AttackOrder | 'stop') => {
  if (message === 'stop') {
    process.send?.({ report: attack?.stop() });
    return;
  }
  attack = startAttack(message, systemClock);
  void attack.standing.then(() => process.send?.('standing'));
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group; the run itself ends its processes.
process.on('SIGINT', () => undefined);
