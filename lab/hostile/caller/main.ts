/**
 * A process of callers: the attacker, or the measured caller. They are separate, since the work of one would
 * otherwise count as the server's or the other's.
 */
import { systemClock } from '#protocol/time/clock.ts';
import { Attacker, type AttackOrder, type MeasureOrder, measure } from '../callers.ts';

export type CallerOrder = { attack: AttackOrder } | { measure: MeasureOrder } | 'stop';

let attacker: Attacker | undefined;

process.on('message', async (order: CallerOrder) => {
  if (order === 'stop') process.send?.(attacker?.stop());
  else if ('measure' in order)
    process.send?.(await measure(order.measure, systemClock, () => performance.now()));
  else {
    attacker = new Attacker(order.attack, systemClock);
    await attacker.standing;
    process.send?.('standing');
  }
});
process.on('disconnect', () => process.exit(0));
