/**
 * Opens a run in which a person drives the client: prints the addresses of the kit's servers, which the
 * client must call, and the address at which the person opens the client.
 */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { renderUnicodeCompact } from 'uqr';
import type { Drivers, DriversParts } from '../drivers.ts';
import { confirm, personDriver, type Terminal } from './driver.ts';
import type { PersonSettings } from './settings.ts';

export type Streams = { input: Readable; output: Writable };

/** Opens the terminal, and says what to prepare. */
export function openPerson(
  { address, personMs }: PersonSettings,
  { authUrl, ehrUrl, clock, signal, onCall }: DriversParts,
  { input, output }: Streams = { input: process.stdin, output: process.stderr },
): Drivers {
  const { terminal, close } = terminalOf(input, output);
  const opening =
    address === undefined ? '' : `Open the client at ${address}\n${renderUnicodeCompact(address)}\n`;
  terminal.write(
    `A person drives this client. Let it call\n  the authorization server at ${authUrl}\n  the EHR server at ${ehrUrl}\n${opening}`,
  );
  const parts = { terminal, clock, personMs, onCall, signal };
  let last: string | undefined;
  return {
    can: new Set(),
    async start(storage) {
      const isNew = storage !== last;
      last = storage;
      const forgetful = 'Remove all that the client keeps, such as its storage, and open it';
      await confirm(
        parts,
        isNew ? `${forgetful}${address === undefined ? '' : ` at ${address}`}.` : 'Open the client again.',
      );
      return personDriver(parts);
    },
    close: async () => close(),
  };
}

function terminalOf(input: Readable, output: Writable): { terminal: Terminal; close: () => void } {
  // Ctrl-C ends the run, as in every other command: the lines are read without taking the keys over.
  const lines = createInterface({ input, terminal: false });
  const listeners = new Set<(line: string | undefined) => void>();
  let hasEnded = false;
  const tellAll = (line: string | undefined) => {
    for (const listener of [...listeners]) listener(line);
  };
  lines.on('line', tellAll).on('close', () => {
    hasEnded = true;
    tellAll(undefined);
  });
  const terminal: Terminal = {
    write: (text) => void output.write(text),
    onLine(listener) {
      listeners.add(listener);
      if (hasEnded) listener(undefined);
      return () => void listeners.delete(listener);
    },
  };
  return { terminal, close: () => lines.close() };
}
