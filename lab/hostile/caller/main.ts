/**
 * The process of the measured caller. It is separate from the attackers, whose work would otherwise count as
 * the server's.
 */
import { systemClock } from '#protocol/time/clock.ts';
import type { CallerOrder } from '../messages.ts';
import { measure } from './measure.ts';

process.on('message', (order: CallerOrder) => {
  void measure(order, systemClock, () => performance.now()).then((latencies) => process.send?.(latencies));
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the run itself ends its processes.
process.on('SIGINT', () => undefined);
