/** The screen of a demo with worlds, once all of them answer. */
import { personaList } from '#mis-fixtures/personas.ts';
import { programName } from '#service/process/command-line/program-name.ts';
import { portsOfWorld } from './setup.ts';

/** Returns the screen as text. Its last line starts with "Ready". */
export function worldsScreen(
  worlds: readonly { readonly name: string; readonly address: string }[],
  pagePort: number,
): string {
  const width = Math.max(...worlds.map(({ name }) => name.length));
  const rows = worlds.map(({ name, address }, index) => {
    const { client } = portsOfWorld(pagePort, index);
    return `  ${name.padEnd(width)}  ${address}  client http://127.0.0.1:${client}`;
  });
  return [
    '',
    'Each world has a console, parties, a clock and people of its own. All of it ends with the demo:',
    ...rows,
    '',
    `  Servers   the page of a world names their addresses, and so does GET /w/NAME/api/overview`,
    `  Trouble   ${programName('fault')} --world ${worlds[0]?.name} --help`,
    `  Time      ${programName('clock')} --world ${worlds[0]?.name} advance 10m`,
    '  Stop      Ctrl-C',
    '',
    `Ready: open an address above and sign in as ${personaList[0]?.signIn}.`,
    '',
  ].join('\n');
}
