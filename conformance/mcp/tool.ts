/** The form of a tool of the Model Context Protocol: what a client is told about it, and what it does. */
import { z } from 'zod';
import { roles } from '../roles/index.ts';
import type { Folder } from './folder.ts';

/** What a call of a tool has around it. */
export type CallContext = {
  folder: Folder;
  /** Aborts when the client cancels the call, or is gone. */
  signal: AbortSignal;
  /** Tells the client how far a run has come. */
  onProgress: (done: number, total: number, message: string) => void;
};

/** A tool. Its answer is text: some clients show a model nothing else where there is structured content. */
export type Tool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  /** What it does and when to use it, for a model. */
  readonly about: string;
  readonly input: Input;
  /** Whether it plays with a party. Such calls wait for each other. */
  readonly plays: boolean;
  /** @throws an error of the kit whose message says what was given and what to do */
  run(input: z.output<Input>, context: CallContext): Promise<string>;
};

/** Checks the parameters of a tool against its input. */
export const tool = <Input extends z.ZodObject>(definition: Tool<Input>): Tool => definition;

/** Limits a text that a client gives. No path and no list of names is longer. */
const MAX_TEXT_CHARS = 4_096;

const text = () =>
  z
    .string()
    .min(1)
    .max(MAX_TEXT_CHARS)
    .regex(/^[^\0]*$/, 'it has a zero byte');

/** The members that several inputs share. */
export const inputs = {
  text,
  role: () => z.enum(roles.map(({ id }) => id)).describe('What kind of program the party is.'),
  config: () =>
    text().describe(
      'Path of the file about the party: where it listens, how the kit starts it, and its steps.',
    ),
  report: () =>
    text().default('conformance-report').describe('Folder of the reports, in the folder of this server.'),
  seed: () =>
    z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .default(1)
      .describe('Seed of phones and invented values.'),
};
