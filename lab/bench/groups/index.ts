/** All groups of measurements, in the order in which they run. */
import type { Group } from '../run.ts';
import { getPatient } from './get-patient.ts';
import { httpLayer } from './http-layer.ts';
import { match } from './match.ts';
import { postgres } from './postgres.ts';
import { saves } from './saves.ts';
import { starts } from './starts.ts';

export const groups: readonly Group[] = [httpLayer, getPatient, saves, match, postgres, starts];
