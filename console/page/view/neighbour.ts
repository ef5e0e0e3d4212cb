/** The message before or after the chosen one, among those that the filter shows. */
import { filtered } from '../model/filter.ts';
import { type Model, rowsShown } from '../model/model.ts';

export function neighbour(model: Model, step: 1 | -1): number | undefined {
  const ids = filtered(rowsShown(model), model.filter).flatMap((row) =>
    row.kind === 'message' ? [row.id] : [],
  );
  const at = ids.indexOf(model.chosen ?? -1);
  if (at < 0) return step === 1 ? ids[0] : ids.at(-1);
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))];
}
