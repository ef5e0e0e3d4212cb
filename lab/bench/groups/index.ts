/** All groups of measurements, in the order in which they run. */
import type { Group } from '../bench.ts';
import { commands } from './commands.ts';
import { getPatient } from './get-patient.ts';
import { httpLayer } from './http-layer.ts';
import { match } from './match.ts';
import { memory } from './memory.ts';
import { postgres } from './postgres.ts';
import { purge } from './purge.ts';
import { removes } from './removes.ts';
import { saves } from './saves.ts';
import { starts } from './starts.ts';

export const groups: readonly Group[] = [
  httpLayer,
  getPatient,
  saves,
  removes,
  match,
  purge,
  memory,
  postgres,
  starts,
  commands,
];
