/** Marks the keys of a party's file that a report shows. All others may be secret, and stay out of it. */
import { z } from 'zod';
import { isObject } from '#protocol/wire/envelope.ts';
import { givenRow, type ReadEnv } from './fields.ts';

/** How a report shows the value of a key; undefined leaves it out. */
type How = (value: unknown) => unknown;

const SHOWN = new WeakMap<z.core.$ZodType, How>();

/** Marks this row of a schema: a report shows its value, as it is or in the words of `how`. */
export function inReports<Schema extends z.ZodType>(
  schema: Schema,
  how: (value: z.output<Schema>) => unknown = (value) => value,
): Schema {
  SHOWN.set(schema, how as How);
  return schema;
}

/** What a report shows of the settings of a file, under their keys there. */
export function configurationOf(
  fileSchema: (readEnv: ReadEnv) => z.ZodType,
  settings: object,
): Record<string, unknown> {
  return Object(
    reported(
      fileSchema(() => undefined),
      settings,
    ),
  );
}

function reported(schema: z.core.$ZodType, settings: unknown): unknown {
  const how = SHOWN.get(schema);
  if (how) return how(settings);
  const given = givenRow(schema);
  if (given) return reported(given, settings);
  if (!(schema instanceof z.ZodObject) || !isObject(settings)) return undefined;
  const rows = Object.entries(schema.shape).map(([key, row]) => [key, reported(row, settings[key])] as const);
  const told = rows.filter(([, value]) => value !== undefined);
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}
