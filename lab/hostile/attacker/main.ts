/**
 * An attacker process: takes an order, reports when all connections were tried, and sends its report when
 * told to stop.
 */
import { systemClock } from '#protocol/time/clock.ts';
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
// Ctrl-C reaches the whole process group; the run itself ends its processes.
process.on('SIGINT', () => undefined);
