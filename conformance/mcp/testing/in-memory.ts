/** A client of the SDK and our server in one process, with the examples in a folder of their own. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { example } from '../../testing/cli.ts';
import { Folder } from '../folder.ts';
import { createServer } from '../server.ts';
import { Turns } from '../turns.ts';

/** Copies examples (files and folders) into a new folder, and returns its path. */
export function folderWith(...examples: readonly string[]): string {
  const folder = temporaryFolder();
  for (const each of examples) cpSync(example(each), join(folder, each), { recursive: true });
  return folder;
}

/** A faulty EHR server of the examples, with its file. */
export const FAULTY_EHR = ['plain-ehr', 'plain-ehr-faulty.yaml'] as const;

/** How a client asked for a tool, and what the tool said. */
export type ToolAnswer = { text: string; isError: boolean };

/** What a test does with the tools of a folder. */
export async function useTools(directory: string) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const turns = new Turns();
  const server = await createServer({ folder: new Folder(directory), turns });
  await server.connect(ours);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  onTestFinished(async () => {
    await client.close();
    await turns.over();
  });
  const call = async (
    name: string,
    input: Record<string, unknown>,
    options?: Parameters<typeof client.callTool>[1],
  ): Promise<ToolAnswer> => saidBy(await client.callTool({ name, arguments: input }, options));
  return { client, call, turns };
}

/** The text of an answer. */
export function saidBy({ content, isError = false }: Awaited<ReturnType<Client['callTool']>>): ToolAnswer {
  const [first] = content;
  if (first?.type !== 'text') throw new Error('The answer has no text.');
  return { text: first.text, isError };
}
