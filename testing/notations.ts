/** Each notation of a free-text setting is understood, or refused with what to write. */
import { expect, test } from 'vitest';

export type NotationRow = {
  read: (text: string) => unknown;
  understood: Readonly<Record<string, unknown>>;
  refused: readonly string[];
  /** What the refusal says: the setting, and what to write. */
  says: RegExp;
};

/** What a person may type for a number; YAML turns some of these into numbers by itself. */
export const AMOUNTS = [
  ...['10s', '10 s', '10sec', '1m', '0.5', '1,000', '1_000', '1.000', '1e3', '0x10', '-1', '+1', 'ten'],
  ...['PT10S', ''],
];
/** Addresses that lack something, or are of another kind than http and https. */
export const ADDRESSES = [
  ...[
    'localhost:4100',
    '127.0.0.1:4100',
    '//localhost:4100',
    'ehr.example.org',
    'ftp://ehr.example.org',
    ':4100',
  ],
  ...[
    'ws://localhost:4100',
    'http//localhost:4100',
    '"http://localhost:4100"',
    '<http://localhost:4100>',
    '/ehr',
  ],
];

export function testNotations(rows: Readonly<Record<string, NotationRow>>): void {
  const refused = Object.entries(rows).flatMap(([setting, row]) =>
    row.refused.map((text) => [setting, text, row] as const),
  );
  test.each(refused)('%s: "%s" is refused, with what to write', async (_setting, text, { read, says }) => {
    const outcome = await Promise.resolve()
      .then(() => read(text))
      .then(
        (value) => `taken as ${JSON.stringify(value)}`,
        (error: Error) => error.message,
      );
    expect(outcome).toMatch(says);
  });
  const understood = Object.entries(rows).flatMap(([setting, row]) =>
    Object.entries(row.understood).map(([text, value]) => [setting, text, row, value] as const),
  );
  test.each(understood)('%s: "%s" is understood', async (_setting, text, { read }, value) => {
    expect(await read(text)).toEqual(value);
  });
}
