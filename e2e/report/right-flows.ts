/** The messages of a run in which all was right. `npm run e2e -- --keep-messages` writes the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Link } from '#conformance/engine/journal/entry.ts';
import type { Message } from './difference.ts';

const file = new URL('right-flows.json', import.meta.url);

/** Separates the words of a message: `client->ehr patient.get_patient ok`. */
const GAP = ' ';

let read: Record<string, readonly string[]> | undefined;

export function rightMessages(test: {
  readonly file: string;
  readonly title: string;
}): Message[] | undefined {
  read ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>;
  return read[keyOf(test)]?.map((line) => {
    const [link = '', method = '', ...outcome] = line.split(GAP);
    return { link: link as Link, method, outcome: outcome.join(GAP) };
  });
}

export function keepMessages(
  flows: readonly { readonly file: string; readonly title: string; readonly calls: readonly Message[] }[],
): void {
  const kept = flows
    .filter(({ calls }) => calls.length > 0)
    .map(
      (flow) =>
        [keyOf(flow), flow.calls.map((call) => [call.link, call.method, call.outcome].join(GAP))] as const,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 1)}\n`);
}

const keyOf = (test: { file: string; title: string }) => `${test.file} > ${test.title}`;
