/** Defects of the independent servers: each enables one fault of their tables. */
import { FAULTS as carriedSignFaults } from '../shapes/carried-sign.mjs';
import { FAULTS as challengeFaults } from '../shapes/challenge.mjs';
import type { Defect } from './defect.ts';

const tables = { challenge: challengeFaults, 'carried-sign': carriedSignFaults } as const;

/**
 * A defect of a shape by the name of its fault, and the check that must find it.
 * @throws Error when the shape has no such fault
 */
export function onShape(
  shape: keyof typeof tables,
  fault: string,
  caughtBy: string,
  { seenIn }: Pick<Defect, 'seenIn'> = {},
): Defect {
  const row = tables[shape][fault];
  if (!row) throw new Error(`The shape ${shape} has no fault ${fault}.`);
  return { id: `${shape}-${fault}`, title: row.title, shape, faults: [fault], caughtBy, ...(seenIn && { seenIn }) };
}
