/** Parts of lines that several parts of the report on a terminal share. */
import type { Verdict } from '../../check/verdict.ts';
import { outcomeSigns } from '../words.ts';
import type { Paint } from './terminal.ts';

export type TextOptions = {
  paint: Paint;
  width: number;
  /** Where the other forms of the report are. */
  paths?: readonly string[];
};

/** The sign of an outcome, in its colour. */
export function signed(outcome: Verdict['outcome'], paint: Paint): string {
  const colour =
    outcome === 'pass' ? 'green' : outcome === 'warning' ? 'yellow' : outcome === 'not applicable' ? 'dim' : 'red';
  return paint(colour, outcomeSigns[outcome]);
}

export function heading(text: string, width: number): string {
  return `── ${text} ${'─'.repeat(Math.max(0, width - text.length - 4))}`;
}
