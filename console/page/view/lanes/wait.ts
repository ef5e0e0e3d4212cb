/** How long the calls of a wire wait for their replies. */
import { useMemo } from 'react';
import type { Message, Wire } from '../../../api.ts';
import { rowsShown } from '../../model/model.ts';
import { useConsole, useDemoTime } from '../context.ts';

const SECOND_MS = 1_000;
/** Nearly every call is answered within this time. */
const LONG_MS = 1_000;

/** Returns for how many seconds the oldest call of a wire waits; undefined: no call waits for long. */
export function useWait(wire: Wire): number | undefined {
  const { model } = useConsole();
  const rows = rowsShown(model);
  const oldest = useMemo(
    () =>
      rows.find(
        (row): row is Message => row.kind === 'message' && row.wire === wire && row.outcome === 'underWay',
      ),
    [rows, wire],
  );
  const waitsMs = useDemoTime(SECOND_MS) - (oldest?.beganAt ?? Number.POSITIVE_INFINITY);
  return waitsMs >= LONG_MS ? Math.floor(waitsMs / SECOND_MS) : undefined;
}
